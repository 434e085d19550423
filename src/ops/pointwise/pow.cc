#include "pointwise/_support.h"

namespace calx::ops {

OpDef pow() {
  OpDef op = pointwise::binary<DTypes::numeric>(
      {.name = "pow",
       .doc = {.summary = "Power of two tensors, element by element.",
               .math = "y = lhs ^ rhs",
               .gradient = "rhs * lhs^(rhs - 1) to lhs (0 where rhs is 0), y * log(lhs) to rhs (0 where lhs "
                           "is 0 and rhs >= 0)",
               .accuracy = "at most 1 ulp in f32; integers wrap, and a negative exponent gives the power "
                           "rounded toward zero",
               .example = "pow(tensor({2, 3}), 2.0)  // f32[2] [4, 9]",
               .source = "numpy.power; C's pow for floats"},
       .jvp =
           [](const Call& c, const Tangents& t) {
             Tangent result = Tangent::zero(c.type(0));
             // The strong product gives 0 for exponent 0, at every base and order.
             if (!t[0].is_zero()) result += core::strong_mul(c[1], pow(c[0], c[1] - 1.0)) * t[0];
             if (!t[1].is_zero()) {
               const Tensor flat =
                   logical_and(compare(c[0], 0, Comparison::eq), compare(c[1], 0, Comparison::ge));
               result += core::strong_mul(c.out(), log(select(flat, 1, c[0]))) * t[1];
             }
             return Tangents(result);
           },
       .simplify = [](const Call& c) -> std::optional<Results> {
         const std::optional<double> exponent = uniform_constant(c[1]);
         if (exponent == 0.0) return Results(core::ones(c.type(0)));
         return std::nullopt;
       },
       .numerics = {.max_ulp_f32 = 1, .low = 0.2, .high = 3}},
      [](auto a, auto b) { return math::pow(a, b); }, loopir::ScalarFunction::pow);
  op.samples = [] {
    std::vector<Sample> samples;
    for (Shape shape : {Shape{}, Shape{3}, Shape{0}, Shape{1}, Shape{2, 3}, Shape{17}}) {
      samples.push_back({.operands = {{.shape = shape, .draw = Draw::positive}, {.shape = shape}}});
    }
    return samples;
  };
  return op;
}

}  // namespace calx::ops
