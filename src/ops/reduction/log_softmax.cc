#include "reduction/_softmax.h"

namespace calx::ops {

OpDef log_softmax() {
  return reduction::normalized(
      "log_softmax",
      {.summary = "Logarithm of softmax along an axis, without overflow.",
       .math = "y = x - log(sum along axis of e^x)",
       .gradient = "ct - e^y * sum along axis of ct; 0 in a row that is all -inf",
       .accuracy = "computed in `accumulation` (f32 for f16 and bf16) after subtracting the largest element, "
                   "rounded once; a row "
                   "that is all -inf gives -inf",
       .example = "log_softmax(tensor({0, 0}))  // f32[2] [-0.6931472, -0.6931472]",
       .source = "jax.nn.log_softmax; numerics as in Blanchard, Higham and Higham (2021)"},
      [](const auto& of, const auto& spread) {
        constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
        return select(spread(of.no_mass), minus_infinity, of.shifted - spread(log(of.sum)));
      });
}

}  // namespace calx::ops
