// Law 5: the second derivative is the same by forward over reverse, reverse over forward and reverse over
// reverse.
#include "calx/base/format.h"
#include "calx/transforms/transforms.h"
#include "law_functions.h"

namespace calx::laws {
namespace {

std::vector<bool> only_first(const std::vector<bool>& differentiated, std::size_t count) {
  std::vector<bool> result = differentiated;
  result.resize(count, false);
  return result;
}

void append(std::vector<Array>& to, const std::vector<Array>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::vector<Array> last(const std::vector<Array>& values, std::size_t count) {
  return {values.end() - static_cast<std::ptrdiff_t>(count), values.end()};
}

std::vector<Array> zeros_like(const std::vector<Array>& values) {
  std::vector<Array> result;
  for (const Array& value : values) result.push_back(Array::zeros(value.dtype(), value.sizes()));
  return result;
}

void check_case(const LawInput& input, const Case& one, Cell& cell) {
  const Function f = one_equation(input.op, one.types, one.attrs);
  const std::vector<bool> differentiated = one.floating();
  const std::vector<Array> operands = draw(input.op, one, input.seed);
  Random random(input.seed + 17);
  std::vector<Array> v, w, floating_results;
  for (const Type& type : one.types) {
    if (type.dtype.is_floating()) v.push_back(draw_normal(type, random));
  }
  for (const Type& type : f.result_types()) {
    if (type.dtype.is_floating()) w.push_back(draw_normal(type, random));
  }
  if (w.empty()) return cell.add_checks(1);

  const Function reverse = vjp(f, differentiated);  // x, w -> y, J^T w
  const Function forward = jvp(f, differentiated);  // x, v -> y, J v

  std::vector<Array> arguments = operands;
  append(arguments, w);
  append(arguments, v);
  const std::vector<Array> forward_over_reverse = last(
      evaluate(jvp(reverse, only_first(differentiated, reverse.arguments().size())), arguments), v.size());

  arguments = operands;
  append(arguments, v);
  append(arguments, zeros_like(w));
  append(arguments, w);
  const std::vector<Array> reverse_over_forward = last(
      evaluate(vjp(forward, only_first(differentiated, forward.arguments().size())), arguments), v.size());

  arguments = operands;
  append(arguments, w);
  append(arguments, zeros_like(w));
  append(arguments, v);
  const std::vector<Array> reverse_over_reverse = last(
      evaluate(vjp(reverse, only_first(differentiated, reverse.arguments().size())), arguments), v.size());

  std::vector<Array> inputs = v;
  append(inputs, w);
  const double relative = tolerance(coarsest(inputs)).algebra * 10 * input.op.numerics.tolerance_scale;
  for (std::size_t i = 0; i < v.size(); ++i) {
    check_close(cell, one.label + ": forward over reverse, reverse over forward", forward_over_reverse[i],
                reverse_over_forward[i], relative, true);
    check_close(cell, one.label + ": forward over reverse, reverse over reverse", forward_over_reverse[i],
                reverse_over_reverse[i], relative, true);
  }
}

}  // namespace

void check_modes(const LawInput& input, Cell& cell) {
  bool any_floating_operand = false;
  for (const Case& one : input.cases) any_floating_operand |= one.has_floating();
  if (!any_floating_operand) return cell.claim("no floating operand");
  for (const Case& one : derivative_cases(input.cases)) {
    if (input.quick && cell.failed()) return;
    guarded(cell, one.label, [&] { check_case(input, one, cell); });
  }
}

}  // namespace calx::laws
