#include "pointwise/_support.h"

namespace calx::ops {

OpDef silu() {
  return pointwise::activation(
      {.name = "silu",
       .doc = {.summary = "x * sigmoid(x) of each element, also called swish.",
               .math = "y = x * sigmoid(x)",
               .gradient = "sigmoid(x) * (1 + x * sigmoid(-x)); 0 at minus infinity",
               .accuracy = "computed in f32 for f16 and bf16, rounded once at the end",
               .example = "silu(tensor({0}))  // f32[1] [0]",
               .source = "Elfwing et al. (2017); jax.nn.silu"},
       .value = [](const Call&, const Tensor& x) { return core::strong_mul(x, sigmoid(x)); }});
}

}  // namespace calx::ops
