#include "reduction/_support.h"

namespace calx::ops {

using namespace reduction;

OpDef mean() {
  return define({.name = "mean",
                 .doc = {.summary = "Mean over axes.",
                         .math = "y = sum over axes of x / number of elements",
                         .gradient = "the cotangent divided by the number of elements",
                         .accuracy = "computed in `accumulation` (f32 for f16 and bf16), in the fixed summation order, rounded once; an empty axis gives NaN",
                         .example = "mean(tensor({1, 2, 6}))  // f32[] 3",
                         .source = "numpy.mean, of floats only"},
                 .value = [](const Call&, const Tensor& x, const Axes& reduced) { return mean_of(x, reduced); },
.more = {{.operands = {{.shape = {2, 0}}}, .attrs = {attr(some_axes, Axes{1})}}}});
}

}  // namespace calx::ops
