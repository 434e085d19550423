#include "calx/ops/sugar.h"

#include <algorithm>
#include <numeric>

#include "calx/base/format.h"
#include "calx/base/located.h"
#include "calx/core/core_ops.h"
#include "calx/core/tangent.h"

namespace calx {
namespace {

/// x as a tensor, its uses raising errors in the name of `op` at the line that passed it.
class Subject {
 public:
  Subject(std::string_view op, const Operand& x) : op_(op), where_(x.where()), location_(where_), x_(checked(x)) {}

  [[nodiscard]] const Tensor& operator*() const { return x_; }
  [[nodiscard]] const Tensor* operator->() const { return &x_; }
  [[noreturn]] void fail(ErrorId id, std::string message, std::string hint = {}) const {
    raise({.id = id,
           .op = std::string(op_),
           .message = std::move(message),
           .where = where_,
           .hint = std::move(hint),
           .facts = {{"x", x_.type().to_string()}}});
  }
  /// axis in [0, rank) from one in [-rank, rank).
  [[nodiscard]] int axis(std::int64_t axis, int rank, std::string_view name) const {
    if (axis < -rank || axis >= rank) {
      fail(ErrorId::axis, format("`{}` is {}, outside [{}, {}) of {}", name, axis, -rank, rank, x_.type().to_string()));
    }
    return static_cast<int>(axis < 0 ? axis + rank : axis);
  }
  /// Sorted axes; raises duplicate_axis.
  [[nodiscard]] std::vector<int> axes(const std::vector<std::int64_t>& axes, int rank) const {
    std::vector<int> result;
    for (std::int64_t one : axes) result.push_back(axis(one, rank, "axes"));
    std::sort(result.begin(), result.end());
    const auto twice = std::adjacent_find(result.begin(), result.end());
    if (twice != result.end()) fail(ErrorId::duplicate_axis, format("`axes` names axis {} twice", *twice));
    return result;
  }

 private:
  [[nodiscard]] Tensor checked(const Operand& x) const {
    if (!x.is_tensor() || x.tensor().defined()) return x.as_tensor();
    raise({.id = ErrorId::undefined_tensor, .op = std::string(op_), .message = "`x` is an undefined tensor", .where = where_});
  }

