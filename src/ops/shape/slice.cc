// slice: a strided box of a tensor. Its transpose is pad, whose transpose is slice again, with Dim starts.
#include "calx/base/format.h"
#include "shape/_support.h"

namespace calx::ops {

namespace {

using namespace shape_attrs;

void check_range(const Call& c, int axis, const Dim& from, const Dim& to) {
  const Dim& size = c.shape(0)[axis];
  if (proven_less_equal(0, from) != Proof::no && proven_less_equal(from, to) != Proof::no &&
      proven_less_equal(to, size) != Proof::no) {
    return;
  }
  c.fail(ErrorId::attribute,
         format("takes [{}, {}) of axis {}, whose size is {}", from.to_string(), to.to_string(), axis,
                size.to_string()),
         "0 <= start <= limit <= size is needed; negative positions are not counted from the back here");
}

}  // namespace

OpDef slice() {
  return {
      .name = "slice",
      .family = "shape",
      .doc = {.summary =
                  "A box of a tensor: along each axis every stride-th position from start to before limit.",
              .math = "y[i] = x[start + i * stride]",
              .shapes = "`x: f32[a]` -> `f32[ceil((limit - start) / stride)]`",
              .gradient = "the cotangent in the box, 0 elsewhere",
              .accuracy = "exact",
              .errors = "not 0 <= start <= limit <= size, or a stride below 1: CALX-E301; a list whose "
                        "length is not the "
                        "rank: CALX-E201",
              .example = "slice(tensor({1, 2, 3, 4}), {1}, {4}, {.stride = {2}})  // f32[2] [2, 4]",
              .source = "StableHLO slice, with symbolic bounds; numpy's x[start:limit:stride] without "
                        "negative values"},
      .operands = {{"x", DTypes::any}},
      .attrs = {start, limit, stride},
      .form =
          Primitive{
              .infer =
                  [](const Call& c) {
                    const int rank = c.type(0).rank();
                    const std::vector<Dim> from = c[start];
                    const std::vector<Dim> to = c[limit];
                    const std::vector<std::int64_t> step = filled(c[stride], rank, 1);
                    if (static_cast<int>(from.size()) != rank || static_cast<int>(to.size()) != rank ||
                        static_cast<int>(step.size()) != rank) {
                      c.fail(
                          ErrorId::rank,
                          format("`start`, `limit` and `stride` need {} entries, one per axis of `x`", rank));
                    }
                    std::vector<Dim> sizes;
                    for (int axis = 0; axis < rank; ++axis) {
                      const auto a = static_cast<std::size_t>(axis);
                      check_range(c, axis, from[a], to[a]);
                      sizes.push_back(sliced_size(from[a], to[a], step[a]));
                    }
                    return Types(Type{c.dtype(0), Shape(std::move(sizes))});
                  },
              .jvp = FromLinear{},
              .linear = LinearIn{{{0}},
                               [](const Call& c, int, const Tangents& ct) {
                                 const int rank = c.type(0).rank();
                                 const std::vector<Dim> from = c[start];
                                 const std::vector<std::int64_t> step = filled(c[stride], rank, 1);
                                 std::vector<Dim> high;
                                 std::vector<std::int64_t> holes;
                                 for (int axis = 0; axis < rank; ++axis) {
                                   const auto a = static_cast<std::size_t>(axis);
                                   holes.push_back(step[a] - 1);
                                   const Dim spread =
                                       padded_size(ct[0].type().shape[axis], 0, 0, holes.back());
                                   high.push_back(c.shape(0)[axis] - from[a] - spread);
                                 }
                                 return Tangents(make_pad(ct[0], from, std::move(high), std::move(holes)));
                               }},
              .batch = [](const BatchCall& c) -> std::vector<Batched> {
                std::vector<std::int64_t> step = c.call[stride];
                if (!step.empty()) step = prepended(std::int64_t{1}, std::move(step));
                return {{make_slice(c.tensor(0), prepended(Dim(0), c.call[start]),
                                    prepended(c.size, c.call[limit]), step),
                         true}};
              },
              .simplify = [](const Call& c) -> std::optional<Results> {
                const std::vector<Dim> from = c[start];
                const std::vector<Dim> to = c[limit];
                for (std::size_t a = 0; a < from.size(); ++a) {
                  if (from[a] != Dim(0) || to[a] != c.shape(0)[static_cast<int>(a)]) return std::nullopt;
                }
                for (std::int64_t step : c[stride]) {
                  if (step != 1) return std::nullopt;
                }
                return Results(c[0]);
              },
              .reference = [](const ReferenceCall& c) -> std::vector<Array> {
                const std::vector<std::int64_t> from = c.evaluate(c[start]);
                const std::vector<std::int64_t> to = c.evaluate(c[limit]);
                const std::vector<std::int64_t> step = filled(c[stride], c[0].rank(), 1);
                std::vector<std::int64_t> strides = row_major_strides(c[0].sizes());
                std::int64_t offset = 0;
                for (std::size_t a = 0; a < from.size(); ++a) {
                  if (from[a] < 0 || from[a] > to[a] || to[a] > c[0].sizes()[a]) {
                    raise({.id = ErrorId::attribute,
                           .op = "slice",
                           .message = format("takes [{}, {}) of axis {}, whose size is {}", from[a], to[a], a,
                                             c[0].sizes()[a]),
                           .where = c.where()});
                  }
                  offset += from[a] * strides[a];
                  strides[a] *= c.sizes()[a] > 1 ? step[a] : 1;
                }
                return {ref::copy_strided(c[0], c.sizes(), offset, strides)};
              },
              .lower = [](const Call& c) -> loopir::Lowered {
                const std::vector<Dim> from = c[start];
                const std::vector<Dim> to = c[limit];
                const std::vector<std::int64_t> step = filled(c[stride], c.type(0).rank(), 1);
                std::vector<std::int64_t> strides = row_major_strides(c.shape(0).sizes());
                std::vector<std::int64_t> sizes;
                std::int64_t offset = 0;
                for (std::size_t a = 0; a < from.size(); ++a) {
                  sizes.push_back(sliced_size(from[a], to[a], step[a]).value());
                  offset += from[a].value() * strides[a];
                  strides[a] *= sizes.back() > 1 ? step[a] : 1;
                }
                return lower::view(std::move(sizes), offset, std::move(strides));
              }},
      .samples =
          [] {
            return std::vector<Sample>{
                {.operands = {{.shape = {5}}}, .attrs = {attr(start, {Dim(1)}), attr(limit, {Dim(4)})}},
                {.operands = {{.shape = {7}}},
                 .attrs = {attr(start, {Dim(1)}), attr(limit, {Dim(7)}), attr(stride, {3})}},
                {.operands = {{.shape = {3, 3}}},
                 .attrs = {attr(start, {Dim(0), Dim(2)}), attr(limit, {Dim(3), Dim(2)})}},
                {.operands = {{.shape = {2, 4, 5}}},
                 .attrs = {attr(start, {Dim(1), Dim(0), Dim(2)}), attr(limit, {Dim(2), Dim(3), Dim(5)}),
                           attr(stride, {1, 2, 2})}},
                {.operands = {{.shape = {4}}},
                 .attrs = {attr(start, {Dim(1)}), attr(limit, {Dim(4)}), attr(stride, {1000000000})}},
                {.operands = {{}},
                 .attrs = {attr(start, std::vector<Dim>{}), attr(limit, std::vector<Dim>{})}},
                {.operands = {{.shape = {0}}},
                 .attrs = {attr(start, {Dim(0)}), attr(limit, {Dim(0)}), attr(stride, {2})}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{
                {.operands = {{f32, {3}}},
                 .attrs = {attr(start, {Dim(0)}), attr(limit, {Dim(4)})},
                 .id = ErrorId::attribute,
                 .message = "takes [0, 4) of axis 0, whose size is 3"},
                {.operands = {{f32, {3}}},
                 .attrs = {attr(start, {Dim(2)}), attr(limit, {Dim(1)})},
                 .id = ErrorId::attribute,
                 .message = "takes [2, 1)"},
                {.operands = {{f32, {3}}},
                 .attrs = {attr(start, {Dim(-1)}), attr(limit, {Dim(3)})},
                 .id = ErrorId::attribute,
                 .message = "takes [-1, 3)"},
                {.operands = {{f32, {3}}},
                 .attrs = {attr(start, {Dim(0)}), attr(limit, {Dim(3)}), attr(stride, {0})},
                 .id = ErrorId::attribute,
                 .message = "`stride` is 0"},
                {.operands = {{f32, {3, 3}}},
                 .attrs = {attr(start, {Dim(0)}), attr(limit, {Dim(3)})},
                 .id = ErrorId::rank,
                 .message = "need 2 entries"}};
          },
  };
}

}  // namespace calx::ops
