#include <algorithm>

#include "support.h"

namespace calx::ops {

OpDef reduce_sum() {
  return {
      .name = "reduce_sum",
      .family = "core",
      .doc = {.summary = "Sum over axes, in the fixed summation order.",
              .math = "y[kept] = sum over axes of x[kept, axes]",
              .shapes = "`x: f32[a,b]`, axes [1] -> `f32[a]`",
              .gradient = "the cotangent, expanded over the reduced axes",
              .accuracy =
                  "accumulated in `accumulation` (f32 for f16 and bf16, i32 or u32 for narrow integers), "
                  "converted to the operand's dtype once; integers wrap",
              .errors = "axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; an "
                        "`accumulation` that nothing is accumulated "
                        "in or that does not hold the operand's values: CALX-E101",
              .example = "core::reduce_sum(tensor({{1, 2}, {3, 4}}), {0})  // f32[2] [4, 6]",
              .source = "jax.lax.reduce_sum; numpy.sum keeps no dims and does not widen the result here"},
      .operands = {{"x", DTypes::numeric}},
      .attrs = {axes, accumulation},
      .form = Primitive{.infer =
                            [](const Call& c) {
                              const std::vector<int> reduced = normalize_axes(c, c[axes], c.type(0).rank());
                              Shape result = c.shape(0);
                              for (std::size_t i = reduced.size(); i-- > 0;)
                                result = result.without_axis(reduced[i]);
                              if (const auto type = c[accumulation];
                                  type && (type->is_boolean() || type->accumulation() != *type ||
                                           promote(*type, c.dtype(0)) != *type)) {
                                c.fail(ErrorId::dtype, "`accumulation` " + std::string(type->name()) +
                                                           " is no dtype to accumulate " +
                                                           std::string(c.dtype(0).name()) + " in");
                              }
                              return Types(Type{c.dtype(0), std::move(result)});
                            },
                        .jvp = FromLinear{},
                        .linear = LinearIn{{{0}},
                                           [](const Call& c, int, const Tangents& ct) {
                                             const std::vector<int> reduced =
                                                 normalize_axes(c, c[axes], c.type(0).rank());
                                             std::vector<std::int64_t> kept;
                                             for (int axis = 0; axis < c.type(0).rank(); ++axis) {
                                               if (std::find(reduced.begin(), reduced.end(), axis) ==
                                                   reduced.end())
                                                 kept.push_back(axis);
                                             }
                                             return Tangents(expand(ct[0], c.shape(0), kept));
                                           }},
                        .batch = [](const BatchCall& c) -> std::vector<Batched> {
                          std::vector<std::int64_t> shifted;
                          for (int axis : normalize_axes(c.call, c.call[axes], c.call.type(0).rank()))
                            shifted.push_back(axis + 1);
                          return {{apply_one(c.call.op(), {c.tensor(0)}, c.call.attrs().with(axes, shifted),
                                             c.call.where()),
                                   true}};
                        },
                        .simplify = [](const Call& c) -> std::optional<Results> {
                          if (!c[axes].empty()) return std::nullopt;
                          return Results(c[0]);
                        },
                        .reference = ref::reduction<loopir::Sum, DTypes::numeric>(axes, accumulation),
                        .lower = lower::reduction(axes, loopir::Combiner::sum, &accumulation)},
      .samples =
          [] {
            return std::vector<Sample>{{.operands = {{.shape = {5}}}, .attrs = {attr(axes, {0})}},
                                       {.operands = {{.shape = {2, 3}}}, .attrs = {attr(axes, {-1})}},
                                       {.operands = {{.shape = {3, 3}}}, .attrs = {attr(axes, {0})}},
                                       {.operands = {{.shape = {2, 3, 4}}}, .attrs = {attr(axes, {0, 2})}},
                                       {.operands = {{.shape = {2, 0}}}, .attrs = {attr(axes, {1})}},
                                       {.operands = {{.shape = {4}, .dtype = f16}},
                                        .attrs = {attr(axes, {0}), attr(accumulation, f64)}},
                                       {.operands = {{.shape = {2, 3}}}, .attrs = {attr(axes, {})}},
                                       {.operands = {{}}, .attrs = {attr(axes, {})}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{{.operands = {{f32, {3}}},
                                        .attrs = {attr(axes, {1})},
                                        .id = ErrorId::axis,
                                        .message = "`axes` is 1"},
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(axes, {0, -1})},
                                        .id = ErrorId::duplicate_axis,
                                        .message = "twice"},
                                       {.operands = {{boolean, {3}}},
                                        .attrs = {attr(axes, {0})},
                                        .id = ErrorId::dtype,
                                        .message = "`x` bool[3]"},
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(axes, {0}), attr(accumulation, f16)},
                                        .id = ErrorId::dtype,
                                        .message = "`accumulation` f16"},
                                       {.operands = {{f16, {3}}},
                                        .attrs = {attr(axes, {0}), attr(accumulation, f16)},
                                        .id = ErrorId::dtype,
                                        .message = "`accumulation` f16"},
                                       {.operands = {{i8, {3}}},
                                        .attrs = {attr(axes, {0}), attr(accumulation, i16)},
                                        .id = ErrorId::dtype,
                                        .message = "`accumulation` i16"}};
          },
  };
}

}  // namespace calx::ops
