// Law 4: <J v, w> = <v, J^T w>, by vjp, and by the transpose of each linear group alone. What is not in a
// group cannot be transposed: a typed error.
#include <algorithm>
#include <cmath>

#include "calx/base/format.h"
#include "calx/transforms/transforms.h"
#include "law_functions.h"

namespace calx::laws {
namespace {

double magnitude(const std::vector<Array>& a, const std::vector<Array>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::int64_t k = 0; k < a[i].num_elements(); ++k) {
      sum += std::abs(a[i].element_as_double(k) * b[i].element_as_double(k));
    }
  }
  return sum;
}

double inner(const std::vector<Array>& a, const std::vector<Array>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += inner_product(a[i], b[i]);
  return sum;
}

void compare(Cell& cell, const std::string& label, const std::vector<Array>& v, const std::vector<Array>& vt,
             const std::vector<Array>& w, const std::vector<Array>& wt, double scale) {
  for (std::size_t i = 0; i < v.size(); ++i) {
    cell.check(v[i].type() == vt[i].type(), [&] {
      return format("{}: cotangent {} has type {}, the operand {}", label, i, vt[i].type().to_string(),
                    v[i].type().to_string());
    });
    if (v[i].type() != vt[i].type()) return;
  }
  std::vector<Array> all = v;
  all.insert(all.end(), w.begin(), w.end());
  const double left = inner(wt, w);
  const double right = inner(v, vt);
  const Allowed each = reassociated(all, {}, scale);
  const double allowed = each.relative * (magnitude(wt, w) + magnitude(v, vt)) + each.absolute * largest(all);
  cell.check(std::abs(left - right) <= allowed, [&] {
    return format("{}: <J v, w> = {:.12g} but <v, J^T w> = {:.12g}; J^T w = {}", label, left, right,
                  vt.empty() ? "" : show(vt.front()));
  });
}

void check_by_vjp(const LawInput& input, const Case& one, std::uint64_t seed, Cell& cell) {
  const Function f = one_equation(input.op, one.types, one.attrs);
  const std::vector<bool> differentiated = one.floating();
  const std::vector<Array> operands = draw(input.op, one, seed);
  Random random(seed + 11);
  std::vector<Array> v, w;
  for (const Type& type : one.types) {
    if (type.dtype.is_floating()) v.push_back(draw_normal(type, random));
  }
  std::size_t num_results = f.results().size();
  for (const Type& type : f.result_types()) {
    if (type.dtype.is_floating()) w.push_back(draw_normal(type, random));
  }
  std::vector<Array> forward = operands, backward = operands;
  forward.insert(forward.end(), v.begin(), v.end());
  backward.insert(backward.end(), w.begin(), w.end());
  const std::vector<Array> tangents = evaluate(jvp(f, differentiated), forward);
  const std::vector<Array> cotangents = evaluate(vjp(f, differentiated), backward);
  for (std::size_t r = 0; r < num_results; ++r) {
    check_same(cell, one.label + ": vjp changes a result", cotangents[r], tangents[r]);
  }
  const auto first = static_cast<std::ptrdiff_t>(num_results);
  compare(cell, one.label, v, {cotangents.begin() + first, cotangents.end()}, w,
          {tangents.begin() + first, tangents.end()}, input.op.numerics.tolerance_scale);
}

