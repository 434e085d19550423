#include "pointwise/_support.h"

namespace calx::ops {

OpDef rsqrt() {
  return pointwise::unary<DTypes::floating>(
      {.name = "rsqrt",
       .doc = {.summary = "Reciprocal of the square root of each element.",
               .math = "y = 1 / sqrt(x)",
               .gradient = "-0.5 * y / x",
               .accuracy = "at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once; +inf at "
                           "0, NaN below",
               .example = "rsqrt(tensor({4}))  // f32[1] [0.5]",
               .source = "jax.lax.rsqrt"},
       .jvp = [](const Call& c, const Tangents& t) { return Tangents((-0.5 * (c.out() / c[0])) * t[0]); },
       .numerics = {.max_ulp_f32 = 1, .low = 0.1, .high = 4},
       .draw = Draw::positive},
      [](auto x) { return math::rsqrt(x); }, loopir::ScalarFunction::rsqrt);
}

}  // namespace calx::ops
