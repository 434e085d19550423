#include "pointwise/_support.h"

namespace calx::ops {

OpDef hardswish() {
  return pointwise::activation(
      {.name = "hardswish",
       .doc = {.summary = "Piecewise quadratic form of x * sigmoid(x).",
               .math = "y = 0 where x <= -3, x where x >= 3, else x * (x + 3) / 6",
               .gradient = "0 where x <= -3, 1 where x >= 3, else (2 * x + 3) / 6",
               .accuracy = "computed in f32 for f16 and bf16, rounded once at the end",
               .example = "hardswish(tensor({-4, 0, 4}))  // f32[3] [0, 0, 4]",
               .source = "Howard et al. (2019); jax.nn.hard_swish, up to the slope at 3"},
       .value = [](const Call&, const Tensor& x) {
         const Tensor middle = x * (x + 3.0) / core::full(x.type(), 6);
         return select(compare(x, -3, Comparison::le), 0, select(compare(x, 3, Comparison::ge), x, middle));
       }});
}

}  // namespace calx::ops
