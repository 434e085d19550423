#include "reduction/_deviations.h"

namespace calx::ops {

using namespace reduction;

OpDef var() {
  return define({.name = "var",
                 .doc = {.summary = "Variance over axes.",
                         .math = "y = sum over axes of (x - mean(x))^2 / (number of elements - ddof)",
                         .gradient = "2 * (x - mean(x)) / (number of elements - ddof)",
                         .accuracy = "two passes on values divided by a power of two, in `accumulation` (f32 for f16 and bf16), rounded "
                                     "once; exactly 0 where all elements are equal; inf or NaN where the divisor is 0",
                         .example = "var(tensor({1, 3}))  // f32[] 1",
                         .source = "numpy.var"},
                 .value = [](const Call& c, const Tensor& x, const Axes& reduced) {
                   const Deviations parts = deviations(c, x, reduced);
                   return parts.mean_square * parts.centered.scale * parts.centered.scale;
                 },
                 .direction = [](const Call& c, const Tensor& x, const Axes& reduced) {
                   const Tensor shifted = x - spread_back(shift_of(x, reduced), x.shape(), reduced);
                   const Tensor from_mean = shifted - spread_back(mean_of(shifted, reduced), x.shape(), reduced);
                   return (from_mean + from_mean) / divisor(c, x, reduced, x.shape());
                 },
                 .attrs = {ddof},
                 .more = {{.operands = {{.shape = {3, 4}}}, .attrs = {attr(some_axes, Axes{1}), attr(ddof, 1)}},
                          {.operands = {{.shape = {2, 0}}}, .attrs = {attr(some_axes, Axes{1})}}},
                 .rejects = {{.operands = {{f32, {3}}}, .attrs = {attr(ddof, -1)}, .id = ErrorId::attribute, .message = "ddof"}}});
}

}  // namespace calx::ops
