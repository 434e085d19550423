#include "pointwise/_support.h"

namespace calx::ops {

OpDef log1p() {
  return pointwise::unary<DTypes::floating>(
      {.name = "log1p",
       .doc = {.summary = "log(1 + x) of each element, exact near 0.",
               .math = "y = log(1 + x)",
               .gradient = "1 / (1 + x)",
               .accuracy = "at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once; -inf at "
                           "-1, NaN below",
               .example = "log1p(tensor({0}))  // f32[1] [0]",
               .source = "numpy.log1p"},
       .jvp = [](const Call& c, const Tangents& t) { return Tangents(t[0] / (c[0] + 1.0)); },
       .numerics = {.max_ulp_f32 = 1, .low = -0.9, .high = 4},
       .draw = Draw::unit},
      [](auto x) { return math::log1p(x); }, loopir::ScalarFunction::log1p);
}

}  // namespace calx::ops
