// What the printer and the parser must agree on: spelling of names, of array elements and of array structure.
// Private to core. Invariant: reading an element's spelling gives its bits (NaN payloads and the sign of zero
// included).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "calx/types/array.h"

namespace calx::detail::text {

/// Arrays with at most this many elements are spelled out, larger ones are base64.
inline constexpr std::int64_t kMaxSpelledElements = 64;

/// What a name starts with: [A-Za-z_].
[[nodiscard]] bool is_letter(char c);
/// [A-Za-z_][A-Za-z0-9_.]*: written bare; anything else is quoted.
[[nodiscard]] bool is_identifier(std::string_view name);
/// As identifiers, and may start with a digit, but is no number: bare after `%`.
[[nodiscard]] bool is_bare_value_name(std::string_view name);
/// "..." with \" \\ \n \t \r and \xNN for other control characters and invalid UTF-8.
void append_quoted(std::string& out, std::string_view text);

/// The name of a result that is not printed: `out`, or `out0`, `out1`, ...
[[nodiscard]] std::string default_result_name(std::size_t index, std::size_t count);

void append_real(std::string& out, double value);
[[nodiscard]] std::optional<double> read_real(std::string_view text);

/// Element i of an array.
void append_element(std::string& out, const Array& array, std::int64_t i);
/// Reads one element into place `to` of dtype; false if the text is no element or does not fit.
[[nodiscard]] bool read_element(std::string_view text, DType dtype, std::byte* to);

void append_base64(std::string& out, std::span<const std::byte> bytes);
/// Exactly out.size() bytes, else false.
[[nodiscard]] bool read_base64(std::string_view text, std::span<std::byte> out);

/// How many brackets open before (close after) element i of an array of these sizes.
class Brackets {
 public:
  explicit Brackets(std::span<const std::int64_t> sizes);
  [[nodiscard]] int opening(std::int64_t i) const;
  [[nodiscard]] int closing(std::int64_t i) const { return opening(i + 1); }

 private:
  std::vector<std::int64_t> blocks_;  // elements inside one bracket of each axis, innermost first
};

}  // namespace calx::detail::text
