// Prints Dims in the form that parse_dim reads. A floor or minimum is shown as its mirror image (floor of
// divisor - 1 - x, or max) where that needs fewer terms: H-floor(H/2) reads floor((H+1)/2).
#include <algorithm>

#include "calx/base/error.h"
#include "calx/base/format.h"
#include "dim_poly.h"

namespace calx {
namespace detail {
namespace {

struct Item {
  std::int64_t coefficient = 0;
  Monomial monomial;
  std::string mirrored;  // a further factor, already printed
};

// atom = outside - mirrored, where `text` prints mirrored.
struct Mirror {
  Dim outside;
  std::string text;
};

std::string print_call(std::string_view name, std::span<const Dim> args) {
  std::string text = format("{}(", name);
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (i > 0) text += ',';
    text += args[i].to_string();
  }
  return text + ")";
}

// Whether the text has one of the operators outside parentheses.
bool shows(std::string_view text, std::string_view operators) {
  int nesting = 0;
  for (const char c : text) {
    nesting += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (nesting == 0 && operators.find(c) != std::string_view::npos) return true;
  }
  return false;
}

std::string print_floor(const Dim& numerator, const Dim& divisor) {
  const std::string above = numerator.to_string();
  const std::string below = divisor.to_string();
  return format("floor({}/{})", shows(above, "+-") ? format("({})", above) : above,
                shows(below, "+-*") ? format("({})", below) : below);
}

std::string print_atom(const Atom& atom) {
  switch (atom.kind) {
    case AtomKind::symbol:
      return atom.name;
    case AtomKind::floor:
      return print_floor(atom.args[0], atom.args[1]);
    case AtomKind::min:
      return print_call("min", atom.args);
  }
  return "";
}

Mirror mirror_of(const Atom& atom) {
  if (atom.kind == AtomKind::floor) {
    auto [quotient, rest] = reduce(atom.args[1] - 1 - atom.args[0], atom.args[1]);
    return {-quotient, print_floor(rest, atom.args[1])};
  }
  std::vector<Dim> args;
  for (const Dim& arg : atom.args) args.push_back(-arg);
  const Dim shift = extract_shift(args);
  std::sort(args.begin(), args.end(),
            [](const Dim& a, const Dim& b) { return Dim::compare_forms(a, b) < 0; });
  return {-shift, print_call("max", args)};
}

// Replaces one term of `rest` by a mirrored item if that shortens the sum.
bool mirror_one(Dim& rest, std::vector<Item>& items) {
  const Terms terms(rest);
  for (const Term& term : terms) {
    for (const Factor& factor : term.monomial) {
      if (factor.power != 1 || factor.atom->kind == AtomKind::symbol) continue;
      try {
        const Mirror mirror = mirror_of(*factor.atom);
        const Monomial others = *divide_monomials(term.monomial, {factor});
        const Dim shorter = rest - term_dim(term.monomial, term.coefficient) +
                            scale_term(mirror.outside, others, term.coefficient);
        if (Terms(shorter).size() + 1 >= terms.size()) continue;
        items.push_back({constant_term(-Dim(term.coefficient)), others, mirror.text});
        rest = shorter;
        return true;
      } catch (const Error&) {
        continue;  // the mirror image overflows: print the atom as it is
      }
    }
  }
  return false;
}

std::string print_item(const Item& item) {
  std::string text;
  const auto append = [&](const std::string& factor) {
    if (!text.empty()) text += '*';
    text += factor;
  };
  if (magnitude(item.coefficient) != 1 || (item.monomial.empty() && item.mirrored.empty())) {
    append(format("{}", magnitude(item.coefficient)));
  }
  for (const Factor& factor : item.monomial) {
    append(print_atom(*factor.atom) + (factor.power == 1 ? "" : format("^{}", factor.power)));
  }
  if (!item.mirrored.empty()) append(item.mirrored);
  return text;
}

std::vector<Item> items_of(const Dim& a) {
  Dim rest = a;
  std::vector<Item> items;
  while (mirror_one(rest, items)) {
  }
  for (const Term& term : Terms(rest)) items.push_back({term.coefficient, term.monomial, ""});
  // The order of the plain form, except that a sum starts with a positive term if it has one.
  std::stable_sort(items.begin(), items.end(), [](const Item& left, const Item& right) {
    const auto degree_zero = [](const Item& item) { return item.monomial.empty() && item.mirrored.empty(); };
    if (degree_zero(left) != degree_zero(right)) return degree_zero(right);
    return compare_monomials(left.monomial, right.monomial) < 0;
  });
  const auto first =
      std::find_if(items.begin(), items.end(), [](const Item& item) { return item.coefficient > 0; });
  if (first != items.end()) std::rotate(items.begin(), first, first + 1);
  return items;
}

}  // namespace
}  // namespace detail

std::string Dim::to_string() const {
  if (is_constant()) return format("{}", constant_);
  std::string text;
  for (const detail::Item& item : detail::items_of(*this)) {
    text += item.coefficient < 0 ? "-" : text.empty() ? "" : "+";
    text += detail::print_item(item);
  }
  return text;
}

}  // namespace calx
