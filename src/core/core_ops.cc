// Builders of the core ops.
#include "calx/core/core_ops.h"

#include <numeric>

#include "calx/core/trace.h"
#include "ops/core_attrs.h"

namespace calx {
namespace core {
namespace {

// One look-up per op and program.
#define CALX_CORE_OP(Name)                  \
  const OpDef& Name##_op() {                \
    static const OpDef& op = get_op(#Name); \
    return op;                              \
  }
CALX_CORE_OP(size)
CALX_CORE_OP(iota)
CALX_CORE_OP(expand)
CALX_CORE_OP(reduce_sum)
CALX_CORE_OP(reshape)
CALX_CORE_OP(transpose)
CALX_CORE_OP(convert)
CALX_CORE_OP(select)
CALX_CORE_OP(compare)
CALX_CORE_OP(add)
CALX_CORE_OP(sub)
CALX_CORE_OP(neg)
CALX_CORE_OP(mul)
CALX_CORE_OP(div)
CALX_CORE_OP(strong_mul)
CALX_CORE_OP(checked_index)
CALX_CORE_OP(barrier)
CALX_CORE_OP(call)
#undef CALX_CORE_OP

}  // namespace

Tensor size(const Dim& dim, DType dtype) {
  return apply_one(size_op(), {}, {attr(attrs::size_dim, dim), attr(attrs::size_dtype, dtype)});
}

Tensor iota(const Shape& shape, int axis, DType dtype) {
  return apply_one(iota_op(), {},
                   {attr(attrs::shape, shape.dims()), attr(attrs::iota_axis, axis), attr(attrs::iota_dtype, dtype)});
}

Tensor expand(const Tensor& x, const Shape& shape, const std::vector<std::int64_t>& dims) {
  if (x.shape() == shape) return x;
  return apply_one(expand_op(), {x}, {attr(attrs::shape, shape.dims()), attr(attrs::expand_dims, dims)});
}

Tensor reduce_sum(const Tensor& x, const std::vector<std::int64_t>& axes, std::optional<DType> accumulation) {
  if (axes.empty()) return x;
  return apply_one(reduce_sum_op(), {x}, {attr(attrs::axes, axes), attr(attrs::accumulation, accumulation)});
}

Tensor reshape(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  return apply_one(reshape_op(), {x}, {attr(attrs::shape, shape.dims())});
}

Tensor transpose(const Tensor& x, const std::vector<std::int64_t>& permutation) {
  return apply_one(transpose_op(), {x}, {attr(attrs::permutation, permutation)});
}

Tensor convert(const Tensor& x, DType dtype) {
  if (x.dtype() == dtype) return x;
  return apply_one(convert_op(), {x}, {attr(attrs::convert_dtype, dtype)});
}

Tensor select(const Tensor& predicate, const Tensor& on_true, const Tensor& on_false) {
  return apply_one(select_op(), {predicate, on_true, on_false});
}

Tensor compare(const Tensor& lhs, const Tensor& rhs, Comparison comparison) {
  return apply_one(compare_op(), {lhs, rhs}, {attr(attrs::comparison, comparison)});
}

Tensor add(const Tensor& lhs, const Tensor& rhs) { return apply_one(add_op(), {lhs, rhs}); }
Tensor sub(const Tensor& lhs, const Tensor& rhs) { return apply_one(sub_op(), {lhs, rhs}); }
Tensor neg(const Tensor& x) { return apply_one(neg_op(), {x}); }
Tensor mul(const Tensor& lhs, const Tensor& rhs) { return apply_one(mul_op(), {lhs, rhs}); }
Tensor div(const Tensor& lhs, const Tensor& rhs) { return apply_one(div_op(), {lhs, rhs}); }
Tensor strong_mul(const Tensor& lhs, const Tensor& rhs) { return apply_one(strong_mul_op(), {lhs, rhs}); }

Tensor checked_index(const Tensor& index, const Dim& n, std::string_view caller, const Tensor& counts, bool from_back) {
  Tensors operands = {index};
  if (counts.defined()) operands.push_back(counts);
  return apply_one(checked_index_op(), std::move(operands),
                   {attr(attrs::checked_size, n), attr(attrs::checked_from_back, from_back),
                    attr(attrs::checked_caller, std::string(caller))});
}

Tensors barrier(const Tensors& operands) { return apply(barrier_op(), operands); }

Tensors call(const Function& f, const Tensors& operands) {
  return apply(call_op(), operands, {attr(attrs::callee, f)});
}

Tensor full(const Type& type, double value) {
  const Tensor one = visit_dtype(type.dtype, [&]<class T>(std::type_identity<T>) {
    return Tensor(Array::scalar<T>(convert_element<T>(value)));
  });
  return expand(one, type.shape, {});
}

Tensor zeros(const Type& type) { return full(type, 0); }
Tensor ones(const Type& type) { return full(type, 1); }

Tensor add_leading_axis(const Tensor& x, const Dim& n) {
  std::vector<std::int64_t> dims(static_cast<std::size_t>(x.rank()));
  std::iota(dims.begin(), dims.end(), 1);
  // Even for n = 1 and rank 0 this changes the rank, so it is never the identity.
  return apply_one(expand_op(), {x},
                   {attr(attrs::shape, x.shape().with_inserted(0, n).dims()), attr(attrs::expand_dims, dims)});
}

Tensor move_axis(const Tensor& x, int from, int to) {
  if (from == to) return x;
  std::vector<std::int64_t> permutation;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (axis != from) permutation.push_back(axis);
  }
  permutation.insert(permutation.begin() + to, from);
  return transpose(x, permutation);
}

}  // namespace core

