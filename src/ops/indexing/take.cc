// take: slices of x at indices along one axis, as NumPy's indexing with an integer array.
#include "indexing/_take.h"

namespace calx::ops {

OpDef take() {
  using namespace take_attrs;
  return {
      .name = "take",
      .family = "indexing",
      .doc = {.summary = "Takes the slices of a tensor at indices along an axis.",
              .math = "y[a, i, b] = x[a, indices[i], b]; negative indices count from the back",
              .shapes = "`x: f32[a,n,b]`, `indices: i32[k,l]`, axis 1 -> `f32[a,k,l,b]`",
              .gradient = "the cotangents of each slice, added in the order of indices, exactly as the mode "
                          "read it: clip adds to the "
                          "clipped slice, fill drops",
              .accuracy = "exact",
              .errors = "axis outside [-rank, rank): CALX-E203; at run time in mode error, an index outside "
                        "[-size, size): CALX-E401",
              .example = "take(tensor({10, 20, 30}), tensor<std::int32_t>({2, -3}))  // f32[2] [30, 10]",
              .source = "numpy.take, which flattens by default; jax.numpy.take, which fills by default"},
      .operands = {{"x", DTypes::any}, {"indices", DTypes::index}},
      .attrs = {axis, mode, fill_value},
      .form = Composite{.infer = Derived{},
                        .decompose = [](const Call& c) -> Results {
                          return Results(take_elements(c, [&](const Tensor& x, int along) {
                            const int rank = c.type(1).rank();
                            GatherSpec spec{.collapsed_slice_dims = {along},
                                            .start_index_map = {along},
                                            .index_vector_dim = rank};
                            spec.slice_sizes = x.shape().with_axis(along, Dim(1)).dims();
                            std::vector<std::int64_t> index_axes;
                            for (int a = 0; a < rank; ++a) index_axes.push_back(along + a);
                            for (int a = 0; a < x.rank(); ++a) {
                              if (a != along) spec.offset_dims.push_back(a < along ? a : a - 1 + rank);
                            }
                            return Addressing{spec, index_axes};
                          }));
                        },
                        .jvp = Derived{},
                        .batch = Derived{},
                        .simplify = NoIdentity{},
                        .reference = Derived{},
                        .lower = Derived{}},
      .samples =
          [] {
            return std::vector<Sample>{
                {.operands = {{.shape = {3}}, index_operand({2}, -3, 3)}},
                {.operands = {{.shape = {2, 3}}, index_operand({2, 2}, -5, 5)},
                 .attrs = {attr(axis, -1), attr(mode, OutOfRange::clip)}},
                {.operands = {{.shape = {3, 3}}, index_operand({}, 0, 3)}, .attrs = {attr(axis, 1)}},
                {.operands = {{.shape = {3, 2}}, index_operand({4}, -5, 5)},
                 .attrs = {attr(mode, OutOfRange::fill), attr(fill_value, 7.0)}},
                {.operands = {{.shape = {3}}, index_operand({5}, -9, 9)},
                 .attrs = {attr(mode, OutOfRange::wrap)}},
                {.operands = {{.shape = {2, 3}}, index_operand({0}, 0, 3)}, .attrs = {attr(axis, 1)}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{{.operands = {{f32, {3}}, {f32, {2}}},
                                        .id = ErrorId::dtype,
                                        .message = "`indices` f32[2] must be i32 or i64"},
                                       {.operands = {{f32, {3}}, {i32, {2}}},
                                        .attrs = {attr(axis, 1)},
                                        .id = ErrorId::axis,
                                        .message = "`axis` is 1"}};
          },
  };
}

}  // namespace calx::ops
