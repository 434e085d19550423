// Builders of the shape ops.
#include "shape/_support.h"

namespace calx::ops {
namespace {

const OpDef& op_named(std::string_view name) { return get_op(name); }

std::pair<std::vector<Dim>, std::vector<Dim>> range_along(const Shape& shape, int axis, const Dim& from,
                                                          const Dim& to) {
  std::vector<Dim> start(static_cast<std::size_t>(shape.rank()), Dim(0));
  std::vector<Dim> limit = shape.dims();
  start[static_cast<std::size_t>(axis)] = from;
  limit[static_cast<std::size_t>(axis)] = to;
  return {std::move(start), std::move(limit)};
}

std::pair<std::vector<Dim>, std::vector<Dim>> shift_along(int rank, int axis, int by) {
  std::vector<Dim> low(static_cast<std::size_t>(rank), Dim(0));
  std::vector<Dim> high = low;
  low[static_cast<std::size_t>(axis)] = Dim(by);
  high[static_cast<std::size_t>(axis)] = Dim(-by);
  return {std::move(low), std::move(high)};
}

}  // namespace

Tangent apply_linear(const OpDef& op, const Tangent& t, Attrs attrs) {
  if (!t.is_zero()) return Tangent(apply_one(op, {t.tensor()}, std::move(attrs)));
  const Type types[] = {t.type()};
  return Tangent::zero(infer_types(op, types, attrs, {}).front());
}

Tensor make_slice(const Tensor& x, std::vector<Dim> start, std::vector<Dim> limit,
                  std::vector<std::int64_t> stride) {
  return apply_one(op_named("slice"), {x},
                   {attr(shape_attrs::start, std::move(start)), attr(shape_attrs::limit, std::move(limit)),
                    attr(shape_attrs::stride, std::move(stride))});
}

Tangent make_slice(const Tangent& t, std::vector<Dim> start, std::vector<Dim> limit,
                   std::vector<std::int64_t> stride) {
  return apply_linear(op_named("slice"), t,
                      {attr(shape_attrs::start, std::move(start)), attr(shape_attrs::limit, std::move(limit)),
                       attr(shape_attrs::stride, std::move(stride))});
}

Tensor make_slice_along(const Tensor& x, int axis, const Dim& from, const Dim& to) {
  auto [start, limit] = range_along(x.shape(), axis, from, to);
  return make_slice(x, std::move(start), std::move(limit));
}

Tangent make_slice_along(const Tangent& t, int axis, const Dim& from, const Dim& to) {
  auto [start, limit] = range_along(t.type().shape, axis, from, to);
  return make_slice(t, std::move(start), std::move(limit));
}

Tensor make_pad(const Tensor& x, const Tensor& value, std::vector<Dim> low, std::vector<Dim> high,
                std::vector<std::int64_t> interior) {
  return apply_one(op_named("pad"), {x, value},
                   {attr(shape_attrs::low, std::move(low)), attr(shape_attrs::high, std::move(high)),
                    attr(shape_attrs::interior, std::move(interior))});
}

Tangent make_pad(const Tangent& t, std::vector<Dim> low, std::vector<Dim> high,
                 std::vector<std::int64_t> interior) {
  if (!t.is_zero()) {
    return Tangent(make_pad(t.tensor(), core::zeros({t.type().dtype, {}}), std::move(low), std::move(high),
                            std::move(interior)));
  }
  const int rank = t.type().rank();
  interior = filled(std::move(interior), rank, 0);
  std::vector<Dim> sizes;
  for (int axis = 0; axis < rank; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    sizes.push_back(padded_size(t.type().shape[axis], low[a], high[a], interior[a]));
  }
  return Tangent::zero({t.type().dtype, Shape(std::move(sizes))});
}

Tensor make_shift(const Tensor& x, const Tensor& value, int axis, int by) {
  auto [low, high] = shift_along(x.rank(), axis, by);
  return make_pad(x, value, std::move(low), std::move(high));
}

Tangent make_shift(const Tangent& t, int axis, int by) {
  auto [low, high] = shift_along(t.type().rank(), axis, by);
  return make_pad(t, std::move(low), std::move(high));
}

Tensor make_reverse(const Tensor& x, std::vector<std::int64_t> axes) {
  return apply_one(op_named("reverse"), {x}, {attr(shape_attrs::reverse_axes, std::move(axes))});
}

Tensor make_concat(const Tensors& parts, int axis) {
  return apply_one(op_named("concat"), parts, {attr(shape_attrs::concat_axis, axis)});
}

Tensor make_squeeze(const Tensor& x, int axis) { return core::reshape(x, x.shape().without_axis(axis)); }

Tensor make_unsqueeze(const Tensor& x, int axis) {
  return core::reshape(x, x.shape().with_inserted(axis, Dim(1)));
}

Dim sliced_size(const Dim& start, const Dim& limit, std::int64_t stride) {
  return ceil_div(limit - start, Dim(stride));
}

Dim padded_size(const Dim& size, const Dim& low, const Dim& high, std::int64_t interior) {
  Dim result = low + size + high;
  if (interior != 0) result += Dim(interior) * max(size - Dim(1), Dim(0));
  return result;
}

std::vector<std::int64_t> filled(std::vector<std::int64_t> values, int count, std::int64_t value) {
  if (values.empty()) values.assign(static_cast<std::size_t>(count), value);
  return values;
}

std::vector<std::int64_t> shifted(std::vector<std::int64_t> axes, std::int64_t by) {
  for (std::int64_t& axis : axes) axis += by;
  return axes;
}

}  // namespace calx::ops
