// Small arrays in three layouts: contiguous, reversed with gaps, and (where equal along an axis) stride 0.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "calx/loopir/interpreter.h"

namespace calx::loopir {

template <class T>
[[nodiscard]] Array array(std::vector<std::int64_t> sizes, std::vector<T> values) {
  return Array::from<T>(std::move(sizes), values);
}

/// 0, 1, 2, ... row-major.
[[nodiscard]] inline Array counting(std::vector<std::int64_t> sizes, DType dtype = f32) {
  Array result = Array::uninitialized(i64, std::move(sizes));
  std::iota(result.mutable_data<std::int64_t>(), result.mutable_data<std::int64_t>() + result.num_elements(),
            0);
  return converted(result, dtype);
}

/// The same elements stored backwards along every axis, axes in reverse order, with a gap of one element
/// between neighbours.
[[nodiscard]] inline StridedArray scattered(const Array& source) {
  StridedArray result;
  result.dtype = source.dtype();
  result.sizes = source.sizes();
  result.strides.resize(source.sizes().size());
  std::int64_t stride = 2;
  for (std::size_t axis = 0; axis < source.sizes().size(); ++axis) {
    result.strides[axis] = -stride;
    result.offset += stride * std::max<std::int64_t>(0, source.sizes()[axis] - 1);
    stride *= std::max<std::int64_t>(1, source.sizes()[axis]);
  }
  const auto size = static_cast<std::size_t>(source.dtype().size_bytes());
  result.buffer = Buffer::uninitialized(static_cast<std::size_t>(result.offset + 1) * size);
  std::memset(result.buffer.mutable_data(), 0x5A, result.buffer.size_bytes());
  std::int64_t position = 0;
  for_each_index(source.sizes(), [&](std::span<const std::int64_t> index) {
    const auto target = result.offset + std::inner_product(index.begin(), index.end(), result.strides.begin(),
                                                           std::int64_t{0});
    std::memcpy(result.buffer.mutable_data() + static_cast<std::size_t>(target) * size,
                source.buffer().data() + static_cast<std::size_t>(position++) * size, size);
  });
  return result;
}

/// Runs on contiguous and on scattered operands and expects these results from both.
inline void expect_run(const Lowered& lowered, const std::vector<Array>& operands,
                       const std::vector<Array>& expected) {
  std::vector<StridedArray> contiguous, strided;
  for (const Array& operand : operands) {
    contiguous.push_back(StridedArray::of(operand));
    strided.push_back(scattered(operand));
  }
  std::vector<Type> types;
  for (const Array& result : expected) types.push_back(result.type());
  for (const auto& layout : {contiguous, strided}) {
    const std::vector<Array> results = run(lowered, layout, types);
    ASSERT_EQ(results.size(), expected.size());
    for (std::size_t r = 0; r < results.size(); ++r) {
      ASSERT_EQ(results[r].type(), expected[r].type());
      for (std::int64_t i = 0; i < results[r].num_elements(); ++i) {
        EXPECT_EQ(results[r].element_as_double(i), expected[r].element_as_double(i))
            << "result " << r << ", element " << i;
      }
    }
  }
}

}  // namespace calx::loopir
