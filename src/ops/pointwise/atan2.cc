#include "pointwise/_support.h"

namespace calx::ops {

OpDef atan2() {
  return pointwise::binary<DTypes::floating>(
      {.name = "atan2",
       .doc =
           {.summary = "Angle of the point (rhs, lhs) in (-pi, pi].",
            .math = "y = atan2(lhs, rhs)",
            .gradient =
                "rhs / (lhs^2 + rhs^2) to lhs, -lhs / (lhs^2 + rhs^2) to rhs, without overflow; 0 at (0, 0)",
            .accuracy = "at most 1 ulp in f32; IEEE's values at zeros and infinities",
            .example = "atan2(tensor({0}), tensor({1}))  // f32[1] [0]",
            .source = "numpy.arctan2"},
       .jvp =
           [](const Call& c, const Tangents& t) {
             // With q = small / big, |q| <= 1: big / (lhs^2 + rhs^2) = 1 / (big + small * q), where no square
             // can overflow. At the origin q is NaN, and the strong product cuts it; so it does where 1 / big is
             // infinite and q is 0.
             const Tensor steep = compare(abs(c[0]), abs(c[1]), Comparison::gt);
             const Tensor big = select(steep, c[0], c[1]);
             const Tensor small = select(steep, c[1], c[0]);
             const Tensor at_origin = compare(big, 0, Comparison::eq);
             const Tensor q = small / big;
             const Tensor of_big = select(at_origin, 0, 1.0 / (big + small * q));
             const Tensor of_small = core::strong_mul(q, of_big);
             return Tangents(select(steep, of_small, of_big) * t[0] - select(steep, of_big, of_small) * t[1]);
           },
       .numerics = {.max_ulp_f32 = 1}},
      [](auto a, auto b) { return math::atan2(a, b); }, loopir::ScalarFunction::atan2);
}

}  // namespace calx::ops
