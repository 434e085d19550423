#include "support.h"

namespace calx::ops {

OpDef div() {
  return {
      .name = "div",
      .family = "core",
      .doc = {.summary = "Quotient of two floating tensors.",
              .math = "y = lhs / rhs",
              .shapes = "`lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`",
              .gradient = "cotangent / rhs to lhs, -(lhs / rhs) / rhs times the cotangent to rhs",
              .accuracy = "IEEE, rounded once",
              .errors = "shapes that do not broadcast: CALX-E202; no common dtype: CALX-E103",
              .example = "tensor({1, 2}) / 2.0  // f32[2] [0.5, 1]",
              .source = "numpy.true_divide, for floating operands"},
      .operands = {{"lhs", DTypes::floating}, {"rhs", DTypes::floating}},
      .binding = Binding::broadcast,
      .form = Primitive{
          .infer = infer::pointwise(),
          .jvp = [](const Call& c, const Tangents& t) { return Tangents(t[0] / c[1] - (core::div(c.out(), c[1])) * t[1]); },
          .linear = LinearIn{{{0}},
                           [](const Call& c, int, const Tangents& ct) { return Tangents(ct[0] / c[1]); }},
          .batch = batch::pointwise,
          .simplify = [](const Call& c) -> std::optional<Results> {
            if (uniform_constant(c[1]) != 1.0) return std::nullopt;
            return Results(c[0]);
          },
          .reference = ref::pointwise<DTypes::floating>([](auto a, auto b) { return math::div(a, b); }),
          .lower = lower::pointwise([](loopir::Scalar a, loopir::Scalar b) { return loopir::scalar::div(a, b); })},
      .samples = pointwise_samples(2, Draw::positive),
      .rejects = [] {
        return std::vector<Reject>{
            {.operands = {{i32, {2}}, {i32, {2}}}, .id = ErrorId::dtype, .message = "`lhs`"},
            {.operands = {{f32, {2}}, {f32, {3}}}, .id = ErrorId::shape_mismatch, .message = "`rhs` f32[3]"},
            {.operands = {{f32, {2}}}, .id = ErrorId::arity, .message = "takes 2"}};
      },
  };
}

}  // namespace calx::ops
