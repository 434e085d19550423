// The binder, for the files of ops: inference of types, broadcasting, and the helpers of type rules.
#pragma once

#include <span>

#include "calx/core/op_def.h"
#include "calx/core/operand.h"

namespace calx {

/// Checks an application without making it; returns the result types and completes `attrs`.
[[nodiscard]] std::vector<Type> infer_types(const OpDef& op, std::span<const Type> operands, Attrs& attrs,
                                            SourceLoc where);

/// The shape to which both broadcast (right-aligned; 1 against n, and absent axes); raises shape_mismatch.
[[nodiscard]] Shape broadcast_shapes(const Shape& a, const Shape& b, const Call* call = nullptr);

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
