#include <algorithm>

#include "support.h"

namespace calx::ops {

namespace {

/// Axes of the result that repeat.
std::vector<std::int64_t> repeated_axes(const Call& c) {
  const std::vector<std::int64_t> kept = c[expand_dims];
  std::vector<std::int64_t> repeated;
  for (std::int64_t axis = 0; axis < static_cast<std::int64_t>(c[shape].size()); ++axis) {
    if (std::find(kept.begin(), kept.end(), axis) == kept.end()) repeated.push_back(axis);
  }
  return repeated;
}

}  // namespace

OpDef expand() {
  return {
      .name = "expand",
      .family = "core",
      .doc = {.summary = "Repeats a tensor along new axes.",
              .math = "y[i_0, ..., i_r] = x[i_dims[0], ..., i_dims[k]]",
              .shapes = "`x: f32[b]`, shape [a,b], dims [1] -> `f32[a,b]`",
              .gradient = "the sum of the cotangent over the axes that repeat",
              .accuracy = "exact",
              .errors = "dims not strictly increasing or outside the result: CALX-E203; a size that differs from x's: CALX-E202",
              .example = "core::expand(tensor({1, 2}), {2, 2}, {1})  // f32[2,2] [[1, 2], [1, 2]]",
              .source = "StableHLO broadcast_in_dim without size-1 stretching (the binder reshapes first)"},
      .operands = {{"x", DTypes::any}},
      .attrs = {shape, expand_dims},
      .form = Primitive{
          .infer = [](const Call& c) {
            Shape result(c[shape]);
            const std::vector<std::int64_t> dims = c[expand_dims];
            if (static_cast<int>(dims.size()) != c.type(0).rank()) {
              c.fail(ErrorId::rank, "`dims` must name one axis of the result for each axis of `x`");
            }
            for (std::size_t i = 0; i < dims.size(); ++i) {
              if (dims[i] < 0 || dims[i] >= result.rank() || (i > 0 && dims[i] <= dims[i - 1])) {
                c.fail(ErrorId::axis, "`dims` must be strictly increasing axes of the result");
              }
              require_equal(c, c.shape(0)[static_cast<int>(i)], result[static_cast<int>(dims[i])], "the size of `x`",
                            "that of the result");
            }
            return Types(Type{c.dtype(0), std::move(result)});
          },
          .jvp = FromLinear{},
          .linear = LinearIn{{{0}},
                           [](const Call& c, int, const Tangents& ct) {
                             return Tangents(reduce_sum(ct[0], repeated_axes(c)));
                           }},
          .batch = [](const BatchCall& c) -> std::vector<Batched> {
            std::vector<std::int64_t> dims = {0};
            for (std::int64_t axis : c.call[expand_dims]) dims.push_back(axis + 1);
            std::vector<Dim> sizes = c.call[shape];
            sizes.insert(sizes.begin(), c.size);
            return {{apply_one(c.call.op(), {c.tensor(0)}, {attr(shape, sizes), attr(expand_dims, dims)},
                               c.call.where()),
                     true}};
          },
          .simplify = [](const Call& c) -> std::optional<Results> {
            const Shape result(c[shape]);
            if (result == c.shape(0)) return Results(c[0]);
            // New axes of size 1 only: a reshape, which merges with others.
            const std::vector<std::int64_t> repeated = repeated_axes(c);
            if (std::all_of(repeated.begin(), repeated.end(),
                            [&](std::int64_t axis) { return result[static_cast<int>(axis)] == Dim(1); })) {
              return Results(core::reshape(c[0], result));
            }
            const auto inner = producer(c[0]);
            if (!inner || inner->op != &c.op()) return std::nullopt;
            const std::vector<std::int64_t> outer = c[expand_dims];
            std::vector<std::int64_t> both;
            for (std::int64_t axis : (*inner->attrs)[expand_dims]) both.push_back(outer[static_cast<std::size_t>(axis)]);
            return Results(core::expand(inner->operands[0], result, both));
          },
          .reference = [](const ReferenceCall& c) -> std::vector<Array> {
            std::vector<std::int64_t> strides(c.sizes().size(), 0);
            const std::vector<std::int64_t> own = row_major_strides(c[0].sizes());
            const std::vector<std::int64_t> dims = c[expand_dims];
            for (std::size_t i = 0; i < dims.size(); ++i) strides[static_cast<std::size_t>(dims[i])] = own[i];
            return {ref::copy_strided(c[0], c.sizes(), 0, strides)};
          },
          .lower = [](const Call& c) -> loopir::Lowered {
            std::vector<std::int64_t> sizes = Shape(c[shape]).sizes();
            std::vector<std::int64_t> strides(sizes.size(), 0);
            const std::vector<std::int64_t> own = row_major_strides(c.shape(0).sizes());
            const std::vector<std::int64_t> dims = c[expand_dims];
            for (std::size_t i = 0; i < dims.size(); ++i) strides[static_cast<std::size_t>(dims[i])] = own[i];
            return lower::view(std::move(sizes), 0, std::move(strides));
          }},
      .samples = [] {
        return std::vector<Sample>{
            {.operands = {{.shape = {3}}}, .attrs = {attr(shape, {Dim(2), Dim(3)}), attr(expand_dims, {1})}},
            {.operands = {{.shape = {3}}}, .attrs = {attr(shape, {Dim(3), Dim(3)}), attr(expand_dims, {0})}},
            {.operands = {{}}, .attrs = {attr(shape, {Dim(2), Dim(2)})}},
            {.operands = {{.shape = {2, 3}}},
             .attrs = {attr(shape, {Dim(2), Dim(0), Dim(3)}), attr(expand_dims, {0, 2})}}};
      },
      .rejects = [] {
        return std::vector<Reject>{
            {.operands = {{f32, {3}}}, .attrs = {attr(shape, {Dim(2), Dim(4)}), attr(expand_dims, {1})},
             .id = ErrorId::shape_mismatch, .message = "the size of `x` (3)"},
            {.operands = {{f32, {3}}}, .attrs = {attr(shape, {Dim(3)}), attr(expand_dims, {1})},
             .id = ErrorId::axis, .message = "strictly increasing"},
            {.operands = {{f32, {3}}}, .attrs = {attr(shape, {Dim(3)})}, .id = ErrorId::rank, .message = "`dims`"}};
      },
  };
}

}  // namespace calx::ops
