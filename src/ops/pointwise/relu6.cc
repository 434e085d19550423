#include "pointwise/_support.h"

namespace calx::ops {

OpDef relu6() {
  return pointwise::activation({.name = "relu6",
                                .doc = {.summary = "Elements limited to [0, 6].",
                                        .math = "y = minimum(maximum(x, 0), 6)",
                                        .gradient = "1 where 0 < x < 6, else 0: 0 at 0 and at 6",
                                        .accuracy = "exact; NaN stays NaN",
                                        .example = "relu6(tensor({-1, 2, 7}))  // f32[3] [0, 2, 6]",
                                        .source = "jax.nn.relu6"},
                                .value =
                                    [](const Call&, const Tensor& x) {
                                      return select(compare(x, 0, Comparison::le), 0,
                                                    select(compare(x, 6, Comparison::ge), 6, x));
                                    },
                                .exact = true,
                                .dtypes = DTypes::numeric,
                                .numerics = {}});
}

}  // namespace calx::ops
