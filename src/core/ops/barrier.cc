#include "support.h"

namespace calx::ops {

OpDef barrier() {
  return {
      .name = "barrier",
      .family = "core",
      .doc = {.summary = "Passes its operands through; every result depends on all of them.",
              .math = "y_i = x_i, not before all x are known",
              .shapes = "`x: f32[a]`, ... -> the same types",
              .gradient = "the cotangents, unchanged",
              .accuracy = "exact",
              .errors = "none",
              .example = "core::barrier({x, y})",
              .source = "StableHLO optimization_barrier"},
      .operands = {{"x", DTypes::any, true}},
      .results = {"y"},
      .form = Primitive{
          .infer = [](const Call& c) { return Types(c.types().begin(), c.types().end()); },
          .jvp = [](const Call&, const Tangents& t) { return t; },
          .linear = LinearIn{{{kAllOperands}}, [](const Call&, int, const Tangents& ct) { return ct; }},
          .batch = [](const BatchCall& c) -> std::vector<Batched> {
            Tensors operands;
            for (const Batched& operand : c.operands) operands.push_back(operand.tensor);
            const Tensors passed = core::barrier(operands);
            std::vector<Batched> results;
            for (std::size_t i = 0; i < passed.size(); ++i) results.push_back({passed[i], c.operands[i].batched});
            return results;
          },
          .simplify = NoIdentity{},
          .reference = [](const ReferenceCall& c) -> std::vector<Array> {
            return {c.operands().begin(), c.operands().end()};
          },
          .lower = NotInterpretable{"it orders equations and computes nothing"}},
      .samples = [] {
        return std::vector<Sample>{{.operands = {{.shape = {2, 3}}, {.shape = {4}}}}, {.operands = {{}}}};
      },
      .rejects = [] { return std::vector<Reject>{}; },
  };
}

}  // namespace calx::ops
