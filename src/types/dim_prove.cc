// Decides relations between sizes. A proof of p >= 0 writes k*p + (k-1) as a combination of facts with
// non-negative factors (sound because p is an integer); facts come from the caller and from the bounds of
// floors and minima. Where that fails, minima are split into cases and symbols into residue classes. Answers
// other than `unknown` are proofs: searching longer may only turn `unknown` into them.
#include <algorithm>
#include <numeric>

#include "calx/base/checked.h"
#include "calx/base/error.h"
#include "calx/base/format.h"
#include "dim_poly.h"

namespace calx {
namespace detail {
namespace {

constexpr std::size_t kMaxAtoms = 12;
constexpr std::size_t kMaxFacts = 40;
constexpr std::size_t kMaxProofTerms = 48;  // longer forms are only judged by their signs
constexpr int kQuickSteps = 60;
constexpr int kQuickDepth = 4;
constexpr int kThoroughSteps = 600;
constexpr int kThoroughDepth = 8;
constexpr int kMaxSplits = 4;
constexpr std::int64_t kMaxResidues = 64;

void collect_atoms(const Dim& a, std::vector<AtomPtr>& atoms) {
  for (const Term& term : Terms(a)) {
    for (const Factor& factor : term.monomial) {
      if (factor.atom->kind == AtomKind::symbol) continue;
      const bool seen = std::any_of(atoms.begin(), atoms.end(), [&](const AtomPtr& atom) {
        return compare_atoms(*atom, *factor.atom) == 0;
      });
      if (seen || atoms.size() >= kMaxAtoms) continue;
      atoms.push_back(factor.atom);
      for (const Dim& arg : factor.atom->args) collect_atoms(arg, atoms);
    }
  }
}

// p / g with the constant rounded down: p >= 0 exactly when this is.
Dim tighten(const Dim& p) {
  const std::uint64_t common = content(p);
  if (common <= 1 || common > static_cast<std::uint64_t>(INT64_MAX)) return p;
  return divide_terms(p, static_cast<std::int64_t>(common), {});
}

// Symbols are >= 0, so p >= 0 follows when p without a common factor of symbols is.
Dim without_common_symbols(const Dim& p) {
  std::optional<Monomial> shared;
  for (const Term& term : Terms(p)) {
    shared = shared ? common_symbols(*shared, term.monomial) : common_symbols(term.monomial, term.monomial);
  }
  return !shared || shared->empty() ? p : divide_terms(p, 1, *shared);
}

// Proofs by linear combination, with one set of facts and one budget of steps.
class LinearProof {
 public:
  LinearProof(std::span<const Dim> facts, int steps, int depth)
      : given_(facts.begin(), facts.end()), steps_(steps), depth_(depth) {}

  bool non_negative(const Dim& p) {
    const Dim start = without_common_symbols(tighten(p));
    if (start.is_constant()) return start.value() >= 0;
    if (Terms(start).size() > kMaxProofTerms) return search(start, 0);
    std::vector<AtomPtr> atoms;
    collect_atoms(start, atoms);
    for (const Dim& fact : given_) collect_atoms(fact, atoms);
    facts_ = given_;
    for (const AtomPtr& atom : atoms) add_bounds(*atom);
    // Short proofs first: a deep search may spend all steps below one wrong choice.
    const int steps = steps_;
    for (int depth = 2; depth <= depth_; depth += 2) {
      steps_ = steps;
      if (search(start, depth)) return true;
    }
    return false;
  }

 private:
  void add_fact(const Dim& fact) {
    if (facts_.size() < kMaxFacts && Terms(fact).size() <= kMaxProofTerms) facts_.push_back(tighten(fact));
  }

  void add_bounds(const Atom& atom) {
    const Dim self = atom_dim(std::make_shared<Atom>(atom));
    try {
      if (atom.kind == AtomKind::min) {
        for (const Dim& arg : atom.args) add_fact(arg - self);
        return;
      }
      const Dim& divisor = atom.args[1];
      const Dim remainder = atom.args[0] - divisor * self;
      add_fact(remainder);
      add_fact(divisor - 1 - remainder);
      if (!divisor.is_constant()) add_fact(divisor - 1);
    } catch (const Error&) {
      // A bound that overflows is no use.
    }
  }

