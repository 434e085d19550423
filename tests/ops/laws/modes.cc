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

void check_case(const LawInput& input, const Case& one, Cell& cell) {
  const Function f = one_equation(input.op, one.types, one.attrs);
  const std::vector<bool> differentiated = one.floating();
  const std::vector<Array> operands = draw(input.op, one, input.seed);
  Random random(input.seed + 17);
  std::vector<Array> v, w;
  for (const Type& type : one.types) {
    if (type.dtype.is_floating()) v.push_back(draw_normal(type, random));
  }
  for (const Type& type : f.result_types()) {
    if (type.dtype.is_floating()) w.push_back(draw_normal(type, random));
  }
  if (w.empty()) return cell.add_checks(1);

  const Function reverse = vjp(f, differentiated);  // x, w -> y, J^T w
  const Function forward = jvp(f, differentiated);  // x, v -> y, J v

  // A derivative computes what it is the derivative of as well: the same bits.
  const auto derived = [&](const std::string& what, const Function& g, const Function& derivative,
                           const std::vector<std::vector<Array>>& values) {
    std::vector<Array> arguments, primal_arguments;
    for (const std::vector<Array>& some : values) append(arguments, some);
    primal_arguments.assign(arguments.begin(),
                            arguments.begin() + static_cast<std::ptrdiff_t>(g.arguments().size()));
    const std::vector<Array> primals = evaluate(g, primal_arguments);
    std::vector<Array> results = evaluate(derivative, arguments);
    for (std::size_t r = 0; r < primals.size(); ++r) {
      check_same(cell, format("{}: {} changes result {}", one.label, what, r), results[r], primals[r]);
    }
    return results;
  };
  const auto moved = [&](const Function& g) { return only_first(differentiated, g.arguments().size()); };
  // Reverse over a derivative has cotangents for the results of f as well, which add J^T w0.
  std::vector<Array> w0;
  for (const Array& array : w) w0.push_back(draw_normal(array.type(), random));
  const std::vector<Array> forward_over_reverse = last(
      derived("forward over reverse", reverse, jvp(reverse, moved(reverse)), {operands, w, v}), v.size());
  const std::vector<Array> reverse_over_forward = last(
      derived("reverse over forward", forward, vjp(forward, moved(forward)), {operands, v, w0, w}), v.size());
  const std::vector<Array> reverse_over_reverse = last(
      derived("reverse over reverse", reverse, vjp(reverse, moved(reverse)), {operands, w, w0, v}), v.size());
  std::vector<Array> arguments = operands;
  append(arguments, w0);
  const std::vector<Array> first_order = last(evaluate(reverse, arguments), v.size());

  std::vector<Array> inputs = operands;
  append(inputs, v);
  append(inputs, w);
  append(inputs, w0);
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Array expected = combine(1, forward_over_reverse[i], 1, first_order[i]);
    const Allowed allowed = reassociated(inputs, {forward_over_reverse[i], first_order[i]},
                                         input.op.numerics.tolerance_scale);
    check_close(cell, one.label + ": forward over reverse, reverse over forward", expected,
                reverse_over_forward[i], allowed, Compared::where_finite);
    check_close(cell, one.label + ": forward over reverse, reverse over reverse", expected,
                reverse_over_reverse[i], allowed, Compared::where_finite);
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
