// Law 1: the inferred types are those of the reference's results, with static sizes and with symbols in their
// place.
#include <set>

#include "calx/base/format.h"
#include "calx/core/bind.h"
#include "calx/core/substitute.h"
#include "law_functions.h"

namespace calx::laws {
namespace {

using Sizes = std::map<std::int64_t, Dim>;

Dim replaced(const Dim& dim, const Sizes& symbols) {
  if (!dim.is_constant()) return dim;
  const auto found = symbols.find(dim.value());
  return found == symbols.end() ? dim : found->second;
}

Attrs replaced(const Attrs& attrs, const Sizes& symbols) {
  Attrs result = attrs;
  for (const Attrs::Entry& entry : attrs.entries()) {
    if (const auto* dim = std::get_if<Dim>(&entry.value))
      result.set_value(entry.name, replaced(*dim, symbols));
    if (const auto* dims = std::get_if<std::vector<Dim>>(&entry.value)) {
      std::vector<Dim> list;
      for (const Dim& one : *dims) list.push_back(replaced(one, symbols));
      result.set_value(entry.name, std::move(list));
    }
  }
  return result;
}

std::optional<std::vector<Type>> try_infer(const OpDef& op, const std::vector<Type>& types, Attrs attrs) {
  try {
    return infer_types(op, types, attrs, {});
  } catch (const Error& error) {
    // A rule that reads a symbolic size as a number is at fault, not the sizes.
    if (error.id() == ErrorId::internal || error.id() == ErrorId::dim_unbound) throw;
    return std::nullopt;
  }
}

std::vector<Type> bound(std::vector<Type> types, const Bindings& bindings) {
  for (Type& type : types) type = type.bind(bindings);
  return types;
}

/// One choice of symbols; true iff the op takes it.
bool check_symbolic(const OpDef& op, const Case& one, const std::vector<Type>& types, const Attrs& attrs,
                    const Bindings& bindings, std::uint64_t seed, Cell& cell) {
  const std::optional<std::vector<Type>> inferred = try_infer(op, types, attrs);
  if (!inferred) return false;
  // At the sample's own sizes and at larger ones.
  for (std::int64_t grow : {0, 1, 2}) {
    Bindings sizes = bindings;
    for (auto& [name, size] : sizes) size += grow;
    const std::optional<std::vector<Type>> expected =
        try_infer(op, bound(types, sizes), bind_sizes(attrs, sizes));
    if (!expected) continue;
    const std::vector<Type> actual = bound(*inferred, sizes);
    cell.check(actual == *expected, [&] {
      return format("{}: symbolic result {} gives {} at +{} but {} is inferred from sizes", one.label,
                    inferred->empty() ? "" : inferred->front().to_string(),
                    actual.empty() ? "" : actual.front().to_string(), grow,
                    expected->empty() ? "" : expected->front().to_string());
    });
  }
  const Function symbolic = one_equation(op, types, attrs);
  const std::vector<Array> operands = draw(op, one, seed);
  const std::vector<Array> values = evaluate(symbolic, operands);
  const std::vector<Array> expected = evaluate(one_equation(op, one.types, one.attrs), operands);
  for (std::size_t r = 0; r < values.size(); ++r) {
    check_same(cell, one.label + " with symbolic sizes", values[r], expected[r]);
  }
  return true;
}

}  // namespace

void check_types(const LawInput& input, Cell& cell) {
  bool has_sizes = false;
  bool took_symbols = false;
  std::set<int> tried;
  for (const Case& one : input.cases) {
    guarded(cell, one.label, [&] {
      Attrs attrs = one.attrs;
      const std::vector<Type> inferred = infer_types(input.op, one.types, attrs, {});
      const std::vector<Array> values =
          evaluate(one_equation(input.op, one.types, one.attrs), draw(input.op, one, input.seed));
      cell.check(inferred.size() == values.size(), [&] { return one.label + ": another number of results"; });
      for (std::size_t r = 0; r < values.size() && r < inferred.size(); ++r) {
        cell.check(values[r].type() == inferred[r], [&] {
          return format("{}: result {} is inferred as {} but the reference gives {}", one.label, r,
                        inferred[r].to_string(), values[r].type().to_string());
        });
      }
      if (!tried.insert(one.sample_index).second) return;
      if (one.symbolic_types != one.types) {
        Bindings bindings;
        for (std::size_t i = 0; i < one.types.size(); ++i) {
          for (int axis = 0; axis < one.types[i].rank(); ++axis) {
            if (const auto name = one.symbolic_types[i].shape[axis].symbol_name()) {
              bindings.emplace(*name, one.types[i].shape[axis].value());
            }
          }
        }
        has_sizes = true;
        took_symbols |= cell.check(
            check_symbolic(input.op, one, one.symbolic_types, one.symbolic_attrs, bindings, input.seed, cell),
            [&] { return one.label + ": the sample's own symbols are refused"; });
        return;
      }
      std::set<std::int64_t> sizes;
      for (const Type& type : one.types) {
        for (const Dim& dim : type.shape) {
          if (dim.value() >= 2) sizes.insert(dim.value());
        }
      }
      if (sizes.empty()) return;
      has_sizes = true;
      // All sizes as symbols; where that is refused, one at a time.
      std::vector<std::vector<std::int64_t>> choices = {{sizes.begin(), sizes.end()}};
      for (std::int64_t size : sizes) choices.push_back({size});
      for (const std::vector<std::int64_t>& choice : choices) {
        Sizes symbols;
        Bindings bindings;
        for (std::int64_t size : choice) {
          symbols.emplace(size, Dim::symbol(format("S{}", size)));
          bindings.emplace(format("S{}", size), size);
        }
        std::vector<Type> types = one.types;
        for (Type& type : types) {
          std::vector<Dim> dims;
          for (const Dim& dim : type.shape) dims.push_back(replaced(dim, symbols));
          type.shape = Shape(std::move(dims));
        }
        // Attributes that hold the same size follow it, unless the op wants them as they are.
        for (const Attrs& attributes : {replaced(one.attrs, symbols), one.attrs}) {
          if (check_symbolic(input.op, one, types, attributes, bindings, input.seed, cell)) {
            took_symbols = true;
            break;
          }
        }
        if (took_symbols && choice.size() == sizes.size()) break;
      }
    });
  }
  if (has_sizes && !took_symbols) cell.claim("static sizes only");
}

}  // namespace calx::laws
