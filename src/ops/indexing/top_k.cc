// top_k: the largest elements along an axis, as the head of a descending sort.
#include "indexing/_support.h"

namespace calx::ops {

namespace top_k_parts {

constinit const Attr<Dim> k{"k", required, "how many elements", 0, std::numeric_limits<double>::infinity()};
constinit const Attr<std::int64_t> axis{"axis", std::int64_t{-1},
                              "the axis along which elements are chosen, in [-rank, rank)"};
constinit const Attr<bool> smallest{"smallest", false, "the smallest elements, in increasing order"};
constinit const Attr<bool> descending{"descending", false, ""};
constinit const Attr<DType> index_dtype{"index_dtype", i32, "dtype of the indices, i32 or i64"};

}  // namespace top_k_parts

OpDef top_k() {
  using namespace top_k_parts;
  return {
      .name = "top_k",
      .family = "indexing",
      .doc = {.summary = "The k largest elements along an axis, largest first, and where they are.",
              .math = "values_i = x[indices_i], the i-th of the descending stable order",
              .shapes = "`x: f32[a,b]` -> `values: f32[a,k]`, `indices: i32[a,k]`",
              .gradient =
                  "the cotangent of each value to the element that was chosen; of tied ones the lowest index",
              .accuracy = "exact; NaN comes after all numbers",
              .errors = "k larger than the axis: CALX-E301; axis outside [-rank, rank): CALX-E203",
              .example = "top_k(tensor({3, 1, 2}), 2).values  // f32[2] [3, 2]",
              .source = "jax.lax.top_k, where NaN comes first; torch.topk"},
      .operands = {{"x", DTypes::numeric}},
      .attrs = {k, axis, smallest, index_dtype},
      .results = {"values", "indices"},
      .form = Composite{.infer = Derived{},
                        .decompose = [](const Call& c) -> Results {
                          const int along = normalize_axis(c, c[axis], c.type(0).rank());
                          const Tensors sorted = apply(get_op("sort"), {c[0]},
                                                       {attr(axis, along), attr(descending, !c[smallest]),
                                                        attr(index_dtype, c[index_dtype])});
                          return Results{make_slice_along(sorted[0], along, 0, c[k]),
                                         make_slice_along(sorted[1], along, 0, c[k])};
                        },
                        .jvp = Derived{},
                        .batch = Derived{},
                        .simplify = NoIdentity{},
                        .reference = Derived{},
                        .lower = Derived{}},
      .samples =
          [] {
            const auto x = [](Shape shape) {
              return SampleOperand{.shape = std::move(shape), .draw = Draw::distinct};
            };
            return std::vector<Sample>{
                {.operands = {x({5})}, .attrs = {attr(k, Dim(2))}},
                {.operands = {x({3, 3})},
                 .attrs = {attr(k, Dim(3)), attr(axis, 0), attr(smallest, true), attr(index_dtype, i64)}},
                {.operands = {x({2, 3})}, .attrs = {attr(k, Dim(0))}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{{.operands = {{f32, {3}}},
                                        .attrs = {attr(k, Dim(4))},
                                        .id = ErrorId::attribute,
                                        .message = "takes [0, 4) of axis 0"},
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(k, Dim(-1))},
                                        .id = ErrorId::attribute,
                                        .message = "`k` is -1"},
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(k, Dim(1)), attr(axis, 1)},
                                        .id = ErrorId::axis,
                                        .message = "`axis` is 1"}};
          },
  };
}

}  // namespace calx::ops
