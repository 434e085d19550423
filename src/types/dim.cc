// The face of Dim: construction, arithmetic with a fast path for constants, order, hash, evaluation,
// substitution. Canonical forms are built by dim_poly and dim_atoms; decisions are dim_prove's.
#include "calx/types/dim.h"

#include <algorithm>
#include <limits>
#include <set>

#include "calx/base/error.h"
#include "calx/base/format.h"
#include "calx/base/hash.h"
#include "calx/base/printable.h"
#include "dim_poly.h"

namespace calx {
namespace detail {
namespace {

void collect_symbols(const Dim& a, std::set<std::string, std::less<>>& names) {
  for (const Term& term : Terms(a)) {
    for (const Factor& factor : term.monomial) {
      if (factor.atom->kind == AtomKind::symbol) names.insert(factor.atom->name);
      for (const Dim& arg : factor.atom->args) collect_symbols(arg, names);
    }
  }
}

Int128 floor_quotient(Int128 a, Int128 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

Evaluation evaluate_atom(const Atom& atom, const Bindings& bindings) {
  if (atom.kind == AtomKind::symbol) {
    const auto found = bindings.find(atom.name);
    if (found == bindings.end()) return {EvaluationStatus::unbound, 0, atom.name};
    return {EvaluationStatus::ok, found->second, {}};
  }
  Evaluation result = try_evaluate(atom.args[0], bindings);
  for (std::size_t i = 1; i < atom.args.size(); ++i) {
    const Evaluation arg = try_evaluate(atom.args[i], bindings);
    if (result.status != EvaluationStatus::ok) return result;
    if (arg.status != EvaluationStatus::ok) return arg;
    if (atom.kind == AtomKind::floor) {
      if (arg.value < 1) return {EvaluationStatus::bad_divisor, 0, {}};
      result.value = floor_quotient(result.value, arg.value);
    } else {
      result.value = std::min(result.value, arg.value);
    }
  }
  return result;
}

}  // namespace

// Sums are taken in 128 bits, so whether a size fits does not depend on the order of its terms.
Evaluation try_evaluate(const Dim& a, const Bindings& bindings) {
  Evaluation sum;
  for (const Term& term : Terms(a)) {
    Int128 product = term.coefficient;
    for (const Factor& factor : term.monomial) {
      const Evaluation value = evaluate_atom(*factor.atom, bindings);
      if (value.status != EvaluationStatus::ok) return value;
      for (int i = 0; i < factor.power; ++i) {
        if (__builtin_mul_overflow(product, value.value, &product))
          return {EvaluationStatus::overflow, 0, {}};
      }
    }
    if (__builtin_add_overflow(sum.value, product, &sum.value)) return {EvaluationStatus::overflow, 0, {}};
  }
  return sum;
}

bool is_symbol_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (text.empty() || !is_letter(text[0])) return false;
  if (text == "floor" || text == "min" || text == "max") return false;
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace detail

CALX_DEFINE_SPECIAL_MEMBERS(Dim, Dim);

using detail::Atom;
using detail::AtomKind;
using detail::AtomPtr;
using detail::DimPoly;
using detail::Term;
using detail::Terms;

void Dim::raise_too_large(std::uint64_t value, SourceLoc where) {
  raise({.id = ErrorId::size_overflow,
         .op = "",
         .message = format("the size {} exceeds 63 bits", value),
         .where = where,
         .facts = {{"size", format("{}", value)}}});
}

Dim Dim::symbol(std::string_view name, SourceLoc where) {
  if (!detail::is_symbol_name(name)) {
    raise({.id = ErrorId::value,
           .op = "",
           .message = format("`{}` is no name for a symbolic size", shown(name)),
           .where = where,
           .hint = "use letters, digits and _, not starting with a digit; floor, min and max are reserved",
           .facts = {{"name", std::string(name)}}});
  }
  return detail::atom_dim(detail::make_symbol(name));
}

std::int64_t Dim::value(SourceLoc where) const {
  if (!is_constant()) {
    raise({.id = ErrorId::dim_unbound,
           .op = "",
           .message = format("the symbolic size `{}` was read as a number", to_string()),
           .where = where,
           .hint = "constant() is empty for a symbolic size; compute with the Dim itself, or evaluate it at sizes",
           .facts = {{"size", to_string()}}});
  }
  return constant_;
}

std::optional<std::int64_t> Dim::constant() const {
  if (!is_constant()) return std::nullopt;
  return constant_;
}

std::optional<std::string_view> Dim::symbol_name() const {
  if (is_constant() || poly_->terms.size() != 1 || poly_->terms[0].coefficient != 1) return std::nullopt;
  const AtomPtr* atom = detail::lone_atom(poly_->terms[0], AtomKind::symbol);
  if (atom == nullptr) return std::nullopt;
  return (*atom)->name;
}

std::optional<Dim::Affine> Dim::affine() const {
  if (is_constant()) return std::nullopt;
  const std::vector<Term>& terms = poly_->terms;
  const AtomPtr* atom = detail::lone_atom(terms[0], AtomKind::symbol);
  if (atom == nullptr || terms.size() > 2 || (terms.size() == 2 && !terms[1].monomial.empty()))
    return std::nullopt;
  return Affine{(*atom)->name, terms[0].coefficient, detail::constant_term(*this)};
}

std::vector<std::string> Dim::symbols() const {
  std::set<std::string, std::less<>> names;
  detail::collect_symbols(*this, names);
  return {names.begin(), names.end()};
}

Dim operator+(const Dim& a, const Dim& b) {
  if (a.is_constant() && b.is_constant()) {
    Dim sum;
    if (__builtin_add_overflow(a.constant_, b.constant_, &sum.constant_)) detail::raise_dim_overflow();
    return sum;
  }
  return detail::add(a, b, false);
}

Dim operator-(const Dim& a, const Dim& b) {
  if (a.is_constant() && b.is_constant()) {
    Dim difference;
    if (__builtin_sub_overflow(a.constant_, b.constant_, &difference.constant_)) detail::raise_dim_overflow();
    return difference;
  }
  return detail::add(a, b, true);
}

Dim operator*(const Dim& a, const Dim& b) {
  if (a.is_constant() && b.is_constant()) {
    Dim product;
    if (__builtin_mul_overflow(a.constant_, b.constant_, &product.constant_)) detail::raise_dim_overflow();
    return product;
  }
  if (b.is_constant()) return detail::scale_term(a, {}, b.constant_);
  if (a.is_constant()) return detail::scale_term(b, {}, a.constant_);
  return detail::multiply(a, b);
}

Dim operator-(const Dim& a) { return Dim() - a; }

bool operator==(const Dim& a, const Dim& b) {
  if (a.is_constant() || b.is_constant()) {
    return a.is_constant() && b.is_constant() && a.constant_ == b.constant_;
  }
  if (a.poly_ == b.poly_) return true;
  return a.poly_->hash == b.poly_->hash && Dim::compare_forms(a, b) == 0;
}

int Dim::compare_forms(const Dim& a, const Dim& b) {
  if (a.is_constant() && b.is_constant())
    return a.constant_ == b.constant_ ? 0 : a.constant_ < b.constant_ ? -1 : 1;
  if (a.is_constant() || b.is_constant()) return a.is_constant() ? 1 : -1;  // constants last: min(B,4)
  if (a.poly_ == b.poly_) return 0;
  const std::vector<Term>& left = a.poly_->terms;
  const std::vector<Term>& right = b.poly_->terms;
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    if (const int order = detail::compare_monomials(left[i].monomial, right[i].monomial)) return order;
    if (left[i].coefficient != right[i].coefficient)
      return left[i].coefficient < right[i].coefficient ? -1 : 1;
  }
  return left.size() == right.size() ? 0 : left.size() < right.size() ? -1 : 1;
}

std::uint64_t Dim::hash() const {
  return is_constant() ? hash_mix(0xC0, static_cast<std::uint64_t>(constant_)) : poly_->hash;
}

std::int64_t Dim::evaluate(const Bindings& bindings, SourceLoc where) const {
  if (is_constant()) return constant_;
  const detail::Evaluation result = detail::try_evaluate(*this, bindings);
  switch (result.status) {
    case detail::EvaluationStatus::ok:
      break;
    case detail::EvaluationStatus::unbound:
      raise({.id = ErrorId::dim_unbound,
             .op = "",
             .message = format("the size `{}` needs a value for `{}`", to_string(), result.symbol),
             .where = where,
             .facts = {{"size", to_string()}, {"symbol", std::string(result.symbol)}}});
    case detail::EvaluationStatus::overflow:
      detail::raise_dim_overflow(where);
    case detail::EvaluationStatus::bad_divisor:
      raise({.id = ErrorId::dim_binding,
             .op = "",
             .message = format("the size `{}` divides by a size that is not positive", to_string()),
             .where = where,
             .facts = {{"size", to_string()}}});
  }
  if (result.value < std::numeric_limits<std::int64_t>::min() ||
      result.value > std::numeric_limits<std::int64_t>::max()) {
    detail::raise_dim_overflow(where);
  }
  return static_cast<std::int64_t>(result.value);
}

Dim Dim::substitute(const std::map<std::string, Dim, std::less<>>& replacements) const {
  return detail::rebuild(*this, [&](const AtomPtr& atom) -> std::optional<Dim> {
    if (atom->kind != AtomKind::symbol) return std::nullopt;
    const auto found = replacements.find(atom->name);
    if (found == replacements.end()) return std::nullopt;
    return found->second;
  });
}

}  // namespace calx
