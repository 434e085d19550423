// A size: an integer polynomial over named symbols (`B`, `2*T+1`) with floor division, min and max as atoms.
// Invariant: always in canonical form, so structural equality is equality of forms. Symbols are >= 0.
// Knows nothing of tensors or programs. Errors of arithmetic have no place of their own: an op that computes with sizes tells
// its caller's line.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "calx/base/source_location.h"
#include "calx/base/special_members.h"

namespace calx {

namespace detail {
struct DimPoly;  // the symbolic part; defined in src/types
}

/// Answer of a decision that symbols may leave open.
enum class Proof { no, yes, unknown };

/// Sizes of symbols at a call.
using Bindings = std::map<std::string, std::int64_t, std::less<>>;

class Dim {
 public:
  Dim() = default;                      // 0
  CALX_SPECIAL_MEMBERS(Dim);
  Dim(std::int64_t value) : constant_(value) {}
  Dim(int value) : constant_(value) {}
  /// The other integer types; raises size_overflow for what exceeds 63 bits.
  template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, int> && !std::is_same_v<T, std::int64_t>)
  Dim(T value, const std::source_location& where = std::source_location::current())
      : constant_(static_cast<std::int64_t>(value)) {
    if constexpr (std::is_unsigned_v<T> && sizeof(T) >= sizeof(std::int64_t)) {
      if (constant_ < 0) raise_too_large(value, where);
    }
  }
  [[nodiscard]] static Dim symbol(std::string_view name, SourceLoc where = SourceLoc::current());

  [[nodiscard]] bool is_constant() const { return poly_ == nullptr; }
  /// The value of a constant; raises dim_unbound otherwise.
  [[nodiscard]] std::int64_t value(SourceLoc where = SourceLoc::current()) const;
  [[nodiscard]] std::optional<std::int64_t> constant() const;
  /// The name, if the Dim is exactly one symbol with coefficient 1.
  [[nodiscard]] std::optional<std::string_view> symbol_name() const;
  /// If the Dim is a*S+c for one symbol S with a != 0: (S, a, c).
  struct Affine { std::string symbol; std::int64_t scale; std::int64_t offset; };
  [[nodiscard]] std::optional<Affine> affine() const;
  /// Every symbol that occurs, sorted, atoms looked into.
  [[nodiscard]] std::vector<std::string> symbols() const;

  friend Dim operator+(const Dim& a, const Dim& b);
  friend Dim operator-(const Dim& a, const Dim& b);
  friend Dim operator*(const Dim& a, const Dim& b);
  friend Dim operator-(const Dim& a);
  Dim& operator+=(const Dim& b) { return *this = *this + b; }
  Dim& operator-=(const Dim& b) { return *this = *this - b; }
  Dim& operator*=(const Dim& b) { return *this = *this * b; }

  /// Structural: same canonical form (for containers). Use proven_equal or dims_equal to decide about sizes.
  friend bool operator==(const Dim& a, const Dim& b);
  /// A total order on forms, for containers only.
  [[nodiscard]] static int compare_forms(const Dim& a, const Dim& b);
  [[nodiscard]] std::uint64_t hash() const;

  /// `2*T+1`, `floor(H/2)`, `min(B,4)`: what parse_dim reads.
  [[nodiscard]] std::string to_string() const;

  /// Value under complete bindings; raises dim_unbound (a missing symbol) or size_overflow.
  [[nodiscard]] std::int64_t evaluate(const Bindings& bindings, SourceLoc where = {}) const;
  /// Replaces symbols by Dims; symbols not named stay.
  [[nodiscard]] Dim substitute(const std::map<std::string, Dim, std::less<>>& replacements) const;

 private:
  friend struct detail::DimPoly;
  [[noreturn]] static void raise_too_large(std::uint64_t value, SourceLoc where);

  std::int64_t constant_ = 0;                          // the value when poly_ is null, else unused (0)
  std::shared_ptr<const detail::DimPoly> poly_;        // null for constants
};

/// Floor of a / b. b > 0 is required where it is constant; a symbolic divisor is assumed >= 1.
[[nodiscard]] Dim floor_div(const Dim& a, const Dim& b);
/// Ceiling of a / b, as -floor(-a / b).
[[nodiscard]] Dim ceil_div(const Dim& a, const Dim& b);
/// a - floor(a/b)*b.
[[nodiscard]] Dim mod(const Dim& a, const Dim& b);
[[nodiscard]] Dim min(const Dim& a, const Dim& b);
[[nodiscard]] Dim max(const Dim& a, const Dim& b);
/// a / b if b divides a for every value of the symbols, provably.
[[nodiscard]] std::optional<Dim> exact_div(const Dim& a, const Dim& b);

/// Facts about symbols beyond >= 0: a list of Dims known to be >= 0 (H >= 3 is `H-3`).
struct DimFacts {
  std::vector<Dim> non_negative;
};

/// Is a == b for all / for no / perhaps some values of the symbols?
[[nodiscard]] Proof proven_equal(const Dim& a, const Dim& b, const DimFacts& facts = {});
[[nodiscard]] Proof proven_less_equal(const Dim& a, const Dim& b, const DimFacts& facts = {});

/// proven_equal for rules and users' control flow: raises dim_unknown, printing both sides, when it cannot tell.
[[nodiscard]] bool dims_equal(const Dim& a, const Dim& b, SourceLoc where = SourceLoc::current());

/// Parses what to_string prints; nullopt if the text is no Dim.
[[nodiscard]] std::optional<Dim> parse_dim(std::string_view text);

}  // namespace calx

template <>
struct std::hash<calx::Dim> {
  std::size_t operator()(const calx::Dim& dim) const noexcept { return dim.hash(); }
};
