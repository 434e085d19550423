#include "pointwise/_support.h"

namespace calx::ops {

OpDef reciprocal() {
  return pointwise::activation({.name = "reciprocal",
                                .doc = {.summary = "1 / x of each element.",
                                        .math = "y = 1 / x",
                                        .gradient = "-y / x",
                                        .accuracy = "IEEE, rounded once",
                                        .example = "reciprocal(tensor({4}))  // f32[1] [0.25]",
                                        .source = "numpy.reciprocal, of floats only"},
                                .value = [](const Call&, const Tensor& x) { return 1.0 / x; },
                                .exact = true,
                                .numerics = {.low = 0.3, .high = 3}});
}

}  // namespace calx::ops
