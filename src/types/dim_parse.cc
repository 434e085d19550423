// Reads Dims:  sum = ['-'] product {('+'|'-') product};  product = factor {'*' factor};
// factor = number | (name | '(' sum ')' | 'floor' '(' product '/' factor ')' | ('min'|'max') '(' sum ',' …
// ')') ['^' n]. Safe on hostile text: nesting is bounded here, the size of forms by dim_poly.
#include <limits>

#include "calx/base/error.h"
#include "dim_poly.h"

namespace calx {
namespace detail {
namespace {

constexpr int kMaxNesting = 2 * kMaxDepth + 4;  // what to_string needs for the deepest form

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  std::optional<Dim> parse() {
    auto result = sum();
    skip_space();
    return rest_.empty() ? result : std::nullopt;
  }

 private:
  void skip_space() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\n' || rest_[0] == '\r')) {
      rest_.remove_prefix(1);
    }
  }

  bool accept(char c) {
    skip_space();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::optional<Dim> sum() {
    std::optional<Dim> total = product(accept('-'));
    while (total) {
      const bool negative = accept('-');
      if (!negative && !accept('+')) break;
      const auto next = product(negative);
      if (!next) return std::nullopt;
      *total += *next;
    }
    return total;
  }

  // The sign belongs to the first factor: -9223372036854775808 has no positive counterpart.
  std::optional<Dim> product(bool negative) {
    if (!negative) negative = accept('-');
    auto result = factor(negative);
    while (result && accept('*')) {
      const auto next = factor(false);
      if (!next) return std::nullopt;
      *result *= *next;
    }
    return result;
  }

  std::optional<Dim> factor(bool negative) {
    skip_space();
    if (rest_.empty()) return std::nullopt;
    if (is_digit(rest_[0])) return number(negative);
    auto base = accept('(') ? parenthesised() : named();
    if (!base) return std::nullopt;
    if (accept('^')) {
      skip_space();
      const auto exponent = number(false);
      if (!exponent || exponent->value() < 1 || exponent->value() > kMaxDegree) return std::nullopt;
      const Dim one = *base;
      for (std::int64_t i = 1; i < exponent->value(); ++i) *base *= one;
    }
    return negative ? -*base : *base;
  }

  std::optional<Dim> number(bool negative) {
    if (rest_.empty() || !is_digit(rest_[0])) return std::nullopt;
    std::int64_t value = 0;  // built with its sign
    while (!rest_.empty() && is_digit(rest_[0])) {
      const std::int64_t digit = rest_[0] - '0';
      if (__builtin_mul_overflow(value, std::int64_t{10}, &value)) return std::nullopt;
      if (__builtin_add_overflow(value, negative ? -digit : digit, &value)) return std::nullopt;
      rest_.remove_prefix(1);
    }
    if (!rest_.empty() && is_name_char(rest_[0])) return std::nullopt;
    return Dim(value);
  }

  std::optional<Dim> parenthesised() {
    if (nesting_ >= kMaxNesting) return std::nullopt;
    ++nesting_;
    auto inner = sum();
    --nesting_;
    return inner && accept(')') ? inner : std::nullopt;
  }

  std::optional<Dim> named() {
    std::size_t length = 0;
    while (length < rest_.size() && is_name_char(rest_[length])) ++length;
    const std::string_view name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    if (name == "floor" || name == "min" || name == "max") return call(name);
    if (!is_symbol_name(name)) return std::nullopt;
    return Dim::symbol(name);
  }

  std::optional<Dim> call(std::string_view name) {
    if (!accept('(') || nesting_ >= kMaxNesting) return std::nullopt;
    ++nesting_;
    auto result = name == "floor" ? quotient() : extremum(name == "min");
    --nesting_;
    return result && accept(')') ? result : std::nullopt;
  }

  std::optional<Dim> quotient() {
    const auto numerator = product(false);
    if (!numerator || !accept('/')) return std::nullopt;
    const auto divisor = factor(false);
    if (!divisor) return std::nullopt;
    return floor_div(*numerator, *divisor);
  }

  std::optional<Dim> extremum(bool least) {
    std::vector<Dim> args;
    do {
      auto arg = sum();
      if (!arg || args.size() >= kMaxMinArgs) return std::nullopt;
      args.push_back(least ? *arg : -*arg);
    } while (accept(','));
    if (args.size() < 2) return std::nullopt;
    const Dim result = min_of(std::move(args));
    return least ? result : -result;
  }

  std::string_view rest_;
  int nesting_ = 0;
};

}  // namespace
}  // namespace detail

std::optional<Dim> parse_dim(std::string_view text) {
  try {
    return detail::Parser(text).parse();
  } catch (const Error&) {
    return std::nullopt;  // an overflow, a form beyond the bounds, or a divisor that is not positive
  }
}

}  // namespace calx
