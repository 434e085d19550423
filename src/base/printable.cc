// Escapes. The set of characters is that of the text format's quoted names, without the quote and the backslash.
#include "calx/base/printable.h"

#include "calx/base/format.h"

namespace calx {

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) || (lead == 0xF0 && byte(1) < 0x90) ||
      (lead == 0xF4 && byte(1) > 0x8F)) {
    return 0;
  }
  return length;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto lead = static_cast<unsigned char>(text[0]);
    // U+0080 to U+009F are control characters too: terminals obey them.
    const bool control =
        lead < 0x20 || lead == 0x7F || (length == 2 && lead == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0);
    const std::size_t taken = length == 0 ? 1 : length;
    if (length != 0 && !control) {
      result += text.substr(0, length);
    } else if (lead == '\n' || lead == '\t' || lead == '\r') {
      result += lead == '\n' ? "\\n" : lead == '\t' ? "\\t" : "\\r";
    } else {
      for (const char c : text.substr(0, taken)) result += format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    text.remove_prefix(taken);
  }
  return result;
}

std::string shown(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return printable(text);
  std::size_t end = 0;
  while (end < limit) {
    const std::size_t length = utf8_length(text.substr(end));
    if (end + length > limit) break;
    end += length == 0 ? 1 : length;
  }
  return printable(text.substr(0, end)) + "...";
}

}  // namespace calx
