#include "pointwise/_support.h"

namespace calx::ops {

OpDef clamp() {
  return {
      .name = "clamp",
      .family = "pointwise",
      .doc = {.summary = "Limits each element to an interval.",
              .math = "y = minimum(maximum(x, lo), hi)",
              .shapes = "`x: f32[a]`, `lo: f32[a]`, `hi: f32[a]` -> `f32[a]`",
              .gradient = "to x 1 where lo <= x <= hi, to lo where x < lo, to hi where x > hi, all to x at a "
                          "tie; all to hi "
                          "where lo > hi",
              .accuracy = "exact; NaN if any operand is (the canonical one); hi where lo > hi",
              .errors = "an operand of another kind of dtype: CALX-E101; shapes that do not broadcast: "
                        "CALX-E202; no common "
                        "dtype: CALX-E103",
              .example = "clamp(tensor({-1, 0.5, 2}), 0.0, 1.0)  // f32[3] [0, 0.5, 1]",
              .source = "numpy.clip"},
      .operands = {{"x", DTypes::numeric}, {"lo", DTypes::numeric}, {"hi", DTypes::numeric}},
      .binding = Binding::broadcast,
      .form =
          Primitive{.infer = infer::pointwise(),
                    .jvp =
                        [](const Call& c, const Tangents& t) {
                          const DType dtype = c.dtype(0);
                          const Tensor &x = c[0], &lo = c[1], &hi = c[2];
                          Tangent result = Tangent::zero(c.type(0));
                          if (!t[0].is_zero()) {
                            const Tensor inside =
                                logical_and(compare(lo, x, Comparison::le), compare(x, hi, Comparison::le));
                            result += indicator(inside, dtype) * t[0];
                          }
                          if (!t[1].is_zero()) {
                            const Tensor below =
                                logical_and(compare(x, lo, Comparison::lt), compare(lo, hi, Comparison::le));
                            result += indicator(below, dtype) * t[1];
                          }
                          if (!t[2].is_zero()) {
                            result += indicator(compare(maximum(x, lo), hi, Comparison::gt), dtype) * t[2];
                          }
                          return Tangents(result);
                        },
                    .linear = NotLinear{},
                    .batch = batch::pointwise,
                    .simplify = [](const Call& c) -> std::optional<Results> {
                           // Of floats this is not exact: another operand may be NaN.
                           if (c.dtype(0).is_floating()) return std::nullopt;
                           if (is_same(c[2], c[0]) || is_same(c[2], c[1])) return Results(c[2]);
                           return std::nullopt;
                         },
                    .reference = ref::pointwise<DTypes::numeric>(
                        [](auto x, auto lo, auto hi) { return math::clamp(x, lo, hi); }),
                    .lower = lower::pointwise([](loopir::Scalar x, loopir::Scalar lo, loopir::Scalar hi) {
                      return loopir::scalar::clamp(std::move(x), std::move(lo), std::move(hi));
                    })},
      .samples = pointwise_samples(3),
      .rejects =
          [] {
            return std::vector<Reject>{
                {.operands = {{boolean, {2}}, {boolean, {2}}, {boolean, {2}}},
                 .id = ErrorId::dtype,
                 .message = "`x`"},
                {.operands = {{f32, {2}}, {f32, {2}}, {f32, {3}}},
                 .id = ErrorId::shape_mismatch,
                 .message = "`hi` f32[3]"},
                {.operands = {{f32, {2}}}, .id = ErrorId::arity, .message = "takes 3"}};
          },
  };
}

}  // namespace calx::ops