CALX_DEFINE_SPECIAL_MEMBERS(Tangents, Tangents);
Tangents::Tangents(std::initializer_list<Tangent> tangents) : std::vector<Tangent>(tangents) {}
Tangents::Tangents(Tangent t) { push_back(std::move(t)); }

// ---- Tangents -----------------------------------------------------------------------------------------------------------

Tensor Tangent::instantiate() const { return is_zero() ? core::zeros(type_) : tensor_; }

Tangent operator+(const Tangent& a, const Tangent& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  return Tangent(core::add(a.tensor(), b.tensor()));
}

Tangent operator-(const Tangent& a, const Tangent& b) {
  if (b.is_zero()) return a;
  if (a.is_zero()) return -b;
  return Tangent(core::sub(a.tensor(), b.tensor()));
}

Tangent operator-(const Tangent& a) { return a.is_zero() ? a : Tangent(core::neg(a.tensor())); }

Tangent operator*(const Tensor& factor, const Tangent& t) {
  return t.is_zero() ? t : Tangent(core::strong_mul(factor, t.tensor()));
}
Tangent operator*(const Tangent& t, const Tensor& factor) { return factor * t; }
Tangent operator*(double factor, const Tangent& t) {
  return t.is_zero() ? t : Tangent(core::strong_mul(core::full(t.type(), factor), t.tensor()));
}
Tangent operator/(const Tangent& t, const Tensor& divisor) {
  return t.is_zero() ? t : core::div(core::ones(divisor.type()), divisor) * t;
}

Tangent select(const Tensor& predicate, const Tangent& on_true, const Tangent& on_false) {
  if (on_true.is_zero() && on_false.is_zero()) return on_true;
  return Tangent(core::select(predicate, on_true.instantiate(), on_false.instantiate()));
}
Tangent expand(const Tangent& t, const Shape& shape, const std::vector<std::int64_t>& dims) {
  return t.is_zero() ? Tangent::zero(t.type().with_shape(shape)) : Tangent(core::expand(t.tensor(), shape, dims));
}
Tangent reshape(const Tangent& t, const Shape& shape) {
  return t.is_zero() ? Tangent::zero(t.type().with_shape(shape)) : Tangent(core::reshape(t.tensor(), shape));
}
Tangent transpose(const Tangent& t, const std::vector<std::int64_t>& permutation) {
  if (!t.is_zero()) return Tangent(core::transpose(t.tensor(), permutation));
  std::vector<Dim> dims;
  for (std::int64_t axis : permutation) dims.push_back(t.type().shape[static_cast<int>(axis)]);
  return Tangent::zero(t.type().with_shape(Shape(std::move(dims))));
}
Tangent reduce_sum(const Tangent& t, const std::vector<std::int64_t>& axes) {
  if (!t.is_zero()) return Tangent(core::reduce_sum(t.tensor(), axes));
  std::vector<Dim> kept;
  for (int axis = 0; axis < t.type().rank(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) kept.push_back(t.type().shape[axis]);
  }
  return Tangent::zero(t.type().with_shape(Shape(std::move(kept))));
}
Tangent convert(const Tangent& t, DType dtype) {
  return t.is_zero() ? Tangent::zero(t.type().with_dtype(dtype)) : Tangent(core::convert(t.tensor(), dtype));
}

}  // namespace calx
