#include "pointwise/_families.h"

namespace calx::ops {

OpDef minimum() {
  return pointwise::binary<DTypes::numeric>(
      pointwise::choice(
          "minimum",
          {.summary = "Smaller of two tensors, element by element.",
           .math = "y = lhs where lhs < rhs, else rhs",
           .accuracy = "exact; NaN if either operand is (the canonical one); -0 is less than +0",
           .example = "minimum(tensor({1, 5}), 2.0)  // f32[2] [1, 2]",
           .source = "numpy.minimum; the tie rule is jax.lax's"},
          Comparison::lt),
      [](auto a, auto b) { return math::minimum(a, b); }, loopir::ScalarFunction::minimum);
}

}  // namespace calx::ops
