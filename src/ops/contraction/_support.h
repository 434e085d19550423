// What contraction-like ops share: the key of `accumulation`, conversion of whole arrays, and lists of axes.
// Knows no op's attributes but `accumulation`.
#pragma once

#include <string_view>
#include <vector>

#include "_accumulation.h"
#include "calx/core/core_ops.h"
#include "calx/core/lower.h"
#include "calx/core/reference.h"

namespace calx::ops::contraction {

/// The key that all contractions share.
inline const Attr<std::optional<DType>> accumulation{
    "accumulation", std::optional<DType>{},
    "dtype of the running sums; none: the dtype's own (f32 for f16 and bf16)"};

/// Every element converted as the op `convert` does.
[[nodiscard]] Array converted(const Array& array, DType dtype);

/// The axes in [0, rank) that are in neither list, in order.
[[nodiscard]] std::vector<std::int64_t> other_axes(int rank, const std::vector<std::int64_t>& a,
                                                   const std::vector<std::int64_t>& b);

}  // namespace calx::ops::contraction
