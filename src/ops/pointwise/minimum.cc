#include "pointwise/_support.h"

namespace calx::ops {

OpDef minimum() {
  return pointwise::binary<DTypes::numeric>(
      {.name = "minimum",
       .doc = {.summary = "Smaller of two tensors, element by element.",
               .math = "y = lhs where lhs < rhs, else rhs",
               .gradient = "1 to the chosen operand, 0 to the other; 1/2 to each at a tie",
               .accuracy = "exact; NaN if either operand is (the canonical one); -0 is less than +0",
               .example = "minimum(tensor({1, 5}), 2.0)  // f32[2] [1, 2]",
               .source = "numpy.minimum; the tie rule is jax.lax's"},
       .jvp =
           [](const Call& c, const Tangents& t) {
             // 1 where operand i is chosen, 1/2 at ties. Where either is NaN: 0.
             const auto share = [&](int i) {
               const Tensor chosen = indicator(compare(c[i], c[1 - i], Comparison::le), c.dtype(i));
               const Tensor alone = indicator(compare(c[i], c[1 - i], Comparison::lt), c.dtype(i));
               return 0.5 * (chosen + alone);
             };
             Tangent result = Tangent::zero(c.type(0));
             for (int i : {0, 1}) {
               if (!t[static_cast<std::size_t>(i)].is_zero())
                 result += share(i) * t[static_cast<std::size_t>(i)];
             }
             return Tangents(result);
           },
       .simplify = [](const Call& c) -> std::optional<Results> {
         // Of floats this is not exact: a NaN that is not canonical becomes so.
         if (!c.dtype(0).is_floating() && is_same(c[0], c[1])) return Results(c[0]);
         return std::nullopt;
       },
       .numerics = {}},
      [](auto a, auto b) { return math::minimum(a, b); }, loopir::ScalarFunction::minimum);
}

}  // namespace calx::ops
