#include "reduction/_arg.h"

namespace calx::ops::reduction {
namespace {

constinit const Attr<std::optional<std::int64_t>> some_axis{"axis", std::optional<std::int64_t>{},
                                                  "the axis, in [-rank, rank); none: the row-major position among all elements"};
constinit const Attr<DType> index_dtype{"dtype", i32, "dtype of the result: i32 or i64"};

Results decompose(const Call& c, bool largest) {
  const DType dtype = c[index_dtype];
  if (!accepts(DTypes::index, dtype)) c.fail(ErrorId::attribute, "attribute `dtype` must be i32 or i64");
  Tensor x = c[0].dtype().is_boolean() ? core::convert(c[0], u8) : c[0];
  Axes reduced = {0};
  if (const std::optional<std::int64_t> wanted = c[some_axis]) {
    reduced = {normalize_axis(c, *wanted, c.type(0).rank())};
  } else {
    x = core::reshape(x, {x.shape().num_elements()});
  }
  const Shape shape = x.shape();
  const int along = static_cast<int>(reduced[0]);
  if (shape[along].constant() == 0) c.fail(ErrorId::empty_axis, "the axis has no elements, and this op needs at least one");

  const Tensor best = largest ? reduce_max(x, reduced) : reduce_min(x, reduced);
  Tensor chosen = compare(x, spread_back(best, shape, reduced), Comparison::eq);
  if (x.dtype().is_floating()) chosen = logical_or(chosen, is_nan(x));  // then best is NaN, and equals nothing
  const Tensor position = core::iota(shape, along, dtype);
  const Tensor beyond = spread(core::size(shape[along], dtype), shape);
  const Tensor first = reduce_min(select(chosen, position, beyond), reduced);
  if (!c[keepdims]) return first;
  const Axes all = kept_axes(c.type(0).rank(), {});
  return core::reshape(first, with_ones(c.shape(0), c[some_axis] ? reduced : all));
}

}  // namespace

OpDef arg_op(OpDoc doc, std::string_view name, bool largest) {
  return {
      .name = name,
      .family = "reduction",
      .doc = doc,
      .operands = {{"x", DTypes::any}},
      .attrs = {some_axis, keepdims, index_dtype},
      .form = Composite{.infer = Derived{},
                        .decompose = [largest](const Call& c) { return decompose(c, largest); },
                        .jvp = Derived{},
                        .batch = Derived{},
                        .simplify = NoIdentity{},
                        .reference = Derived{},
                        .lower = Derived{}},
      .samples = [] {
        return std::vector<Sample>{
            {.operands = {{.shape = {5}}}},
            {.operands = {{}}},
            {.operands = {{.shape = {2, 3}}}, .attrs = {attr(some_axis, -1)}},
            {.operands = {{.shape = {3, 3}}}, .attrs = {attr(some_axis, 0), attr(keepdims, true)}},
            {.operands = {{.shape = {2, 3}}}, .attrs = {attr(keepdims, true), attr(index_dtype, i64)}},
            {.operands = {{.shape = {0, 2}}}, .attrs = {attr(some_axis, 1)}}};
      },
      .rejects = [] {
        return std::vector<Reject>{
            {.operands = {{f32, {3}}}, .attrs = {attr(some_axis, 1)}, .id = ErrorId::axis, .message = "`axis` is 1"},
            {.operands = {{f32, {0}}}, .id = ErrorId::empty_axis, .message = "no elements"},
            {.operands = {{f32, {3}}}, .attrs = {attr(index_dtype, f32)}, .id = ErrorId::attribute, .message = "i32 or i64"}};
      },
  };
}

}  // namespace calx::ops::reduction
