#include "pointwise/_support.h"

namespace calx::ops {

OpDef is_inf() {
  return pointwise::unary<DTypes::floating>(
      {.name = "is_inf",
       .doc = {.summary = "True where an element is infinite.",
               .math = "y = |x| == inf",
               .gradient = "none: the result is boolean",
               .accuracy = "exact",
               .example = "is_inf(tensor({1, -INFINITY}))  // bool[2] [false, true]",
               .source = "numpy.isinf"},
       .jvp = PiecewiseConstant{},
       .numerics = {},
       .to_boolean = true},
      [](auto x) { return math::is_inf(x); }, loopir::ScalarFunction::is_inf);
}

}  // namespace calx::ops
