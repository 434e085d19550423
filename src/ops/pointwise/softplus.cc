#include "pointwise/_support.h"

namespace calx::ops {

OpDef softplus() {
  // A primitive although it is made of others: the derivatives of maximum and abs at 0 are right, their
  // derivatives not.
  return pointwise::define(
      {.name = "softplus",
       .doc = {.summary = "log(1 + exp(x)) of each element, without overflow or cancellation.",
               .math = "y = maximum(x, 0) + log1p(exp(-|x|))",
               .gradient = "sigmoid(x)",
               .accuracy = "at most 2 ulp in f32; f16 and bf16 are computed in f32 and rounded once",
               .example = "softplus(tensor({100}))  // f32[1] [100]",
               .source = "jax.nn.softplus"},
       .jvp = [](const Call& c, const Tangents& t) { return Tangents(sigmoid(c[0]) * t[0]); },
       .numerics = {.max_ulp_f32 = 2}},
      DTypes::floating, 1, ref::pointwise<DTypes::floating>([](auto x) {
        using T = decltype(x);
        return math::add(math::maximum(x, T(0)), math::log1p(math::exp(math::neg(math::abs(x)))));
      }),
      lower::pointwise([](loopir::Scalar x) {
        namespace s = loopir::scalar;
        const DType dtype = x.dtype();
        const DType wide = dtype.accumulation();
        const loopir::Scalar value = s::convert(x, wide);
        const loopir::Scalar zero = loopir::Scalar::constant(0.0, wide);
        return s::convert(s::maximum(value, zero) + s::log1p(s::exp(-s::abs(value))), dtype);
      }));
}

}  // namespace calx::ops
