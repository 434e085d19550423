// argsort: the permutation that sorts.
#include "indexing/_support.h"

namespace calx::ops {

namespace argsort_parts {

constinit const Attr<std::int64_t> axis{"axis", std::int64_t{-1},
                              "the axis along which elements are sorted, in [-rank, rank)"};
constinit const Attr<bool> descending{"descending", false, "largest first; NaN is last in either order"};
constinit const Attr<DType> index_dtype{"index_dtype", i32, "dtype of the permutation, i32 or i64"};

}  // namespace argsort_parts

OpDef argsort() {
  using namespace argsort_parts;
  return {
      .name = "argsort",
      .family = "indexing",
      .doc =
          {.summary = "The stable permutation that sorts a tensor along an axis.",
           .math = "x[..., y[..., i, ...], ...] is sorted in i; equal elements keep their order",
           .shapes = "`x: f32[a,b]` -> `i32[a,b]`",
           .gradient = "none: the result is integer",
           .accuracy = "exact; NaN is last in either order; -0 and +0 are equal",
           .errors =
               "axis outside [-rank, rank): CALX-E203; an index dtype that is neither i32 nor i64: CALX-E301",
           .example = "argsort(tensor({3, 1, 2}))  // i32[3] [1, 2, 0]",
           .source = "numpy.argsort(kind='stable'); jax.numpy.argsort"},
      .operands = {{"x", DTypes::any}},
      .attrs = {axis, descending, index_dtype},
      .form = Composite{.infer = Derived{},
                        .decompose = [](const Call& c) -> Results {
                          return Results(apply(get_op("sort"), {c[0]}, c.attrs())[1]);
                        },
                        .jvp = Derived{},
                        .batch = Derived{},
                        .simplify = NoIdentity{},
                        .reference = Derived{},
                        .lower = Derived{}},
      .samples =
          [] {
            return std::vector<Sample>{
                {.operands = {{.shape = {5}}}},
                {.operands = {{.shape = {2, 3}}},
                 .attrs = {attr(axis, 0), attr(descending, true), attr(index_dtype, i64)}},
                {.operands = {{.shape = {2, 0}}}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{{.operands = {{f32, {3}}},
                                        .attrs = {attr(axis, 1)},
                                        .id = ErrorId::axis,
                                        .message = "`axis` is 1"},
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(index_dtype, u32)},
                                        .id = ErrorId::attribute,
                                        .message = "`index_dtype`"}};
          },
  };
}

}  // namespace calx::ops
