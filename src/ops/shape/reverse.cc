// reverse: the order of elements along axes turned round.
#include "shape/_support.h"

namespace calx::ops {

using namespace shape_attrs;

OpDef reverse() {
  return {
      .name = "reverse",
      .family = "shape",
      .doc = {.summary = "Turns round the order of elements along axes.",
              .math = "y[..., i, ...] = x[..., n - 1 - i, ...]",
              .shapes = "`x: f32[a,b]` -> `f32[a,b]`",
              .gradient = "the cotangent, reversed along the same axes",
              .accuracy = "exact",
              .errors = "axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204",
              .example = "reverse(tensor({1, 2, 3}), {0})  // f32[3] [3, 2, 1]",
              .source = "StableHLO reverse; numpy.flip"},
      .operands = {{"x", DTypes::any}},
      .attrs = {reverse_axes},
      .form = Primitive{.infer =
                            [](const Call& c) {
                              static_cast<void>(normalize_axes(c, c[reverse_axes], c.type(0).rank()));
                              return Types(c.type(0));
                            },
                        .jvp = FromLinear{},
                        .linear = LinearIn{{{0}},
                                         [](const Call& c, int, const Tangents& ct) {
                                           return Tangents(apply_linear(c.op(), ct[0], c.attrs()));
                                         }},
                        .batch = [](const BatchCall& c) -> std::vector<Batched> {
                          std::vector<std::int64_t> axes;
                          for (int axis : normalize_axes(c.call, c.call[reverse_axes], c.call.type(0).rank()))
                            axes.push_back(axis + 1);
                          return {{make_reverse(c.tensor(0), axes), true}};
                        },
                        .simplify = [](const Call& c) -> std::optional<Results> {
                          for (int axis : normalize_axes(c, c[reverse_axes], c.type(0).rank())) {
                            if (c.shape(0)[axis] != Dim(1)) return std::nullopt;
                          }
                          return Results(c[0]);
                        },
                        .reference = [](const ReferenceCall& c) -> std::vector<Array> {
                          std::vector<std::int64_t> strides = row_major_strides(c[0].sizes());
                          std::int64_t offset = 0;
                          for (std::int64_t axis : c[reverse_axes]) {
                            const auto a = static_cast<std::size_t>(axis < 0 ? axis + c[0].rank() : axis);
                            offset += (c[0].sizes()[a] - 1) * strides[a];
                            strides[a] = -strides[a];
                          }
                          return {ref::copy_strided(c[0], c.sizes(), offset, strides)};
                        },
                        .lower = [](const Call& c) -> loopir::Lowered {
                          std::vector<std::int64_t> sizes = c.shape(0).sizes();
                          std::vector<std::int64_t> strides = row_major_strides(sizes);
                          std::int64_t offset = 0;
                          for (int axis : normalize_axes(c, c[reverse_axes], c.type(0).rank())) {
                            const auto a = static_cast<std::size_t>(axis);
                            if (sizes[a] == 0) return lower::view(sizes, 0, strides);
                            offset += (sizes[a] - 1) * strides[a];
                            strides[a] = -strides[a];
                          }
                          return lower::view(std::move(sizes), offset, std::move(strides));
                        }},
      .samples =
          [] {
            return std::vector<Sample>{
                {.operands = {{.shape = {4}}}, .attrs = {attr(reverse_axes, {0})}},
                {.operands = {{.shape = {2, 3}}}, .attrs = {attr(reverse_axes, {-1})}},
                {.operands = {{.shape = {3, 3}}}, .attrs = {attr(reverse_axes, {0, 1})}},
                {.operands = {{.shape = {1, 2}}}, .attrs = {attr(reverse_axes, {0})}},
                {.operands = {{.shape = {2, 0}}}, .attrs = {attr(reverse_axes, {1})}},
                {.operands = {{}}, .attrs = {attr(reverse_axes, std::vector<std::int64_t>{})}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{{.operands = {{f32, {3}}},
                                        .attrs = {attr(reverse_axes, {1})},
                                        .id = ErrorId::axis,
                                        .message = "`axes` is 1"},
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(reverse_axes, {0, -1})},
                                        .id = ErrorId::duplicate_axis,
                                        .message = "twice"}};
          },
  };
}

}  // namespace calx::ops
