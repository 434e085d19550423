// vmap: a function of one lane becomes a function of a batch. Inside, batch axes are axis 0.
#include <algorithm>

#include "calx/base/format.h"
#include "calx/core/bug_report.h"
#include "equations.h"

namespace calx {
namespace detail {
namespace {

/// Must the op be told of the lane mask even where its operands are not batched? Checks must be silent, loops must end.
bool obeys_mask(const OpDef& op) {
  static const OpDef& check = get_op("checked_index");
  return &op == &check || op.primitive() == nullptr;
}

std::vector<Batched> batch_call(const BatchCall& batch) {
  const Function f = callee(batch.call.attrs());
  const bool masked = batch.mask.defined();
  std::vector<std::optional<int>> in_axes;
  Tensors operands;
  for (const Batched& operand : batch.operands) {
    in_axes.push_back(operand.batched ? std::optional<int>(0) : std::nullopt);
    operands.push_back(operand.tensor);
  }
  if (masked) operands.push_back(batch.mask);
  const Tensors all = core::call(vmap(f, in_axes, batch.size, {}, masked, batch.call.where()), operands);
  std::vector<Batched> results;
  for (const Tensor& tensor : all) results.push_back({tensor, true});
  return results;
}

std::vector<Batched> batch_equation(const EquationView& view, std::vector<Batched> operands, const Dim& size,
                                    const Tensor& mask) {
  if (view.op.composite() != nullptr && std::holds_alternative<Derived>(view.op.composite()->batch)) {
    return map_batch(decomposition(view.op, view.types, view.attrs), operands, size, mask);
  }
  const Call call(view.op, view.types, view.attrs, view.where);
  const BatchCall batch(call, std::move(operands), size, mask);
  if (&view.op == &call_op()) return batch_call(batch);
  const BatchRule* rule = nullptr;
  if (const Primitive* primitive = view.op.primitive()) {
    rule = std::get_if<BatchRule>(&primitive->batch);
    if (const auto* todo = std::get_if<Todo>(&primitive->batch)) raise_no_rule(view, "vmap", todo->missing);
  } else if (const Composite* composite = view.op.composite()) {
    rule = std::get_if<BatchRule>(&composite->batch);
  } else {
    rule = std::get_if<BatchRule>(&view.op.region()->batch);
    if (const auto* todo = std::get_if<Todo>(&view.op.region()->batch)) raise_no_rule(view, "vmap", todo->missing);
  }
  CALX_ASSERT(rule != nullptr, std::string(view.op.name));
  return (*rule)(batch);
}

}  // namespace
}  // namespace detail

std::vector<Batched> map_batch(const Function& f, std::span<const Batched> arguments, const Dim& size,
                               const Tensor& mask) try {
  CALX_ASSERT(arguments.size() == f.arguments().size(), f.name());
  std::vector<Batched> values(f.num_values());
  std::copy(arguments.begin(), arguments.end(), values.begin());
  for (const Equation& equation : f.equations()) {
    std::vector<Batched> operands;
    bool any = false;
    for (ValueId operand : equation.operands) {
      operands.push_back(values[operand]);
      any |= values[operand].batched;
    }
    if (!any && !(mask.defined() && detail::obeys_mask(*equation.op))) {
      Tensors tensors;
      for (const Batched& operand : operands) tensors.push_back(operand.tensor);
      const Tensors results = detail::replay_in(f, equation, std::move(tensors));
      for (std::uint32_t i = 0; i < equation.num_results; ++i) values[equation.first_result + i] = {results[i], false};
      continue;
    }
    LocationScope location(equation.where);
    const detail::EquationView view(f, equation, {});
    std::vector<Batched> results = detail::batch_equation(view, std::move(operands), size, mask);
    CALX_ASSERT(results.size() == equation.num_results, std::string(view.op.name));
    for (std::uint32_t i = 0; i < equation.num_results; ++i) {
      const Type& one = view.result_types[i];
      const Shape expected = results[i].batched ? one.shape.with_inserted(0, size) : one.shape;
      CALX_ASSERT(results[i].tensor.dtype() == one.dtype &&
                      proven_equal(results[i].tensor.shape(), expected) != Proof::no,
                  format("the batch rule of {} gives {} for {}", view.op.name,
                         results[i].tensor.type().to_string(), one.to_string()));
      values[equation.first_result + i] = std::move(results[i]);
    }
  }
  std::vector<Batched> results;
  for (const Result& result : f.results()) results.push_back(values[result.value]);
  return results;
} catch (const InternalError& error) {
  detail::raise_with_program(error, "vmap", f);
}

namespace {

/// Traces f on a batch; in_axes as in vmap; reports which results are batched.
Function trace_batch(const Function& f, const std::vector<std::optional<int>>& in_axes, const Dim& size,
                     const std::vector<int>& out_axes, bool mask, std::vector<bool>* batched_out) {
  std::vector<Argument> arguments;
  for (std::size_t i = 0; i < in_axes.size(); ++i) {
    Argument argument = f.arguments()[i];
    if (in_axes[i]) argument.type.shape = argument.type.shape.with_inserted(*in_axes[i], size);
    arguments.push_back(std::move(argument));
  }
  if (mask) {
    const std::string name = fresh_name("lanes", detail::argument_names(f));
    arguments.push_back({name, {boolean, Shape({size})}});
  }
  return trace_flat(
             arguments,
             [&](std::span<const Tensor> values) -> Tensors {
               std::vector<Batched> operands;
               for (std::size_t i = 0; i < in_axes.size(); ++i) {
                 const bool batched = in_axes[i].has_value();
                 operands.push_back({batched ? core::move_axis(values[i], *in_axes[i], 0) : values[i], batched});
               }
               const std::vector<Batched> mapped = map_batch(f, operands, size, mask ? values.back() : Tensor());
               Tensors results;
               for (std::size_t i = 0; i < mapped.size(); ++i) {
                 if (batched_out != nullptr) batched_out->push_back(mapped[i].batched);
                 const Tensor full =
                     mapped[i].batched ? mapped[i].tensor : core::add_leading_axis(mapped[i].tensor, size);
                 results.push_back(out_axes.empty() ? full : core::move_axis(full, 0, out_axes[i]));
               }
               return results;
             },
             {.name = f.name(), .result_names = detail::result_names(f), .where = f.where(), .closed = true})
      .function;
}

}  // namespace

Function vmap(const Function& f, const std::vector<std::optional<int>>& in_axes, const Dim& size,
              const std::vector<int>& out_axes, bool mask, SourceLoc where) try {
  detail::require_defined(f, "vmap");
  const auto check = [&](int axis, int rank, const std::string& name) {
    if (axis >= 0 && axis <= rank) return;
    raise({.id = ErrorId::vmap_axis,
           .op = "vmap",
           .message = format("axis {} for `{}` of `{}` is outside [0, {}]", axis, name, f.name(), rank),
           .facts = {{"argument", name}}});
  };
  if (in_axes.size() != f.arguments().size() || (!out_axes.empty() && out_axes.size() != f.results().size())) {
    raise({.id = ErrorId::arity,
           .op = "vmap",
           .message = format("`{}` has {} arguments and {} results but {} in_axes and {} out_axes were given", f.name(),
                             f.arguments().size(), f.results().size(), in_axes.size(), out_axes.size())});
  }
  if (proven_less_equal(Dim(0), size) == Proof::no) {
    raise({.id = ErrorId::value, .op = "vmap", .message = format("the batch size {} is negative", size.to_string())});
  }
  for (std::size_t i = 0; i < in_axes.size(); ++i) {
    if (in_axes[i]) check(*in_axes[i], f.arguments()[i].type.rank(), f.arguments()[i].name);
  }
  for (std::size_t i = 0; i < out_axes.size(); ++i) {
    check(out_axes[i], f.type(f.results()[i].value).rank(), f.results()[i].name);
  }
  return trace_batch(f, in_axes, size, out_axes, mask, nullptr);
} catch (const Error& error) {
  detail::raise_at(error, where);
}

std::vector<bool> batched_results(const Function& f, const std::vector<bool>& batched, const Dim& size, bool mask) {
  std::vector<std::optional<int>> in_axes;
  for (bool flag : batched) in_axes.push_back(flag ? std::optional<int>(0) : std::nullopt);
  std::vector<bool> flags;
  const Function traced = trace_batch(f, in_axes, size, {}, mask, &flags);
  CALX_ASSERT(traced.defined());
  return flags;
}

}  // namespace calx
