#include "pointwise/_support.h"

namespace calx::ops {

OpDef tanh() {
  return pointwise::unary<DTypes::floating>(
      {.name = "tanh",
       .doc = {.summary = "Hyperbolic tangent of each element.",
               .math = "y = (exp(x) - exp(-x)) / (exp(x) + exp(-x))",
               .gradient = "(1 - y) * (1 + y), to the absolute accuracy of y: 0 where y rounds to 1 or -1",
               .accuracy = "at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once",
               .example = "tanh(tensor({0}))  // f32[1] [0]",
               .source = "numpy.tanh; DLMF 4.28.4"},
       .jvp = [](const Call& c, const Tangents& t) { return Tangents(((1.0 - c.out()) * (c.out() + 1.0)) * t[0]); }},
      [](auto x) { return math::tanh(x); }, loopir::ScalarFunction::tanh);
}

}  // namespace calx::ops
