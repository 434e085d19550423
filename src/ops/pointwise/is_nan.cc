#include "pointwise/_families.h"

namespace calx::ops {

OpDef is_nan() {
  return pointwise::classifier("is_nan",
                               {.summary = "True where an element is NaN.",
                                .math = "y = x != x",
                                .example = "is_nan(tensor({1, NAN}))  // bool[2] [false, true]",
                                .source = "numpy.isnan"},
                               ref::pointwise<DTypes::floating>([](auto x) { return math::is_nan(x); }),
                               loopir::ScalarFunction::is_nan);
}

}  // namespace calx::ops
