#include "pointwise/_support.h"

namespace calx::ops {

OpDef is_nan() {
  OpDef op = pointwise::unary<DTypes::floating>(
      {.name = "is_nan",
       .doc = {.summary = "True where an element is NaN.",
               .math = "y = x != x",
               .gradient = "none: the result is boolean",
               .accuracy = "exact",
               .example = "is_nan(tensor({1, NAN}))  // bool[2] [false, true]",
               .source = "numpy.isnan"},
       .jvp = PiecewiseConstant{},
       .numerics = {},
       .to_boolean = true},
      [](auto x) { return math::is_nan(x); }, loopir::ScalarFunction::is_nan);
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
