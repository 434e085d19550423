#include "pointwise/_support.h"

namespace calx::ops {

OpDef floor_divide() {
  OpDef op = pointwise::binary<DTypes::numeric>(
      {.name = "floor_divide",
       .doc = {.summary = "Quotient rounded toward minus infinity.",
               .math = "y = floor(lhs / rhs)",
               .gradient = "none: 0 everywhere",
               .accuracy = "floats as NumPy, in agreement with remainder; integers: x / 0 is 0, the most "
                           "negative / -1 is itself, nothing traps",
               .example = "floor_divide(tensor<std::int32_t>({7, -7}), 2)  // i32[2] [3, -4]",
               .source = "numpy.floor_divide"},
       .jvp = PiecewiseConstant{},
       .simplify = [](const Call& c) -> std::optional<Results> {
         if (c.dtype(0).is_floating() || uniform_constant(c[1]) != 1.0) return std::nullopt;
         return Results(c[0]);
       },
       .numerics = {}},
      [](auto a, auto b) { return math::floor_divide(a, b); }, loopir::ScalarFunction::floor_divide);
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
