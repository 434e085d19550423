#include "reduction/_support.h"

namespace calx::ops {

using namespace reduction;

OpDef min() {
  return define({.name = "min",
                 .doc = {.summary = "Smallest element over axes.",
                         .math = "y = min over axes of x",
                         .gradient = "shared equally among the elements that equal the result",
                         .accuracy = "exact; NaN if any element is",
                         .example = "min(tensor({{1, 2}, {4, 3}}))  // f32[] 1",
                         .source = "numpy.min; the tie rule is jax.numpy's"},
                 .dtypes = DTypes::numeric,
                 .value = [](const Call&, const Tensor& x, const Axes& reduced) { return reduce_min(x, reduced); },
                 .computed = false,
                 .draw = Draw::distinct,
                 .rejects = {{.operands = {{f32, {0}}}, .id = ErrorId::empty_axis, .message = "no elements"}},
                 .numerics = {},
                 .empty_is_legal = false});
}

}  // namespace calx::ops
