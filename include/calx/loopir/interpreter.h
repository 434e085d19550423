// Runs a Lowered: small and slow, generic loops that follow summation.h, right by inspection. Judges backends
// and the `lower` slots of ops. Knows no ops; regions and opaque calls are not its business (an
// UnsupportedError).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "calx/loopir/lowered.h"
#include "calx/types/array.h"

namespace calx::loopir {

/// An operand in memory: element i is at offset + sum of i[a] * strides[a], in elements of the buffer;
/// strides may be 0 or negative.
struct StridedArray {
  DType dtype = f32;
  std::vector<std::int64_t> sizes = {};
  std::vector<std::int64_t> strides = {};
  std::int64_t offset = 0;
  Buffer buffer = {};

  [[nodiscard]] static StridedArray of(const Array& array);
  [[nodiscard]] Array to_contiguous() const;
};

/// One array per entry of `results`, of its (static) type. The shapes of operands and results are checked.
[[nodiscard]] std::vector<Array> run(const Lowered& lowered, std::span<const StridedArray> operands,
                                     std::span<const Type> results);

/// Every element converted as convert_element does.
[[nodiscard]] Array converted(const Array& array, DType dtype);

/// Calls visit(index) for every index below sizes, in row-major order.
template <class Visit>
void for_each_index(std::span<const std::int64_t> sizes, Visit&& visit) {
  for (std::int64_t size : sizes) {
    if (size == 0) return;
  }
  std::vector<std::int64_t> index(sizes.size(), 0);
  while (true) {
    visit(std::span<const std::int64_t>(index));
    std::size_t axis = sizes.size();
    while (axis > 0 && ++index[axis - 1] == sizes[axis - 1]) index[--axis] = 0;
    if (axis == 0) return;
  }
}

}  // namespace calx::loopir
