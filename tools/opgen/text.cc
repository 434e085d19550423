#include "text.h"

#include <algorithm>

namespace opgen {

std::string wrap(std::string_view text, std::string_view first, std::string_view rest) {
  std::string result;
  std::string line(first);
  bool has_word = false;
  const auto finish = [&] {
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
    line = rest;
    has_word = false;
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    if (!word.empty()) {
      if (has_word && line.size() + 1 + word.size() > kWidth) finish();
      if (has_word) line += ' ';
      line += word;
      has_word = true;
    } else if (has_word && end < text.size() && text[end] == ' ') {
      line += ' ';  // spaces inside a line stay
    }
    if (end < text.size() && text[end] == '\n') finish();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (has_word) finish();
  return result;
}

std::string parenthesised(std::string_view head, const std::vector<std::string>& items, std::string_view tail) {
  std::string result(head);
  result += '(';
  const std::size_t start = head.rfind('\n') == std::string_view::npos ? 0 : head.rfind('\n') + 1;
  const std::size_t indent = head.size() - start + 1;
  std::size_t column = indent;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::size_t closing = i + 1 < items.size() ? 1 : 1 + tail.size();
    if (i > 0) {
      if (column + 1 + items[i].size() + closing > kWidth) {
        result += '\n' + std::string(indent, ' ');
        column = indent;
      } else {
        result += ' ';
        ++column;
      }
    }
    result += items[i];
    column += items[i].size();
    if (i + 1 < items.size()) {
      result += ',';
      ++column;
    }
  }
  result += ')';
  result += tail;
  return result;
}

}  // namespace opgen
