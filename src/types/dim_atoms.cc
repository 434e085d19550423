// Canonical floors and minima. A floor's numerator is reduced modulo its divisor, common factors are
// cancelled, floors inside merge with it, minima move out of it, and of x and divisor - 1 - x (whose floors
// are negatives of each other) the simpler is kept. A minimum is flat, free of dominated arguments, and free
// of common additive terms and factors.
#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "calx/base/checked.h"
#include "calx/base/error.h"
#include "calx/base/format.h"
#include "dim_poly.h"

namespace calx {
namespace detail {
namespace {

constexpr int kMaxRounds = 64;
constexpr std::size_t kMaxPushedArgs = 8;
constexpr int kMaxFlattenings = 16;
constexpr int kMaxMirrorings = 2;

Dim canonical_floor(Dim numerator, Dim divisor, int mirrorings = 0);

[[noreturn]] void raise_bad_divisor(const Dim& dividend, const Dim& divisor) {
  raise({.id = ErrorId::value,
         .op = "",
         .message = format("the size `{}` is divided by {}", dividend.to_string(), divisor.to_string()),
         .hint = "divisors of sizes are at least 1",
         .facts = {{"dividend", dividend.to_string()}, {"divisor", divisor.to_string()}}});
}

// Divides numerator and divisor by their common factors; the numerator's constant may be rounded, since
// floor((g*y+c)/(g*e)) = floor((y+floor(c/g))/e).
bool cancel_common(Dim& numerator, Dim& divisor) {
  std::uint64_t common = content(numerator, content(divisor));
  common = std::gcd(common, magnitude(constant_term(divisor)));
  if (common > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) common = 1;
  std::optional<Monomial> shared;
  if (!divisor.is_constant()) {
    for (const Dim* side : {&numerator, &divisor}) {
      for (const Term& term : Terms(*side)) {
        shared =
            shared ? common_symbols(*shared, term.monomial) : common_symbols(term.monomial, term.monomial);
      }
    }
  }
  const Monomial monomial = shared.value_or(Monomial{});
  if (common <= 1 && monomial.empty()) return false;
  const auto scale = static_cast<std::int64_t>(std::max<std::uint64_t>(common, 1));
  numerator = divide_terms(numerator, scale, monomial);
  divisor = divide_terms(divisor, scale, monomial);
  return true;
}

bool has_mergeable_floor(const Dim& numerator) {
  for (const Term& term : Terms(numerator)) {
    if ((term.coefficient == 1 || term.coefficient == -1) && lone_atom(term, AtomKind::floor) != nullptr)
      return true;
  }
  return false;
}

// floor((floor(x/a)+rest)/d) = floor((x+a*rest)/(a*d)), and -floor(x/a) = floor((a-1-x)/a).
bool merge_floor(Dim& numerator, Dim& divisor) {
  for (const Term& term : Terms(numerator)) {
    const AtomPtr* atom = lone_atom(term, AtomKind::floor);
    if (atom == nullptr || (term.coefficient != 1 && term.coefficient != -1)) continue;
    const Dim& x = (*atom)->args[0];
    const Dim& a = (*atom)->args[1];
    try {
      const Dim rest = numerator - term_dim(term.monomial, term.coefficient);
      Dim merged = (term.coefficient == 1 ? x : a - 1 - x) + a * rest;
      Dim product = a * divisor;
      numerator = std::move(merged);
      divisor = std::move(product);
      return true;
    } catch (const Error&) {
      continue;  // too large to merge: two floors are as good
    }
  }
  return false;
}

// The only summand k*min(…) of a numerator, if floor can be pushed into it. Not for symbolic divisors:
// reducing by one could bring minima back, without end.
const Term* pushable_min(const Terms& numerator, const Dim& divisor) {
  if (!divisor.is_constant()) return nullptr;
  const Term* found = nullptr;
  for (const Term& term : numerator) {
    if (lone_atom(term, AtomKind::min) == nullptr) continue;
    if (found != nullptr) return nullptr;
    found = &term;
  }
  return found != nullptr && found->monomial[0].atom->args.size() <= kMaxPushedArgs ? found : nullptr;
}

// Floor is monotone, so it commutes with min (and with max, where the minimum is subtracted).
std::optional<Dim> push_into_min(const Dim& numerator, const Dim& divisor, int mirrorings) {
  const Terms terms(numerator);
  const Term* term = pushable_min(terms, divisor);
  if (term == nullptr) return std::nullopt;
  const Dim rest = numerator - term_dim(term->monomial, term->coefficient);
  const bool negated = term->coefficient < 0;
  std::vector<Dim> floors;
  for (const Dim& arg : term->monomial[0].atom->args) {
    Dim floor = canonical_floor(rest + arg * term->coefficient, divisor, mirrorings);
    floors.push_back(negated ? -floor : floor);
  }
  const Dim least = min_of(std::move(floors));
  return negated ? -least : least;
}

// 0 <= numerator < divisor, so that the floor is 0.
bool provably_proper(const Dim& numerator, const Dim& complement) {
  return quickly_non_negative(numerator) && quickly_non_negative(complement);
}

// Orders numerators that represent the same floor up to sign: few negative terms, small coefficients, few
// terms.
bool simpler(const Dim& a, const Dim& b) {
  const auto key = [](const Dim& dim) {
    int negative = 0;
    Int128 sum = 0;
    const Terms terms(dim);
    for (const Term& term : terms) {
      if (term.monomial.empty()) continue;
      if (term.coefficient < 0) ++negative;
      sum += term.coefficient < 0 ? -static_cast<Int128>(term.coefficient)
                                  : static_cast<Int128>(term.coefficient);
    }
    return std::tuple(negative, sum, terms.size());
  };
  const auto key_a = key(a);
  const auto key_b = key(b);
  return key_a != key_b ? key_a < key_b : Dim::compare_forms(a, b) < 0;
}

// floor(numerator / divisor) as -floor(complement / divisor), where complement = divisor - 1 - numerator and
// that is the simpler of the two.
std::optional<Dim> mirrored_floor(const Dim& numerator, const Dim& complement, const Dim& divisor,
                                  int mirrorings) {
  const auto [quotient, rest] = reduce(complement, divisor);
  if (rest == Dim(0) || provably_proper(rest, divisor - 1 - rest)) return -quotient;
  Dim smaller = rest;
  Dim smaller_divisor = divisor;
  const bool simplifies = cancel_common(smaller, smaller_divisor) || has_mergeable_floor(rest) ||
                          pushable_min(Terms(rest), divisor) != nullptr;
  if (simplifies && mirrorings < kMaxMirrorings)
    return -quotient - canonical_floor(rest, divisor, mirrorings + 1);
  if (!simpler(rest, numerator)) return std::nullopt;
  return -quotient - atom_dim(make_atom(AtomKind::floor, {rest, divisor}));
}

Dim canonical_floor(Dim numerator, Dim divisor, int mirrorings) {
  Dim outside;
  for (int round = 0; round < kMaxRounds; ++round) {
    cancel_common(numerator, divisor);
    if (divisor == Dim(1)) return outside + numerator;
    if (quickly_non_negative(-divisor)) raise_bad_divisor(numerator, divisor);
    auto [quotient, rest] = reduce(numerator, divisor);
    outside += quotient;
    numerator = std::move(rest);
    if (numerator == Dim(0)) return outside;
    if (numerator.is_constant() && divisor.is_constant()) {
      return outside + floor_div(numerator.value(), divisor.value());
    }
    if (cancel_common(numerator, divisor) || merge_floor(numerator, divisor)) continue;
    break;
  }
  if (const auto pushed = push_into_min(numerator, divisor, mirrorings)) return outside + *pushed;
  Dim complement;
  try {
    complement = divisor - 1 - numerator;
  } catch (const Error&) {
    return outside + atom_dim(make_atom(AtomKind::floor, {numerator, divisor}));
  }
  if (provably_proper(numerator, complement)) return outside;
  if (const auto mirrored = mirrored_floor(numerator, complement, divisor, mirrorings))
    return outside + *mirrored;
  return outside + atom_dim(make_atom(AtomKind::floor, {numerator, divisor}));
}

// The summand k*min(…) with k > 0 that an argument of min can be split at, if there is exactly one.
const Term* flattenable(const Terms& terms) {
  const Term* found = nullptr;
  for (const Term& term : terms) {
    if (term.coefficient < 0 || lone_atom(term, AtomKind::min) == nullptr) continue;
    if (found != nullptr) return nullptr;
    found = &term;
  }
  return found;
}

void flatten_into(const Dim& arg, std::vector<Dim>& flat) {
  const Terms terms(arg);
  const Term* term = flattenable(terms);
  if (term == nullptr) {
    flat.push_back(arg);
    if (flat.size() > kMaxMinArgs) raise_dim_complexity();
    return;
  }
  const Dim rest = arg - term_dim(term->monomial, term->coefficient);
  for (const Dim& inner : term->monomial[0].atom->args) flatten_into(rest + inner * term->coefficient, flat);
}

bool form_less(const Dim& a, const Dim& b) { return Dim::compare_forms(a, b) < 0; }

void remove_dominated(std::vector<Dim>& args) {
  std::sort(args.begin(), args.end(), form_less);
  args.erase(std::unique(args.begin(), args.end()), args.end());
  for (std::size_t i = 0; i < args.size();) {
    const bool dominated = std::any_of(args.begin(), args.end(), [&](const Dim& other) {
      if (&other == &args[i]) return false;
      try {
        return quickly_non_negative(args[i] - other);
      } catch (const Error&) {
        return false;
      }
    });
    if (dominated) {
      args.erase(args.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

Dim flat_min(std::vector<Dim> args, int round) {
  std::vector<Dim> flat;
  for (const Dim& arg : args) flatten_into(arg, flat);
  args = std::move(flat);
  remove_dominated(args);
  if (args.size() == 1) return args[0];
  const Dim shift = extract_shift(args);
  std::uint64_t common = 0;
  std::optional<Monomial> shared;
  for (const Dim& arg : args) {
    common = std::gcd(content(arg, common), magnitude(constant_term(arg)));  // >= 0 after the shift
    for (const Term& term : Terms(arg)) {
      shared = shared ? common_symbols(*shared, term.monomial) : common_symbols(term.monomial, term.monomial);
    }
  }
  const auto scale = static_cast<std::int64_t>(common);
  const Monomial monomial = shared.value_or(Monomial{});
  bool flat_now = true;
  for (Dim& arg : args) {
    arg = divide_terms(arg, scale, monomial);
    flat_now = flat_now && flattenable(Terms(arg)) == nullptr;
  }
  // Taking the shift out may have uncovered minima as summands.
  if (!flat_now && round < kMaxFlattenings) {
    return shift + scale_term(flat_min(std::move(args), round + 1), monomial, scale);
  }
  std::sort(args.begin(), args.end(), form_less);
  return shift +
         term_dim(multiply_monomials(monomial, {{make_atom(AtomKind::min, std::move(args)), 1}}), scale);
}

}  // namespace

Dim extract_shift(std::vector<Dim>& args) {
  // Monomials of any argument, with the least coefficient over all arguments (0 where it is missing).
  std::vector<Term> least;
  for (const Dim& arg : args) {
    for (const Term& term : Terms(arg)) {
      const auto found = std::find_if(least.begin(), least.end(), [&](const Term& seen) {
        return compare_monomials(seen.monomial, term.monomial) == 0;
      });
      if (found == least.end()) least.push_back({term.monomial, std::numeric_limits<std::int64_t>::max()});
    }
  }
  std::erase_if(least, [&](Term& term) {
    for (const Dim& arg : args) {
      std::int64_t coefficient = 0;
      for (const Term& own : Terms(arg)) {
        if (compare_monomials(own.monomial, term.monomial) == 0) coefficient = own.coefficient;
      }
      term.coefficient = std::min(term.coefficient, coefficient);
    }
    return term.coefficient == 0;
  });
  const Dim shift = sum_terms(std::move(least));
  if (shift == Dim(0)) return shift;
  for (Dim& arg : args) arg -= shift;
  return shift;
}

Dim min_of(std::vector<Dim> args) { return flat_min(std::move(args), 0); }

}  // namespace detail

Dim floor_div(const Dim& a, const Dim& b) {
  if (b.is_constant()) {
    if (b.value() <= 0) detail::raise_bad_divisor(a, b);
    if (a.is_constant()) return floor_div(a.value(), b.value());
    if (b.value() == 1) return a;
  }
  return detail::canonical_floor(a, b);
}

Dim ceil_div(const Dim& a, const Dim& b) { return -floor_div(-a, b); }

Dim mod(const Dim& a, const Dim& b) { return a - floor_div(a, b) * b; }

Dim min(const Dim& a, const Dim& b) {
  if (a.is_constant() && b.is_constant()) return std::min(a.value(), b.value());
  return detail::min_of({a, b});
}

Dim max(const Dim& a, const Dim& b) {
  if (a.is_constant() && b.is_constant()) return std::max(a.value(), b.value());
  return -detail::min_of({-a, -b});
}

std::optional<Dim> exact_div(const Dim& a, const Dim& b) {
  if (b == Dim(0)) return std::nullopt;
  try {
    if (b.is_constant() && b.value() < 0) return exact_div(-a, -b);
    Dim quotient = floor_div(a, b);
    if (proven_equal(quotient * b, a) == Proof::yes) return quotient;
  } catch (const Error&) {
    // A quotient that cannot be represented is not provably exact.
  }
  return std::nullopt;
}

}  // namespace calx
