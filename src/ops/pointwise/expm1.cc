#include "pointwise/_support.h"

namespace calx::ops {

OpDef expm1() {
  return pointwise::unary<DTypes::floating>(
      {.name = "expm1",
       .doc = {.summary = "exp(x) - 1 of each element, exact near 0.",
               .math = "y = e^x - 1",
               .gradient = "exp(x)",
               .accuracy = "at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once",
               .example = "expm1(tensor({0}))  // f32[1] [0]",
               .source = "numpy.expm1"},
       .jvp = [](const Call& c, const Tangents& t) { return Tangents(exp(c[0]) * t[0]); }},
      [](auto x) { return math::expm1(x); }, loopir::ScalarFunction::expm1);
}

}  // namespace calx::ops
