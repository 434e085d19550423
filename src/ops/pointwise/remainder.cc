#include "pointwise/_support.h"

namespace calx::ops {

OpDef remainder() {
  OpDef op = pointwise::binary<DTypes::numeric>(
      {.name = "remainder",
       .doc = {.summary = "Remainder of floor_divide; it has the sign of rhs.",
               .math = "y = lhs - floor_divide(lhs, rhs) * rhs",
               .gradient = "1 to lhs, -floor_divide(lhs, rhs) to rhs",
               .accuracy = "exact for floats up to one rounding; integers: x % 0 is 0, the most negative % "
                           "-1 is 0, nothing traps",
               .example = "remainder(tensor<std::int32_t>({7, -7}), 3)  // i32[2] [1, 2]",
               .source = "numpy.remainder"},
       .jvp =
           [](const Call& c, const Tangents& t) {
             if (t[1].is_zero()) return Tangents(t[0]);
             return Tangents(t[0] - floor_divide(c[0], c[1]) * t[1]);
           },
       .numerics = {}},
      [](auto a, auto b) { return math::remainder(a, b); }, loopir::ScalarFunction::remainder);
  op.samples = [] {
    std::vector<Sample> samples;
    for (Shape shape : {Shape{}, Shape{3}, Shape{0}, Shape{2, 3}, Shape{17}}) {
      samples.push_back({.operands = {{.shape = shape}, {.shape = shape, .draw = Draw::positive}}});
    }
    samples.push_back({.operands = {{.shape = {4}, .draw = Draw::given, .values = {7.5, -7.5, 6.25, -6.25}},
                                    {.shape = {4}, .draw = Draw::given, .values = {2, 2, -4, -4}}}});
    return samples;
  };
  return op;
}

}  // namespace calx::ops
