#include <cmath>

#include "support.h"

namespace calx::ops {

OpDef add() {
  return {
      .name = "add",
      .family = "core",
      .doc = {.summary = "Sum of two tensors.",
              .math = "y = lhs + rhs",
              .shapes = "`lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`",
              .gradient = "the cotangent to both",
              .accuracy = "IEEE, rounded once; integers wrap; booleans: or",
              .errors = "shapes that do not broadcast: CALX-E202; no common dtype: CALX-E103",
              .example = "tensor({1, 2}) + 1.0  // f32[2] [2, 3]",
              .source = "numpy.add"},
      .operands = {{"lhs", DTypes::any}, {"rhs", DTypes::any}},
      .binding = Binding::broadcast,
      .form = Primitive{
          .infer = infer::pointwise(),
          .jvp = FromLinear{},
          .linear = LinearIn{{{0, 1}},
                           [](const Call&, int, const Tangents& ct) { return Tangents{ct[0], ct[0]}; }},
          .batch = batch::pointwise,
          .simplify = [](const Call& c) -> std::optional<Results> {
            // x + -0 keeps every bit pattern of x, the sign of zero included; x + +0 does not. Integers have one zero.
            const auto is_neutral = [&](const Tensor& x) {
              const std::optional<double> known = uniform_constant(x);
              return known == 0.0 && (std::signbit(*known) || !c.dtype(0).is_floating());
            };
            if (is_neutral(c[1])) return Results(c[0]);
            if (is_neutral(c[0])) return Results(c[1]);
            return std::nullopt;
          },
          .reference = ref::pointwise<DTypes::any>([](auto a, auto b) { return math::add(a, b); }),
          .lower = lower::pointwise([](loopir::Scalar a, loopir::Scalar b) { return loopir::scalar::add(a, b); })},
      .samples = pointwise_samples(2),
      .rejects = [] {
        return std::vector<Reject>{
            {.operands = {{f32, {2}}, {f32, {3}}}, .id = ErrorId::shape_mismatch, .message = "`rhs` f32[3]"},
            {.operands = {{f32, {2}}}, .id = ErrorId::arity, .message = "takes 2"}};
      },
  };
}

}  // namespace calx::ops
