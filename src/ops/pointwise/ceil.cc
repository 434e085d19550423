#include "pointwise/_support.h"

namespace calx::ops {

OpDef ceil() {
  return pointwise::unary<DTypes::floating>(
      {.name = "ceil",
       .doc = {.summary = "Smallest integer not below each element.",
               .math = "y = ceil(x)",
               .gradient = "none: 0 everywhere",
               .accuracy = "exact",
               .example = "ceil(tensor({1.5, -1.5}))  // f32[2] [2, -1]",
               .source = "numpy.ceil"},
       .jvp = PiecewiseConstant{},
       .numerics = {}},
      [](auto x) { return math::ceil(x); }, loopir::ScalarFunction::ceil);
}

}  // namespace calx::ops
