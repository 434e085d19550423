#include "pointwise/_families.h"

namespace calx::ops {

OpDef is_finite() {
  return pointwise::classifier("is_finite",
                               {.summary = "True where an element is neither infinite nor NaN.",
                                .math = "y = |x| < inf",
                                .example = "is_finite(tensor({1, INFINITY}))  // bool[2] [true, false]",
                                .source = "numpy.isfinite"},
                               ref::pointwise<DTypes::floating>([](auto x) { return math::is_finite(x); }),
                               loopir::ScalarFunction::is_finite);
}

}  // namespace calx::ops
