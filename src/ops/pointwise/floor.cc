#include "pointwise/_support.h"

namespace calx::ops {

OpDef floor() {
  return pointwise::unary<DTypes::floating>(
      {.name = "floor",
       .doc = {.summary = "Largest integer not above each element.",
               .math = "y = floor(x)",
               .gradient = "none: 0 everywhere",
               .accuracy = "exact",
               .example = "floor(tensor({1.5, -1.5}))  // f32[2] [1, -2]",
               .source = "numpy.floor"},
       .jvp = PiecewiseConstant{},
       .numerics = {}},
      [](auto x) { return math::floor(x); }, loopir::ScalarFunction::floor);
}

}  // namespace calx::ops
