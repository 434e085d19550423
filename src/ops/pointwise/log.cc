#include "pointwise/_support.h"

namespace calx::ops {

OpDef log() {
  return pointwise::unary<DTypes::floating>(
      {.name = "log",
       .doc = {.summary = "Natural logarithm of each element.",
               .math = "y = log(x)",
               .gradient = "1 / x; +inf at 0, cut where the cotangent is 0",
               .accuracy = "at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once; -inf at "
                           "0, NaN below",
               .example = "log(tensor({1}))  // f32[1] [0]",
               .source = "numpy.log"},
       .jvp = [](const Call& c, const Tangents& t) { return Tangents(t[0] / c[0]); },
       .numerics = {.max_ulp_f32 = 1, .low = 0.1, .high = 4},
       .draw = Draw::positive},
      [](auto x) { return math::log(x); }, loopir::ScalarFunction::log);
}

}  // namespace calx::ops
