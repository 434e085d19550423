// The handwritten digits: 1,797 images of 8 x 8 pixels with values 0 to 16, from a CSV beside this file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "calx/calx.h"

namespace digits {

struct Dataset {
  std::vector<float> pixels;         // [n, 64], in [0, 1]
  std::vector<std::int32_t> labels;  // [n]
  [[nodiscard]] std::size_t size() const { return labels.size(); }
  /// Images f32[n,1,8,8] and labels i32[n] of the given rows. Each image is moved by shift() pixels down and right.
  [[nodiscard]] std::pair<calx::Tensor, calx::Tensor> rows(const std::vector<std::size_t>& which,
                                                           const std::function<int()>& shift) const;
};

/// Every fifth row is held out.
struct Split {
  Dataset train;
  Dataset held_out;
};

/// Raises FileError if the file is missing or is not 65 integers a row.
[[nodiscard]] Split load(const std::string& path);

}  // namespace digits
