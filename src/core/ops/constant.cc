#include "support.h"

namespace calx::ops {

OpDef constant() {
  return {
      .name = "constant",
      .family = "core",
      .doc = {.summary = "A tensor whose data is part of the program.",
              .math = "constant = value",
              .shapes = "-> the shape and dtype of `value`",
              .gradient = "none: it depends on nothing",
              .accuracy = "exact",
              .errors = "none",
              .example = "tensor({1, 2, 3})  // f32[3] [1, 2, 3]",
              .source = "StableHLO constant"},
      .operands = {},
      .attrs = {value},
      .form = Primitive{
          .infer = [](const Call& c) { return Types(c[value].type()); },
          .jvp = NoFloatOperand{},
          .linear = NotLinear{},
          .batch = [](const BatchCall& c) -> std::vector<Batched> {
            return {{Tensor(c.call[value]), false}};
          },
          .simplify = NoIdentity{},
          .reference = [](const ReferenceCall& c) -> std::vector<Array> { return {c[value]}; },
          .lower = NotInterpretable{"its value is data, not a computation"}},
      .samples = [] {
        return std::vector<Sample>{
            {.attrs = {attr(value, Array::from<float>({2, 2}, {1.0f, -0.0f, 3.5f, 4.0f}))}},
            {.attrs = {attr(value, Array::scalar<std::int64_t>(70000))}}};
      },
      .rejects = [] {
        return std::vector<Reject>{{.id = ErrorId::attribute_missing, .message = "attribute `value` is missing"}};
      },
  };
}

}  // namespace calx::ops
