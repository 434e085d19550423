#include "pointwise/_families.h"

namespace calx::ops {

OpDef is_inf() {
  return pointwise::classifier("is_inf",
                               {.summary = "True where an element is infinite.",
                                .math = "y = |x| == inf",
                                .example = "is_inf(tensor({1, -INFINITY}))  // bool[2] [false, true]",
                                .source = "numpy.isinf"},
                               ref::pointwise<DTypes::floating>([](auto x) { return math::is_inf(x); }),
                               loopir::ScalarFunction::is_inf);
}

}  // namespace calx::ops
