#include "reduction/_support.h"

namespace calx::ops {

using namespace reduction;

OpDef all() {
  return define({.name = "all",
                 .doc = {.summary = "Whether all elements over axes are true.",
                         .math = "y = and over axes of x",
                         .gradient = "none: operands are boolean",
                         .accuracy = "exact; an empty axis gives true",
                         .example = "all(tensor<bool>({true, false}))  // bool[] false",
                         .source = "numpy.all, of booleans only"},
                 .dtypes = DTypes::boolean,
                 .value = [](const Call&, const Tensor& x, const Axes& reduced) {
                   static const OpDef& op = get_op("reduce_and");
                   return apply_one(op, {x}, {attr(axes, reduced)});
                 },
                 .computed = false,
                 .more = {{.operands = {{.shape = {2, 0}}}, .attrs = {attr(some_axes, Axes{1})}}},
                 .numerics = {}});
}

}  // namespace calx::ops
