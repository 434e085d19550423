// The binder: from what a user writes (tensors of several dtypes and shapes, C++ scalars) to an equation whose operands
// fit exactly. Promotion inserts `convert`, broadcasting inserts `expand`; scalars are weak. Also the one door through
// which every op is applied: `apply`.
#pragma once

#include <concepts>
#include <optional>
#include <source_location>
#include <span>

#include "calx/core/op_def.h"

namespace calx {

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

/// Checks an application without making it; returns the result types and completes `attrs`.
[[nodiscard]] std::vector<Type> infer_types(const OpDef& op, std::span<const Type> operands, Attrs& attrs,
                                            SourceLoc where);

/// The shape to which both broadcast (right-aligned; 1 against n, and absent axes); raises shape_mismatch.
[[nodiscard]] Shape broadcast_shapes(const Shape& a, const Shape& b, const Call* call = nullptr);
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

// ---- Helpers for type rules ----------------------------------------------------------------------------------------------

/// axis in [0, rank) from one in [-rank, rank); raises `axis`.
[[nodiscard]] int normalize_axis(const Call& call, std::int64_t axis, int rank, std::string_view attribute = "axis");
/// Sorted, distinct axes; raises `axis` or `duplicate_axis`.
[[nodiscard]] std::vector<int> normalize_axes(const Call& call, const std::vector<std::int64_t>& axes, int rank,
                                              std::string_view attribute = "axes");
/// Raises shape_mismatch (or dim_unknown) unless a == b for certain.
void require_equal(const Call& call, const Dim& a, const Dim& b, std::string_view what_a, std::string_view what_b,
                   ErrorId id = ErrorId::shape_mismatch);
/// Raises shape_mismatch unless the operands' shapes are equal.
void require_same_shape(const Call& call, int a, int b);
void require_same_dtype(const Call& call, int a, int b);
void require_rank(const Call& call, int operand, int rank);

namespace infer {
/// The type of operand i.
[[nodiscard]] InferRule same_as(int i);
/// All operands have one shape and dtype; that is the result's type.
[[nodiscard]] InferRule pointwise();
/// All operands have one shape and dtype; the result has another dtype.
[[nodiscard]] InferRule pointwise_to(DType dtype);
}  // namespace infer

namespace batch {
/// Pointwise ops: every operand gets the batch axis.
std::vector<Batched> pointwise(const BatchCall& call);
}  // namespace batch

}  // namespace calx
