// What an op knows about simplifying itself holds for every bit pattern (NaN payload aside); an op that
// claims NoIdentity has none of the usual ones: a constant operand, equal operands, attributes that do
// nothing.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "calx/base/format.h"
#include "calx/core/core_ops.h"
#include "calx/core/trace.h"
#include "law_functions.h"

namespace calx::laws {
namespace {

constexpr double kConstants[] = {0.0, -0.0, 1.0, -1.0, 2.0};

/// A way to make the operands of a call from arguments: the arguments' types, and the operands made of them.
struct Variant {
  std::string what;
  std::vector<Type> arguments;
  std::function<Tensors(std::span<const Tensor>)> make;
};

Variant with_operand(std::string what, const Case& one, std::size_t i, Type argument,
                     std::function<Tensor(const Tensor&)> make) {
  std::vector<Type> types = one.types;
  types[i] = std::move(argument);
  return {std::move(what), std::move(types), [i, make](std::span<const Tensor> arguments) {
            Tensors operands(arguments.begin(), arguments.end());
            operands[i] = make(operands[i]);
            return operands;
          }};
}

/// Operands that a rule may look through: constants, repeated operands, and views and conversions of other
/// tensors.
std::vector<Variant> variants(const OpDef& op, const Case& one) {
  std::vector<Variant> all;
  all.push_back(
      {"as it is", one.types, [](std::span<const Tensor> x) { return Tensors(x.begin(), x.end()); }});
  const auto same = [&](std::size_t i, std::size_t k) { return one.types[i] == one.types[k]; };
  for (std::size_t i = 0; i < one.types.size(); ++i) {
    const Type& type = one.types[i];
    for (std::size_t k = 0; k < i; ++k) {
      if (!same(i, k)) continue;
      all.push_back({format("operand {} is operand {}", i, k), one.types, [i, k](std::span<const Tensor> x) {
                       Tensors operands(x.begin(), x.end());
                       operands[i] = operands[k];
                       return operands;
                     }});
    }
    for (double constant : kConstants) {
      if (!type.dtype.is_signed() && constant < 0) continue;
      if (!type.dtype.is_floating() && std::signbit(constant) && constant == 0) continue;
      all.push_back(with_operand(format("operand {} is {}", i, constant), one, i, type,
                                 [constant](const Tensor& x) { return core::full(x.type(), constant); }));
    }
    // Views of other tensors.
    const int rank = type.rank();
    std::vector<std::int64_t> backwards(static_cast<std::size_t>(rank));
    std::iota(backwards.rbegin(), backwards.rend(), 0);
    std::vector<Dim> reversed(type.shape.dims().rbegin(), type.shape.dims().rend());
    all.push_back(with_operand(format("operand {} is a transpose", i), one, i, {type.dtype, Shape(reversed)},
                               [backwards](const Tensor& x) { return core::transpose(x, backwards); }));
    all.push_back(with_operand(format("operand {} is a reshape", i), one, i,
                               {type.dtype, {type.shape.num_elements()}},
                               [shape = type.shape](const Tensor& x) { return core::reshape(x, shape); }));
    if (rank > 0) {
      std::vector<std::int64_t> kept(static_cast<std::size_t>(rank) - 1);
      std::iota(kept.begin(), kept.end(), 1);
      all.push_back(
          with_operand(format("operand {} is an expand", i), one, i, {type.dtype, type.shape.without_axis(0)},
                       [shape = type.shape, kept](const Tensor& x) { return core::expand(x, shape, kept); }));
    }
    for (DType from : {boolean, i8, u8, i32, f16, bf16, f32, f64}) {
      all.push_back(with_operand(format("operand {} is a convert of {}", i, from.name()), one, i,
                                 {from, type.shape},
                                 [to = type.dtype](const Tensor& x) { return core::convert(x, to); }));
    }
    if (!type.dtype.is_boolean()) {
      all.push_back(with_operand(format("operand {} is a neg", i), one, i, type,
                                 [](const Tensor& x) { return core::neg(x); }));
    }
    // The op on its own result.
    all.push_back({format("operand {} is the op's own result", i), one.types,
                   [&op, &one, i](std::span<const Tensor> x) {
                     Tensors operands(x.begin(), x.end());
                     const Tensors inner = apply(op, operands, one.attrs);
                     if (inner[0].type() == operands[i].type()) operands[i] = inner[0];
                     return operands;
                   }});
  }
  return all;
}

std::vector<Array> draw_arguments(const OpDef& op, const Case& one, const std::vector<Type>& types,
                                  int round) {
  Case other = one;
  other.types = types;
  return round < 4 ? draw(op, other, static_cast<std::uint64_t>(round)) : draw_corners(op, other, round);
}

void check_rule(const LawInput& input, const Case& one, const SimplifyRule& rule, Cell& cell) {
  for (const Variant& variant : variants(input.op, one)) {
    std::vector<Argument> arguments;
    for (std::size_t i = 0; i < variant.arguments.size(); ++i)
      arguments.push_back({format("a{}", i), variant.arguments[i]});
    std::size_t num_results = 0;
    bool replaced = false;
    const Function both = trace_flat(arguments, [&](std::span<const Tensor> x) -> Tensors {
                            const Tensors operands = variant.make(x);
                            std::vector<Type> types;
                            for (const Tensor& operand : operands) types.push_back(operand.type());
                            Attrs attrs = one.attrs;
                            const std::vector<Type> result_types = infer_types(input.op, types, attrs, {});
                            Tensors results = apply(input.op, operands, attrs);
                            num_results = results.size();
                            const auto other =
                                rule(Call(input.op, operands, types, attrs, {}, results, result_types));
                            replaced = other.has_value();
                            if (replaced) results.insert(results.end(), other->begin(), other->end());
                            return results;
                          }).function;
    cell.add_checks(1);
    if (!replaced) continue;
    const std::vector<Type> types = both.result_types();
    for (std::size_t r = 0; r < num_results; ++r) {
      cell.check(types[r] == types[num_results + r], [&] {
        return format("{}: {}: {} is replaced by {}", one.label, variant.what, types[r].to_string(),
                      types[num_results + r].to_string());
      });
    }
    for (int round = 0; round < 16; ++round) {
      const std::vector<Array> operands = draw_arguments(input.op, one, variant.arguments, round);
      const std::vector<Array> values = evaluate(both, operands);
      for (std::size_t r = 0; r < num_results; ++r) {
        if (!check_same(cell, format("{}: {}: simplified", one.label, variant.what), values[r],
                        values[num_results + r]))
          return;
      }
    }
  }
}

/// Is the result always one of the operands, bit for bit, with operand `constant_at` held at `constant`?
bool is_identity(const OpDef& op, const Case& one, std::size_t operand, int constant_at, double constant,
                 int repeated) {
  const Function f = one_equation(op, one.types, one.attrs);
  if (f.results().size() != 1 || f.result_types()[0] != one.types[operand]) return false;
  if (one.types[operand].shape.num_elements().value() < 2) return false;  // a coincidence of sizes
  for (int round = 0; round < 20; ++round) {
    std::vector<Array> operands = draw_arguments(op, one, one.types, round);
    if (constant_at >= 0) {
      Array& fixed = operands[static_cast<std::size_t>(constant_at)];
      Array filled = Array::uninitialized(fixed.dtype(), fixed.sizes());
      visit_dtype(filled.dtype(), [&]<class T>(std::type_identity<T>) {
        for (std::int64_t i = 0; i < filled.num_elements(); ++i)
          filled.mutable_data<T>()[i] = convert_element<T>(constant);
      });
      fixed = filled;
    }
    if (repeated >= 0) operands[static_cast<std::size_t>(repeated)] = operands[operand];
    if (!same_bits(evaluate(f, operands)[0], operands[operand])) return false;
  }
  return true;
}

void check_none(const LawInput& input, const Case& one, Cell& cell) {
  for (const SampleOperand& operand : one.sample.operands) {
    if (operand.draw == Draw::indices || operand.draw == Draw::given) return;
  }
  const std::size_t n = one.types.size();
  for (std::size_t i = 0; i < n; ++i) {
    cell.check(!is_identity(input.op, one, i, -1, 0, -1),
               [&] { return format("{}: claims NoIdentity but the result is operand {}", one.label, i); });
    for (std::size_t k = 0; k < n; ++k) {
      if (k == i) continue;
      for (double constant : kConstants) {
        if (!one.types[k].dtype.is_signed() && constant < 0) continue;
        cell.check(!is_identity(input.op, one, i, static_cast<int>(k), constant, -1), [&] {
          return format("{}: claims NoIdentity but with operand {} = {} the result is operand {}", one.label,
                        k, constant, i);
        });
      }
      if (k > i && one.types[k] == one.types[i]) {
        cell.check(!is_identity(input.op, one, i, -1, 0, static_cast<int>(k)), [&] {
          return format("{}: claims NoIdentity but with operands {} and {} equal the result is they",
                        one.label, i, k);
        });
      }
    }
  }
}

}  // namespace

void check_simplify(const LawInput& input, Cell& cell) {
  const SimplifyRule* rule = nullptr;
  const Todo* todo = nullptr;
  bool computes = true;
  if (const Primitive* primitive = input.op.primitive()) {
    rule = std::get_if<SimplifyRule>(&primitive->simplify);
    todo = std::get_if<Todo>(&primitive->simplify);
    computes =
        std::holds_alternative<LowerRule>(primitive->lower) && !std::holds_alternative<Cut>(primitive->jvp);
  } else if (const Composite* composite = input.op.composite()) {
    rule = std::get_if<SimplifyRule>(&composite->simplify);
    todo = std::get_if<Todo>(&composite->simplify);
    computes = !std::holds_alternative<Cut>(composite->jvp);
  } else {
    rule = std::get_if<SimplifyRule>(&input.op.region()->simplify);
    todo = std::get_if<Todo>(&input.op.region()->simplify);
    if (const auto* prune = std::get_if<Todo>(&input.op.region()->prune)) todo = prune;
    computes = false;
  }
  if (todo != nullptr) return cell.fail("Todo: " + std::string(todo->missing));
  if (rule == nullptr) {
    cell.claim("NoIdentity");
    if (!computes) return;
    const bool has_f32 =
        std::any_of(input.cases.begin(), input.cases.end(), [](const Case& one) { return one.dtype == f32; });
    for (const Case& one : input.cases) {
      if (one.dtype && *one.dtype != (has_f32 ? f32 : i32)) continue;
      guarded(cell, one.label, [&] { check_none(input, one, cell); });
    }
    return;
  }
  for (const Case& one : input.cases) {
    const bool chosen = !one.dtype || *one.dtype == f32 || *one.dtype == f16 || *one.dtype == i32 ||
                        *one.dtype == u8 || *one.dtype == boolean;
    if (chosen) guarded(cell, one.label, [&] { check_rule(input, one, *rule, cell); });
  }
}

}  // namespace calx::laws
