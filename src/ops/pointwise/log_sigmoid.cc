#include "pointwise/_support.h"

namespace calx::ops {

OpDef log_sigmoid() {
  return pointwise::activation(
      {.name = "log_sigmoid",
       .doc = {.summary = "log(sigmoid(x)) of each element, without overflow or cancellation.",
               .math = "y = -softplus(-x)",
               .gradient = "sigmoid(-x)",
               .accuracy = "computed in f32 for f16 and bf16, rounded once at the end",
               .example = "log_sigmoid(tensor({-100}))  // f32[1] [-100]",
               .source = "jax.nn.log_sigmoid"},
       .value = [](const Call&, const Tensor& x) { return -softplus(-x); }});
}

}  // namespace calx::ops
