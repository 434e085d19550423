#include "pointwise/_support.h"

namespace calx::ops {

OpDef square() {
  return pointwise::activation({.name = "square",
                                .doc = {.summary = "Square of each element.",
                                        .math = "y = x * x",
                                        .gradient = "2 * x",
                                        .accuracy = "rounded once; integers wrap",
                                        .example = "square(tensor({3}))  // f32[1] [9]",
                                        .source = "numpy.square"},
                                .value = [](const Call&, const Tensor& x) { return x * x; },
                                .exact = true,
                                .dtypes = DTypes::numeric,
                                .numerics = {}});
}

}  // namespace calx::ops
