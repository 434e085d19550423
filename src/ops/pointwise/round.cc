#include "pointwise/_support.h"

namespace calx::ops {

OpDef round() {
  return pointwise::unary<DTypes::floating>(
      {.name = "round",
       .doc = {.summary = "Nearest integer of each element, halves to even.",
               .math = "y = round(x)",
               .gradient = "none: 0 everywhere",
               .accuracy = "exact",
               .example = "round(tensor({0.5, 1.5}))  // f32[2] [0, 2]",
               .source = "numpy.round; IEEE 754 roundToIntegralTiesToEven"},
       .jvp = PiecewiseConstant{},
       .numerics = {}},
      [](auto x) { return math::round(x); }, loopir::ScalarFunction::round);
}

}  // namespace calx::ops
