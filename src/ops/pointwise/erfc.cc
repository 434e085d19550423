#include "pointwise/_support.h"

namespace calx::ops {

OpDef erfc() {
  return pointwise::unary<DTypes::floating>(
      {.name = "erfc",
       .doc = {.summary = "1 - erf(x) of each element, accurate where erf is near 1.",
               .math = "y = 2/sqrt(pi) * integral from x to infinity of exp(-u^2) du",
               .gradient = "-2/sqrt(pi) * exp(-x^2)",
               .accuracy = "at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once",
               .example = "erfc(tensor({0}))  // f32[1] [1]",
               .source = "DLMF 7.2.2"},
       .jvp = [](const Call& c,
                 const Tangents& t) { return Tangents((-1.1283791670955126 * exp(-(c[0] * c[0]))) * t[0]); }},
      [](auto x) { return math::erfc(x); }, loopir::ScalarFunction::erfc);
}

}  // namespace calx::ops
