// Between the interpreter's files: kernel descriptors as loop nests, and the types sums are computed in.
#pragma once

#include <span>
#include <vector>

#include "calx/loopir/lowered.h"
#include "calx/types/array.h"

namespace calx::loopir {

/// Operands are contiguous.
[[nodiscard]] std::vector<Array> run_kernel(const Kernel& kernel, const std::vector<Array>& operands,
                                            std::span<const Type> results);

/// The dtype in which an accumulation in `dtype` is computed: f32 for the 16-bit floats.
[[nodiscard]] inline DType accumulator(DType dtype) { return dtype == f16 || dtype == bf16 ? f32 : dtype; }

/// visit_dtype for what accumulator() returns.
template <class Visit>
decltype(auto) visit_accumulator(DType dtype, Visit&& visit) {
  return visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<ComputeType<T>, T>) {
      return visit(std::type_identity<T>{});
    } else {
      raise_internal("16-bit floats are accumulated in f32");
    }
  });
}

}  // namespace calx::loopir
