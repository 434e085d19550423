#include "pointwise/_support.h"

namespace calx::ops {

OpDef stop_gradient() {
  return {
      .name = "stop_gradient",
      .family = "pointwise",
      .doc = {.summary = "The operand, as a constant for differentiation.",
              .math = "y = x",
              .shapes = "`x: f32[a]` -> `f32[a]`",
              .gradient = "none: 0 everywhere, at every order",
              .accuracy = "exact",
              .errors = "none",
              .example = "stop_gradient(tensor({1, 2}))  // f32[2] [1, 2]",
              .source = "jax.lax.stop_gradient"},
      .operands = {{"x", DTypes::any}},
      .form = Composite{.infer = infer::same_as(0),
                        .decompose = [](const Call& c) { return Results(c[0]); },
                        .jvp = Cut{},
                        .batch = batch::pointwise,
                        .simplify = NoIdentity{},
                        .reference = [](const ReferenceCall& c) { return std::vector<Array>{c[0]}; },
                        .lower = Derived{}},
      .samples = pointwise_samples(),
      .rejects =
          [] { return std::vector<Reject>{{.operands = {}, .id = ErrorId::arity, .message = "takes"}}; },
  };
}

}  // namespace calx::ops
