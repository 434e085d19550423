#include "pointwise/_support.h"

namespace calx::ops {

OpDef is_nan() {
  return pointwise::unary<DTypes::floating>(
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
}

}  // namespace calx::ops
