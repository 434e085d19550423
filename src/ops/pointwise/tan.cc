#include "pointwise/_support.h"

namespace calx::ops {

OpDef tan() {
  return pointwise::unary<DTypes::floating>(
      {.name = "tan",
       .doc = {.summary = "Tangent of each element, in radians.",
               .math = "y = tan(x)",
               .gradient = "1 + y^2",
               .accuracy = "at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once",
               .example = "tan(tensor({0}))  // f32[1] [0]",
               .source = "numpy.tan"},
       .jvp = [](const Call& c, const Tangents& t) { return Tangents((c.out() * c.out() + 1.0) * t[0]); },
       .numerics = {.max_ulp_f32 = 1, .low = -1.2, .high = 1.2},
       .draw = Draw::unit},
      [](auto x) { return math::tan(x); }, loopir::ScalarFunction::tan);
}

}  // namespace calx::ops
