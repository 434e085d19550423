// Checking derivatives against differences and the modes against each other.
#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "calx/base/format.h"
#include "calx/base/located.h"
#include "calx/calculus/functions.h"
#include "calx/core/evaluator.h"
#include "calx/transforms/checks.h"

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

/// What is checked: a function at a point, its floating arguments along directions.
struct Probe {
  const Function& f;
  const std::vector<Array>& point;
  std::vector<Array> directions;  // f64; of arguments that are not moved: undefined
  double tolerance;
  int order;

  [[nodiscard]] bool moves(std::size_t i) const { return directions[i].defined(); }
  [[nodiscard]] std::vector<bool> moved_arguments() const {
    std::vector<bool> flags;
    for (const Array& direction : directions) flags.push_back(direction.defined());
    return flags;
  }
  [[nodiscard]] std::vector<Array> arguments_at(double step) const {
    std::vector<Array> arguments;
    for (std::size_t i = 0; i < point.size(); ++i) {
      arguments.push_back(moves(i) ? narrowed(moved(widened(point[i]), directions[i], step), point[i].dtype()) : point[i]);
    }
    return arguments;
  }
};

struct Mismatch {
  std::string_view mode;  // "jvp", "vjp"
  double found = 0;
  double expected = 0;
};

/// Compares f's derivative along the directions with differences, and vjp with jvp; the first that differs.
std::optional<Mismatch> compare(const Probe& probe, std::mt19937_64& random, GradientCheck& report) {
  const Function& f = probe.f;
  const std::vector<bool> flags = probe.moved_arguments();
  std::optional<Mismatch> first;
  const auto judge = [&](double found, double expected, std::string_view mode) {
    const double error = std::abs(found - expected) / (1 + std::abs(expected));
    ++report.probes;
    report.worst_error = std::max(report.worst_error, error);
    if (!(error <= probe.tolerance) && !first) first = Mismatch{mode, found, expected};
  };
  std::vector<Array> dual = probe.arguments_at(0);
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i]) dual.push_back(narrowed(probe.directions[i], probe.point[i].dtype()));
  }
  Evaluator& evaluator = default_evaluator();
  const std::vector<Array> forward = evaluator.run(jvp(f, flags, {}), dual, {});
  constexpr double kStep = 1e-5;
  const std::vector<Array> plus = evaluator.run(f, probe.arguments_at(kStep), {});
  const std::vector<Array> minus = evaluator.run(f, probe.arguments_at(-kStep), {});
  std::vector<Array> reverse = probe.arguments_at(0);
  std::size_t next = f.results().size();
  double forward_inner = 0;
  for (std::size_t r = 0; r < f.results().size(); ++r) {
    if (!f.type(f.results()[r].value).dtype.is_floating()) continue;
    const Array& tangent = forward[next++];
    const Array weight = random_like(tangent, random);
    judge(inner(tangent, weight), (inner(plus[r], weight) - inner(minus[r], weight)) / (2 * kStep), "jvp");
    const Array cotangent = narrowed(weight, tangent.dtype());
    forward_inner += inner(tangent, cotangent);
    reverse.push_back(cotangent);
  }
  const std::vector<Array> pulled = evaluator.run(vjp(f, flags, {}), reverse, {});
  double reverse_inner = 0;
  next = f.results().size();
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i]) reverse_inner += inner(pulled[next++], probe.directions[i]);
  }
  judge(reverse_inner, forward_inner, "vjp");
  return first;
}

[[noreturn]] void raise_mismatch(const Probe& probe, std::string_view argument, const Mismatch& mismatch) {
  const bool forward = mismatch.mode == "jvp";
  raise({.id = ErrorId::gradient_check,
         .op = "check_grads",
         .message = format("order {}: the {} of `{}` with respect to `{}` is {}, but {} {}", probe.order, mismatch.mode,
                           probe.f.name(), argument, mismatch.found, forward ? "differences give" : "the jvp gives",
                           mismatch.expected),
         .hint = "a kink near the point, a rule that is wrong, or a tolerance below the function's own rounding",
         .facts = {{"argument", std::string(argument)},
                   {"mode", std::string(mismatch.mode)},
                   {"order", format("{}", probe.order)},
                   {"found", format("{}", mismatch.found)},
                   {"expected", format("{}", mismatch.expected)}}});
}

/// One order: all floating arguments at once; where that differs, one after the other, to name the one.
void check_once(const Function& f, const std::vector<Array>& point, double tolerance, int order, std::mt19937_64& random,
                GradientCheck& report) {
  Probe all{f, point, {}, tolerance, order};
  for (std::size_t i = 0; i < point.size(); ++i) {
    const bool floating = f.arguments()[i].type.dtype.is_floating();
    all.directions.push_back(floating ? random_like(point[i], random) : Array());
  }
  const std::optional<Mismatch> mismatch = compare(all, random, report);
  if (!mismatch) return;
  std::string names;
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (!all.moves(i)) continue;
    const std::string& name = f.arguments()[i].name;
    names += (names.empty() ? "" : ", ") + name;
    Probe one{f, point, std::vector<Array>(point.size()), tolerance, order};
    one.directions[i] = all.directions[i];
    if (const std::optional<Mismatch> its = compare(one, random, report)) raise_mismatch(one, name, *its);
  }
  raise_mismatch(all, names, *mismatch);
}

bool is_floating(const Argument& argument) { return argument.type.dtype.is_floating(); }

void check_request(const Function& f, const std::vector<Array>& arguments, int order) {
  detail::require_defined(f, "check_grads");
  if (order < 1) {
    raise({.id = ErrorId::value,
           .op = "check_grads",
           .message = format("the order is {}: nothing would be checked", order),
           .hint = "1 checks first derivatives"});
  }
  if (arguments.size() != f.arguments().size()) {
    raise({.id = ErrorId::arity,
           .op = "check_grads",
           .message = format("`{}` has {} arguments but {} were given", f.name(), f.arguments().size(), arguments.size()),
           .facts = {{"function", f.name()}}});
  }
  const std::vector<Type> results = f.result_types();
  const bool any_result =
      std::any_of(results.begin(), results.end(), [](const Type& type) { return type.dtype.is_floating(); });
  if (!any_result || std::none_of(f.arguments().begin(), f.arguments().end(), is_floating)) {
    raise({.id = ErrorId::grad_integer,
           .op = "check_grads",
           .message = format("`{}` has no floating {}: there is no derivative to check", f.name(),
                             any_result ? "argument" : "result"),
           .facts = {{"function", f.name()}}});
  }
}

}  // namespace

GradientCheck check_gradients(const Function& f, const std::vector<Array>& arguments, int order, double tolerance,
                              std::uint64_t seed, SourceLoc where) try {
  check_request(f, arguments, order);
  std::mt19937_64 random(seed);
  GradientCheck report;
  Function current = f;
  std::vector<Array> point = arguments;
  for (int k = 1; k <= order; ++k) {
    const std::vector<Array> values = default_evaluator().run(current, point, {});
    check_once(current, point, tolerance, k, random, report);
    if (k == order) break;
    // The next order checks the derivative of the vjp, at random cotangents.
    std::vector<bool> floating;
    for (const Argument& argument : current.arguments()) floating.push_back(is_floating(argument));
    for (const Array& value : values) {
      if (value.dtype().is_floating()) point.push_back(narrowed(random_like(value, random), value.dtype()));
    }
    current = vjp(current, floating, {});
  }
  return report;
} catch (const Error& error) {
  detail::raise_at(error, where);
}

}  // namespace calx
