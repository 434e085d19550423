#include "pointwise/_support.h"

namespace calx::ops {

OpDef is_finite() {
  OpDef op = pointwise::unary<DTypes::floating>(
      {.name = "is_finite",
       .doc = {.summary = "True where an element is neither infinite nor NaN.",
               .math = "y = |x| < inf",
               .gradient = "none: the result is boolean",
               .accuracy = "exact",
               .example = "is_finite(tensor({1, INFINITY}))  // bool[2] [true, false]",
               .source = "numpy.isfinite"},
       .jvp = PiecewiseConstant{},
       .numerics = {},
       .to_boolean = true},
      [](auto x) { return math::is_finite(x); }, loopir::ScalarFunction::is_finite);
  op.samples = [] {
    std::vector<Sample> samples = pointwise_samples()();
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    samples.push_back({.operands = {{.shape = {2, 3}, .draw = Draw::given, .values = {nan, -inf, inf, 1, nan, inf}}}});
    return samples;
  };
  return op;
}

}  // namespace calx::ops
