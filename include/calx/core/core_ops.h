// Builders of the core ops: those that transforms and the binder must emit. Operands fit exactly, nothing is promoted or
// broadcast here; users call the ops of ops.h.
#pragma once

#include "calx/core/operand.h"

namespace calx {

enum class Comparison : std::uint8_t { eq, ne, lt, le, gt, ge };
template <>
struct EnumNames<Comparison> {
  static constexpr std::string_view type = "Comparison";
  static constexpr std::string_view names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
};

namespace core {

/// A scalar tensor of a size: i64 unless a dtype is given.
[[nodiscard]] Tensor size(const Dim& dim, DType dtype = i64);
/// 0, 1, 2, ... along `axis`.
[[nodiscard]] Tensor iota(const Shape& shape, int axis, DType dtype = i32);
/// Operand axis i becomes axis dims[i] of the result (strictly increasing, sizes equal); other axes repeat.
[[nodiscard]] Tensor expand(const Tensor& x, const Shape& shape, const std::vector<std::int64_t>& dims);
[[nodiscard]] Tensor reduce_sum(const Tensor& x, const std::vector<std::int64_t>& axes,
                                std::optional<DType> accumulation = {});
[[nodiscard]] Tensor reshape(const Tensor& x, const Shape& shape);
[[nodiscard]] Tensor transpose(const Tensor& x, const std::vector<std::int64_t>& permutation);
[[nodiscard]] Tensor convert(const Tensor& x, DType dtype);
[[nodiscard]] Tensor select(const Tensor& predicate, const Tensor& on_true, const Tensor& on_false);
[[nodiscard]] Tensor compare(const Tensor& lhs, const Tensor& rhs, Comparison comparison);
[[nodiscard]] Tensor add(const Tensor& lhs, const Tensor& rhs);
[[nodiscard]] Tensor sub(const Tensor& lhs, const Tensor& rhs);
[[nodiscard]] Tensor neg(const Tensor& x);
[[nodiscard]] Tensor mul(const Tensor& lhs, const Tensor& rhs);
[[nodiscard]] Tensor div(const Tensor& lhs, const Tensor& rhs);
[[nodiscard]] Tensor strong_mul(const Tensor& lhs, const Tensor& rhs);
/// index where 0 <= index < n; elsewhere, if `counts` is absent or holds, a run-time error in the name of the op `caller`,
/// which tells an index below 0 as it was before n was added if `from_back` is set.
[[nodiscard]] Tensor checked_index(const Tensor& index, const Dim& n, std::string_view caller = "checked_index",
                                   const Tensor& counts = {}, bool from_back = false);
[[nodiscard]] Tensors barrier(const Tensors& operands);
[[nodiscard]] Tensors call(const Function& f, const Tensors& operands);

// Made of the above.
[[nodiscard]] Tensor full(const Type& type, double value);
[[nodiscard]] Tensor zeros(const Type& type);
[[nodiscard]] Tensor ones(const Type& type);
/// x with a new axis 0 of size n, repeated.
[[nodiscard]] Tensor add_leading_axis(const Tensor& x, const Dim& n);
/// x with axis `from` moved to `to`.
[[nodiscard]] Tensor move_axis(const Tensor& x, int from, int to);

}  // namespace core
}  // namespace calx