void check_group(const LawInput& input, const Case& one, const std::vector<int>& group, std::uint64_t seed,
                 Cell& cell) {
  const Function f = one_equation(input.op, one.types, one.attrs);
  std::vector<bool> linear(one.types.size(), false);
  for (int operand : group) {
    if (operand >= static_cast<int>(one.types.size())) continue;  // an optional operand that is not there
    if (!one.types[static_cast<std::size_t>(operand)].dtype.is_floating()) return;
    linear[static_cast<std::size_t>(operand)] = true;
  }
  for (const Type& type : f.result_types()) {
    if (!type.dtype.is_floating()) return;
  }
  const std::vector<Array> operands = draw(input.op, one, seed);
  Random random(seed + 13);
  std::vector<Array> v, w, arguments;
  for (std::size_t i = 0; i < operands.size(); ++i) (linear[i] ? v : arguments).push_back(operands[i]);
  for (const Type& type : f.result_types()) {
    w.push_back(draw_normal(type, random));
    arguments.push_back(w.back());
  }
  compare(cell, one.label + ": linear group", v, evaluate(transpose(f, linear), arguments), w,
          evaluate(f, operands), input.op.numerics.tolerance_scale);
}

}  // namespace

void check_vjp(const LawInput& input, Cell& cell) {
  bool any_floating_operand = false;
  for (const Case& one : input.cases) any_floating_operand |= one.has_floating();
  const Primitive* primitive = input.op.primitive();
  if (primitive != nullptr) {
    if (const auto* todo = std::get_if<Todo>(&primitive->linear))
      return cell.fail("Todo: " + std::string(todo->missing));
  }
  if (const Region* region = input.op.region()) {
    if (const auto* todo = std::get_if<Todo>(&region->transpose))
      return cell.fail("Todo: " + std::string(todo->missing));
  }
  if (!any_floating_operand) return cell.claim("no floating operand");
  const LinearIn* linear = primitive != nullptr ? std::get_if<LinearIn>(&primitive->linear) : nullptr;
  for (const Case& one : input.cases) {
    if (input.quick && cell.failed()) return;
    // Every floating dtype: transposition must keep dtypes. Ties do not matter, but untyped kinks in narrow
    // dtypes do.
    if (!one.sample.smooth || !one.has_floating()) continue;
    if (input.quick && one.dtype && *one.dtype != f64) continue;
    // A few elements need several draws until both sides of a branch are met; so do indices and modes.
    const bool has_indices =
        std::any_of(one.sample.operands.begin(), one.sample.operands.end(),
                    [](const SampleOperand& operand) { return operand.draw == Draw::indices; });
    const std::uint64_t draws = one.num_elements() < 8 || has_indices ? 6 : 1;
    for (std::uint64_t k = 0; k < draws; ++k) {
      guarded(cell, one.label, [&] { check_by_vjp(input, one, input.seed + k, cell); });
      if (linear == nullptr) continue;
      for (const std::vector<int>& group : linear->groups) {
        guarded(cell, one.label + ": linear group", [&] {
          check_group(input, one, group_operands(group, one.types.size()), input.seed + k, cell);
        });
      }
    }
  }
  if (input.quick || (linear == nullptr && primitive == nullptr)) return;
  // An operand outside every group cannot be transposed.
  for (const Case& one : derivative_cases(input.cases)) {
    for (std::size_t i = 0; i < one.types.size(); ++i) {
      if (!one.types[i].dtype.is_floating() || one.num_elements() == 0) continue;
      bool in_group = false;
      if (linear != nullptr) {
        for (const std::vector<int>& group : linear->groups) {
          for (int operand : group_operands(group, one.types.size()))
            in_group |= operand == static_cast<int>(i);
        }
      }
      if (in_group || std::holds_alternative<PiecewiseConstant>(primitive->jvp) ||
          std::holds_alternative<Cut>(primitive->jvp)) {
        continue;
      }
      std::vector<bool> selected(one.types.size(), false);
      selected[i] = true;
      try {
        (void)transpose(one_equation(input.op, one.types, one.attrs), selected);
        cell.fail(format("{}: operand {} is in no linear group but was transposed", one.label, i));
      } catch (const Error& error) {
        cell.check(error.id() == ErrorId::not_linear, [&] {
          return format("{}: transposing operand {} must raise CALX-E603 but raised {}", one.label, i,
                        error.what());
        });
      }
    }
    break;
  }
}

}  // namespace calx::laws
