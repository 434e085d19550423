// fmt behind one header, so that a change of formatting library touches one file. Only its type-erased core is included:
// the rest would be compiled again in every file that formats.
#pragma once

#include <string>
#include <string_view>

#include <fmt/core.h>

namespace calx {

using fmt::format;

/// The elements of a range, formatted, with `separator` between them.
template <class Range>
[[nodiscard]] std::string join(const Range& range, std::string_view separator) {
  std::string text;
  bool first = true;
  for (const auto& element : range) {
    if (!first) text += separator;
    first = false;
    text += format("{}", element);
  }
  return text;
}

}  // namespace calx
