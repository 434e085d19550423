// Tokens, comments, and places. Columns are counted in characters, and only when an error needs them.
#include "text_cursor.h"

#include <mutex>
#include <set>

#include "calx/base/format.h"
#include "text_elements.h"

namespace calx::detail::text {
namespace {

/// Locations outlive the text: file names are kept.
const char* interned(std::string_view file) {
  static auto* mutex = new std::mutex;
  static auto* names = new std::set<std::string, std::less<>>;
  std::scoped_lock lock(*mutex);
  auto found = names->find(file);
  if (found == names->end()) found = names->emplace(file).first;
  return found->c_str();
}

bool is_word_char(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '.'; }

}  // namespace

Cursor::Cursor(std::string_view text, std::string_view file) : text_(text), file_(interned(file)) {
  if (text_.starts_with("\xEF\xBB\xBF")) offset_ = 3;
}

void Cursor::skip() {
  while (offset_ < text_.size()) {
    const char c = text_[offset_];
    if (c == '\n') {
      ++line_;
    } else if (c == '#') {
      offset_ = std::min(text_.find('\n', offset_), text_.size());
      continue;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      return;
    }
    ++offset_;
  }
}

bool Cursor::at_end() {
  skip();
  return offset_ == text_.size();
}

char Cursor::peek() { return at_end() ? '\0' : text_[offset_]; }

bool Cursor::accept(char c) {
  if (at_end() || text_[offset_] != c) return false;
  ++offset_;
  return true;
}

bool Cursor::accept(std::string_view symbol) {
  skip();
  if (!text_.substr(offset_).starts_with(symbol)) return false;
  offset_ += symbol.size();
  return true;
}

void Cursor::expect(char c, std::string_view context) { expect(std::string_view(&c, 1), context); }

void Cursor::expect(std::string_view symbol, std::string_view context) {
  if (!accept(symbol)) fail(format("expected `{}` {}, found {}", symbol, context, found()));
}

std::string_view Cursor::identifier() {
  skip();
  const std::size_t start = offset_;
  if (offset_ < text_.size() && is_letter(text_[offset_])) return word();
  return text_.substr(start, 0);
}

bool Cursor::accept_word(std::string_view wanted) {
  skip();
  const std::size_t end = offset_ + wanted.size();
  if (!text_.substr(offset_).starts_with(wanted) || (end < text_.size() && is_word_char(text_[end])))
    return false;
  offset_ = end;
  return true;
}

std::string Cursor::name(std::string_view what) {
  if (peek() == '"') return quoted();
  const std::string_view text = identifier();
  if (text.empty()) fail(format("expected {}, found {}", what, found()));
  return std::string(text);
}

std::string Cursor::quoted() {
  expect('"', "to open a text");
  std::string result;
  while (true) {
    if (offset_ == text_.size() || text_[offset_] == '\n') fail("a text has no closing quote on its line");
    const char c = text_[offset_++];
    if (c == '"') return result;
    if (c != '\\') {
      result += c;
      continue;
    }
    const char escape = offset_ < text_.size() ? text_[offset_++] : '\0';
    const auto digit = [&](std::size_t at) {
      const char d = at < text_.size() ? text_[at] : '\0';
      return d >= '0' && d <= '9'   ? d - '0'
             : d >= 'a' && d <= 'f' ? d - 'a' + 10
             : d >= 'A' && d <= 'F' ? d - 'A' + 10
                                    : -1;
    };
    switch (escape) {
      case '"':
      case '\\':
        result += escape;
        break;
      case 'n':
        result += '\n';
        break;
      case 't':
        result += '\t';
        break;
      case 'r':
        result += '\r';
        break;
      case 'x':
        if (digit(offset_) < 0 || digit(offset_ + 1) < 0) fail("`\\x` takes two hexadecimal digits");
        result += static_cast<char>(digit(offset_) * 16 + digit(offset_ + 1));
        offset_ += 2;
        break;
      default:
        fail("unknown escape", "the escapes are \\\" \\\\ \\n \\t \\r and \\xNN");
    }
  }
}

std::string_view Cursor::raw_quoted() {
  expect('"', "to open a payload");
  const std::size_t start = offset_;
  const std::size_t end = text_.find_first_of("\"\n", start);
  if (end == std::string_view::npos || text_[end] != '"') fail("a payload has no closing quote on its line");
  offset_ = end + 1;
  return text_.substr(start, end - start);
}

std::string_view Cursor::word() {
  const std::size_t start = offset_;
  while (offset_ < text_.size() && is_word_char(text_[offset_])) ++offset_;
  return text_.substr(start, offset_ - start);
}

std::string_view Cursor::scalar() {
  skip();
  const std::size_t start = offset_;
  while (offset_ < text_.size() &&
         (is_word_char(text_[offset_]) || text_[offset_] == '-' || text_[offset_] == '+')) {
    ++offset_;
  }
  if (text_.substr(start, offset_ - start) == "nan" && offset_ < text_.size() && text_[offset_] == '(') {
    ++offset_;
    (void)word();
    if (offset_ < text_.size() && text_[offset_] == ')') ++offset_;
  }
  return text_.substr(start, offset_ - start);
}

std::string_view Cursor::dim() {
  skip();
  const std::size_t start = offset_;
  int depth = 0;
  for (; offset_ < text_.size(); ++offset_) {
    const char c = text_[offset_];
    if (c == '(') ++depth;
    if (c == ')' && --depth < 0) break;
    if (c == '\n' || c == '\r' || c == '#' || c == ']' || c == '{' || c == '}' || c == '>' ||
        (c == ',' && depth == 0))
      break;
  }
  std::size_t end = offset_;
  while (end > start && (text_[end - 1] == ' ' || text_[end - 1] == '\t')) --end;
  return text_.substr(start, end - start);
}

std::string_view Cursor::type() {
  skip();
  const std::size_t start = offset_;
  std::size_t end = start;
  while (end < text_.size() && is_word_char(text_[end])) ++end;
  if (end == start || end == text_.size() || text_[end] != '[') return text_.substr(start, 0);
  const std::size_t close = text_.find_first_of("]\n", end);
  if (close == std::string_view::npos || text_[close] != ']') return text_.substr(start, 0);
  offset_ = close + 1;
  return text_.substr(start, offset_ - start);
}

bool Cursor::line_break_before_next() {
  const std::uint32_t line = line_;
  skip();
  return line_ != line || offset_ == text_.size();
}

Cursor::Mark Cursor::mark() {
  skip();
  return {offset_, line_};
}

void Cursor::fail(std::string message, std::string hint) {
  fail_at({offset_, line_}, std::move(message), std::move(hint));
}

void Cursor::fail_at(Mark mark, std::string message, std::string hint, Facts facts,
                     std::vector<std::string> notes) const {
  const std::size_t newline = mark.offset == 0 ? std::string_view::npos : text_.rfind('\n', mark.offset - 1);
  std::size_t column = 1;
  for (std::size_t i = newline == std::string_view::npos ? 0 : newline + 1; i < mark.offset; ++i) {
    if ((static_cast<unsigned char>(text_[i]) & 0xC0) != 0x80) ++column;  // characters, not bytes
  }
  facts.insert(facts.begin(), {{"line", format("{}", mark.line)}, {"column", format("{}", column)}});
  raise({.id = ErrorId::parse,
         .message = format("line {}, column {}: {}", mark.line, column, message),
         .where = {file_, mark.line},
         .hint = std::move(hint),
         .facts = std::move(facts),
         .notes = std::move(notes)});
}

std::string Cursor::found() {
  if (at_end()) return "the end of the text";
  constexpr std::size_t kShown = 24;
  std::string_view rest = text_.substr(offset_);
  rest = rest.substr(0, std::min(rest.find('\n'), kShown));
  std::string text;
  append_quoted(text, rest);
  return text;
}

}  // namespace calx::detail::text
