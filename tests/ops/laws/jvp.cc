// Law 3: jvp equals central differences in a random direction, order by order: the jvp of the jvp is compared
// with the differences of the jvp. Other dtypes than f64 are compared with f64. Claims of a zero derivative
// are tested.
#include <cmath>

#include "calx/base/format.h"
#include "calx/transforms/transforms.h"
#include "law_functions.h"
#include "points.h"

namespace calx::laws {
namespace {

bool is_constant_claim(const OpDef& op) {
  if (const Primitive* primitive = op.primitive()) {
    return std::holds_alternative<PiecewiseConstant>(primitive->jvp) ||
           std::holds_alternative<Cut>(primitive->jvp);
  }
  if (const Composite* composite = op.composite()) return std::holds_alternative<Cut>(composite->jvp);
  return false;
}

std::vector<bool> first_arguments(const Function& f, const std::vector<bool>& differentiated) {
  std::vector<bool> result = differentiated;
  result.resize(f.arguments().size(), false);
  return result;
}

/// All orders at one draw. False if differences cannot judge there, because a kink is near.
bool check_orders(const LawInput& input, const Case& one, int order, std::uint64_t seed, Cell& cell) {
  const std::vector<bool> differentiated = one.floating();
  Function f = one_equation(input.op, one.types, one.attrs);
  std::vector<Array> arguments = draw(input.op, one, seed);
  Random random(seed * 77 + 5);
  for (int k = 1; k <= order; ++k) {
    const std::vector<bool> moved = first_arguments(f, differentiated);
    const Function derivative = jvp(f, moved);
    std::vector<Array> directions;
    for (std::size_t i = 0; i < differentiated.size(); ++i) {
      if (differentiated[i]) directions.push_back(draw_normal(one.types[i], random));
    }
    std::vector<Array> with_directions = arguments;
    with_directions.insert(with_directions.end(), directions.begin(), directions.end());
    const std::vector<Array> results = evaluate(derivative, with_directions);
    const std::size_t num_primals = f.results().size();
    const std::vector<Array> tangents(results.begin() + static_cast<std::ptrdiff_t>(num_primals),
                                      results.end());
    const std::vector<Array> primals = evaluate(f, arguments);
    bool holds = true;
    for (std::size_t r = 0; r < num_primals; ++r) {
      holds &= check_same(cell, format("{}: order {}: jvp changes result {}", one.label, k, r), results[r],
                          primals[r]);
    }
    const Differences expected = central_differences(f, arguments, moved, directions);
    const bool same_number = cell.check(tangents.size() == expected.tangents.size(), [&] {
      return format("{}: order {}: {} tangents for {} floating results", one.label, k, tangents.size(),
                    expected.tangents.size());
    });
    if (!same_number) return true;
    if (!expected.settled) return false;
    const double scale = input.op.numerics.tolerance_scale;
    const Allowed allowed{scale * expected.allowed.relative, scale * expected.allowed.absolute};
    for (std::size_t r = 0; r < tangents.size(); ++r) {
      holds &= check_close(cell,
                           format("{}: order {}: tangent {} against differences (seed {})", one.label, k, r, seed),
                           tangents[r], expected.tangents[r], allowed);
    }
    if (!holds) return true;
    f = derivative;
    arguments = std::move(with_directions);
  }
  return true;
}

/// At several points, each of which must pass. Points near a kink are drawn again, a few times.
void check_differences(const LawInput& input, const Case& one, Cell& cell) {
  const int points = input.quick ? 2 : 3;
  constexpr int kRedraws = 8;
  int redraws = 0;
  std::uint64_t seed = input.seed;
  for (int point = 0; point < points; ++seed) {
    if (input.quick && cell.failed()) return;
    if (check_orders(input, one, derivative_order(input.op), seed, cell)) {
      ++point;
      if (one.num_elements() == 0) break;
    } else if (++redraws > kRedraws) {
      return cell.fail(format("{}: differences judge no more than {} of {} points", one.label, point, point + redraws));
    }
  }
  cell.add_redraws(redraws);
}

void check_zero(const LawInput& input, const Case& one, Cell& cell) {
  const Function derivative = jvp(one_equation(input.op, one.types, one.attrs), one.floating());
  std::vector<Array> arguments = draw(input.op, one, input.seed);
  Random random(input.seed);
  for (const Type& type : one.types) {
    if (type.dtype.is_floating()) arguments.push_back(draw_normal(type, random));
  }
  const std::size_t num_primals = one_equation(input.op, one.types, one.attrs).results().size();
  const std::vector<Array> results = evaluate(derivative, arguments);
  for (std::size_t r = num_primals; r < results.size(); ++r) {
    check_same(cell, one.label + ": the tangent of a constant", results[r],
               Array::zeros(results[r].dtype(), results[r].sizes()));
  }
  cell.add_checks(1);
}

/// The jvp in a narrower dtype against the one in f64 at the same point.
void check_narrow(const LawInput& input, const Case& narrow, const Case& wide, std::uint64_t seed,
                  Cell& cell) {
  const Function f = jvp(one_equation(input.op, narrow.types, narrow.attrs), narrow.floating());
  const Function g = jvp(one_equation(input.op, wide.types, wide.attrs), wide.floating());
  std::vector<Array> arguments = draw(input.op, narrow, seed);
  Random random(seed);
  for (const Type& type : narrow.types) {
    if (type.dtype.is_floating()) arguments.push_back(draw_normal(type, random));
  }
  std::vector<Array> exact;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    exact.push_back(converted_to(arguments[i], g.arguments()[i].type.dtype));
  }
  const std::vector<Array> results = evaluate(f, arguments);
  const std::vector<Array> expected = evaluate(g, exact);
  const Allowed allowed = reassociated(arguments, results, input.op.numerics.tolerance_scale);
  const std::vector<Type> types = f.result_types();
  for (std::size_t r = 0; r < results.size(); ++r) {
    cell.check(results[r].type() == types[r],
               [&] { return narrow.label + ": the jvp's type is not what it computes"; });
    if (!results[r].dtype().is_floating()) continue;
    check_close(cell, narrow.label + " against f64", converted_to(results[r], f64),
                converted_to(expected[r], f64), allowed);
  }
}

/// Where conventions decide: the tangent, and a cotangent that agrees with it.
void check_points(const LawInput& input, Cell& cell) {
  constexpr double kRelative = 1e-12;
  Random random(input.seed);
  for (const ExactPoint& point : exact_points()) {
    if (point.op != input.op.name) continue;
    std::vector<Type> types;
    std::vector<bool> differentiated;
    for (const Array& operand : point.operands) {
      types.push_back(operand.type());
      differentiated.push_back(operand.dtype().is_floating());
    }
    std::string label = "at an exact point:";
    for (const Array& operand : point.operands) label += " " + show(operand);
    guarded(cell, label, [&] {
      const Function f = one_equation(input.op, types, point.attrs);
      std::vector<Array> arguments = point.operands;
      arguments.insert(arguments.end(), point.directions.begin(), point.directions.end());
      const Array tangent = evaluate(jvp(f, differentiated), arguments).back();
      for (std::int64_t i = 0; i < tangent.num_elements(); ++i) {
        const double x = tangent.element_as_double(i), y = point.tangent.element_as_double(i);
        const bool same = x == y || (std::isnan(x) && std::isnan(y)) ||
                          (std::isfinite(y) && std::abs(x - y) <= kRelative * std::abs(y));
        cell.check(same,
                   [&] { return format("{}: element {} is {:.17g}, expected {:.17g}", label, i, x, y); });
      }
    });
  }
}

/// The case with f64 for its floating dtypes; none where attributes (bodies) demand the dtypes that it has.
std::optional<Case> widened(const OpDef& op, const Case& narrow) {
  Case wide = narrow;
  for (Type& type : wide.types) {
    if (type.dtype.is_floating()) type = type.with_dtype(f64);
  }
  try {
    static_cast<void>(one_equation(op, wide.types, wide.attrs));
    return wide;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

void check_jvp(const LawInput& input, Cell& cell) {
  const OpDef& op = input.op;
  bool any_floating_operand = false;
  for (const Case& one : input.cases) any_floating_operand |= one.has_floating();
  if (const Primitive* primitive = op.primitive()) {
    if (const auto* todo = std::get_if<Todo>(&primitive->jvp))
      return cell.fail("Todo: " + std::string(todo->missing));
    if (std::holds_alternative<NoFloatOperand>(primitive->jvp)) {
      cell.claim("NoFloatOperand");
      for (const OperandSpec& spec : op.operands) {
        cell.check(!accepts(spec.dtypes, f32) && !accepts(spec.dtypes, f64),
                   [&] { return format("claims NoFloatOperand but `{}` may be floating", spec.name); });
      }
      return;
    }
  }
  if (const Region* region = op.region()) {
    if (const auto* todo = std::get_if<Todo>(&region->jvp))
      return cell.fail("Todo: " + std::string(todo->missing));
    if (const auto* todo = std::get_if<Todo>(&region->linearize))
      return cell.fail("Todo: " + std::string(todo->missing));
  }
  if (!any_floating_operand) return cell.claim("no floating operand");
  const bool constant = is_constant_claim(op);
  const bool is_cut = constant && !(op.primitive() != nullptr &&
                                    std::holds_alternative<PiecewiseConstant>(op.primitive()->jvp));
  if (constant) cell.claim(is_cut ? "Cut" : "PiecewiseConstant");
  const std::vector<Case> wide = derivative_cases(input.cases);
  for (const Case& one : wide) {
    if (input.quick && cell.failed()) return;
    guarded(cell, one.label, [&] {
      if (constant) check_zero(input, one, cell);
      if (is_cut) return;
      check_differences(input, one, cell);
    });
  }
  if (constant) return;
  check_points(input, cell);
  for (const Case& one : input.cases) {
    if (input.quick && (cell.failed() || one.dtype)) continue;
    if (!one.sample.smooth || !one.has_floating()) continue;
    if (one.dtype && (!one.dtype->is_floating() || *one.dtype == f64)) continue;
    guarded(cell, one.label, [&] {
      const std::optional<Case> other = widened(op, one);
      // A tangent may be small by chance.
      for (std::uint64_t k = 0; other && k < 3; ++k) check_narrow(input, one, *other, input.seed + k, cell);
    });
  }
}

}  // namespace calx::laws
