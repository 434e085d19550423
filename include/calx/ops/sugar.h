// NumPy's names over the core ops: making tensors and changing shapes. Each of these is one or two core ops; they state no
// rule of their own. Sizes may be symbolic everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "calx/core/operand.h"

namespace calx {

// ---- New tensors -----------------------------------------------------------------------------------------------------

/// `zeros({2, 3})` is f32[2,3].
[[nodiscard]] Tensor zeros(const Shape& shape, DType dtype = f32, SourceLoc where = SourceLoc::current());
[[nodiscard]] Tensor ones(const Shape& shape, DType dtype = f32, SourceLoc where = SourceLoc::current());
/// A scalar (C++ or tensor) repeated; a C++ scalar has its default dtype (f32, i32, bool) unless one is given.
[[nodiscard]] Tensor full(const Shape& shape, const Operand& value, std::optional<DType> dtype = {});
[[nodiscard]] Tensor zeros_like(const Operand& x);
[[nodiscard]] Tensor ones_like(const Operand& x);
[[nodiscard]] Tensor full_like(const Operand& x, const Operand& value);

struct ArangeOptions {
  std::int64_t start = 0;
  std::int64_t step = 1;
  DType dtype = i32;
};
/// start, start + step, ... : the values below `stop` (above it where step < 0). Raises `value` if step is 0. With a
/// symbolic `stop` the count is ceil((stop - start) / step), or 0 where that is negative.
[[nodiscard]] Tensor arange(const Dim& stop, const ArangeOptions& options = {}, SourceLoc where = SourceLoc::current());

struct EyeOptions {
  /// Number of columns; none: as many as rows.
  std::optional<Dim> columns = {};
  /// Which diagonal is 1: above the main one where positive.
  std::int64_t offset = 0;
  DType dtype = f32;
};
/// 1 on a diagonal, 0 elsewhere: dtype[rows,columns].
[[nodiscard]] Tensor eye(const Dim& rows, const EyeOptions& options = {}, SourceLoc where = SourceLoc::current());

// ---- Shapes ------------------------------------------------------------------------------------------------------------

/// The same elements in row-major order under another shape. One size may be -1: what the others leave. Raises
/// reshape_count if counts differ, dim_unknown if that is undecided, value if two sizes are -1 or the -1 is ambiguous.
[[nodiscard]] Tensor reshape(const Operand& x, const Shape& shape);
/// One axis with all elements.
[[nodiscard]] Tensor flatten(const Operand& x);
/// Without the axes, whose sizes must be 1 (negative axes count from the back); without a list, without every axis that
/// is provably of size 1.
[[nodiscard]] Tensor squeeze(const Operand& x, const std::vector<std::int64_t>& axes);
[[nodiscard]] Tensor squeeze(const Operand& x);
/// With new axes of size 1 at these positions of the result.
[[nodiscard]] Tensor expand_dims(const Operand& x, const std::vector<std::int64_t>& axes);
[[nodiscard]] Tensor swapaxes(const Operand& x, std::int64_t axis1, std::int64_t axis2);
/// The axis `source` moved to position `destination`; the others keep their order.
[[nodiscard]] Tensor moveaxis(const Operand& x, std::int64_t source, std::int64_t destination);
/// All axes reversed.
[[nodiscard]] Tensor transpose(const Operand& x);

// ---- dtypes ------------------------------------------------------------------------------------------------------------

/// `convert` by NumPy's name.
[[nodiscard]] Tensor astype(const Operand& x, DType dtype);

}  // namespace calx