  bool atom_non_negative(const AtomPtr& atom) {
    if (atom->kind == AtomKind::symbol) return true;
    for (const auto& [known, answer] : signs_) {
      if (compare_atoms(*known, *atom) == 0) return answer;
    }
    const std::size_t index = signs_.size();
    signs_.emplace_back(atom, false);  // while it is being proven it must not be used
    const auto proven = [&](const Dim& p) { return search(tighten(p), std::min(depth_, 3)); };
    const bool answer = atom->kind == AtomKind::floor
                            ? proven(atom->args[0])
                            : std::all_of(atom->args.begin(), atom->args.end(), proven);
    signs_[index].second = answer;
    return answer;
  }

  bool monomial_non_negative(const Monomial& monomial) {
    return std::all_of(monomial.begin(), monomial.end(), [&](const Factor& factor) {
      return factor.power % 2 == 0 || atom_non_negative(factor.atom);
    });
  }

  // A term that may be negative: non-constant ones first.
  std::optional<Term> find_obstacle(const Dim& p) {
    for (const Term& term : Terms(p)) {
      if (term.coefficient < 0 || !monomial_non_negative(term.monomial)) return term;
    }
    return std::nullopt;
  }

  bool search(const Dim& p, int depth) {
    if (--steps_ < 0) return false;
    const auto obstacle = find_obstacle(p);
    if (!obstacle) return true;
    if (depth == 0) return false;
    // Facts as they are before products of facts with monomials, which multiply the choices.
    for (const bool as_they_are : {true, false}) {
      for (const Dim& fact : facts_) {
        for (const Term& term : Terms(fact)) {
          if ((term.coefficient < 0) != (obstacle->coefficient < 0)) continue;
          const auto factor = divide_monomials(obstacle->monomial, term.monomial);
          if (!factor || factor->empty() != as_they_are || !monomial_non_negative(*factor)) continue;
          if (steps_ < 0) return false;
          if (subtract_and_search(p, *obstacle, fact, term, *factor, depth)) return true;
        }
      }
    }
    return false;
  }

  bool subtract_and_search(const Dim& p, const Term& obstacle, const Dim& fact, const Term& term,
                           const Monomial& factor, int depth) {
    try {
      const std::uint64_t common = std::gcd(magnitude(obstacle.coefficient), magnitude(term.coefficient));
      const auto scale = static_cast<std::int64_t>(magnitude(term.coefficient) / common);
      const auto count = static_cast<std::int64_t>(magnitude(obstacle.coefficient) / common);
      if (scale <= 0 || count <= 0) return false;
      const Dim rest = p * Dim(scale) + Dim(scale - 1) - scale_term(fact, factor, count);
      return search(tighten(rest), depth - 1);
    } catch (const Error&) {
      return false;
    }
  }