  std::string_view op_;
  SourceLoc where_;
  LocationScope location_;
  Tensor x_;
};

}  // namespace

Tensor zeros(const Shape& shape, DType dtype, SourceLoc where) {
  const LocationScope location(where);
  return core::zeros({dtype, shape});
}

Tensor ones(const Shape& shape, DType dtype, SourceLoc where) {
  const LocationScope location(where);
  return core::ones({dtype, shape});
}

Tensor full(const Shape& shape, const Operand& value, std::optional<DType> dtype) {
  const Subject scalar("full", value);
  if (scalar->rank() != 0) scalar.fail(ErrorId::rank, format("the value {} is no scalar", scalar->type().to_string()));
  // A C++ scalar is converted once, from its own value.
  const Tensor one = dtype && !value.is_tensor() ? value.as_scalar(*dtype) : core::convert(*scalar, dtype.value_or(scalar->dtype()));
  return core::expand(one, shape, {});
}

Tensor zeros_like(const Operand& x) { return core::zeros(Subject("zeros_like", x)->type()); }
Tensor ones_like(const Operand& x) { return core::ones(Subject("ones_like", x)->type()); }
Tensor full_like(const Operand& x, const Operand& value) {
  const Subject like("full_like", x);
  return full(like->shape(), value, like->dtype());
}

Tensor arange(const Dim& stop, const ArangeOptions& options, SourceLoc where) try {
  const LocationScope location(where);
  if (options.step == 0) raise({.id = ErrorId::value, .op = "arange", .message = "`step` is 0", .where = where});
  const Dim distance = options.step > 0 ? stop - Dim(options.start) : Dim(options.start) - stop;
  const Dim count = max(Dim(0), ceil_div(distance, options.step > 0 ? Dim(options.step) : -Dim(options.step)));
  const Tensor index = core::iota({count}, 0, options.dtype);
  const auto repeated = [&](std::int64_t value) {
    return core::expand(Operand(value).at(where).as_scalar(options.dtype), {count}, {});
  };
  const Tensor scaled = options.step == 1 ? index : core::mul(index, repeated(options.step));
  return options.start == 0 ? scaled : core::add(scaled, repeated(options.start));
} catch (const Error& error) {
  detail::raise_at(error, where, "arange");
}

Tensor eye(const Dim& rows, const EyeOptions& options, SourceLoc where) try {
  const LocationScope location(where);
  const Shape shape = {rows, options.columns.value_or(rows)};
  const Tensor shifted = core::add(core::iota(shape, 0, i64), core::expand(scalar(options.offset), shape, {}));
  return core::convert(core::compare(shifted, core::iota(shape, 1, i64), Comparison::eq), options.dtype);
} catch (const Error& error) {
  detail::raise_at(error, where, "eye");
}

Tensor reshape(const Operand& x, const Shape& shape) try {
  const Subject subject("reshape", x);
  const auto unknown = std::find(shape.begin(), shape.end(), Dim(-1));
  if (unknown == shape.end()) return core::reshape(*subject, shape);
  if (std::find(unknown + 1, shape.end(), Dim(-1)) != shape.end()) {
    subject.fail(ErrorId::value, format("the shape {} has more than one -1", shape.to_string()));
  }
  Dim others = 1;
  for (auto size = shape.begin(); size != shape.end(); ++size) {
    if (size != unknown) others *= *size;
  }
  const Dim count = subject->shape().num_elements();
  if (others == Dim(0)) {
    subject.fail(ErrorId::value, format("-1 is undecided in {}: another size is 0", shape.to_string()));
  }
  const std::optional<Dim> rest = exact_div(count, others);
  if (!rest) {
    const bool decided = count.is_constant() && others.is_constant();
    subject.fail(decided ? ErrorId::reshape_count : ErrorId::dim_unknown,
                 format("`x` {} has {} elements, which {} does not divide{}", subject->type().to_string(), count.to_string(),
                        others.to_string(), decided ? "" : " for certain"),
                 decided ? "" : "say divisibility by substitution: write the size as a product");
  }
  return core::reshape(*subject, shape.with_axis(static_cast<int>(unknown - shape.begin()), *rest));
} catch (const Error& error) {
  detail::raise_at(error, x.where(), "reshape");
}

Tensor flatten(const Operand& x) try {
  const Subject subject("flatten", x);
  return core::reshape(*subject, {subject->shape().num_elements()});
} catch (const Error& error) {
  detail::raise_at(error, x.where(), "flatten");
}

Tensor squeeze(const Operand& x, const std::vector<std::int64_t>& axes) {
  const Subject subject("squeeze", x);
  Shape shape = subject->shape();
  const std::vector<int> removed = subject.axes(axes, shape.rank());
  for (std::size_t i = removed.size(); i-- > 0;) {
    const Dim& size = shape[removed[i]];
    const Proof proof = proven_equal(size, Dim(1));
    if (proof != Proof::yes) {
      subject.fail(proof == Proof::no ? ErrorId::shape_mismatch : ErrorId::dim_unknown,
                   format("axis {} of {} has size {}, not 1", removed[i], subject->type().to_string(), size.to_string()));
    }
    shape = shape.without_axis(removed[i]);
  }
  return core::reshape(*subject, shape);
}

Tensor squeeze(const Operand& x) {
  const Subject subject("squeeze", x);
  std::vector<Dim> kept;
  for (const Dim& size : subject->shape()) {
    if (size != Dim(1)) kept.push_back(size);
  }
  return core::reshape(*subject, Shape(std::move(kept)));
}

Tensor expand_dims(const Operand& x, const std::vector<std::int64_t>& axes) {
  const Subject subject("expand_dims", x);
  Shape shape = subject->shape();
  for (int axis : subject.axes(axes, shape.rank() + static_cast<int>(axes.size()))) shape = shape.with_inserted(axis, 1);
  return core::reshape(*subject, shape);
}

Tensor swapaxes(const Operand& x, std::int64_t axis1, std::int64_t axis2) {
  const Subject subject("swapaxes", x);
  std::vector<std::int64_t> order(static_cast<std::size_t>(subject->rank()));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[static_cast<std::size_t>(subject.axis(axis1, subject->rank(), "axis1"))],
            order[static_cast<std::size_t>(subject.axis(axis2, subject->rank(), "axis2"))]);
  return core::transpose(*subject, order);
}

Tensor moveaxis(const Operand& x, std::int64_t source, std::int64_t destination) {
  const Subject subject("moveaxis", x);
  return core::move_axis(*subject, subject.axis(source, subject->rank(), "source"),
                         subject.axis(destination, subject->rank(), "destination"));
}

Tensor transpose(const Operand& x) {
  const Subject subject("transpose", x);
  std::vector<std::int64_t> order(static_cast<std::size_t>(subject->rank()));
  std::iota(order.rbegin(), order.rend(), 0);
  return core::transpose(*subject, order);
}

Tensor astype(const Operand& x, DType dtype) { return core::convert(*Subject("astype", x), dtype); }

}  // namespace calx
