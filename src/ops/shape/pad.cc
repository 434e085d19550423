// pad: adds elements at the ends of axes and between neighbours, and removes some where a padding is
// negative. The set {slice, pad} is closed under transposition with symbolic sizes.
#include <algorithm>

#include "calx/base/format.h"
#include "shape/_support.h"

namespace calx::ops {

namespace {

using namespace shape_attrs;

bool is_identity(const Call& c) {
  const auto is_none = [](const auto& values) {
    return std::all_of(values.begin(), values.end(), [](const auto& value) { return value == 0; });
  };
  return is_none(c[low]) && is_none(c[high]) && is_none(c[interior]);
}

/// Cotangent of x: what the padding moved is moved back, what it removed is 0.
Tangent unpad(const Call& c, const Tangent& ct) {
  const int rank = c.type(0).rank();
  const std::vector<Dim> before = c[low];
  const std::vector<Dim> after = c[high];
  const std::vector<std::int64_t> holes = filled(c[interior], rank, 0);
  std::vector<Dim> new_low;
  std::vector<Dim> new_high;
  std::vector<Dim> limit;
  std::vector<std::int64_t> step;
  bool strided = false;
  for (int axis = 0; axis < rank; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const Dim& size = c.shape(0)[axis];
    // Cells of size 1 + interior, one for each element, so that a strided slice gives `size` elements for any
    // symbol.
    const Dim cells = size * Dim(holes[a] + 1);
    new_low.push_back(-before[a]);
    new_high.push_back(holes[a] == 0 ? -after[a]
                                     : cells + before[a] - padded_size(size, before[a], after[a], holes[a]));
    limit.push_back(cells);
    step.push_back(holes[a] + 1);
    strided = strided || holes[a] != 0;
  }
  const Tangent dense = make_pad(ct, std::move(new_low), std::move(new_high));
  if (!strided) return dense;
  return make_slice(dense, std::vector<Dim>(static_cast<std::size_t>(rank), Dim(0)), std::move(limit),
                    std::move(step));
}

/// true where an element of the result is padding.
Tensor padding_mask(const Shape& shape, const std::vector<Dim>& before, const std::vector<Dim>& after,
                    const std::vector<std::int64_t>& holes) {
  return make_pad(core::full({boolean, shape}, 0), core::full({boolean, {}}, 1), before, after, holes);
}

}  // namespace

OpDef pad() {
  return {
      .name = "pad",
      .family = "shape",
      .doc = {.summary = "Adds copies of a value before, after and between the elements along each axis.",
              .math = "y[low + i * (interior + 1)] = x[i], y = value elsewhere; negative low and high remove "
                      "elements",
              .shapes = "`x: f32[n]`, `value: f32[]` -> `f32[low + n + max(n - 1, 0) * interior + high]`",
              .gradient = "to x the cotangent where x went; to value the sum of the rest",
              .accuracy = "exact",
              .errors = "a list whose length is not the rank: CALX-E201; a negative result size or interior: "
                        "CALX-E301; value of "
                        "another dtype: CALX-E102, of another rank: CALX-E201",
              .example = "pad(tensor({1, 2}), 0.0, {1}, {0}, {.interior = {1}})  // f32[4] [0, 1, 0, 2]",
              .source = "StableHLO pad, with symbolic paddings"},
      .operands = {{"x", DTypes::any}, {"value", DTypes::any}},
      .attrs = {low, high, interior},
      .binding = Binding::promote,
      .form =
          Primitive{
              .infer =
                  [](const Call& c) {
                    const int rank = c.type(0).rank();
                    const std::vector<Dim> before = c[low];
                    const std::vector<Dim> after = c[high];
                    const std::vector<std::int64_t> holes = filled(c[interior], rank, 0);
                    require_same_dtype(c, 0, 1);
                    require_rank(c, 1, 0);
                    if (static_cast<int>(before.size()) != rank || static_cast<int>(after.size()) != rank ||
                        static_cast<int>(holes.size()) != rank) {
                      c.fail(
                          ErrorId::rank,
                          format("`low`, `high` and `interior` need {} entries, one per axis of `x`", rank));
                    }
                    std::vector<Dim> sizes;
                    for (int axis = 0; axis < rank; ++axis) {
                      const auto a = static_cast<std::size_t>(axis);
                      sizes.push_back(padded_size(c.shape(0)[axis], before[a], after[a], holes[a]));
                      if (proven_less_equal(0, sizes.back()) == Proof::no) {
                        c.fail(ErrorId::attribute,
                               format("the size of the result along axis {} is {}", axis,
                                      sizes.back().to_string()),
                               "negative paddings remove more elements than there are");
                      }
                    }
                    return Types(Type{c.dtype(0), Shape(std::move(sizes))});
                  },
              .jvp = FromLinear{},
              .linear = LinearIn{{{0, 1}},
                               [](const Call& c, int, const Tangents& ct) {
                                 const std::vector<std::int64_t> holes =
                                     filled(c[interior], c.type(0).rank(), 0);
                                 std::vector<std::int64_t> all;
                                 for (int axis = 0; axis < c.type(0).rank(); ++axis) all.push_back(axis);
                                 Tangent value = Tangent::zero(c.type(1));
                                 if (is_identity(c)) return Tangents{ct[0], value};
                                 if (!ct[0].is_zero()) {
                                   // Selected, not subtracted from the whole sum: exact, and inf stays where
                                   // it is.
                                   const Tensor mask = padding_mask(c.shape(0), c[low], c[high], holes);
                                   value = reduce_sum(select(mask, ct[0], Tangent::zero(ct[0].type())), all);
                                 }
                                 return Tangents{unpad(c, ct[0]), value};
                               }},
              .batch = [](const BatchCall& c) -> std::vector<Batched> {
                const std::vector<Dim> before = prepended(Dim(0), c.call[low]);
                const std::vector<Dim> after = prepended(Dim(0), c.call[high]);
                std::vector<std::int64_t> holes = c.call[interior];
                if (!holes.empty()) holes = prepended(std::int64_t{0}, std::move(holes));
                const Tensor x = c.with_batch(0);
                if (!c.batched(1)) return {{make_pad(x, c.tensor(1), before, after, holes), true}};
                const Tensor moved = make_pad(x, core::zeros(c.call.type(1)), before, after, holes);
                const Tensor mask = padding_mask(x.shape(), before, after, holes);
                return {{core::select(mask, core::expand(c.tensor(1), moved.shape(), {0}), moved), true}};
              },
              .simplify = [](const Call& c) -> std::optional<Results> {
                if (!is_identity(c)) return std::nullopt;
                return Results(c[0]);
              },
              .reference = [](const ReferenceCall& c) -> std::vector<Array> {
                const std::vector<std::int64_t> before = c.evaluate(c[low]);
                const std::vector<std::int64_t> holes = filled(c[interior], c[0].rank(), 0);
                const std::vector<std::int64_t> sizes = c.sizes();
                for (std::size_t a = 0; a < sizes.size(); ++a) {
                  if (sizes[a] >= 0) continue;
                  raise({.id = ErrorId::attribute,
                         .op = "pad",
                         .message = format("the size of the result along axis {} is {}", a, sizes[a]),
                         .where = c.where()});
                }
                Array out = c.result();
                const std::vector<std::int64_t> strides = row_major_strides(sizes);
                visit_words(c.dtype(), [&]<class Word>(std::type_identity<Word>) {
                  Word* to = mutable_words<Word>(out);
                  const Word* from = words<Word>(c[0]);
                  std::fill(to, to + out.num_elements(), words<Word>(c[1])[0]);
                  std::vector<std::int64_t> index(sizes.size(), 0);
                  for (std::int64_t i = 0; i < c[0].num_elements(); ++i) {
                    std::int64_t target = 0;
                    bool inside = true;
                    for (std::size_t a = 0; a < sizes.size() && inside; ++a) {
                      const std::int64_t position = before[a] + index[a] * (holes[a] + 1);
                      inside = position >= 0 && position < sizes[a];
                      target += position * strides[a];
                    }
                    if (inside) to[target] = from[i];
                    static_cast<void>(ref::next_index(index, c[0].sizes()));
                  }
                });
                return {std::move(out)};
              },
              .lower = [](const Call& c) -> loopir::Lowered {
                const int rank = c.type(0).rank();
                const std::vector<Dim> before = c[low];
                const std::vector<Dim> after = c[high];
                const std::vector<std::int64_t> holes = filled(c[interior], rank, 0);
                loopir::Guarded guarded;
                loopir::GuardedRead read;
                for (int axis = 0; axis < rank; ++axis) {
                  const auto a = static_cast<std::size_t>(axis);
                  guarded.sizes.push_back(
                      padded_size(c.shape(0)[axis], before[a], after[a], holes[a]).value());
                  loopir::AffineIndex index{-before[a].value(),
                                            std::vector<std::int64_t>(static_cast<std::size_t>(rank), 0),
                                            holes[a] + 1};
                  index.coefficients[a] = 1;
                  read.index.push_back(std::move(index));
                }
                guarded.reads.push_back(std::move(read));
                guarded.fill = loopir::Scalar::operand(1, c.dtype(1));
                return guarded;
              }},
      .samples =
          [] {
            return std::vector<Sample>{
                {.operands = {{.shape = {3}}, {}}, .attrs = {attr(low, {Dim(1)}), attr(high, {Dim(2)})}},
                {.operands = {{.shape = {4}}, {}}, .attrs = {attr(low, {Dim(-1)}), attr(high, {Dim(1)})}},
                {.operands = {{.shape = {3}}, {}},
                 .attrs = {attr(low, {Dim(1)}), attr(high, {Dim(-2)}), attr(interior, {2})}},
                {.operands = {{.shape = {3, 3}}, {}},
                 .attrs = {attr(low, {Dim(-1), Dim(0)}), attr(high, {Dim(0), Dim(1)}),
                           attr(interior, {1, 1})}},
                {.operands = {{.shape = {2, 1, 3}}, {}},
                 .attrs = {attr(low, {Dim(0), Dim(2), Dim(1)}), attr(high, {Dim(0), Dim(0), Dim(-1)}),
                           attr(interior, {0, 3, 2})}},
                {.operands = {{.shape = {0}}, {}},
                 .attrs = {attr(low, {Dim(2)}), attr(high, {Dim(1)}), attr(interior, {1})}},
                {.operands = {{}, {}},
                 .attrs = {attr(low, std::vector<Dim>{}), attr(high, std::vector<Dim>{})}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{
                {.operands = {{f32, {3}}, {f32, {}}},
                 .attrs = {attr(low, {Dim(-2)}), attr(high, {Dim(-2)})},
                 .id = ErrorId::attribute,
                 .message = "along axis 0 is -1"},
                {.operands = {{f32, {3}}, {f32, {}}},
                 .attrs = {attr(low, std::vector<Dim>{}), attr(high, {Dim(0)})},
                 .id = ErrorId::rank,
                 .message = "need 1 entries"},
                {.operands = {{f32, {3}}, {f32, {1}}},
                 .attrs = {attr(low, {Dim(1)}), attr(high, {Dim(0)})},
                 .id = ErrorId::rank,
                 .message = "`value` f32[1]"},
                {.operands = {{f32, {3}}, {i32, {}}},
                 .attrs = {attr(low, {Dim(1)}), attr(high, {Dim(0)})},
                 .id = ErrorId::dtype_mismatch,
                 .message = "`value` i32[]"},
                {.operands = {{f32, {3}}, {f32, {}}},
                 .attrs = {attr(low, {Dim(1)}), attr(high, {Dim(0)}), attr(interior, {-1})},
                 .id = ErrorId::attribute,
                 .message = "`interior` is -1"}};
          },
  };
}

}  // namespace calx::ops
