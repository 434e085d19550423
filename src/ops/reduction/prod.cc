#include "reduction/_support.h"

namespace calx::ops {

using namespace reduction;

OpDef prod() {
  return define({.name = "prod",
                 .doc = {.summary = "Product over axes.",
                         .math = "y = product over axes of x",
                         .gradient = "the product of the other elements, without division: exact where elements are 0",
                         .accuracy = "accumulated in `accumulation` (f32 for f16 and bf16, i32 or u32 for narrow integers) in the "
                                     "fixed summation order, rounded once; integers wrap; an empty axis gives 1",
                         .example = "prod(tensor({{1, 2}, {3, 4}}))  // f32[] 24",
                         .source = "numpy.prod, whose result of narrow integers is wider"},
                 .dtypes = DTypes::numeric,
                 .value = [](const Call& c, const Tensor& x, const Axes& reduced) {
                   static const OpDef& op = get_op("reduce_prod");
                   return apply_one(op, {x}, {attr(axes, reduced), attr(accumulation, c[accumulation])});
                 },
                 .computed = false,
                 .attrs = {accumulation},
                 .more = {{.operands = {{.shape = {2, 0}}}, .attrs = {attr(some_axes, Axes{1})}},
                          {.operands = {{.shape = {4}, .dtype = f16}}, .attrs = {attr(accumulation, f64)}}}});
}

}  // namespace calx::ops
