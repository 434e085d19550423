#include "pointwise/_support.h"

namespace calx::ops {

namespace {
constinit const Attr<double> alpha{"alpha", 1.0, "minus the limit at minus infinity"};
}  // namespace

OpDef elu() {
  return pointwise::activation(
      {.name = "elu",
       .doc = {.summary = "Exponential linear unit.",
               .math = "y = x where x > 0, else alpha * (e^x - 1)",
               .gradient = "1 where x > 0, else alpha * e^x: alpha at 0",
               .accuracy = "computed in f32 for f16 and bf16, rounded once at the end",
               .example = "elu(tensor({0, 2}))  // f32[2] [0, 2]",
               .source = "Clevert et al. (2016), eq. 15; jax.nn.elu"},
       .attrs = {alpha},
       .value = [](const Call& c,
                   const Tensor& x) { return select(compare(x, 0, Comparison::gt), x, c[alpha] * expm1(x)); },
       .more = {{attr(alpha, 0.5)}}});
}

}  // namespace calx::ops
