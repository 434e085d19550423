// Polynomials over atoms: their order, sums, products and division. Every coefficient is checked for
// overflow.
#include "dim_poly.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "calx/base/checked.h"
#include "calx/base/error.h"
#include "calx/base/hash.h"

namespace calx::detail {
namespace {

int degree(const Monomial& monomial) {
  int sum = 0;
  for (const Factor& factor : monomial) sum += factor.power;
  return sum;
}

std::int64_t multiply_or_raise(std::int64_t a, std::int64_t b) {
  const auto product = checked_mul(a, b);
  if (!product) raise_dim_overflow();
  return *product;
}

// Floors and minima are reduced to the coefficient of least magnitude and keep -1: such a floor can be merged
// with the floor around it, and such a minimum is a maximum. Everything else is reduced into [0, divisor).
std::int64_t reduced_quotient(const Term& term, std::int64_t divisor) {
  if (lone_atom(term, AtomKind::floor) != nullptr || lone_atom(term, AtomKind::min) != nullptr) {
    if (term.coefficient == 1 || term.coefficient == -1) return 0;
    const std::int64_t quotient = floor_div(term.coefficient, divisor);
    const std::int64_t rest = floor_mod(term.coefficient, divisor);
    return rest > divisor - rest ? quotient + 1 : quotient;
  }
  return floor_div(term.coefficient, divisor);
}

std::pair<Dim, Dim> reduce_by_constant(const Dim& a, std::int64_t divisor) {
  std::vector<Term> quotient;
  std::vector<Term> rest;
  for (const Term& term : Terms(a)) {
    const std::int64_t count = reduced_quotient(term, divisor);
    // |count * divisor| < |coefficient| + divisor, so this cannot overflow in 128 bits and the rest fits
    // in 64.
    const Int128 left = static_cast<Int128>(term.coefficient) - static_cast<Int128>(count) * divisor;
    if (count != 0) quotient.push_back({term.monomial, count});
    if (left != 0) rest.push_back({term.monomial, static_cast<std::int64_t>(left)});
  }
  return {DimPoly::wrap(std::move(quotient)), DimPoly::wrap(std::move(rest))};
}

}  // namespace

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
}

void raise_dim_overflow(SourceLoc where) {
  raise({.id = ErrorId::size_overflow,
         .op = "",
         .message = "a size or a coefficient of a symbolic size exceeds 63 bits",
         .where = where});
}

void raise_dim_complexity() {
  raise({.id = ErrorId::size_overflow,
         .op = "",
         .message = "a symbolic size is too complex",
         .hint = "give intermediate sizes symbols of their own"});
}

Terms::Terms(const Dim& dim) {
  if (const DimPoly* poly = DimPoly::of(dim)) {
    terms_ = poly->terms;
  } else if (dim.value() != 0) {
    constant_.coefficient = dim.value();
    terms_ = std::span(&constant_, 1);
  }
}

Dim DimPoly::wrap(std::vector<Term> terms) {
  if (terms.empty()) return Dim();
  if (terms.size() == 1 && terms[0].monomial.empty()) return Dim(terms[0].coefficient);
  if (terms.size() > kMaxTerms) raise_dim_complexity();
  auto poly = std::make_shared<DimPoly>();
  std::uint64_t hash = 0xD1;
  for (const Term& term : terms) {
    if (degree(term.monomial) > kMaxDegree) raise_dim_complexity();
    for (const Factor& factor : term.monomial) {
      hash = hash_mix(hash_mix(hash, factor.atom->hash), static_cast<std::uint64_t>(factor.power));
      poly->depth = std::max(poly->depth, factor.atom->depth);
    }
    hash = hash_mix(hash, static_cast<std::uint64_t>(term.coefficient));
  }
  poly->hash = hash;
  poly->terms = std::move(terms);
  Dim result;
  result.poly_ = std::move(poly);
  return result;
}

int compare_atoms(const Atom& a, const Atom& b) {
  if (&a == &b) return 0;
  if (a.kind != b.kind) return a.kind < b.kind ? -1 : 1;
  if (const int order = a.name.compare(b.name)) return order;
  for (std::size_t i = 0; i < std::min(a.args.size(), b.args.size()); ++i) {
    if (const int order = Dim::compare_forms(a.args[i], b.args[i])) return order;
  }
  return a.args.size() == b.args.size() ? 0 : a.args.size() < b.args.size() ? -1 : 1;
}

int compare_monomials(const Monomial& a, const Monomial& b) {
  const int degree_a = degree(a);
  const int degree_b = degree(b);
  if (degree_a != degree_b) return degree_a > degree_b ? -1 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (const int order = compare_atoms(*a[i].atom, *b[i].atom)) return order;
    if (a[i].power != b[i].power) return a[i].power > b[i].power ? -1 : 1;
  }
  return 0;  // equal degrees: neither is a proper prefix of the other
}

