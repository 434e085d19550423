#include "support.h"

namespace calx::ops {

OpDef select() {
  return {
      .name = "select",
      .family = "core",
      .doc = {.summary = "Chooses each element from one of two tensors.",
              .math = "y = on_true where predicate, else on_false",
              .shapes = "`predicate: bool[a]`, `on_true: f32[a]`, `on_false: f32[a]` -> `f32[a]`",
              .gradient = "the cotangent where the operand was chosen, exactly 0 elsewhere",
              .accuracy = "exact",
              .errors = "shapes that differ: CALX-E202; dtypes that differ: CALX-E102",
              .example = "select(tensor<bool>({true, false}), 1.0, tensor({5, 6}))  // f32[2] [1, 6]",
              .source = "numpy.where; jax.lax.select"},
      .operands = {{"predicate", DTypes::boolean}, {"on_true", DTypes::any}, {"on_false", DTypes::any}},
      .binding = Binding::broadcast,
      .form = Primitive{
          .infer = [](const Call& c) {
            require_same_shape(c, 1, 2);
            require_same_dtype(c, 1, 2);
            require_same_shape(c, 0, 1);
            return Types(c.type(1));
          },
          .jvp = [](const Call& c, const Tangents& t) { return Tangents(select(c[0], t[1], t[2])); },
          .linear = LinearIn{{{1, 2}},
                           [](const Call& c, int, const Tangents& ct) {
                             const Tangent zero = Tangent::zero(ct[0].type());
                             return Tangents{select(c[0], ct[0], zero), select(c[0], zero, ct[0])};
                           }},
          .batch = batch::pointwise,
          .simplify = [](const Call& c) -> std::optional<Results> {
            if (is_same(c[1], c[2])) return Results(c[1]);
            const std::optional<double> known = uniform_constant(c[0]);
            if (!known) return std::nullopt;
            return Results(*known != 0 ? c[1] : c[2]);
          },
          .reference = [](const ReferenceCall& c) -> std::vector<Array> {
            Array out = c.result();
            const bool* predicate = c[0].data<bool>();
            visit_dtype(c.dtype(), [&]<class T>(std::type_identity<T>) {
              const T* on_true = c[1].data<T>();
              const T* on_false = c[2].data<T>();
              T* to = out.mutable_data<T>();
              for (std::int64_t i = 0; i < out.num_elements(); ++i) to[i] = predicate[i] ? on_true[i] : on_false[i];
            });
            return {std::move(out)};
          },
          .lower = lower::pointwise([](loopir::Scalar predicate, loopir::Scalar on_true, loopir::Scalar on_false) {
            return loopir::scalar::select(predicate, on_true, on_false);
          })},
      .samples = pointwise_samples(3),
      .rejects = [] {
        return std::vector<Reject>{
            {.operands = {{boolean, {2}}, {f32, {2}}, {f32, {3}}}, .id = ErrorId::shape_mismatch, .message = "`on_false` f32[3]"},
            {.operands = {{f32, {2}}, {f32, {2}}, {f32, {2}}}, .id = ErrorId::dtype, .message = "`predicate` f32[2] must be boolean"},
            {.operands = {{boolean, {2}}, {f32, {2}}, {i32, {2}}}, .id = ErrorId::dtype_mismatch, .message = "`on_false` i32[2]"}};
      },
  };
}

}  // namespace calx::ops
