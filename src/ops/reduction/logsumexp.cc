#include "reduction/_support.h"

namespace calx::ops {

using namespace reduction;

OpDef logsumexp() {
  return define({.name = "logsumexp",
                 .doc = {.summary = "Logarithm of the sum of exponentials over axes, without overflow.",
                         .math = "y = log(sum over axes of e^x)",
                         .gradient = "e^(x - y); 0 where every element is -inf",
                         .accuracy = "computed in `accumulation` (f32 for f16 and bf16), in the fixed summation order, rounded once; an empty axis and one of -inf alone give -inf",
                         .example = "logsumexp(tensor({1000, 1000}))  // f32[] 1000.6931",
                         .source = "scipy.special.logsumexp"},
                 .value = [](const Call&, const Tensor& x, const Axes& reduced) {
                   const Tensor shift = shift_of(x, reduced);
                   const Tensor shifted = x - spread_back(shift, x.shape(), reduced);
                   return log(core::reduce_sum(exp(shifted), reduced)) + shift;
                 },
                 .more = {{.operands = {{.shape = {2, 0}}}, .attrs = {attr(some_axes, Axes{1})}}}});
}

}  // namespace calx::ops