std::optional<Monomial> divide_monomials(const Monomial& a, const Monomial& b) {
  Monomial quotient;
  std::size_t j = 0;
  for (const Factor& factor : a) {
    if (j < b.size() && compare_atoms(*factor.atom, *b[j].atom) == 0) {
      const int power = factor.power - b[j++].power;
      if (power < 0) return std::nullopt;
      if (power > 0) quotient.push_back({factor.atom, power});
    } else {
      quotient.push_back(factor);
    }
  }
  if (j < b.size()) return std::nullopt;
  return quotient;
}

Monomial multiply_monomials(const Monomial& a, const Monomial& b) {
  Monomial product;
  product.reserve(a.size() + b.size());
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    const int order = i == a.size() ? 1 : j == b.size() ? -1 : compare_atoms(*a[i].atom, *b[j].atom);
    if (order < 0) {
      product.push_back(a[i++]);
    } else if (order > 0) {
      product.push_back(b[j++]);
    } else {
      product.push_back({a[i].atom, a[i].power + b[j].power});
      ++i, ++j;
    }
  }
  return product;
}

Monomial common_symbols(const Monomial& a, const Monomial& b) {
  Monomial common;
  for (const Factor& factor : a) {
    if (factor.atom->kind != AtomKind::symbol) continue;
    for (const Factor& other : b) {
      if (compare_atoms(*factor.atom, *other.atom) == 0) {
        common.push_back({factor.atom, std::min(factor.power, other.power)});
      }
    }
  }
  return common;
}

AtomPtr make_symbol(std::string_view name) {
  auto atom = std::make_shared<Atom>();
  atom->name = name;
  atom->hash = hash_string(name, 1);
  return atom;
}

AtomPtr make_atom(AtomKind kind, std::vector<Dim> args) {
  auto atom = std::make_shared<Atom>();
  atom->kind = kind;
  atom->hash = hash_mix(2, static_cast<std::uint64_t>(kind));
  for (const Dim& arg : args) {
    atom->hash = hash_mix(atom->hash, arg.hash());
    if (const DimPoly* poly = DimPoly::of(arg)) atom->depth = std::max(atom->depth, poly->depth);
  }
  atom->args = std::move(args);
  if (++atom->depth > kMaxDepth) raise_dim_complexity();
  return atom;
}

Dim atom_dim(const AtomPtr& atom) { return term_dim({{atom, 1}}, 1); }

Dim term_dim(const Monomial& monomial, std::int64_t coefficient) {
  if (coefficient == 0) return Dim();
  return DimPoly::wrap({{monomial, coefficient}});
}

Dim sum_terms(std::vector<Term> terms) {
  std::stable_sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
    return compare_monomials(a.monomial, b.monomial) < 0;
  });
  std::vector<Term> sums;
  for (std::size_t i = 0; i < terms.size();) {
    Int128 sum = 0;
    std::size_t j = i;
    for (; j < terms.size() && compare_monomials(terms[i].monomial, terms[j].monomial) == 0; ++j) {
      sum += terms[j].coefficient;
    }
    if (sum < std::numeric_limits<std::int64_t>::min() || sum > std::numeric_limits<std::int64_t>::max()) {
      raise_dim_overflow();
    }
    if (sum != 0) sums.push_back({std::move(terms[i].monomial), static_cast<std::int64_t>(sum)});
    i = j;
  }
  return DimPoly::wrap(std::move(sums));
}

Dim scale_term(const Dim& a, const Monomial& monomial, std::int64_t coefficient) {
  if (coefficient == 0) return Dim();
  std::vector<Term> terms;
  for (const Term& term : Terms(a)) {
    terms.push_back({monomial.empty() ? term.monomial : multiply_monomials(term.monomial, monomial),
                     multiply_or_raise(term.coefficient, coefficient)});
  }
  return DimPoly::wrap(std::move(terms));  // an admissible order is kept by multiplication with a monomial
}

Dim divide_terms(const Dim& a, std::int64_t divisor, const Monomial& monomial) {
  std::vector<Term> terms;
  for (const Term& term : Terms(a)) {
    const std::int64_t coefficient = floor_div(term.coefficient, divisor);
    if (coefficient != 0) terms.push_back({*divide_monomials(term.monomial, monomial), coefficient});
  }
  return DimPoly::wrap(std::move(terms));
}

