#include "support.h"

namespace calx::ops {

OpDef neg() {
  return {
      .name = "neg",
      .family = "core",
      .doc = {.summary = "Negative of each element.",
              .math = "y = -x",
              .shapes = "`x: f32[a]` -> `f32[a]`",
              .gradient = "the negative of the cotangent",
              .accuracy = "exact; integers wrap",
              .errors = "a boolean operand: CALX-E101",
              .example = "-tensor({1, -2})  // f32[2] [-1, 2]",
              .source = "numpy.negative"},
      .operands = {{"x", DTypes::numeric}},
      .form = Primitive{
          .infer = infer::same_as(0),
          .jvp = FromLinear{},
          .linear = LinearIn{{{0}}, [](const Call&, int, const Tangents& ct) { return Tangents(-ct[0]); }},
          .batch = batch::pointwise,
          .simplify = [](const Call& c) -> std::optional<Results> {
            if (const auto inner = producer(c[0]); inner && inner->op == &c.op()) return Results(inner->operands[0]);
            return std::nullopt;
          },
          .reference = ref::pointwise<DTypes::numeric>([](auto x) { return math::neg(x); }),
          .lower = lower::pointwise([](loopir::Scalar x) { return loopir::scalar::neg(x); })},
      .samples = pointwise_samples(),
      .rejects = [] {
        return std::vector<Reject>{{.operands = {{boolean, {2}}}, .id = ErrorId::dtype, .message = "`x` bool[2]"}};
      },
  };
}

}  // namespace calx::ops
