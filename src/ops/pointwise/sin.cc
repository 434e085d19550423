#include "pointwise/_support.h"

namespace calx::ops {

OpDef sin() {
  return pointwise::unary<DTypes::floating>(
      {.name = "sin",
       .doc = {.summary = "Sine of each element, in radians.",
               .math = "y = sin(x)",
               .gradient = "cos(x)",
               .accuracy = "at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once",
               .example = "sin(tensor({0}))  // f32[1] [0]",
               .source = "numpy.sin"},
       .jvp = [](const Call& c, const Tangents& t) { return Tangents(cos(c[0]) * t[0]); }},
      [](auto x) { return math::sin(x); }, loopir::ScalarFunction::sin);
}

}  // namespace calx::ops
