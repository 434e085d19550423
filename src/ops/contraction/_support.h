// What contraction-like ops share: the checks of `accumulation`, conversion of whole arrays, and application
// by name. Knows no op's attributes but `accumulation`.
#pragma once

#include <string_view>
#include <vector>

#include "calx/core/core_ops.h"
#include "calx/core/lower.h"
#include "calx/core/reference.h"

namespace calx::ops::contraction {

/// The key that all contractions share.
inline const Attr<std::optional<DType>> accumulation{
    "accumulation", std::optional<DType>{},
    "dtype of the running sums; none: the dtype's own (f32 for f16 and bf16)"};

/// The dtype in which an op over operands of `dtype` sums.
[[nodiscard]] DType running_dtype(std::optional<DType> asked, DType dtype);
/// Raises `dtype` unless `accumulation` can be summed in and holds every value of operand 0's dtype.
void check_accumulation(const Call& c);

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
