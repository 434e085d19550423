#include "reduction/_support.h"

namespace calx::ops {

using namespace reduction;

OpDef sum() {
  return define({.name = "sum",
                 .doc = {.summary = "Sum over axes.",
                         .math = "y = sum over axes of x",
                         .gradient = "the cotangent, repeated over the axes",
                         .accuracy = "accumulated in `accumulation` (f32 for f16 and bf16, i32 or u32 for narrow integers) in the "
                                     "fixed summation order, rounded once; integers wrap; an empty axis gives 0",
                         .example = "sum(tensor({{1, 2}, {3, 4}}))  // f32[] 10",
                         .source = "numpy.sum, whose result of narrow integers is wider"},
                 .dtypes = DTypes::numeric,
                 .value = [](const Call& c, const Tensor& x, const Axes& reduced) { return core::reduce_sum(x, reduced, c[accumulation]); },
                 .computed = false,
                 .attrs = {accumulation},
                 .more = {{.operands = {{.shape = {2, 0}}}, .attrs = {attr(some_axes, Axes{1})}},
                          {.operands = {{.shape = {4}, .dtype = f16}}, .attrs = {attr(accumulation, f64)}}}});
}

}  // namespace calx::ops
