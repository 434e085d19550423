#include "pointwise/_support.h"

namespace calx::ops {

OpDef cos() {
  return pointwise::unary<DTypes::floating>(
      {.name = "cos",
       .doc = {.summary = "Cosine of each element, in radians.",
               .math = "y = cos(x)",
               .gradient = "-sin(x)",
               .accuracy = "at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once",
               .example = "cos(tensor({0}))  // f32[1] [1]",
               .source = "numpy.cos"},
       .jvp = [](const Call& c, const Tangents& t) { return Tangents(-sin(c[0]) * t[0]); }},
      [](auto x) { return math::cos(x); }, loopir::ScalarFunction::cos);
}

}  // namespace calx::ops
