// The dtype in which an op sums or multiplies: an attribute of every op that does, and its one check.
#pragma once

#include <optional>

#include "calx/core/core_ops.h"

namespace calx::ops {

/// The attribute.
inline constinit const Attr<std::optional<DType>> accumulation{
    "accumulation", std::optional<DType>{}, "dtype of the computation; none: the dtype's own (f32 for f16 and bf16)"};
/// In which dtype an op over operands of `dtype` accumulates.
[[nodiscard]] inline DType running_dtype(std::optional<DType> asked, DType dtype) {
  return asked.value_or(dtype.accumulation());
}
/// Raises `dtype` unless attribute `accumulation`, where it is given, is a dtype that things are accumulated
/// in and holds every value of operand 0's dtype.
void check_accumulation(const Call& c);

/// f<T>() with the C++ type of a dtype that things are accumulated in (f32, f64, i32, u32, i64, u64).
template <class Visit>
void visit_running(DType dtype, Visit&& visit_one) {
  visit_dtype(dtype, [&]<class T>(std::type_identity<T> id) {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) >= 4) {
      visit_one(id);
    } else {
      raise_internal("nothing is accumulated in this dtype");
    }
  });
}

}  // namespace calx::ops
