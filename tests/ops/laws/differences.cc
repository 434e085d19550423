// Numerical derivatives: the judge of jvp.
#include <cmath>

#include "law_functions.h"

namespace calx::laws {
namespace {

std::vector<Array> floating_only(const std::vector<Array>& values) {
  std::vector<Array> result;
  for (const Array& value : values) {
    if (value.dtype().is_floating()) result.push_back(value);
  }
  return result;
}

/// a - b, where equal infinities and NaNs, such as the largest of no elements, differ by 0.
Array subtracted(const Array& a, const Array& b) {
  Array out = combine(1, a, -1, b);
  visit_dtype(out.dtype(), [&]<class T>(std::type_identity<T>) {
    for (std::int64_t i = 0; i < out.num_elements(); ++i) {
      const double x = a.element_as_double(i), y = b.element_as_double(i);
      const bool are_equal = x == y || (std::isnan(x) && std::isnan(y));
      if (!std::isfinite(x) && are_equal) out.mutable_data<T>()[i] = convert_element<T>(0.0);
    }
  });
  return out;
}

}  // namespace

Differences central_differences(const Function& f, const std::vector<Array>& arguments,
                                const std::vector<bool>& differentiated,
                                const std::vector<Array>& directions) {
  const auto at = [&](double distance) {
    std::vector<Array> moved = arguments;
    std::size_t d = 0;
    for (std::size_t i = 0; i < differentiated.size(); ++i) {
      if (differentiated[i]) moved[i] = combine(1, arguments[i], distance, directions[d++]);
    }
    return floating_only(evaluate(f, std::move(moved)));
  };
  const std::vector<Array> values = floating_only(evaluate(f, arguments));
  std::vector<Array> all = arguments;
  all.insert(all.end(), values.begin(), values.end());
  const Tolerance table = tolerance(coarsest(all));
  const double step = table.step;
  const auto apart = [&](double distance) {
    const std::vector<Array> plus = at(distance), minus = at(-distance);
    std::vector<Array> result;
    for (std::size_t r = 0; r < plus.size(); ++r) result.push_back(subtracted(plus[r], minus[r]));
    return result;
  };
  const std::vector<Array> half = apart(step / 2), whole = apart(step), twice = apart(2 * step);
  // Results, and what they were computed from, are rounded before they are divided by the step.
  constexpr double kRoundings = 16;
  Differences result{.tangents = {},
                     .allowed = {.relative = table.differences,
                                 .absolute = kRoundings * table.epsilon / step * largest(all)},
                     .settled = true};
  const Allowed half_as_much{result.allowed.relative / 2, result.allowed.absolute / 2};
  for (std::size_t r = 0; r < values.size(); ++r) {
    const Array fine = combine(8 / (6 * step), half[r], -1 / (6 * step), whole[r]);
    const Array coarse = combine(8 / (12 * step), whole[r], -1 / (12 * step), twice[r]);
    for (std::int64_t i = 0; i < fine.num_elements(); ++i) {
      result.settled &= std::isfinite(fine.element_as_double(i));
    }
    result.settled &= !difference(fine, coarse, half_as_much);
    result.tangents.push_back(fine);
  }
  return result;
}

}  // namespace calx::laws
