#include "_rules.h"

namespace calx::ops {

namespace {
namespace one_hot_attrs {
constinit const Attr<Dim> num_classes{"num_classes", required, "size of the new axis; indices must lie in [0, num_classes)"};
constinit const Attr<std::int64_t> axis{"axis", -1, "where the result gets the new axis, in [-rank - 1, rank]"};
constinit const Attr<DType> dtype{"dtype", f32, "dtype of the result"};
}  // namespace one_hot_attrs
}  // namespace

OpDef one_hot() {
  using namespace one_hot_attrs;
  return {
      .name = "one_hot",
      .family = "indexing",
      .doc = {.summary = "1 at the class that an index names, 0 at the others.",
              .math = "y[..., c] = 1 where index == c, else 0",
              .shapes = "`index: i32[a]`, num_classes c -> `f32[a,c]`",
              .gradient = "none: indices are integers",
              .accuracy = "exact",
              .errors = "at run time, an index outside [0, num_classes): CALX-E401; an axis outside [-rank - 1, rank]: CALX-E203; "
                        "indices that are not i32 or i64: CALX-E101",
              .example = "one_hot(tensor<std::int32_t>({2}), 3)  // f32[1,3] [[0, 0, 1]]",
              .source = "jax.nn.one_hot, which gives zeros for an index that is no class"},
      .operands = {{"index", DTypes::index}},
      .attrs = {num_classes, one_hot_attrs::axis, one_hot_attrs::dtype},
      .form = Composite{
          .infer = Derived{},
          .decompose = [](const Call& c) -> Results {
            const int at = normalize_axis(c, c[one_hot_attrs::axis], c.type(0).rank() + 1);
            const Shape shape = c.shape(0).with_inserted(at, c[num_classes]);
            std::vector<std::int64_t> kept;
            for (int i = 0; i < shape.rank(); ++i) {
              if (i != at) kept.push_back(i);
            }
            const Tensor index = core::expand(core::checked_index(c[0], c[num_classes], c.op().name), shape, kept);
            const Tensor classes = core::iota(shape, at, c.dtype(0));
            return core::convert(core::compare(index, classes, Comparison::eq), c[one_hot_attrs::dtype]);
          },
          .jvp = Derived{},
          .batch = Derived{},
          .simplify = NoIdentity{},
          .reference = Derived{},
          .lower = Derived{}},
      .samples = [] {
        return std::vector<Sample>{
            {.operands = {{.shape = {4}, .draw = Draw::indices, .high = 3}}, .attrs = {attr(num_classes, Dim(3))}},
            {.operands = {{.draw = Draw::indices, .high = 2}},
             .attrs = {attr(num_classes, Dim(2)), attr(one_hot_attrs::dtype, f64)}},
            {.operands = {{.shape = {2, 3}, .draw = Draw::indices, .high = 5}},
             .attrs = {attr(num_classes, Dim(5)), attr(one_hot_attrs::axis, 1), attr(one_hot_attrs::dtype, i32)}},
            {.operands = {{.shape = {0}, .draw = Draw::indices, .high = 1}}, .attrs = {attr(num_classes, Dim(1))}}};
      },
      .rejects = [] {
        return std::vector<Reject>{
            {.operands = {{f32, {2}}}, .attrs = {attr(num_classes, Dim(3))}, .id = ErrorId::dtype, .message = "`index`"},
            {.operands = {{i32, {2}}}, .id = ErrorId::attribute_missing, .message = "`num_classes`"},
            {.operands = {{i32, {2}}},
             .attrs = {attr(num_classes, Dim(3)), attr(one_hot_attrs::axis, 2)},
             .id = ErrorId::axis,
             .message = "`axis` is 2"}};
      },
  };
}

}  // namespace calx::ops
