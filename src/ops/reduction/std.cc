#include "reduction/_deviations.h"

namespace calx::ops {

using namespace reduction;

OpDef std() {
  return define({.name = "std",
                 .doc = {.summary = "Standard deviation over axes.",
                         .math = "y = sqrt(sum over axes of (x - mean(x))^2 / (number of elements - ddof))",
                         .gradient = "(x - mean(x)) / (y * (number of elements - ddof)); 0 at every order where y is 0",
                         .accuracy = "two passes on values divided by a power of two, so that squares neither overflow nor vanish, in "
                                     "`accumulation` (f32 for f16 and bf16), rounded once; inf or NaN where the divisor is 0",
                         .example = "std(tensor({1, 3}))  // f32[] 1",
                         .source = "numpy.std"},
                 .value = [](const Call& c, const Tensor& x, const Axes& reduced) {
                   const Deviations parts = deviations(c, x, reduced);
                   return flat_sqrt(parts.mean_square) * parts.centered.scale;
                 },
                 .direction = [](const Call& c, const Tensor& x, const Axes& reduced) {
                   const Deviations parts = deviations(c, x, reduced);
                   const Tensor flat = compare(parts.mean_square, 0, Comparison::eq);
                   const Tensor root = sqrt(select(flat, 1, parts.mean_square)) * parts.divisor;
                   const Tensor slope = parts.centered.deviations / spread_back(root, x.shape(), reduced);
                   return select(spread_back(flat, x.shape(), reduced), 0, slope);
                 },
                 .attrs = {ddof},
                 .more = {{.operands = {{.shape = {3, 4}}}, .attrs = {attr(some_axes, Axes{1}), attr(ddof, 1)}},
                          {.operands = {{.shape = {2, 0}}}, .attrs = {attr(some_axes, Axes{1})}}},
                 .rejects = {{.operands = {{f32, {3}}}, .attrs = {attr(ddof, -1)}, .id = ErrorId::attribute, .message = "ddof"}}});
}

}  // namespace calx::ops
