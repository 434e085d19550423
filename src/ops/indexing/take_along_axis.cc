// take_along_axis: one element of x per index, all other axes running along.
#include "indexing/_take.h"

namespace calx::ops {

OpDef take_along_axis() {
  using namespace take_attrs;
  return {
      .name = "take_along_axis",
      .family = "indexing",
      .doc = {.summary = "Takes elements of a tensor at indices along an axis; the other axes run along.",
              .math = "y[a, i, b] = x[a, indices[a, i, b], b]; negative indices count from the back",
              .shapes = "`x: f32[a,n,b]`, `indices: i32[a,k,b]`, axis 1 -> `f32[a,k,b]`",
              .gradient = "each cotangent added to the element that was read, exactly as the mode read it: "
                          "clip adds to the clipped "
                          "element, fill drops",
              .accuracy = "exact",
              .errors = "ranks that differ: CALX-E201; sizes of other axes that differ: CALX-E202; axis "
                        "outside [-rank, rank): "
                        "CALX-E203; at run time in mode error, an index outside [-size, size): CALX-E401",
              .example = "take_along_axis(tensor({{1, 2}, {3, 4}}), tensor<std::int32_t>({1, 0}, {2, 1}), "
                         "{.axis = 1})  // f32[2,1] [[2], [3]]",
              .source = "numpy.take_along_axis without broadcasting; torch.gather"},
      .operands = {{"x", DTypes::any}, {"indices", DTypes::index}},
      .attrs = {axis, mode, fill_value},
      .form = Composite{.infer = Derived{},
                        .decompose = [](const Call& c) -> Results {
                          require_rank(c, 1, c.type(0).rank());
                          return Results(take_elements(c, [](const Tensor& x, int along) {
                            std::vector<std::int64_t> all;
                            for (int a = 0; a < x.rank(); ++a) all.push_back(a);
                            return Addressing{along_axis(x.rank(), along), all};
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
                {.operands = {{.shape = {3, 3}}, index_operand({3, 3}, -4, 4)},
                 .attrs = {attr(axis, 1), attr(mode, OutOfRange::fill), attr(fill_value, 7.0)}},
                {.operands = {{.shape = {3}}, index_operand({5}, -9, 9)},
                 .attrs = {attr(mode, OutOfRange::wrap)}},
                {.operands = {{.shape = {2, 3}}, index_operand({2, 0}, 0, 3)}, .attrs = {attr(axis, 1)}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{{.operands = {{f32, {3, 2}}, {i32, {2}}},
                                        .id = ErrorId::rank,
                                        .message = "`indices` i32[2] must have rank 2"},
                                       {.operands = {{f32, {3, 2}}, {i32, {4, 1}}},
                                        .id = ErrorId::shape_mismatch,
                                        .message = "axis 1 of"},
                                       {.operands = {{f32, {3}}, {i32, {2}}},
                                        .attrs = {attr(axis, 1)},
                                        .id = ErrorId::axis,
                                        .message = "`axis` is 1"}};
          },
  };
}

}  // namespace calx::ops
