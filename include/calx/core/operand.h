// Operand: what a user passes to an op, a tensor or a C++ scalar (which is weak), with the line it came from. Also the one
// door through which every op is applied: `apply` for operands that fit exactly, `bind` where promotion inserts `convert`
// and broadcasting inserts `expand`.
#pragma once

#include <concepts>
#include <optional>
#include <source_location>
#include <span>

#include "calx/core/attributes.h"
#include "calx/core/tensor.h"

namespace calx {

struct OpDef;

/// A tensor or a weak scalar, with the line of the user's code that passed it.
class Operand {
 public:
  Operand(const Tensor& tensor, const std::source_location& where = std::source_location::current())
      : tensor_(tensor), where_(where) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  Operand(T value, const std::source_location& where = std::source_location::current()) : where_(where) {
    if constexpr (std::is_same_v<T, bool>) {
      kind_ = WeakKind::boolean;
      integer_ = value ? 1 : 0;
    } else if constexpr (std::is_integral_v<T>) {
      kind_ = WeakKind::integer;
      integer_ = static_cast<std::int64_t>(value);
      is_unsigned_ = std::is_unsigned_v<T>;
    } else {
      kind_ = WeakKind::floating;
      real_ = static_cast<double>(value);
    }
  }

  [[nodiscard]] bool is_tensor() const { return tensor_.defined() || !kind_.has_value(); }
  [[nodiscard]] const Tensor& tensor() const { return tensor_; }
  [[nodiscard]] WeakKind weak_kind() const { return *kind_; }
  [[nodiscard]] SourceLoc where() const { return where_; }
  /// The same, as if passed at another line: for functions that are called at `where` and make operands of their own.
  [[nodiscard]] Operand at(SourceLoc where) const {
    Operand moved = *this;
    moved.where_ = where;
    return moved;
  }
  /// The scalar as a constant of a dtype; raises `value` if an integer does not fit.
  [[nodiscard]] Tensor as_scalar(DType dtype) const;
  /// The tensor itself, or the scalar in its default dtype (bool, i32, f32).
  [[nodiscard]] Tensor as_tensor() const;

 private:
  Tensor tensor_;
  std::optional<WeakKind> kind_;
  bool is_unsigned_ = false;
  std::int64_t integer_ = 0;
  double real_ = 0;
  SourceLoc where_;
};

/// Applies an op to operands that fit exactly (the form of the IR). Checks arity, dtypes, attributes and types.
Tensors apply(const OpDef& op, Tensors operands, Attrs attrs = {}, SourceLoc where = {});
/// As apply, for ops with one result.
[[nodiscard]] Tensor apply_one(const OpDef& op, Tensors operands, Attrs attrs = {}, SourceLoc where = {});
/// Applies an op to operands as a user wrote them: promotes and broadcasts as op.binding says.
Tensors bind(const OpDef& op, std::span<const Operand> operands, Attrs attrs, SourceLoc where = {});
[[nodiscard]] Tensor bind_one(const OpDef& op, std::initializer_list<Operand> operands, Attrs attrs = {});

/// x broadcast to a shape by reshape and expand.
[[nodiscard]] Tensor broadcast_to(Operand x, const Shape& shape);

/// While alive, equations made by this thread carry `where` instead of their own place: rules inherit their op's line.
class LocationScope {
 public:
  explicit LocationScope(SourceLoc where);
  ~LocationScope();
  LocationScope(const LocationScope&) = delete;
  LocationScope& operator=(const LocationScope&) = delete;

 private:
  SourceLoc previous_;
};

}  // namespace calx
