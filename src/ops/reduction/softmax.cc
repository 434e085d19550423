#include "reduction/_softmax.h"

namespace calx::ops {

OpDef softmax() {
  return reduction::normalized(
      "softmax",
      {.summary = "Exponentials along an axis, divided by their sum, without overflow.",
       .math = "y = e^x / sum along axis of e^x",
       .gradient = "y * (ct - sum along axis of y * ct); 0 in a row that is all -inf",
       .accuracy = "computed in `accumulation` (f32 for f16 and bf16) after subtracting the largest element, "
                   "rounded once; a row "
                   "that is all -inf gives 0",
       .example = "softmax(tensor({0, 0}))  // f32[2] [0.5, 0.5]",
       .source = "jax.nn.softmax; numerics as in Blanchard, Higham and Higham (2021)"},
      [](const auto& of, const auto& spread) { return of.powers / spread(of.sum); });
}

}  // namespace calx::ops
