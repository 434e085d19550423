#include "pointwise/_support.h"

namespace calx::ops {

OpDef relu() {
  return pointwise::activation(
      {.name = "relu",
       .doc = {.summary = "Elements above 0, 0 for the others.",
               .math = "y = x where x > 0, else 0",
               .gradient = "1 where x > 0 or x is NaN, else 0: 0 at 0",
               .accuracy = "exact; NaN stays NaN",
               .example = "relu(tensor({-1, 2}))  // f32[2] [0, 2]",
               .source = "jax.nn.relu"},
       .value = [](const Call&, const Tensor& x) { return select(compare(x, 0, Comparison::le), 0, x); },
       .exact = true,
       .dtypes = DTypes::numeric,
       .numerics = {}});
}

}  // namespace calx::ops
