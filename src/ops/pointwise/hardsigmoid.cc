#include "pointwise/_support.h"

namespace calx::ops {

OpDef hardsigmoid() {
  return pointwise::activation(
      {.name = "hardsigmoid",
       .doc = {.summary = "Piecewise linear form of sigmoid.",
               .math = "y = 0 where x <= -3, 1 where x >= 3, else (x + 3) / 6",
               .gradient = "1/6 where -3 < x < 3, else 0",
               .accuracy = "computed in f32 for f16 and bf16, rounded once at the end",
               .example = "hardsigmoid(tensor({-4, 0, 4}))  // f32[3] [0, 0.5, 1]",
               .source = "Howard et al. (2019); torch.nn.Hardsigmoid"},
       .value = [](const Call&, const Tensor& x) {
         const Tensor middle = (x + 3.0) / core::full(x.type(), 6);
         return select(compare(x, -3, Comparison::le), 0, select(compare(x, 3, Comparison::ge), 1, middle));
       }});
}

}  // namespace calx::ops
