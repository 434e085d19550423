#include "pointwise/_support.h"

namespace calx::ops {

OpDef sigmoid() {
  // exp of a number that is not positive: neither side overflows, and small results keep their digits.
  return pointwise::define(
      {.name = "sigmoid",
       .doc = {.summary = "Logistic function of each element.",
               .math = "y = 1 / (1 + exp(-x))",
               .gradient = "y * sigmoid(-x): accurate at both ends, where 1 - y would round to 0 or 1",
               .accuracy = "at most 2 ulp in f32; f16 and bf16 are computed in f32 and rounded once",
               .example = "sigmoid(tensor({0}))  // f32[1] [0.5]",
               .source = "jax.nn.sigmoid; scipy.special.expit"},
       .jvp = [](const Call& c, const Tangents& t) { return Tangents((c.out() * sigmoid(-c[0])) * t[0]); },
       .numerics = {.max_ulp_f32 = 2}},
      DTypes::floating, 1, ref::pointwise<DTypes::floating>([](auto x) {
        using T = decltype(x);
        const T e = math::exp(math::neg(math::abs(x)));
        return math::div(x < T(0) ? e : T(1), math::add(T(1), e));
      }),
      lower::pointwise([](loopir::Scalar x) {
        namespace s = loopir::scalar;
        // As the reference: 16-bit floats are computed in f32 throughout.
        const DType dtype = x.dtype();
        const DType wide = dtype.accumulation();
        const loopir::Scalar value = s::convert(x, wide);
        const loopir::Scalar one = loopir::Scalar::constant(1.0, wide);
        const loopir::Scalar e = s::exp(-s::abs(value));
        const loopir::Scalar negative = s::less(value, loopir::Scalar::constant(0.0, wide));
        return s::convert(s::select(negative, e, one) / (one + e), dtype);
      }));
}

}  // namespace calx::ops
