// Numerical derivatives: the judge of jvp.
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

}  // namespace

std::vector<Array> central_differences(const Function& f, const std::vector<Array>& arguments,
                                       const std::vector<bool>& differentiated,
                                       const std::vector<Array>& directions, double step) {
  const auto at = [&](double distance) {
    std::vector<Array> moved = arguments;
    std::size_t d = 0;
    for (std::size_t i = 0; i < differentiated.size(); ++i) {
      if (differentiated[i]) moved[i] = combine(1, arguments[i], distance, directions[d++]);
    }
    return floating_only(evaluate(f, std::move(moved)));
  };
  const auto near_plus = at(step), near_minus = at(-step), far_plus = at(2 * step), far_minus = at(-2 * step);
  std::vector<Array> result;
  for (std::size_t r = 0; r < near_plus.size(); ++r) {
    const Array near = combine(1, near_plus[r], -1, near_minus[r]);
    const Array far = combine(1, far_plus[r], -1, far_minus[r]);
    result.push_back(combine(8 / (12 * step), near, -1 / (12 * step), far));
  }
  return result;
}

}  // namespace calx::laws
