#include "pointwise/_support.h"

namespace calx::ops {

OpDef sqrt() {
  return pointwise::unary<DTypes::floating>(
      {.name = "sqrt",
       .doc = {.summary = "Square root of each element.",
               .math = "y = sqrt(x)",
               .gradient = "0.5 / y; +inf at 0, and -inf at -0, since sqrt(-0) = -0 (IEEE 754); cut where the cotangent is 0",
               .accuracy = "IEEE, rounded once; NaN below 0",
               .example = "sqrt(tensor({4}))  // f32[1] [2]",
               .source = "numpy.sqrt; IEEE 754 squareRoot"},
       .jvp = [](const Call& c, const Tangents& t) { return Tangents((0.5 / c.out()) * t[0]); },
       .numerics = {.low = 0.1, .high = 4},
       .draw = Draw::positive},
      [](auto x) { return math::sqrt(x); }, loopir::ScalarFunction::sqrt);
}

}  // namespace calx::ops
