#include "calx/ops/enums.h"
#include "pointwise/_support.h"

namespace calx::ops {

namespace {
constinit const Attr<GeluApproximation> approximate{"approximate", GeluApproximation::none, "none or tanh"};
}  // namespace

OpDef gelu() {
  return pointwise::activation(
      {.name = "gelu",
       .doc = {.summary = "Gaussian error linear unit.",
               .math = "y = x * (1 + erf(x / sqrt(2))) / 2; approximate tanh: x * (1 + tanh(sqrt(2/pi) * (x "
                       "+ 0.044715 * x^3))) / 2",
               .gradient = "that of the formula; 0 at minus infinity",
               .accuracy = "computed in f32 for f16 and bf16, rounded once at the end",
               .example = "gelu(tensor({0}))  // f32[1] [0]",
               .source = "Hendrycks and Gimpel (2016); jax.nn.gelu, whose default is the approximation"},
       .attrs = {approximate},
       .value =
           [](const Call& c, const Tensor& x) {
             // The strong product makes the limit at minus infinity 0.
             if (c[approximate] == GeluApproximation::none) {
               return 0.5 * core::strong_mul(x, erfc(-0.7071067811865476 * x));
             }
             const Tensor inner = 0.7978845608028654 * (x + 0.044715 * (x * (x * x)));
             // (1 + tanh(u)) / 2 as sigmoid(2 u), in which nothing cancels where tanh is near -1.
             return core::strong_mul(x, sigmoid(2.0 * inner));
           },
       .more = {{attr(approximate, GeluApproximation::tanh)}}});
}

}  // namespace calx::ops
