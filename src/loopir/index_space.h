// Axes, sizes and positions: arithmetic that loop nests share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "calx/base/checked.h"
#include "calx/loopir/interpreter.h"

namespace calx::loopir {

using Index = std::span<const std::int64_t>;

inline Sizes pick(Index values, const Axes& axes) {
  Sizes result;
  for (int axis : axes) result.push_back(values[static_cast<std::size_t>(axis)]);
  return result;
}

inline Axes other_axes(int rank, const Axes& first, const Axes& second) {
  Axes result;
  for (int axis = 0; axis < rank; ++axis) {
    const auto is_in = [&](const Axes& axes) {
      return std::find(axes.begin(), axes.end(), axis) != axes.end();
    };
    if (!is_in(first) && !is_in(second)) result.push_back(axis);
  }
  return result;
}

inline std::int64_t count(Index sizes) { return *checked_product(sizes); }

/// Positions of all indices below sizes, in row-major order.
inline std::vector<std::int64_t> positions(const Sizes& sizes, const Sizes& strides) {
  std::vector<std::int64_t> result;
  for_each_index(sizes, [&](Index index) {
    result.push_back(std::inner_product(index.begin(), index.end(), strides.begin(), std::int64_t{0}));
  });
  return result;
}

}  // namespace calx::loopir
