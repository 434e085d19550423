#include "reduction/_support.h"

namespace calx::ops {

using namespace reduction;

OpDef max() {
  return define({.name = "max",
                 .doc = {.summary = "Largest element over axes.",
                         .math = "y = max over axes of x",
                         .gradient = "shared equally among the elements that equal the result",
                         .accuracy = "exact; NaN if any element is",
                         .example = "max(tensor({{1, 2}, {4, 3}}))  // f32[] 4",
                         .source = "numpy.max; the tie rule is jax.numpy's"},
                 .dtypes = DTypes::numeric,
                 .value = [](const Call&, const Tensor& x, const Axes& reduced) { return reduce_max(x, reduced); },
                 .computed = false,
                 .draw = Draw::distinct,
                 .rejects = {{.operands = {{f32, {0}}}, .id = ErrorId::empty_axis, .message = "no elements"}},
                 .numerics = {},
                 .empty_is_legal = false});
}

}  // namespace calx::ops
