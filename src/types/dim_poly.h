// The symbolic part of a Dim: a polynomial over atoms (symbols, floors, minima), private to types.
// Invariants: terms are sorted (highest degree first, constant last), distinct and non-zero, and at least one
// is not constant; atoms are canonical, so equal forms are equal structures. There is no max atom: max(a) is
// -min(-a). Knows how to build, compare and rebuild forms; what is true of their values is dim_prove's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "calx/types/dim.h"

namespace calx::detail {

__extension__ using Int128 = __int128;

enum class AtomKind { symbol, floor, min };

struct Atom;
using AtomPtr = std::shared_ptr<const Atom>;

struct Factor {
  AtomPtr atom;
  int power = 1;
};
using Monomial = std::vector<Factor>;  // sorted by compare_atoms; empty for the constant

struct Term {
  Monomial monomial;
  std::int64_t coefficient = 0;
};

struct Atom {
  AtomKind kind = AtomKind::symbol;
  std::string name;       // of a symbol
  std::vector<Dim> args;  // floor: numerator, divisor; min: at least two
  std::uint64_t hash = 0;
  int depth = 0;  // atoms inside atoms: bounded, so that recursion over forms is
};

struct DimPoly {
  std::vector<Term> terms;
  std::uint64_t hash = 0;
  int depth = 0;

  /// Null for constants.
  static const DimPoly* of(const Dim& dim) { return dim.poly_.get(); }
  /// A Dim of terms that are sorted, distinct and non-zero.
  static Dim wrap(std::vector<Term> terms);
};

// Bounds beyond which a form is refused with size_overflow: they keep hostile text and runaway programs
// finite.
inline constexpr int kMaxDepth = 32;
inline constexpr int kMaxDegree = 63;
inline constexpr std::size_t kMaxTerms = 1024;
inline constexpr std::size_t kMaxMinArgs = 24;

/// The terms of any Dim, constants included.
class Terms {
 public:
  explicit Terms(const Dim& dim);
  [[nodiscard]] const Term* begin() const { return terms_.data(); }
  [[nodiscard]] const Term* end() const { return terms_.data() + terms_.size(); }
  [[nodiscard]] std::size_t size() const { return terms_.size(); }
  Terms(const Terms&) = delete;
  Terms& operator=(const Terms&) = delete;

 private:
  Term constant_;
  std::span<const Term> terms_;
};

[[noreturn]] void raise_dim_overflow(SourceLoc where = {});
[[noreturn]] void raise_dim_complexity();

[[nodiscard]] int compare_atoms(const Atom& a, const Atom& b);
/// Negative when a is printed before b: higher degree first, then lexicographic (an admissible monomial
/// order).
[[nodiscard]] int compare_monomials(const Monomial& a, const Monomial& b);
/// a / b if b divides a.
[[nodiscard]] std::optional<Monomial> divide_monomials(const Monomial& a, const Monomial& b);
[[nodiscard]] Monomial multiply_monomials(const Monomial& a, const Monomial& b);
/// The greatest common divisor among symbols only: they are the atoms known to be >= 0 without proof.
[[nodiscard]] Monomial common_symbols(const Monomial& a, const Monomial& b);

[[nodiscard]] AtomPtr make_symbol(std::string_view name);
[[nodiscard]] AtomPtr make_atom(AtomKind kind, std::vector<Dim> args);
[[nodiscard]] Dim atom_dim(const AtomPtr& atom);
[[nodiscard]] Dim term_dim(const Monomial& monomial, std::int64_t coefficient);
/// a + b, or a - b.
[[nodiscard]] Dim add(const Dim& a, const Dim& b, bool subtract);
[[nodiscard]] Dim multiply(const Dim& a, const Dim& b);
/// Sorts and adds up.
[[nodiscard]] Dim sum_terms(std::vector<Term> terms);
[[nodiscard]] Dim scale_term(const Dim& a, const Monomial& monomial, std::int64_t coefficient);
/// a with every coefficient divided by `divisor` (rounded down) and every monomial by `monomial`, which
/// divides it.
[[nodiscard]] Dim divide_terms(const Dim& a, std::int64_t divisor, const Monomial& monomial);

/// The term's atom if the monomial is that atom alone and of that kind, else null.
[[nodiscard]] const AtomPtr* lone_atom(const Term& term, AtomKind kind);
[[nodiscard]] std::uint64_t magnitude(std::int64_t value);
/// The constant term.
[[nodiscard]] std::int64_t constant_term(const Dim& a);
/// Greatest common divisor of the coefficients of the non-constant terms (0 if none), combined with `seed`.
[[nodiscard]] std::uint64_t content(const Dim& a, std::uint64_t seed = 0);

/// Quotient and remainder for which a = divisor * quotient + remainder. The remainder depends only on a
/// modulo divisor.
[[nodiscard]] std::pair<Dim, Dim> reduce(const Dim& a, const Dim& divisor);
/// Rebuilds a form from its atoms outside in: where `replace` gives nothing the atom is rebuilt from its
/// arguments.
[[nodiscard]] Dim rebuild(const Dim& a, const std::function<std::optional<Dim>(const AtomPtr&)>& replace);
/// Minimum of at least one Dim, in canonical form.
[[nodiscard]] Dim min_of(std::vector<Dim> args);

/// min over `args` = shift + min over `args` afterwards, where each monomial's least coefficient is 0.
[[nodiscard]] Dim extract_shift(std::vector<Dim>& args);

/// a >= 0 for all values of the symbols? A cheap proof without case distinctions, for canonical forms.
[[nodiscard]] bool quickly_non_negative(const Dim& a);

enum class EvaluationStatus { ok, unbound, overflow, bad_divisor };
struct Evaluation {
  EvaluationStatus status = EvaluationStatus::ok;
  Int128 value = 0;
  std::string_view symbol;  // the unbound one
};
[[nodiscard]] Evaluation try_evaluate(const Dim& a, const Bindings& bindings);

/// Whether the text is the name of a symbol: an identifier that is no function.
[[nodiscard]] bool is_symbol_name(std::string_view text);

}  // namespace calx::detail
