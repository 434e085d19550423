#include "pointwise/_families.h"

namespace calx::ops {

OpDef maximum() {
  return pointwise::binary<DTypes::numeric>(
      pointwise::choice(
          "maximum",
          {.summary = "Larger of two tensors, element by element.",
           .math = "y = lhs where lhs > rhs, else rhs",
           .accuracy = "exact; NaN if either operand is (the canonical one); -0 is less than +0",
           .example = "maximum(tensor({1, 5}), 2.0)  // f32[2] [2, 5]",
           .source = "numpy.maximum; the tie rule is jax.lax's"},
          Comparison::gt),
      [](auto a, auto b) { return math::maximum(a, b); }, loopir::ScalarFunction::maximum);
}

}  // namespace calx::ops
