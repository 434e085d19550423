// concat: operands one after the other along an axis. Its transpose is slices with Dim starts.
#include <cstring>

#include "calx/base/format.h"
#include "shape/_support.h"

namespace calx::ops {

using namespace shape_attrs;

OpDef concat() {
  return {
      .name = "concat",
      .family = "shape",
      .doc = {.summary = "Puts tensors one after the other along an axis.",
              .math = "y[..., offset_k + i, ...] = x_k[..., i, ...], offset_k = sum of the sizes before k",
              .shapes = "`x: f32[a,b]`, `f32[a,c]`, axis 1 -> `f32[a,b+c]`",
              .gradient = "to each operand its part of the cotangent",
              .accuracy = "exact",
              .errors = "no operand: CALX-E304; ranks that differ: CALX-E201; another size that differs: "
                        "CALX-E202; dtypes that "
                        "differ: CALX-E102; axis outside [-rank, rank): CALX-E203",
              .example = "concat({tensor({1, 2}), tensor({3})})  // f32[3] [1, 2, 3]",
              .source = "StableHLO concatenate; numpy.concatenate"},
      .operands = {{"x", DTypes::any, true}},
      .attrs = {concat_axis},
      .binding = Binding::promote,
      .form =
          Primitive{
              .infer =
                  [](const Call& c) {
                    if (c.size() == 0) c.fail(ErrorId::arity, "takes at least 1 operand(s) but was given 0");
                    const int rank = c.type(0).rank();
                    if (rank == 0)
                      c.fail(ErrorId::rank, "a tensor of rank 0 has no axis to follow along",
                             "reshape it to {1} first");
                    const int axis = normalize_axis(c, c[concat_axis], rank);
                    Dim total;
                    for (int k = 0; k < c.size(); ++k) {
                      require_same_dtype(c, 0, k);
                      require_rank(c, k, rank);
                      total += c.shape(k)[axis];
                      for (int a = 0; a < rank; ++a) {
                        if (a == axis || k == 0) continue;
                        require_equal(c, c.shape(0)[a], c.shape(k)[a],
                                      format("axis {} of `{}`", a, c.operand_name(0)),
                                      format("that of `{}`", c.operand_name(k)));
                      }
                    }
                    return Types(Type{c.dtype(0), c.shape(0).with_axis(axis, total)});
                  },
              .jvp = FromLinear{},
              .linear = LinearIn{{{kAllOperands}},
                               [](const Call& c, int, const Tangents& ct) {
                                 const int axis = normalize_axis(c, c[concat_axis], c.type(0).rank());
                                 Tangents parts;
                                 Dim offset;
                                 for (int k = 0; k < c.size(); ++k) {
                                   const Dim end = offset + c.shape(k)[axis];
                                   parts.push_back(make_slice_along(ct[0], axis, offset, end));
                                   offset = end;
                                 }
                                 return parts;
                               }},
              .batch = [](const BatchCall& c) -> std::vector<Batched> {
                Tensors parts;
                for (int k = 0; k < c.call.size(); ++k) parts.push_back(c.with_batch(k));
                return {{make_concat(parts,
                                     normalize_axis(c.call, c.call[concat_axis], c.call.type(0).rank()) + 1),
                         true}};
              },
              .simplify = [](const Call& c) -> std::optional<Results> {
                if (c.size() != 1) return std::nullopt;
                return Results(c[0]);
              },
              .reference = [](const ReferenceCall& c) -> std::vector<Array> {
                Array out = c.result();
                const std::int64_t rank = out.rank();
                const auto axis =
                    static_cast<std::size_t>(c[concat_axis] < 0 ? c[concat_axis] + rank : c[concat_axis]);
                // A row is everything from the axis on; operands alternate row by row.
                const auto row_bytes = [&](const Array& array) {
                  std::int64_t count = array.dtype().size_bytes();
                  for (std::size_t a = axis; a < array.sizes().size(); ++a) count *= array.sizes()[a];
                  return static_cast<std::size_t>(count);
                };
                std::int64_t rows = 1;
                for (std::size_t a = 0; a < axis; ++a) rows *= out.sizes()[a];
                if (out.num_elements() == 0) return {std::move(out)};
                auto* to = const_cast<std::byte*>(out.buffer().data());
                const std::size_t out_row = row_bytes(out);
                for (const Array& part : c.operands()) {
                  const std::size_t bytes = row_bytes(part);
                  const std::byte* from = part.buffer().data();
                  for (std::int64_t row = 0; row < rows && bytes != 0; ++row) {
                    std::memcpy(to + static_cast<std::size_t>(row) * out_row,
                                from + static_cast<std::size_t>(row) * bytes, bytes);
                  }
                  to += bytes;
                }
                return {std::move(out)};
              },
              .lower = [](const Call& c) -> loopir::Lowered {
                const int rank = c.type(0).rank();
                const int axis = normalize_axis(c, c[concat_axis], rank);
                loopir::Guarded guarded;
                guarded.sizes = c.shape(0).sizes();
                std::int64_t offset = 0;
                for (int k = 0; k < c.size(); ++k) {
                  loopir::GuardedRead read{.operand = k};
                  for (int a = 0; a < rank; ++a) {
                    loopir::AffineIndex index{a == axis ? -offset : 0,
                                              std::vector<std::int64_t>(static_cast<std::size_t>(rank), 0)};
                    index.coefficients[static_cast<std::size_t>(a)] = 1;
                    read.index.push_back(std::move(index));
                  }
                  guarded.reads.push_back(std::move(read));
                  offset += c.shape(k)[axis].value();
                }
                guarded.sizes[static_cast<std::size_t>(axis)] = offset;
                guarded.fill = loopir::Scalar::constant(0, c.dtype(0));
                return guarded;
              }},
      .samples =
          [] {
            return std::vector<Sample>{
                {.operands = {{.shape = {2}}, {.shape = {3}}}},
                {.operands = {{.shape = {2, 1}}, {.shape = {2, 3}}, {.shape = {2, 2}}},
                 .attrs = {attr(concat_axis, -1)}},
                {.operands = {{.shape = {3, 3}}, {.shape = {3, 3}}}, .attrs = {attr(concat_axis, 1)}},
                {.operands = {{.shape = {2, 2, 2}}, {.shape = {2, 0, 2}}, {.shape = {2, 1, 2}}},
                 .attrs = {attr(concat_axis, 1)}},
                {.operands = {{.shape = {4}}}},
                {.operands = {{.shape = {0}}, {.shape = {0}}}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{
                {.id = ErrorId::arity, .message = "at least 1"},
                {.operands = {{f32, {}}}, .id = ErrorId::rank, .message = "rank 0"},
                {.operands = {{f32, {2, 3}}, {f32, {3, 3}}},
                 .attrs = {attr(concat_axis, 1)},
                 .id = ErrorId::shape_mismatch,
                 .message = "axis 0 of"},
                {.operands = {{f32, {2}}, {f32, {2, 2}}}, .id = ErrorId::rank, .message = "f32[2,2]"},
                {.operands = {{f32, {2}}, {i32, {2}}}, .id = ErrorId::dtype_mismatch, .message = "i32[2]"},
                {.operands = {{f32, {2}}},
                 .attrs = {attr(concat_axis, 1)},
                 .id = ErrorId::axis,
                 .message = "`axis` is 1"}};
          },
  };
}

}  // namespace calx::ops
