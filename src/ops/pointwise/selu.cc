#include "pointwise/_support.h"

namespace calx::ops {

OpDef selu() {
  return pointwise::activation(
      {.name = "selu",
       .doc =
           {.summary = "Scaled exponential linear unit.",
            .math =
                "y = s * (x where x > 0, else a * (e^x - 1)), s = 1.0507009873554805, a = 1.6732632423543772",
            .gradient = "s where x > 0, else s * a * e^x: s * a at 0",
            .accuracy = "computed in f32 for f16 and bf16, rounded once at the end",
            .example = "selu(tensor({0}))  // f32[1] [0]",
            .source = "Klambauer et al. (2017); jax.nn.selu"},
       .value = [](const Call&, const Tensor& x) {
         return 1.0507009873554805 * select(compare(x, 0, Comparison::gt), x, 1.6732632423543772 * expm1(x));
       }});
}

}  // namespace calx::ops
