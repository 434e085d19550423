// Text that may hold anything (names, programs, files of users), made fit for messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace calx {

/// Bytes of the well-formed UTF-8 character at the front of a text that is not empty; 0 if there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// The text with control characters (NUL included) and bytes that are no UTF-8 spelled as \n, \t, \r or \xNN. Everything
/// else stays, so what is printable already is not changed.
[[nodiscard]] std::string printable(std::string_view text);

/// For quoting in a message: printable, and cut after `limit` bytes, where `...` says so.
[[nodiscard]] std::string shown(std::string_view text, std::size_t limit = 80);

}  // namespace calx
