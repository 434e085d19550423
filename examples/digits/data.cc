#include "data.h"

#include <charconv>
#include <fstream>

namespace digits {

std::pair<calx::Tensor, calx::Tensor> Dataset::rows(const std::vector<std::size_t>& which,
                                                    const std::function<int()>& shift) const {
  std::vector<float> images;
  std::vector<std::int32_t> targets;
  images.reserve(which.size() * 64);
  for (std::size_t row : which) {
    const int down = shift();
    const int right = shift();
    for (int i = 0; i < 8; ++i) {
      for (int j = 0; j < 8; ++j) {
        const int from_i = i - down;
        const int from_j = j - right;
        const bool inside = from_i >= 0 && from_i < 8 && from_j >= 0 && from_j < 8;
        images.push_back(inside ? pixels[row * 64 + static_cast<std::size_t>(from_i * 8 + from_j)] : 0.0f);
      }
    }
    targets.push_back(labels[row]);
  }
  const auto n = static_cast<std::int64_t>(which.size());
  return {calx::tensor(images, {n, 1, 8, 8}), calx::tensor(targets, {n})};
}

Split load(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    calx::raise({.id = calx::ErrorId::file_open, .op = "digits", .message = "cannot open " + path});
  }
  Split split;
  std::string line;
  for (std::size_t row = 0; std::getline(file, line); ++row) {
    std::vector<int> values;
    const char* at = line.data();
    const char* end = at + line.size();
    while (at < end) {
      int value = 0;
      const auto [next, error] = std::from_chars(at, end, value);
      if (error != std::errc()) break;
      values.push_back(value);
      at = next + 1;
    }
    if (values.size() != 65) {
      calx::raise({.id = calx::ErrorId::file_format,
                   .op = "digits",
                   .message = path + " line " + std::to_string(row + 1) + " has not 65 integers"});
    }
    Dataset& part = row % 5 == 4 ? split.held_out : split.train;
    for (int i = 0; i < 64; ++i) part.pixels.push_back(static_cast<float>(values[static_cast<std::size_t>(i)]) / 16.0f);
    part.labels.push_back(values[64]);
  }
  return split;
}

}  // namespace digits
