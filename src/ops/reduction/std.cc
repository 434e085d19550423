#include "reduction/_support.h"

namespace calx::ops {

using namespace reduction;

namespace {
const Attr<std::int64_t> ddof{"ddof", std::int64_t{0}, "what is subtracted from the number of elements in the divisor", 0, 1e9};

/// The deviations divided by a power of two, and their mean square.
struct Scaled {
  Centered centered;
  Tensor divisor;
  Tensor square;
};

Scaled scaled_deviations(const Call& c, const Tensor& x, const Axes& reduced) {
  const Centered centered = center(x, reduced);
  const Tensor sum = core::reduce_sum(centered.deviations * centered.deviations, reduced);
  const Tensor divisor = spread(core::size(max(count(x.shape(), reduced) - Dim(c[ddof]), 0), x.dtype()), sum.shape());
  return {centered, divisor, sum / divisor};
}

}  // namespace

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
                   const Scaled parts = scaled_deviations(c, x, reduced);
                   return flat_sqrt(parts.square) * parts.centered.scale;
                 },
                 .direction = [](const Call& c, const Tensor& x, const Axes& reduced) {
                   const Scaled parts = scaled_deviations(c, x, reduced);
                   const Tensor flat = compare(parts.square, 0, Comparison::eq);
                   const Tensor root = sqrt(select(flat, 1, parts.square)) * parts.divisor;
                   const Tensor slope = parts.centered.deviations / spread_back(root, x.shape(), reduced);
                   return select(spread_back(flat, x.shape(), reduced), 0, slope);
                 },
                 .attrs = {ddof},
                 .more = {{.operands = {{.shape = {3, 4}}}, .attrs = {attr(some_axes, Axes{1}), attr(ddof, 1)}},
                          {.operands = {{.shape = {2, 0}}}, .attrs = {attr(some_axes, Axes{1})}}},
                 .rejects = {{.operands = {{f32, {3}}}, .attrs = {attr(ddof, -1)}, .id = ErrorId::attribute, .message = "ddof"}}});
}

}  // namespace calx::ops
