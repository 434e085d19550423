#include "pointwise/_support.h"

namespace calx::ops {

OpDef abs() {
  return pointwise::unary<DTypes::numeric>(
      {.name = "abs",
       .doc = {.summary = "Absolute value of each element.",
               .math = "y = |x|",
               .gradient = "sign(x): 0 at 0",
               .accuracy = "exact; the most negative integer is its own absolute value",
               .example = "abs(tensor({-2, 3}))  // f32[2] [2, 3]",
               .source = "numpy.abs"},
       .jvp = [](const Call& c, const Tangents& t) { return Tangents(sign(c[0]) * t[0]); },
       .numerics = {}},
      [](auto x) { return math::abs(x); }, loopir::ScalarFunction::abs);
}

}  // namespace calx::ops
