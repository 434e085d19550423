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

/// f<T>() with the C++ type of a dtype that sums can run in (f32, f64, i32, u32, i64, u64).
template <class Visit>
void visit_running(DType dtype, Visit&& visit_one) {
  visit_dtype(dtype, [&]<class T>(std::type_identity<T> id) {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) >= 4) {
      visit_one(id);
    } else {
      raise_internal("a sum runs in a dtype that it cannot run in");
    }
  });
}

/// The axes in [0, rank) that are in neither list, in order.
[[nodiscard]] std::vector<std::int64_t> other_axes(int rank, const std::vector<std::int64_t>& a,
                                                   const std::vector<std::int64_t>& b);

}  // namespace calx::ops::contraction