  std::vector<Dim> given_;
  std::vector<Dim> facts_;
  std::vector<std::pair<AtomPtr, bool>> signs_;
  int steps_;
  int depth_;
};

struct Cases {
  int splits = kMaxSplits;
  bool residues = true;
  int proofs = 200;  // leaves of the case tree, all together
};

bool prove_by_cases(const Dim& p, const std::vector<Dim>& facts, Cases cases, int& proofs);

Dim replace_atom(const Dim& a, const Atom& old, const Dim& value) {
  return rebuild(a, [&](const AtomPtr& atom) -> std::optional<Dim> {
    if (compare_atoms(*atom, old) == 0) return value;
    return std::nullopt;
  });
}

// A minimum is one of its arguments, and then the others are not below it.
bool prove_by_splitting(const Dim& p, const Atom& least, const std::vector<Dim>& facts, Cases cases,
                        int& proofs) {
  --cases.splits;
  for (const Dim& arg : least.args) {
    std::vector<Dim> case_facts;
    for (const Dim& fact : facts) case_facts.push_back(replace_atom(fact, least, arg));
    for (const Dim& other : least.args) {
      if (!(other == arg)) case_facts.push_back(other - arg);
    }
    if (!prove_by_cases(replace_atom(p, least, arg), case_facts, cases, proofs)) return false;
  }
  return true;
}

// With S = n*S + r for each r < n, floors by divisors of n lose S or disappear.
bool prove_by_residues(const Dim& p, const std::vector<AtomPtr>& atoms, const std::vector<Dim>& facts,
                       Cases cases, int& proofs) {
  cases.residues = false;
  std::int64_t modulus = 1;
  std::vector<std::string> names;
  for (const AtomPtr& atom : atoms) {
    if (atom->kind != AtomKind::floor || !atom->args[1].is_constant()) continue;
    const std::int64_t divisor = atom->args[1].value();
    if (divisor > kMaxResidues) continue;
    modulus = std::lcm(modulus, divisor);
    if (modulus > kMaxResidues) return false;
    for (std::string& name : atom->args[0].symbols()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
  }
  std::int64_t combinations = 1;
  for (std::size_t i = 0; i < names.size(); ++i) {
    combinations *= modulus;
    if (combinations > kMaxResidues) return false;
  }
  if (combinations <= 1) return false;
  for (std::int64_t index = 0; index < combinations; ++index) {
    std::map<std::string, Dim, std::less<>> residues;
    std::int64_t rest = index;
    for (const std::string& name : names) {
      residues.emplace(name, Dim::symbol(name) * modulus + rest % modulus);
      rest /= modulus;
    }
    std::vector<Dim> case_facts;
    for (const Dim& fact : facts) case_facts.push_back(fact.substitute(residues));
    if (!prove_by_cases(p.substitute(residues), case_facts, cases, proofs)) return false;
  }
  return true;
}

bool prove_by_cases(const Dim& p, const std::vector<Dim>& facts, Cases cases, int& proofs) {
  if (--proofs < 0) return false;
  if (LinearProof(facts, kThoroughSteps, kThoroughDepth).non_negative(p)) return true;
  if (p.is_constant()) return false;
  std::vector<AtomPtr> atoms;
  collect_atoms(p, atoms);
  if (cases.splits > 0) {
    for (const AtomPtr& atom : atoms) {
      if (atom->kind == AtomKind::min) return prove_by_splitting(p, *atom, facts, cases, proofs);
    }
  }
  return cases.residues && prove_by_residues(p, atoms, facts, cases, proofs);
}

bool proven_non_negative(const Dim& p, const DimFacts& facts) {
  if (p.is_constant()) return p.value() >= 0;
  try {
    Cases cases;
    return prove_by_cases(p, facts.non_negative, cases, cases.proofs);
  } catch (const Error&) {
    return false;  // an overflow on the way proves nothing
  }
}

// What values at some admissible bindings leave possible; spares the search for proofs of what is false.
struct Witnesses {
  bool negative = false;
  bool zero = false;
  bool positive = false;

  [[nodiscard]] bool settle_equality() const { return negative + zero + positive >= 2; }
  [[nodiscard]] bool settle_order() const { return negative && (zero || positive); }
};

Witnesses look_for_witnesses(const Dim& p, const DimFacts& facts, bool (Witnesses::*settled)() const) {
  std::vector<std::string> names = p.symbols();
  for (const Dim& fact : facts.non_negative) {
    for (std::string& name : fact.symbols()) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  Witnesses found;
  constexpr std::int64_t kSizes[] = {0, 1, 2, 3, 5, 8, 13, 64, 1000};
  constexpr std::size_t kCount = std::size(kSizes);
  for (std::size_t sample = 0; sample < 3 * kCount && !(found.*settled)(); ++sample) {
    Bindings bindings;
    for (std::size_t i = 0; i < names.size(); ++i) {
      // All equal, then rising, then falling.
      const std::size_t step = sample / kCount == 0 ? 0 : sample / kCount == 1 ? i : kCount - i % kCount;
      bindings.emplace(names[i], kSizes[(sample + step) % kCount]);
    }
    const auto admissible = [&](const Dim& fact) {
      const Evaluation value = try_evaluate(fact, bindings);
      return value.status == EvaluationStatus::ok && value.value >= 0;
    };
    if (!std::all_of(facts.non_negative.begin(), facts.non_negative.end(), admissible)) continue;
    const Evaluation value = try_evaluate(p, bindings);
    if (value.status != EvaluationStatus::ok) continue;
    (value.value < 0 ? found.negative : value.value == 0 ? found.zero : found.positive) = true;
  }
  return found;
}

// p is an integer combination of integers: it can be zero only if its constant is a multiple of the others'
// divisor.
bool zero_excluded_by_divisibility(const Dim& p) {
  const std::uint64_t common = content(p);
  return common > 1 && magnitude(constant_term(p)) % common != 0;
}

Proof decide_zero(const Dim& p, const DimFacts& facts) {
  if (p.is_constant()) return p.value() == 0 ? Proof::yes : Proof::no;
  if (zero_excluded_by_divisibility(p)) return Proof::no;
  const Witnesses found = look_for_witnesses(p, facts, &Witnesses::settle_equality);
  if (found.settle_equality()) return Proof::unknown;
  const bool may_be_equal = !found.negative && !found.positive;
  if (may_be_equal && proven_non_negative(p, facts) && proven_non_negative(-p, facts)) return Proof::yes;
  if (found.zero) return Proof::unknown;
  if (!found.negative && proven_non_negative(p - 1, facts)) return Proof::no;
  if (!found.positive && proven_non_negative(-p - 1, facts)) return Proof::no;
  return Proof::unknown;
}

}  // namespace

bool quickly_non_negative(const Dim& a) {
  if (a.is_constant()) return a.value() >= 0;
  if (DimPoly::of(a)->depth == 0) {  // symbols only, and no facts about them: the signs decide
    const Terms terms(a);
    if (std::all_of(terms.begin(), terms.end(), [](const Term& term) { return term.coefficient > 0; }))
      return true;
    if (constant_term(a) < 0) return false;
  }
  // Most questions have the answer no, and a few values show it faster than a search that fails.
  const std::vector<std::string> names = a.symbols();
  for (const std::int64_t first : {0, 1, 1000}) {
    for (const std::int64_t others : {1, 7}) {
      Bindings bindings;
      for (const std::string& name : names) bindings.emplace(name, bindings.empty() ? first : others);
      const Evaluation value = try_evaluate(a, bindings);
      if (value.status == EvaluationStatus::ok && value.value < 0) return false;
    }
  }
  return LinearProof({}, kQuickSteps, kQuickDepth).non_negative(a);
}

}  // namespace detail

Proof proven_equal(const Dim& a, const Dim& b, const DimFacts& facts) {
  if (a == b) return Proof::yes;
  if (a.is_constant() && b.is_constant()) return Proof::no;
  try {
    return detail::decide_zero(a - b, facts);
  } catch (const Error&) {
    return Proof::unknown;
  }
}

Proof proven_less_equal(const Dim& a, const Dim& b, const DimFacts& facts) {
  if (a.is_constant() && b.is_constant()) return a.value() <= b.value() ? Proof::yes : Proof::no;
  try {
    const Dim gap = b - a;
    if (gap.is_constant()) return gap.value() >= 0 ? Proof::yes : Proof::no;
    const detail::Witnesses found = detail::look_for_witnesses(gap, facts, &detail::Witnesses::settle_order);
    if (!found.negative && detail::proven_non_negative(gap, facts)) return Proof::yes;
    if (!found.zero && !found.positive && detail::proven_non_negative(-gap - 1, facts)) return Proof::no;
  } catch (const Error&) {
    // An overflow on the way proves nothing.
  }
  return Proof::unknown;
}

bool dims_equal(const Dim& a, const Dim& b, SourceLoc where) {
  const Proof proof = proven_equal(a, b);
  if (proof != Proof::unknown) return proof == Proof::yes;
  raise({.id = ErrorId::dim_unknown,
         .op = "",
         .message = format("whether the sizes `{}` and `{}` are equal depends on their symbols",
                           a.to_string(), b.to_string()),
         .where = where,
         .hint = "use the same symbol for sizes that are equal, or bind the symbols to numbers first",
         .facts = {{"left", a.to_string()}, {"right", b.to_string()}}});
}

}  // namespace calx
