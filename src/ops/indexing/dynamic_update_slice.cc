// dynamic_update_slice: one box whose start is data, replaced.
#include "indexing/_support.h"

namespace calx::ops {

OpDef dynamic_update_slice() {
  return {
      .name = "dynamic_update_slice",
      .family = "indexing",
      .doc = {.summary =
                  "Replaces a box of a tensor; its start is data and is moved so that the box lies inside.",
              .math = "y = x, but y[clamp(start, 0, size - size of update) + i] = update[i]",
              .shapes = "`x: f32[a,b]`, `update: f32[c,d]`, `start: i32[2]` -> `f32[a,b]`",
              .gradient = "to update the cotangent in the box; to x the cotangent elsewhere, 0 in the box",
              .accuracy = "exact",
              .errors = "start that is not one index per axis: CALX-E202; ranks that differ: CALX-E201; an "
                        "update larger than x: "
                        "CALX-E301; dtypes that differ: CALX-E102",
              .example = "dynamic_update_slice(tensor({1, 2, 3}), tensor({8, 9}), tensor<std::int32_t>({5})) "
                         " // f32[3] [1, 8, 9]",
              .source = "StableHLO dynamic_update_slice; jax.lax.dynamic_update_slice, where negative starts "
                        "count from the back (here "
                        "they clamp)"},
      .operands = {{"x", DTypes::any}, {"update", DTypes::any}, {"start", DTypes::index}},
      .form = Composite{.infer = Derived{},
                        .decompose = [](const Call& c) -> Results {
                          require_rank(c, 1, c.type(0).rank());
                          require_rank(c, 2, 1);
                          GatherSpec spec{.index_vector_dim = 0};
                          for (int axis = 0; axis < c.type(0).rank(); ++axis) {
                            spec.offset_dims.push_back(axis);
                            spec.start_index_map.push_back(axis);
                          }
                          return Results(
                              make_scatter(get_op("scatter"), c[0], c[2], c[1], spec, IndexMode::clip));
                        },
                        .jvp = Derived{},
                        .batch = Derived{},
                        .simplify = NoIdentity{},
                        .reference = Derived{},
                        .lower = Derived{}},
      .samples =
          [] {
            const auto start = [](std::int64_t rank, double low, double high) {
              return SampleOperand{
                  .shape = {rank}, .dtype = i32, .draw = Draw::indices, .low = low, .high = high};
            };
            return std::vector<Sample>{{.operands = {{.shape = {5}}, {.shape = {2}}, start(1, 0, 4)}},
                                       {.operands = {{.shape = {3, 3}}, {.shape = {2, 3}}, start(2, -2, 5)}},
                                       {.operands = {{.shape = {2, 4}}, {.shape = {1, 0}}, start(2, 0, 2)}},
                                       {.operands = {{}, {}, start(0, 0, 1)}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{{.operands = {{f32, {3, 2}}, {f32, {1, 1}}, {i32, {3}}},
                                        .id = ErrorId::shape_mismatch,
                                        .message = "the size of an index vector"},
                                       {.operands = {{f32, {3}}, {f32, {4}}, {i32, {1}}},
                                        .id = ErrorId::attribute,
                                        .message = "the slice size of axis 0 is 4"},
                                       {.operands = {{f32, {3}}, {f32, {1, 1}}, {i32, {1}}},
                                        .id = ErrorId::rank,
                                        .message = "`update` f32[1,1]"},
                                       {.operands = {{f32, {3}}, {i32, {1}}, {i32, {1}}},
                                        .id = ErrorId::dtype_mismatch,
                                        .message = "must have one dtype"}};
          },
  };
}

}  // namespace calx::ops
