// dynamic_slice: one box of static size whose start is data.
#include "indexing/_support.h"

namespace calx::ops {

namespace {

constinit const Attr<std::vector<Dim>> sizes{"sizes", required, "size of the box along each axis"};

}  // namespace

OpDef dynamic_slice() {
  return {
      .name = "dynamic_slice",
      .family = "indexing",
      .doc = {.summary = "A box of a tensor whose start is data; it is moved so that it lies inside.",
              .math = "y[i] = x[clamp(start, 0, size - sizes) + i]",
              .shapes = "`x: f32[a,b]`, `start: i32[2]`, sizes [c,d] -> `f32[c,d]`",
              .gradient = "the cotangent where it was read, 0 elsewhere",
              .accuracy = "exact",
              .errors = "start that is not one index per axis: CALX-E202; a box larger than x: CALX-E301",
              .example =
                  "dynamic_slice(tensor({1, 2, 3, 4}), tensor<std::int32_t>({9}), {2})  // f32[2] [3, 4]",
              .source = "StableHLO dynamic_slice; jax.lax.dynamic_slice, where negative starts count from "
                        "the back (here they clamp)"},
      .operands = {{"x", DTypes::any}, {"start", DTypes::index}},
      .attrs = {sizes},
      .form = Composite{.infer = Derived{},
                        .decompose = [](const Call& c) -> Results {
                          require_rank(c, 1, 1);
                          GatherSpec spec{.index_vector_dim = 0, .slice_sizes = c[sizes]};
                          for (int axis = 0; axis < c.type(0).rank(); ++axis) {
                            spec.offset_dims.push_back(axis);
                            spec.start_index_map.push_back(axis);
                          }
                          return Results(make_gather(c[0], c[1], spec, IndexMode::clip));
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
            return std::vector<Sample>{
                {.operands = {{.shape = {5}}, start(1, 0, 4)}, .attrs = {attr(sizes, {Dim(2)})}},
                {.operands = {{.shape = {3, 3}}, start(2, -2, 5)}, .attrs = {attr(sizes, {Dim(2), Dim(3)})}},
                {.operands = {{.shape = {2, 4}}, start(2, 0, 2)}, .attrs = {attr(sizes, {Dim(1), Dim(0)})}},
                {.operands = {{}, start(0, 0, 1)}, .attrs = {attr(sizes, std::vector<Dim>{})}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{{.operands = {{f32, {3, 2}}, {i32, {3}}},
                                        .attrs = {attr(sizes, {Dim(1), Dim(1)})},
                                        .id = ErrorId::shape_mismatch,
                                        .message = "the size of an index vector"},
                                       {.operands = {{f32, {3}}, {i32, {1}}},
                                        .attrs = {attr(sizes, {Dim(4)})},
                                        .id = ErrorId::attribute,
                                        .message = "the slice size of axis 0 is 4"},
                                       {.operands = {{f32, {3}}, {i32, {}}},
                                        .attrs = {attr(sizes, {Dim(1)})},
                                        .id = ErrorId::rank,
                                        .message = "`start` i32[]"}};
          },
  };
}

}  // namespace calx::ops
