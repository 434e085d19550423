#include "support.h"

namespace calx::ops {

OpDef mul() {
  return {
      .name = "mul",
      .family = "core",
      .doc = {.summary = "Product of two tensors.",
              .math = "y = lhs * rhs",
              .shapes = "`lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`",
              .gradient = "rhs times the cotangent to lhs, lhs times it to rhs, by strong_mul: a cotangent or factor that is 0 gives 0",
              .accuracy = "IEEE, rounded once; integers wrap; booleans: and",
              .errors = "shapes that do not broadcast: CALX-E202; no common dtype: CALX-E103",
              .example = "tensor({1, 2}) * 3.0  // f32[2] [3, 6]",
              .source = "numpy.multiply"},
      .operands = {{"lhs", DTypes::any}, {"rhs", DTypes::any}},
      .binding = Binding::broadcast,
      .form = Primitive{
          .infer = infer::pointwise(),
          .jvp = [](const Call& c, const Tangents& t) { return Tangents(c[1] * t[0] + c[0] * t[1]); },
          .linear = LinearIn{{{0}, {1}},
                           [](const Call& c, int group, const Tangents& ct) { return Tangents(c[1 - group] * ct[0]); }},
          .batch = batch::pointwise,
          .simplify = [](const Call& c) -> std::optional<Results> {
            if (c.dtype(0).is_boolean()) return std::nullopt;
            // x * 1 keeps every bit pattern of x but a signalling NaN, which no op makes.
            if (uniform_constant(c[1]) == 1.0) return Results(c[0]);
            if (uniform_constant(c[0]) == 1.0) return Results(c[1]);
            return std::nullopt;
          },
          .reference = ref::pointwise<DTypes::any>([](auto a, auto b) { return math::mul(a, b); }),
          .lower = lower::pointwise([](loopir::Scalar a, loopir::Scalar b) { return loopir::scalar::mul(a, b); })},
      .samples = pointwise_samples(2),
      .rejects = [] {
        return std::vector<Reject>{
            {.operands = {{f32, {2}}, {f32, {3}}}, .id = ErrorId::shape_mismatch, .message = "`rhs` f32[3]"},
            {.operands = {{f32, {2}}}, .id = ErrorId::arity, .message = "takes 2"}};
      },
  };
}

}  // namespace calx::ops
