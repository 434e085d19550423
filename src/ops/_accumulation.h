// The dtype in which an op sums or multiplies: an attribute of every op that does, and its one check.
#pragma once

#include <optional>

#include "calx/core/core_ops.h"

namespace calx::ops {

/// In which dtype an op over operands of `dtype` accumulates.
[[nodiscard]] inline DType running_dtype(std::optional<DType> asked, DType dtype) {
  return asked.value_or(dtype.accumulation());
}
/// Raises `dtype` unless attribute `accumulation`, where it is given, is a dtype that things are accumulated in
/// and holds every value of operand 0's dtype.
void check_accumulation(const Call& c);

}  // namespace calx::ops
