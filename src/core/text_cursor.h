// Cursor: a place in the text being parsed: tokens, comments, and errors that name line and column. Private
// to core. Invariant: never reads outside the text; every failure is an Error with id parse.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "calx/types/array.h"

namespace calx::detail::text {

class Cursor {
 public:
  Cursor(std::string_view text, std::string_view file);

  /// Skips white space and comments.
  void skip();
  [[nodiscard]] bool at_end();
  [[nodiscard]] char peek();  // after skip(); '\0' at the end
  [[nodiscard]] bool accept(char c);
  [[nodiscard]] bool accept(std::string_view symbol);  // "->", ">="
  void expect(char c, std::string_view context);
  void expect(std::string_view symbol, std::string_view context);

  /// [A-Za-z_][A-Za-z0-9_.]*; empty if there is none here.
  [[nodiscard]] std::string_view identifier();
  /// True iff the next word is `word`, which is then consumed.
  [[nodiscard]] bool accept_word(std::string_view word);
  /// A name: an identifier or a quoted text.
  [[nodiscard]] std::string name(std::string_view what);
  [[nodiscard]] std::string quoted();
  /// The characters between the quotes, without escapes: for payloads.
  [[nodiscard]] std::string_view raw_quoted();
  /// [A-Za-z0-9_.]+ directly at the cursor.
  [[nodiscard]] std::string_view word();
  /// A number-like token: [A-Za-z0-9_.+-]+ and, after `nan`, its payload in parentheses.
  [[nodiscard]] std::string_view scalar();
  /// The text of a size up to `,`, `]`, `}`, `{`, `>` or the end of the line, parentheses matched.
  [[nodiscard]] std::string_view dim();
  /// `f32[...]`; empty if there is none here.
  [[nodiscard]] std::string_view type();

  [[nodiscard]] std::size_t offset() const { return offset_; }
  [[nodiscard]] std::size_t remaining() const { return text_.size() - offset_; }
  [[nodiscard]] SourceLoc location() const { return {file_, line_}; }
  [[nodiscard]] bool line_break_before_next();

  /// A place to blame later.
  struct Mark {
    std::size_t offset;
    std::uint32_t line;
  };
  [[nodiscard]] Mark mark();
  [[noreturn]] void fail(std::string message, std::string hint = {});
  [[noreturn]] void fail_at(Mark mark, std::string message, std::string hint = {}, Facts facts = {},
                            std::vector<std::string> notes = {}) const;
  /// The next few characters, quoted, for messages.
  [[nodiscard]] std::string found();

 private:
  std::string_view text_;
  const char* file_;
  std::size_t offset_ = 0;
  std::uint32_t line_ = 1;
};

/// The data of a constant whose type (at `mark`) has been read: nested lists of elements, or base64.
[[nodiscard]] Array read_array(Cursor& at, const Type& type, Cursor::Mark mark);

}  // namespace calx::detail::text
