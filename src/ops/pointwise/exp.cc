#include "pointwise/_support.h"

namespace calx::ops {

OpDef exp() {
  return pointwise::unary<DTypes::floating>(
      {.name = "exp",
       .doc = {.summary = "Exponential of each element.",
               .math = "y = e^x",
               .gradient = "y",
               .accuracy = "at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once",
               .example = "exp(tensor({0}))  // f32[1] [1]",
               .source = "numpy.exp"},
       .jvp = [](const Call& c, const Tangents& t) { return Tangents(c.out() * t[0]); }},
      [](auto x) { return math::exp(x); }, loopir::ScalarFunction::exp);
}

}  // namespace calx::ops
