#include <cmath>

#include "support.h"

namespace calx::ops {

OpDef sub() {
  return {
      .name = "sub",
      .family = "core",
      .doc = {.summary = "Difference of two tensors.",
              .math = "y = lhs - rhs",
              .shapes = "`lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`",
              .gradient = "the cotangent to lhs, its negative to rhs",
              .accuracy = "IEEE, rounded once; integers wrap",
              .errors = "shapes that do not broadcast: CALX-E202; no common dtype: CALX-E103",
              .example = "tensor({1, 2}) - 1.0  // f32[2] [0, 1]",
              .source = "numpy.subtract"},
      .operands = {{"lhs", DTypes::numeric}, {"rhs", DTypes::numeric}},
      .binding = Binding::broadcast,
      .form = Primitive{
          .infer = infer::pointwise(),
          .jvp = FromLinear{},
          .linear = LinearIn{{{0, 1}},
                           [](const Call&, int, const Tangents& ct) { return Tangents{ct[0], -ct[0]}; }},
          .batch = batch::pointwise,
          .simplify = [](const Call& c) -> std::optional<Results> {
            // x - +0 keeps every bit pattern of x, the sign of zero included; x - -0 does not.
            const std::optional<double> known = uniform_constant(c[1]);
            if (known != 0.0 || std::signbit(*known)) return std::nullopt;
            return Results(c[0]);
          },
          .reference = ref::pointwise<DTypes::numeric>([](auto a, auto b) { return math::sub(a, b); }),
          .lower = lower::pointwise([](loopir::Scalar a, loopir::Scalar b) { return loopir::scalar::sub(a, b); })},
      .samples = pointwise_samples(2),
      .rejects = [] {
        return std::vector<Reject>{
            {.operands = {{boolean, {2}}, {boolean, {2}}}, .id = ErrorId::dtype, .message = "`lhs`"},
            {.operands = {{f32, {2}}, {f32, {3}}}, .id = ErrorId::shape_mismatch, .message = "`rhs` f32[3]"},
            {.operands = {{f32, {2}}}, .id = ErrorId::arity, .message = "takes 2"}};
      },
  };
}

}  // namespace calx::ops
