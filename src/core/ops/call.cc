#include "calx/core/trace.h"
#include "support.h"

namespace calx::ops {

OpDef call() {
  return {
      .name = "call",
      .family = "core",
      .doc = {.summary = "Calls a Function on its operands.",
              .math = "y = function(x)",
              .shapes = "the argument types of the Function -> its result types",
              .gradient = "that of the Function: the derivative of a call is a call of the derivative",
              .accuracy = "that of the Function",
              .errors = "operands that do not fit the arguments: CALX-E606",
              .example = "core::call(f, {x})",
              .source = "jax.jit inside jax.jit"},
      .operands = {{"x", DTypes::any, true}},
      .attrs = {callee},
      .results = {"y"},
      .form = Region{
          .infer = [](const Call& c) {
            require_signature(c, c[callee], "function");
            return Types(c[callee].result_types());
          },
          .jvp = ByTransforms{},
          .linearize = ByTransforms{},
          .transpose = ByTransforms{},
          .batch = ByTransforms{},
          .prune = NoIdentity{},
          .simplify = NoIdentity{},
          .reference = [](const ReferenceCall& c) -> std::vector<Array> {
            return c.context().run_nested(c[callee], {c.operands().begin(), c.operands().end()}, 0);
          },
          .lower = NotInterpretable{"it runs a Function"}},
      .samples = [] {
        const Function product =
            trace_flat({{"a", {f32, {3}}}, {"b", {f32, {3}}}},
                       [](std::span<const Tensor> x) -> Tensors { return {core::mul(x[0], x[1]), core::neg(x[0])}; },
                       {.name = "product"})
                .function;
        const Function total =
            trace_flat({{"a", {f64, {2, 3}}}},
                       [](std::span<const Tensor> x) -> Tensors { return {core::reduce_sum(core::mul(x[0], x[0]), {1})}; },
                       {.name = "total"})
                .function;
        return std::vector<Sample>{
            {.operands = {{.shape = {3}, .dtype = f32}, {.shape = {3}, .dtype = f32}}, .attrs = {attr(callee, product)}},
            {.operands = {{.shape = {2, 3}, .dtype = f64}}, .attrs = {attr(callee, total)}}};
      },
      .rejects = [] {
        const Function identity = trace_flat({{"a", {f32, {3}}}}, [](std::span<const Tensor> x) -> Tensors {
                                    return {x[0]};
                                  }).function;
        return std::vector<Reject>{{.operands = {{f32, {4}}},
                                    .attrs = {attr(callee, identity)},
                                    .id = ErrorId::region_signature,
                                    .message = "f32[4]"}};
      },
  };
}

}  // namespace calx::ops
