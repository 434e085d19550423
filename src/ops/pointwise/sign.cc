#include "pointwise/_support.h"

namespace calx::ops {

OpDef sign() {
  return pointwise::unary<DTypes::numeric>(
      {.name = "sign",
       .doc = {.summary = "Sign of each element: -1, 0 or 1.",
               .math = "y = -1 where x < 0, 1 where x > 0, else x",
               .gradient = "none: 0 everywhere",
               .accuracy = "exact; a zero keeps its sign, NaN stays NaN",
               .example = "sign(tensor({-2, 0, 3}))  // f32[3] [-1, 0, 1]",
               .source = "numpy.sign"},
       .jvp = PiecewiseConstant{},
       .numerics = {}},
      [](auto x) { return math::sign(x); }, loopir::ScalarFunction::sign);
}

}  // namespace calx::ops
