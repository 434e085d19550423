// The dtype of positions: an attribute of the ops that give positions, and its one rule.
#pragma once

#include <optional>

#include "calx/core/core_ops.h"

namespace calx::ops {

/// The attribute.
inline constinit const Attr<std::optional<DType>> index_dtype{
    "index_dtype", std::optional<DType>{}, "dtype of the positions, i32 or i64; none: i32 unless they are known not to fit"};

/// A dtype that holds the positions 0, ..., count - 1: i32 unless count is known to exceed 2^31.
[[nodiscard]] DType counting_dtype(const Dim& count);

/// The dtype of positions below `count`: the one that attribute `index_dtype` asks for, else counting_dtype. Raises `attribute`
/// for what is neither i32 nor i64.
[[nodiscard]] DType positions_dtype(const Call& c, std::optional<DType> asked, const Dim& count);

}  // namespace calx::ops