const AtomPtr* lone_atom(const Term& term, AtomKind kind) {
  if (term.monomial.size() != 1 || term.monomial[0].power != 1) return nullptr;
  const AtomPtr& atom = term.monomial[0].atom;
  return atom->kind == kind ? &atom : nullptr;
}

std::int64_t constant_term(const Dim& a) {
  if (a.is_constant()) return a.value();
  const Term& last = DimPoly::of(a)->terms.back();
  return last.monomial.empty() ? last.coefficient : 0;
}

std::uint64_t content(const Dim& a, std::uint64_t seed) {
  for (const Term& term : Terms(a)) {
    if (!term.monomial.empty()) seed = std::gcd(seed, magnitude(term.coefficient));
  }
  return seed;
}

std::pair<Dim, Dim> reduce(const Dim& a, const Dim& divisor) {
  if (divisor.is_constant()) return reduce_by_constant(a, divisor.value());
  const Term& lead = DimPoly::of(divisor)->terms.front();
  Dim quotient;
  Dim rest = a;
  // Terms created by a step are smaller than the one that it removes, so one descending pass suffices.
  Monomial reached;
  for (bool first = true;; first = false) {
    const Term* found = nullptr;
    std::int64_t count = 0;
    std::optional<Monomial> factor;
    const Terms terms(rest);
    for (const Term& term : terms) {
      if (!first && compare_monomials(term.monomial, reached) <= 0) continue;
      factor = divide_monomials(term.monomial, lead.monomial);
      if (!factor) continue;
      if (lead.coefficient == -1 && term.coefficient == std::numeric_limits<std::int64_t>::min())
        raise_dim_overflow();
      count = floor_div(term.coefficient, lead.coefficient);
      if (count == 0) continue;
      found = &term;
      break;
    }
    if (found == nullptr) return {quotient, rest};
    reached = found->monomial;
    quotient += term_dim(*factor, count);
    rest -= scale_term(divisor, *factor, count);
  }
}

Dim rebuild(const Dim& a, const std::function<std::optional<Dim>(const AtomPtr&)>& replace) {
  const auto rebuild_atom = [&](const AtomPtr& atom) -> Dim {
    if (auto replaced = replace(atom)) return *replaced;
    if (atom->kind == AtomKind::symbol) return atom_dim(atom);
    std::vector<Dim> args;
    bool same = true;
    for (const Dim& arg : atom->args) {
      args.push_back(rebuild(arg, replace));
      same = same && args.back() == arg;
    }
    if (same) return atom_dim(atom);
    return atom->kind == AtomKind::floor ? floor_div(args[0], args[1]) : min_of(std::move(args));
  };
  if (a.is_constant()) return a;
  Dim sum;
  for (const Term& term : Terms(a)) {
    Dim product = term.coefficient;
    for (const Factor& factor : term.monomial) {
      const Dim value = rebuild_atom(factor.atom);
      for (int i = 0; i < factor.power; ++i) product *= value;
    }
    sum += product;
  }
  return sum;
}

Dim add(const Dim& a, const Dim& b, bool subtract) {
  std::vector<Term> sum;
  const Terms left(a);
  const Terms right(b);
  sum.reserve(left.size() + right.size());
  const auto signed_coefficient = [&](const Term& term) {
    return subtract ? multiply_or_raise(term.coefficient, -1) : term.coefficient;
  };
  const Term* i = left.begin();
  const Term* j = right.begin();
  while (i != left.end() || j != right.end()) {
    const int order = i == left.end()    ? 1
                      : j == right.end() ? -1
                                         : compare_monomials(i->monomial, j->monomial);
    if (order < 0) {
      sum.push_back(*i++);
    } else if (order > 0) {
      sum.push_back({j->monomial, signed_coefficient(*j)});
      ++j;
    } else {
      std::int64_t value = 0;
      const bool overflow = subtract ? __builtin_sub_overflow(i->coefficient, j->coefficient, &value)
                                     : __builtin_add_overflow(i->coefficient, j->coefficient, &value);
      if (overflow) raise_dim_overflow();
      if (value != 0) sum.push_back({i->monomial, value});
      ++i, ++j;
    }
  }
  return DimPoly::wrap(std::move(sum));
}

Dim multiply(const Dim& a, const Dim& b) {
  const Terms left(a);
  const Terms right(b);
  if (left.size() * right.size() > 16 * kMaxTerms) raise_dim_complexity();
  std::vector<Term> products;
  products.reserve(left.size() * right.size());
  for (const Term& i : left) {
    for (const Term& j : right) {
      products.push_back(
          {multiply_monomials(i.monomial, j.monomial), multiply_or_raise(i.coefficient, j.coefficient)});
    }
  }
  return sum_terms(std::move(products));
}

}  // namespace calx::detail
