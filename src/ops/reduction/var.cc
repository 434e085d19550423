#include "reduction/_support.h"

namespace calx::ops {

using namespace reduction;

namespace {
const Attr<std::int64_t> ddof{"ddof", std::int64_t{0}, "what is subtracted from the number of elements in the divisor", 0, 1e9};
}  // namespace

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
                   const Centered centered = center(x, reduced);
                   const Tensor sum = core::reduce_sum(centered.deviations * centered.deviations, reduced);
                   const Dim divisor = max(count(x.shape(), reduced) - Dim(c[ddof]), 0);
                   const Tensor scaled = sum / spread(core::size(divisor, x.dtype()), sum.shape());
                   return scaled * centered.scale * centered.scale;
                 },
                 .direction = [](const Call& c, const Tensor& x, const Axes& reduced) {
                   const Tensor shifted = x - spread_back(shift_of(x, reduced), x.shape(), reduced);
                   const Tensor deviations = shifted - spread_back(mean_of(shifted, reduced), x.shape(), reduced);
                   const Dim divisor = max(count(x.shape(), reduced) - Dim(c[ddof]), 0);
                   return (deviations + deviations) / spread(core::size(divisor, x.dtype()), x.shape());
                 },
                 .attrs = {ddof},
                 .more = {{.operands = {{.shape = {3, 4}}}, .attrs = {attr(some_axes, Axes{1}), attr(ddof, 1)}},
                          {.operands = {{.shape = {2, 0}}}, .attrs = {attr(some_axes, Axes{1})}}},
                 .rejects = {{.operands = {{f32, {3}}}, .attrs = {attr(ddof, -1)}, .id = ErrorId::attribute, .message = "ddof"}}});
}

}  // namespace calx::ops
