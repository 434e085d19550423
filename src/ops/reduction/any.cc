#include "reduction/_support.h"

namespace calx::ops {

using namespace reduction;

OpDef any() {
  return define({.name = "any",
                 .doc = {.summary = "Whether any elements over axes is true.",
                         .math = "y = or over axes of x",
                         .gradient = "none: operands are boolean",
                         .accuracy = "exact; an empty axis gives false",
                         .example = "any(tensor<bool>({true, false}))  // bool[] true",
                         .source = "numpy.any, of booleans only"},
                 .dtypes = DTypes::boolean,
                 .value = [](const Call&, const Tensor& x, const Axes& reduced) {
                   static const OpDef& op = get_op("reduce_or");
                   return apply_one(op, {x}, {attr(axes, reduced)});
                 },
                 .computed = false,
                 .more = {{.operands = {{.shape = {2, 0}}}, .attrs = {attr(some_axes, Axes{1})}}},
                 .numerics = {}});
}

}  // namespace calx::ops
