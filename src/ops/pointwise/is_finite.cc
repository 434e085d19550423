#include "pointwise/_support.h"

namespace calx::ops {

OpDef is_finite() {
  return pointwise::unary<DTypes::floating>(
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
}

}  // namespace calx::ops
