#include <algorithm>

#include "support.h"

namespace calx::ops {

namespace {

std::vector<std::int64_t> inverse(const std::vector<std::int64_t>& order) {
  std::vector<std::int64_t> result(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) result[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  return result;
}

}  // namespace

OpDef transpose() {
  return {
      .name = "transpose",
      .family = "core",
      .doc = {.summary = "Permutes axes.",
              .math = "y[i_0, ..., i_r] = x[j] with j_permutation[k] = i_k",
              .shapes = "`x: f32[a,b]`, permutation [1,0] -> `f32[b,a]`",
              .gradient = "the cotangent under the inverse permutation",
              .accuracy = "exact",
              .errors = "not a permutation of the axes: CALX-E203 or CALX-E204",
              .example = "core::transpose(tensor({{1, 2}, {3, 4}}), {1, 0})  // f32[2,2] [[1, 3], [2, 4]]",
              .source = "numpy.transpose"},
      .operands = {{"x", DTypes::any}},
      .attrs = {permutation},
      .form = Primitive{
          .infer = [](const Call& c) {
            const std::vector<std::int64_t> order = c[permutation];
            if (static_cast<int>(order.size()) != c.type(0).rank()) {
              c.fail(ErrorId::rank, "`permutation` must name every axis of `x` once");
            }
            const std::vector<int> distinct = normalize_axes(c, order, c.type(0).rank(), "permutation");
            CALX_ASSERT(distinct.size() == order.size());
            std::vector<Dim> dims;
            for (std::int64_t axis : order) {
              if (axis < 0) c.fail(ErrorId::axis, "`permutation` must not be negative");
              dims.push_back(c.shape(0)[static_cast<int>(axis)]);
            }
            return Types(Type{c.dtype(0), Shape(std::move(dims))});
          },
          .jvp = FromLinear{},
          .linear = LinearIn{{{0}},
                           [](const Call& c, int, const Tangents& ct) {
                             return Tangents(transpose(ct[0], inverse(c[permutation])));
                           }},
          .batch = [](const BatchCall& c) -> std::vector<Batched> {
            std::vector<std::int64_t> order = {0};
            for (std::int64_t axis : c.call[permutation]) order.push_back(axis + 1);
            return {{apply_one(c.call.op(), {c.tensor(0)}, {attr(permutation, order)}, c.call.where()), true}};
          },
          .simplify = [](const Call& c) -> std::optional<Results> {
            const std::vector<std::int64_t> order = c[permutation];
            if (std::is_sorted(order.begin(), order.end())) return Results(c[0]);
            // Only axes of size 1 move: a reshape, which merges with others.
            std::vector<std::int64_t> longer;
            std::copy_if(order.begin(), order.end(), std::back_inserter(longer),
                         [&](std::int64_t axis) { return c.shape(0)[static_cast<int>(axis)] != Dim(1); });
            if (std::is_sorted(longer.begin(), longer.end())) {
              std::vector<Dim> dims;
              for (std::int64_t axis : order) dims.push_back(c.shape(0)[static_cast<int>(axis)]);
              return Results(core::reshape(c[0], Shape(std::move(dims))));
            }
            const auto inner = producer(c[0]);
            if (!inner || inner->op != &c.op()) return std::nullopt;
            const std::vector<std::int64_t> first = (*inner->attrs)[permutation];
            std::vector<std::int64_t> both;
            for (std::int64_t axis : order) both.push_back(first[static_cast<std::size_t>(axis)]);
            return Results(core::transpose(inner->operands[0], both));
          },
          .reference = [](const ReferenceCall& c) -> std::vector<Array> {
            const std::vector<std::int64_t> own = row_major_strides(c[0].sizes());
            std::vector<std::int64_t> strides;
            for (std::int64_t axis : c[permutation]) strides.push_back(own[static_cast<std::size_t>(axis)]);
            return {ref::copy_strided(c[0], c.sizes(), 0, strides)};
          },
          .lower = [](const Call& c) -> loopir::Lowered {
            const std::vector<std::int64_t> own = row_major_strides(c.shape(0).sizes());
            std::vector<std::int64_t> sizes;
            std::vector<std::int64_t> strides;
            for (std::int64_t axis : c[permutation]) {
              sizes.push_back(c.shape(0)[static_cast<int>(axis)].value());
              strides.push_back(own[static_cast<std::size_t>(axis)]);
            }
            return lower::view(std::move(sizes), 0, std::move(strides));
          }},
      .samples = [] {
        return std::vector<Sample>{{.operands = {{.shape = {2, 3}}}, .attrs = {attr(permutation, {1, 0})}},
                                   {.operands = {{.shape = {3, 3}}}, .attrs = {attr(permutation, {1, 0})}},
                                   {.operands = {{.shape = {2, 3, 4}}}, .attrs = {attr(permutation, {1, 2, 0})}},
                                   {.operands = {{.shape = {2, 0, 4}}}, .attrs = {attr(permutation, {2, 0, 1})}},
                                   {.operands = {{.shape = {2, 3}}}, .attrs = {attr(permutation, {0, 1})}},
                                   {.operands = {{}}, .attrs = {attr(permutation, {})}}};
      },
      .rejects = [] {
        return std::vector<Reject>{
            {.operands = {{f32, {2, 3}}}, .attrs = {attr(permutation, {0})}, .id = ErrorId::rank, .message = "every axis"},
            {.operands = {{f32, {2, 3}}}, .attrs = {attr(permutation, {0, 0})}, .id = ErrorId::duplicate_axis, .message = "twice"},
            {.operands = {{f32, {2, 3}}}, .attrs = {attr(permutation, {0, 2})}, .id = ErrorId::axis, .message = "is 2"}};
      },
  };
}

}  // namespace calx::ops
