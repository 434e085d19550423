#include "pointwise/_support.h"

namespace calx::ops {

OpDef erf() {
  return pointwise::unary<DTypes::floating>(
      {.name = "erf",
       .doc = {.summary = "Gauss error function of each element.",
               .math = "y = 2/sqrt(pi) * integral from 0 to x of exp(-u^2) du",
               .gradient = "2/sqrt(pi) * exp(-x^2)",
               .accuracy = "at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once",
               .example = "erf(tensor({0}))  // f32[1] [0]",
               .source = "DLMF 7.2.1"},
       .jvp = [](const Call& c,
                 const Tangents& t) { return Tangents((1.1283791670955126 * exp(-(c[0] * c[0]))) * t[0]); }},
      [](auto x) { return math::erf(x); }, loopir::ScalarFunction::erf);
}

}  // namespace calx::ops
