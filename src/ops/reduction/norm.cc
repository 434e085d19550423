#include <cmath>

#include "reduction/_support.h"

namespace calx::ops {

using namespace reduction;

namespace {
constinit const Attr<double> ord{"ord", 2.0, "the order p; inf for the largest absolute value", 1, std::numeric_limits<double>::infinity()};

/// x divided by a power of two, and the norm of that, 1 where it is 0.
struct Scaled {
  Tensor scale;
  Tensor x;
  Tensor flat;  // where the norm is 0
  Tensor norm;
};

Scaled scaled_norm(double p, const Tensor& x, const Axes& reduced) {
  const Tensor scale = scale_of(x, reduced);
  const Tensor scaled = x / spread_back(scale, x.shape(), reduced);
  const Tensor powers = p == 2 ? scaled * scaled : pow(abs(scaled), core::full(x.type(), p));
  const Tensor sum = core::reduce_sum(powers, reduced);
  const Tensor flat = compare(sum, 0, Comparison::eq);
  const Tensor positive = select(flat, 1, sum);
  return {scale, scaled, flat, p == 2 ? sqrt(positive) : pow(positive, core::full(sum.type(), 1 / p))};
}

}  // namespace

OpDef norm() {
  return define({.name = "norm",
                 .doc = {.summary = "p-norm over axes, as of one vector.",
                         .math = "y = (sum over axes of |x|^p)^(1/p); p = inf: max |x|",
                         .gradient = "sign(x) * (|x| / y)^(p - 1); 0 at every order where y is 0; p = inf: shared equally among ties",
                         .accuracy = "on values divided by a power of two, so that powers neither overflow nor vanish, in "
                                     "`accumulation` (f32 for f16 and bf16), rounded once; an empty axis gives 0",
                         .example = "norm(tensor({3, 4}))  // f32[] 5",
                         .source = "numpy.linalg.norm of a flattened operand; Blue (1978)"},
                 .value = [](const Call& c, const Tensor& x, const Axes& reduced) {
                   const double p = c[ord];
                   if (p == 1) return core::reduce_sum(abs(x), reduced);
                   if (std::isinf(p)) {
                     const Tensor largest = reduce_max(abs(x), reduced, true);
                     return select(compare(largest, 0, Comparison::le), 0, largest);
                   }
                   const Scaled parts = scaled_norm(p, x, reduced);
                   return select(parts.flat, 0, parts.norm) * parts.scale;
                 },
                 .direction = [](const Call& c, const Tensor& x, const Axes& reduced) {
                   const double p = c[ord];
                   if (p == 1) return sign(x);
                   if (std::isinf(p)) {
                     const Tensor size = abs(x);
                     const Tensor largest = spread_back(reduce_max(size, reduced, true), x.shape(), reduced);
                     const Tensor is_largest = compare(size, largest, Comparison::eq);
                     const Tensor ties = core::reduce_sum(core::convert(is_largest, x.dtype()), reduced);
                     return select(is_largest, sign(x) / spread_back(ties, x.shape(), reduced), 0);
                   }
                   const Scaled parts = scaled_norm(p, x, reduced);
                   const Tensor ratio = parts.x / spread_back(parts.norm, x.shape(), reduced);
                   const Tensor slope = p == 2 ? ratio : sign(ratio) * pow(abs(ratio), core::full(x.type(), p - 1));
                   return select(spread_back(parts.flat, x.shape(), reduced), 0, slope);
                 },
                 .attrs = {ord},
                 .more = {{.operands = {{.shape = {3, 4}}}, .attrs = {attr(some_axes, Axes{1}), attr(ord, 1)}},
                          {.operands = {{.shape = {3, 4}}}, .attrs = {attr(ord, 3)}},
                          {.operands = {{.shape = {3, 4}, .draw = Draw::distinct}},
                           .attrs = {attr(some_axes, Axes{0}), attr(ord, std::numeric_limits<double>::infinity())},
                           .smooth = false},
                          {.operands = {{.shape = {2, 0}}}, .attrs = {attr(some_axes, Axes{1})}}},
                 .rejects = {{.operands = {{f32, {3}}}, .attrs = {attr(ord, 0.5)}, .id = ErrorId::attribute, .message = "ord"}}});
}

}  // namespace calx::ops
