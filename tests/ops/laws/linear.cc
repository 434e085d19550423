// The claims about linearity: linear groups are additive and homogeneous; an operand outside every group is
// not.
#include <algorithm>

#include "calx/base/format.h"
#include "law_functions.h"

namespace calx::laws {
namespace {

constexpr double kA = 0.75, kB = -1.5;

/// f(a x + b y) - a f(x) - b f(y) over the operands in `group`, the others fixed: does it vanish?
bool is_linear_at(const LawInput& input, const Case& one, const std::vector<int>& group, std::uint64_t seed,
                  std::string* found) {
  const Function f = one_equation(input.op, one.types, one.attrs);
  const std::vector<Array> x = draw(input.op, one, seed);
  const std::vector<Array> other = draw(input.op, one, seed + 1);
  std::vector<Array> y = x, sum = x;
  for (int operand : group) {
    const auto i = static_cast<std::size_t>(operand);
    if (i >= x.size()) continue;
    y[i] = other[i];
    sum[i] = combine(kA, x[i], kB, other[i]);
  }
  std::vector<Array> inputs = x;
  inputs.insert(inputs.end(), y.begin(), y.end());
  const std::vector<Array> at_x = evaluate(f, x), at_y = evaluate(f, y), at_sum = evaluate(f, sum);
  for (std::size_t r = 0; r < at_x.size(); ++r) {
    if (!at_x[r].dtype().is_floating()) continue;
    const Allowed allowed = reassociated(inputs, {at_x[r], at_y[r]}, input.op.numerics.tolerance_scale);
    if (auto differs = difference(at_sum[r], combine(kA, at_x[r], kB, at_y[r]), allowed)) {
      if (found != nullptr) *found = *differs;
      return false;
    }
  }
  return true;
}

bool all_floating(const Case& one, const std::vector<int>& group) {
  for (int operand : group) {
    const auto i = static_cast<std::size_t>(operand);
    if (i < one.types.size() && !one.types[i].dtype.is_floating()) return false;
  }
  return true;
}

}  // namespace

void check_linear(const LawInput& input, Cell& cell) {
  const Primitive* primitive = input.op.primitive();
  if (primitive == nullptr) {
    if (const Region* region = input.op.region();
        region != nullptr && std::holds_alternative<NotLinear>(region->transpose)) {
      return cell.claim("NotLinear");
    }
    return cell.claim(input.op.composite() != nullptr ? "Composite" : "Region");
  }
  if (const auto* todo = std::get_if<Todo>(&primitive->linear))
    return cell.fail("Todo: " + std::string(todo->missing));
  if (std::holds_alternative<ByTransforms>(primitive->linear)) cell.claim("ByTransforms");
  const LinearIn* linear = std::get_if<LinearIn>(&primitive->linear);
  if (linear == nullptr) cell.claim("NotLinear");
  const std::vector<Case> cases = derivative_cases(input.cases);
  const std::size_t num_specs = input.op.operands.size();
  std::vector<bool> grouped(std::max<std::size_t>(num_specs, 1), false);
  if (linear != nullptr) {
    for (const std::vector<int>& group : linear->groups) {
      for (const Case& one : cases) {
        const std::vector<int> operands = group_operands(group, one.types.size());
        for (int operand : operands)
          grouped[std::min(static_cast<std::size_t>(operand), num_specs - 1)] = true;
        if (!all_floating(one, operands)) continue;
        std::string found;
        guarded(cell, one.label, [&] {
          const bool holds = is_linear_at(input, one, operands, input.seed, &found);
          cell.check(holds, [&] { return one.label + ": a linear group is not linear: " + found; });
        });
      }
    }
    if (cases.empty()) cell.add_checks(1);
  }
  // An operand that claims not to be linear must fail the law at some sample.
  for (std::size_t spec = 0; spec < num_specs; ++spec) {
    if (grouped[spec]) continue;
    bool tried = false;
    bool failed_somewhere = false;
    for (const Case& one : cases) {
      const int operand = static_cast<int>(spec);
      if (spec >= one.types.size() || !one.types[spec].dtype.is_floating()) continue;
      guarded(cell, one.label, [&] {
        for (const Type& type : one_equation(input.op, one.types, one.attrs).result_types()) {
          tried |= type.dtype.is_floating() && type.shape.num_elements().value() > 0;
        }
        for (std::uint64_t seed : {input.seed, input.seed + 2, input.seed + 4}) {
          failed_somewhere |= !is_linear_at(input, one, {operand}, seed, nullptr);
        }
      });
    }
    if (!tried || failed_somewhere) continue;
    if (std::holds_alternative<Cut>(primitive->jvp) ||
        std::holds_alternative<PiecewiseConstant>(primitive->jvp))
      continue;
    cell.fail(format("`{}` is in no linear group, but the op is linear in it at every sample",
                     input.op.operands[spec].name));
  }
}

}  // namespace calx::laws
