// Checking derivatives against differences and the modes against each other.
#include <cmath>
#include <random>

#include "calx/base/format.h"
#include "calx/calculus/functions.h"
#include "calx/core/core_ops.h"
#include "calx/core/trace.h"

namespace calx {
namespace {

/// The point as f64, so that steps are exact; f is given it in its own dtype.
Array widened(const Array& x) {
  Array out = Array::uninitialized(f64, x.sizes());
  for (std::int64_t i = 0; i < x.num_elements(); ++i) out.mutable_data<double>()[i] = x.element_as_double(i);
  return out;
}

Array narrowed(const Array& x, DType dtype) {
  if (dtype == f64) return x;
  Array out = Array::uninitialized(dtype, x.sizes());
  visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
    for (std::int64_t i = 0; i < x.num_elements(); ++i) out.mutable_data<T>()[i] = convert_element<T>(x.data<double>()[i]);
  });
  return out;
}

Array random_like(const Array& x, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Array out = Array::uninitialized(f64, x.sizes());
  for (std::int64_t i = 0; i < x.num_elements(); ++i) out.mutable_data<double>()[i] = normal(random);
  return out;
}

Array moved(const Array& x, const Array& direction, double step) {
  Array out = Array::uninitialized(f64, x.sizes());
  for (std::int64_t i = 0; i < x.num_elements(); ++i) {
    out.mutable_data<double>()[i] = x.data<double>()[i] + step * direction.data<double>()[i];
  }
  return out;
}

double inner(const Array& a, const Array& b) {
  double sum = 0;
  for (std::int64_t i = 0; i < a.num_elements(); ++i) sum += a.element_as_double(i) * b.element_as_double(i);
  return sum;
}

/// One order: compares f's derivative along a direction with differences, and vjp with jvp.
void check_once(const Function& f, const std::vector<Array>& point, const std::vector<bool>& floating, double tolerance,
                int order, std::mt19937_64& random, GradientCheck& report) {
  const std::size_t n = point.size();
  std::vector<Array> wide;
  std::vector<Array> direction;
  for (std::size_t i = 0; i < n; ++i) {
    wide.push_back(floating[i] ? widened(point[i]) : point[i]);
    direction.push_back(floating[i] ? random_like(point[i], random) : Array());
  }
  const auto arguments_at = [&](double step) {
    std::vector<Array> arguments;
    for (std::size_t i = 0; i < n; ++i) {
      arguments.push_back(floating[i] ? narrowed(moved(wide[i], direction[i], step), f.arguments()[i].type.dtype) : point[i]);
    }
    return arguments;
  };
  std::vector<Array> dual = arguments_at(0);
  for (std::size_t i = 0; i < n; ++i) {
    if (floating[i]) dual.push_back(narrowed(direction[i], f.arguments()[i].type.dtype));
  }
  Evaluator& evaluator = default_evaluator();
  const std::vector<Array> forward = evaluator.run(jvp(f, floating), dual);
  constexpr double kStep = 1e-5;
  const std::vector<Array> plus = evaluator.run(f, arguments_at(kStep));
  const std::vector<Array> minus = evaluator.run(f, arguments_at(-kStep));
  const auto judge = [&](double found, double expected, std::string_view what) {
    const double error = std::abs(found - expected) / (1 + std::abs(expected));
    ++report.probes;
    report.worst_error = std::max(report.worst_error, error);
    if (error <= tolerance) return;
    raise({.id = ErrorId::gradient_check,
           .op = "check_grads",
           .message = format("order {}: {} of `{}` is {}, expected {}", order, what, f.name(), found, expected),
           .hint = "a kink near the point, a rule that is wrong, or a tolerance below the function's own rounding",
           .facts = {{"order", format("{}", order)}, {"found", format("{}", found)}, {"expected", format("{}", expected)}}});
  };
  std::vector<Array> reverse = arguments_at(0);
  std::size_t next = f.results().size();
  double forward_inner = 0;
  for (std::size_t r = 0; r < f.results().size(); ++r) {
    if (!f.type(f.results()[r].value).dtype.is_floating()) continue;
    const Array& tangent = forward[next++];
    const Array weight = random_like(tangent, random);
    judge(inner(tangent, weight), (inner(plus[r], weight) - inner(minus[r], weight)) / (2 * kStep), "the jvp");
    const Array cotangent = narrowed(weight, tangent.dtype());
    forward_inner += inner(tangent, cotangent);
    reverse.push_back(cotangent);
  }
  const std::vector<Array> pulled = evaluator.run(vjp(f, floating), reverse);
  double reverse_inner = 0;
  next = f.results().size();
  for (std::size_t i = 0; i < n; ++i) {
    if (floating[i]) reverse_inner += inner(pulled[next++], direction[i]);
  }
  judge(reverse_inner, forward_inner, "the vjp against the jvp");
}

}  // namespace

GradientCheck check_gradients(const Function& f, const std::vector<Array>& arguments, int order, double tolerance,
                              std::uint64_t seed) {
  std::mt19937_64 random(seed);
  GradientCheck report;
  Function current = f;
  std::vector<Array> point = arguments;
  for (int k = 1; k <= order; ++k) {
    std::vector<bool> floating;
    for (const Argument& argument : current.arguments()) floating.push_back(argument.type.dtype.is_floating());
    check_once(current, point, floating, tolerance, k, random, report);
    if (k == order) break;
    // The next order checks the derivative of the vjp, at random cotangents.
    for (const Result& result : current.results()) {
      const Type& type = current.type(result.value);
      if (!type.dtype.is_floating()) continue;
      point.push_back(Array());
    }
    const Function next = vjp(current, floating);
    const std::vector<Array> values = default_evaluator().run(current, {point.begin(), point.begin() + static_cast<std::ptrdiff_t>(current.arguments().size())});
    std::size_t at = current.arguments().size();
    for (std::size_t r = 0; r < current.results().size(); ++r) {
      if (!values[r].dtype().is_floating()) continue;
      point[at++] = narrowed(random_like(values[r], random), values[r].dtype());
    }
    current = next;
  }
  return report;
}

}  // namespace calx
