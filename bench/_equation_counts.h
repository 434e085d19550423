// How many equations the derivatives of an op take, and whether that depends on sizes: it must not. A sample of an op is a
// Function of one equation; a doubled sample is the same op on larger operands.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "calx/core/bind.h"
#include "calx/core/evaluator.h"
#include "calx/core/substitute.h"
#include "calx/core/trace.h"
#include "calx/passes/passes.h"
#include "calx/transforms/rules.h"

namespace calx::bench {

/// One application of an op.
struct Application {
  std::vector<Type> types;
  Attrs attrs;
};

/// Equations after decomposition and `optimize`: of the op, then of its gradient's components, of order 1, 2 and 3.
using EquationCounts = std::array<std::size_t, 4>;

/// The sample with sizes for its symbols, and f64 (else the first dtype that fits) where its dtype is open; nullopt if none
/// fits.
inline std::optional<Application> application_of(const OpDef& op, const Sample& sample) {
  Application application{{}, sample.attrs};
  std::vector<DType> choices = {f64};
  choices.insert(choices.end(), std::begin(kAllDTypes), std::end(kAllDTypes));
  const auto spec = [&](std::size_t i) -> const OperandSpec& { return op.operands[std::min(i, op.operands.size() - 1)]; };
  std::set<std::string> symbols;
  for (DType open : choices) {
    application.types.clear();
    bool fits = true;
    for (std::size_t i = 0; i < sample.operands.size(); ++i) {
      const DTypes set = spec(i).dtypes;
      DType dtype = sample.operands[i].dtype.value_or(open);
      if (!sample.operands[i].dtype && !accepts(set, open)) {
        if (set == DTypes::boolean) dtype = boolean;
        if (set == DTypes::index) dtype = i32;
        if (set == DTypes::u64_key) dtype = u64;
      }
      fits = fits && accepts(set, dtype);
      application.types.push_back({dtype, sample.operands[i].shape});
    }
    if (!fits) continue;
    for (const Type& type : application.types) {
      for (const Dim& dim : type.shape) {
        for (std::string& name : dim.symbols()) symbols.insert(std::move(name));
      }
    }
    Bindings bindings;
    std::int64_t size = 3;
    for (const std::string& name : symbols) bindings.emplace(name, size++);
    for (Type& type : application.types) type = type.bind(bindings);
    application.attrs = bind_sizes(application.attrs, bindings);
    return application;
  }
  return std::nullopt;
}

/// The op as a Function of its operands; nullopt where it does not fit them.
inline std::optional<Function> as_function(const OpDef& op, const Application& application) {
  std::vector<Argument> arguments;
  for (std::size_t i = 0; i < application.types.size(); ++i) {
    arguments.push_back({"a" + std::to_string(i), application.types[i]});
  }
  try {
    return trace_flat(arguments, [&](std::span<const Tensor> x) { return apply(op, {x.begin(), x.end()}, application.attrs); },
                      {.name = std::string(op.name)})
        .function;
  } catch (const InternalError&) {
    throw;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// f with dims changed by `change`, those of its attributes as well if `attributes`.
template <class Change>
Application with_dims(const Application& application, Change change, bool attributes) {
  Application changed = application;
  for (Type& type : changed.types) {
    for (int axis = 0; axis < type.rank(); ++axis) type.shape = type.shape.with_axis(axis, change(type.shape[axis], axis));
  }
  if (!attributes) return changed;
  for (const Attrs::Entry& entry : application.attrs.entries()) {
    if (const auto* dim = std::get_if<Dim>(&entry.value)) changed.attrs.set_value(entry.name, change(*dim, -1));
    if (const auto* dims = std::get_if<std::vector<Dim>>(&entry.value)) {
      std::vector<Dim> all;
      for (const Dim& one : *dims) all.push_back(change(one, -1));
      changed.attrs.set_value(entry.name, std::move(all));
    }
  }
  return changed;
}

/// The application on larger operands, the first of these that the op takes: every size above 1 doubled; the leading axes only;
/// the axes of one size (in attributes too); every size, in attributes too. nullopt if there is none, or nothing to double.
inline std::optional<Application> doubled(const OpDef& op, const Application& application) {
  const auto twice = [](const Dim& dim, int) { return proven_less_equal(dim, Dim(1)) == Proof::yes ? dim : dim * Dim(2); };
  const auto leading = [&](const Dim& dim, int axis) { return axis == 0 ? twice(dim, 0) : dim; };
  std::vector<Application> attempts = {with_dims(application, twice, false), with_dims(application, leading, false)};
  std::set<std::int64_t> sizes;
  for (const Type& type : application.types) {
    for (std::int64_t size : type.shape.sizes()) sizes.insert(size);
  }
  for (bool attributes : {false, true}) {
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
      const auto one_size = [&](const Dim& dim, int) { return dim == Dim(*size) ? twice(dim, 0) : dim; };
      attempts.push_back(with_dims(application, one_size, attributes));
    }
  }
  attempts.push_back(with_dims(application, twice, true));
  for (Application& attempt : attempts) {
    const bool changed = attempt.types != application.types || !(attempt.attrs == application.attrs);
    if (changed && as_function(op, attempt)) return std::move(attempt);
  }
  return std::nullopt;
}

/// The cotangents of the flagged arguments alone: the gradient of f's results along cotangents, which become arguments.
inline Function pulled(const Function& f, std::vector<bool>& flags) {
  const Function both = vjp(f, flags);
  const auto count = static_cast<std::size_t>(std::count(flags.begin(), flags.end(), true));
  std::vector<bool> keep(both.results().size() - count, false);
  keep.resize(both.results().size(), true);
  flags.resize(both.arguments().size(), false);
  return keep_results(both, keep);
}

/// Orders 1 to 3 are 0 where no operand or no result is floating.
inline EquationCounts count_equations(const OpDef& op, const Application& application) {
  Function f = *as_function(op, application);
  EquationCounts counts = {};
  std::vector<bool> flags;
  for (const Type& type : application.types) flags.push_back(type.dtype.is_floating());
  const std::vector<Type> results = f.result_types();
  const auto floating = [](const Type& type) { return type.dtype.is_floating(); };
  const bool differentiable = std::any_of(application.types.begin(), application.types.end(), floating) &&
                              std::any_of(results.begin(), results.end(), floating);
  for (std::size_t order = 0; order < counts.size(); ++order) {
    if (order > 0 && !differentiable) break;
    if (order > 0) f = pulled(f, flags);
    counts[order] = optimize(expand_composites(f)).count_equations();
  }
  return counts;
}

}  // namespace calx::bench
