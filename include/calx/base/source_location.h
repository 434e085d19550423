// Where in the user's program something was written. A SourceLoc is what errors print and equations carry;
// it never takes part in equality, hashing or the text format.
#pragma once

#include <cstdint>
#include <source_location>
#include <string>

namespace calx {

struct SourceLoc {
  const char* file = nullptr;  // static storage: from std::source_location, or interned by the parser
  std::uint32_t line = 0;

  constexpr SourceLoc() = default;
  constexpr SourceLoc(const char* file_name, std::uint32_t line_number) : file(file_name), line(line_number) {}
  constexpr SourceLoc(const std::source_location& where) : file(where.file_name()), line(where.line()) {}

  [[nodiscard]] static constexpr SourceLoc current(
      const std::source_location& where = std::source_location::current()) {
    return SourceLoc(where);
  }
  [[nodiscard]] constexpr bool known() const { return file != nullptr; }
};

/// "train.cc:41": the file's last path component and the line; empty when unknown.
[[nodiscard]] std::string to_string(const SourceLoc& where);

}  // namespace calx
