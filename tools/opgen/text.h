// Laying out text: wrapping, comments, joined lists. Deterministic; no line exceeds kWidth where it can be broken.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace opgen {

inline constexpr std::size_t kWidth = 110;

/// `text` wrapped at spaces; the first line starts with `first`, the others with `rest`. Line breaks in `text` stay.
[[nodiscard]] std::string wrap(std::string_view text, std::string_view first, std::string_view rest);

/// `head` followed by the items in parentheses and `tail`, broken between items and aligned with the first one.
[[nodiscard]] std::string parenthesised(std::string_view head, const std::vector<std::string>& items, std::string_view tail);

}  // namespace opgen
