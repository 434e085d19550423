#include "pointwise/_support.h"

namespace calx::ops {

namespace {
constinit const Attr<double> negative_slope{"negative_slope", 0.01, "the slope below 0"};
}  // namespace

OpDef leaky_relu() {
  return pointwise::activation(
      {.name = "leaky_relu",
       .doc = {.summary = "Elements from 0 on, a multiple of the others.",
               .math = "y = x where x >= 0, else negative_slope * x",
               .gradient = "1 where x >= 0, else negative_slope",
               .accuracy = "computed in f32 for f16 and bf16, rounded once at the end",
               .example = "leaky_relu(tensor({-1, 2}), {.negative_slope = 0.5})  // f32[2] [-0.5, 2]",
               .source = "jax.nn.leaky_relu"},
       .attrs = {negative_slope},
       .value =
           [](const Call& c, const Tensor& x) {
             return select(compare(x, 0, Comparison::ge), x, c[negative_slope] * x);
           },
       .more = {{attr(negative_slope, 0.25)}}});
}

}  // namespace calx::ops
