// What every scalar function means, for one element in its compute type (bool, integers, float, double). The
// one home of these semantics: ops' references, the constant folder and loopir's interpreter call it. f16 and
// bf16 are computed in float by the caller and rounded once. Invariants: nothing traps, nothing is undefined
// behaviour; a function exists for a type iff it has a meaning there (callers may ask with `requires`); float
// results are those of double, rounded once.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "calx/types/dtype.h"

namespace calx::loopir::math {

template <class T>
concept Floating = std::same_as<T, float> || std::same_as<T, double>;
template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;
template <class T>
concept SignedInteger = Integer<T> && std::is_signed_v<T>;
template <class T>
concept Bits = std::integral<T>;  // bool included
template <class T>
concept Element = Floating<T> || Bits<T>;

namespace detail {

/// An unsigned type of at least 32 bits, so that products of small types are not promoted to a signed int.
template <Integer T>
using Wide = std::conditional_t<(sizeof(T) > 4), std::uint64_t, std::uint32_t>;

/// The unsigned type with the bits of T.
template <class T>
using BitsOf =
    std::conditional_t<sizeof(T) == 8, std::uint64_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t,
                                          std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;

template <Integer T>
inline constexpr int kWidth = static_cast<int>(sizeof(T)) * 8;

template <Floating T, class F>
[[nodiscard]] inline T in_double(T x, F f) {
  return static_cast<T>(f(static_cast<double>(x)));
}

}  // namespace detail

/// The quiet NaN that every NaN made by maximum, minimum and clamp has: positive, payload 0.
template <Floating T>
inline constexpr T kCanonicalNaN = std::numeric_limits<T>::quiet_NaN();

// --- Arithmetic: integers wrap; booleans: add is or, mul is and, sub is xor. ---

template <Element T>
[[nodiscard]] constexpr T add(T a, T b) {
  if constexpr (std::same_as<T, bool>) {
    return a || b;
  } else if constexpr (Integer<T>) {
    using W = detail::Wide<T>;
    return static_cast<T>(static_cast<W>(a) + static_cast<W>(b));
  } else {
    return a + b;
  }
}

template <Element T>
[[nodiscard]] constexpr T sub(T a, T b) {
  if constexpr (std::same_as<T, bool>) {
    return a != b;
  } else if constexpr (Integer<T>) {
    using W = detail::Wide<T>;
    return static_cast<T>(static_cast<W>(a) - static_cast<W>(b));
  } else {
    return a - b;
  }
}

template <Element T>
[[nodiscard]] constexpr T mul(T a, T b) {
  if constexpr (std::same_as<T, bool>) {
    return a && b;
  } else if constexpr (Integer<T>) {
    using W = detail::Wide<T>;
    return static_cast<T>(static_cast<W>(a) * static_cast<W>(b));
  } else {
    return a * b;
  }
}

/// IEEE division.
template <Floating T>
[[nodiscard]] constexpr T div(T a, T b) {
  return a / b;
}

template <Element T>
[[nodiscard]] constexpr T neg(T a) {
  if constexpr (std::same_as<T, bool>) {
    return a;
  } else if constexpr (Integer<T>) {
    return sub(T(0), a);
  } else {
    return -a;
  }
}

/// The most negative integer is its own absolute value.
template <Element T>
[[nodiscard]] constexpr T abs(T a) {
  if constexpr (Floating<T>) {
    using B = detail::BitsOf<T>;
    return std::bit_cast<T>(static_cast<B>(std::bit_cast<B>(a) & ~(B(1) << (sizeof(B) * 8 - 1))));
  } else if constexpr (SignedInteger<T>) {
    return a < 0 ? neg(a) : a;
  } else {
    return a;
  }
}

/// -1, 0 or 1; a zero keeps its sign, NaN stays NaN.
template <Element T>
[[nodiscard]] constexpr T sign(T a) {
  if constexpr (Floating<T>) {
    return a > T(0) ? T(1) : a < T(0) ? T(-1) : a;
  } else if constexpr (SignedInteger<T>) {
    return static_cast<T>((a > 0) - (a < 0));
  } else {
    return static_cast<T>(a != T(0));
  }
}

/// a * b + c, rounded once; integers wrap.
template <Element T>
[[nodiscard]] inline T fma(T a, T b, T c) {
  if constexpr (std::same_as<T, float>) {
    return __builtin_fmaf(a, b, c);
  } else if constexpr (std::same_as<T, double>) {
    return __builtin_fma(a, b, c);
  } else {
    return add(mul(a, b), c);
  }
}

/// 0 with the product's sign (NaN counts as positive) where either factor is 0, else a * b.
template <Element T>
[[nodiscard]] inline T strong_mul(T a, T b) {
  if constexpr (Floating<T>) {
    if (a == T(0) || b == T(0)) {
      const bool a_negative = a == a && std::signbit(a);
      const bool b_negative = b == b && std::signbit(b);
      return a_negative != b_negative ? -T(0) : T(0);
    }
  }
  return mul(a, b);
}

// --- Division with remainder. Integers: a / 0 and a % 0 are 0; the most negative / -1 is itself, remainder
// 0. ---

/// Quotient rounded towards zero.
template <Element T>
  requires(!std::same_as<T, bool>)
[[nodiscard]] inline T trunc_divide(T a, T b) {
  if constexpr (Floating<T>) {
    return std::trunc(a / b);
  } else {
    if (b == 0) return 0;
    if constexpr (SignedInteger<T>) {
      if (b == -1) return neg(a);
    }
    return static_cast<T>(a / b);
  }
}

/// Remainder of trunc_divide: it has the sign of a. C's fmod for floats.
template <Element T>
  requires(!std::same_as<T, bool>)
[[nodiscard]] inline T fmod(T a, T b) {
  if constexpr (Floating<T>) {
    return std::fmod(a, b);
  } else {
    if (b == 0) return 0;
    if constexpr (SignedInteger<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
}

/// NumPy's remainder: it has the sign of b (a zero included).
template <Element T>
  requires(!std::same_as<T, bool>)
[[nodiscard]] inline T remainder(T a, T b) {
  const T truncated = fmod(a, b);
  if constexpr (Floating<T>) {
    if (b == T(0)) return truncated;
    if (truncated == T(0)) return std::copysign(T(0), b);
    return (b < T(0)) != (truncated < T(0)) ? truncated + b : truncated;
  } else {
    return truncated != 0 && (truncated < 0) != (b < 0) ? static_cast<T>(truncated + b) : truncated;
  }
}

/// NumPy's floor_divide. Floats: the integer nearest to (a - remainder) / b, so that it agrees with
/// remainder.
template <Element T>
  requires(!std::same_as<T, bool>)
[[nodiscard]] inline T floor_divide(T a, T b) {
  if constexpr (Floating<T>) {
    if (b == T(0)) return a / b;
    const T truncated = std::fmod(a, b);
    T quotient = (a - truncated) / b;
    if (truncated != T(0) && (b < T(0)) != (truncated < T(0))) quotient -= T(1);
    if (quotient == T(0)) return std::copysign(T(0), a / b);
    const T floored = std::floor(quotient);
    return quotient - floored > T(0.5) ? floored + T(1) : floored;
  } else {
    const T quotient = trunc_divide(a, b);
    const T truncated = fmod(a, b);
    return truncated != 0 && (truncated < 0) != (b < 0) ? static_cast<T>(quotient - 1) : quotient;
  }
}

// --- Order. A NaN operand gives the canonical NaN; -0 is less than +0. ---

template <Element T>
[[nodiscard]] constexpr T maximum(T a, T b) {
  if constexpr (Floating<T>) {
    // Equal operands have equal bits, except zeros: and keeps -0 only where both are.
    using B = detail::BitsOf<T>;
    const T tie = std::bit_cast<T>(static_cast<B>(std::bit_cast<B>(a) & std::bit_cast<B>(b)));
    return a > b ? a : a < b ? b : a == b ? tie : kCanonicalNaN<T>;
  } else {
    return a > b ? a : b;
  }
}

template <Element T>
[[nodiscard]] constexpr T minimum(T a, T b) {
  if constexpr (Floating<T>) {
    using B = detail::BitsOf<T>;
    const T tie = std::bit_cast<T>(static_cast<B>(std::bit_cast<B>(a) | std::bit_cast<B>(b)));
    return a < b ? a : a > b ? b : a == b ? tie : kCanonicalNaN<T>;
  } else {
    return a < b ? a : b;
  }
}

/// minimum(maximum(x, lo), hi): hi where lo > hi.
template <Element T>
[[nodiscard]] constexpr T clamp(T x, T lo, T hi) {
  return minimum(maximum(x, lo), hi);
}

template <Element T>
[[nodiscard]] constexpr bool equal(T a, T b) {
  return a == b;
}
template <Element T>
[[nodiscard]] constexpr bool not_equal(T a, T b) {
  return a != b;
}
template <Element T>
[[nodiscard]] constexpr bool less(T a, T b) {
  return a < b;
}
template <Element T>
[[nodiscard]] constexpr bool less_equal(T a, T b) {
  return a <= b;
}
template <Element T>
[[nodiscard]] constexpr bool greater(T a, T b) {
  return a > b;
}
template <Element T>
[[nodiscard]] constexpr bool greater_equal(T a, T b) {
  return a >= b;
}

template <Element T>
[[nodiscard]] constexpr bool is_nan(T a) {
  return a != a;
}
template <Element T>
[[nodiscard]] constexpr bool is_inf(T a) {
  if constexpr (Floating<T>) {
    return abs(a) == std::numeric_limits<T>::infinity();
  } else {
    return false;
  }
}
template <Element T>
[[nodiscard]] constexpr bool is_finite(T a) {
  if constexpr (Floating<T>) {
    return abs(a) < std::numeric_limits<T>::infinity();
  } else {
    return true;
  }
}

template <Element T>
[[nodiscard]] constexpr T select(bool condition, T on_true, T on_false) {
  return condition ? on_true : on_false;
}

// --- Logic and bits ---

template <Element T>
[[nodiscard]] constexpr bool logical_and(T a, T b) {
  return a != T(0) && b != T(0);
}
template <Element T>
[[nodiscard]] constexpr bool logical_or(T a, T b) {
  return a != T(0) || b != T(0);
}
template <Element T>
[[nodiscard]] constexpr bool logical_xor(T a, T b) {
  return (a != T(0)) != (b != T(0));
}
template <Element T>
[[nodiscard]] constexpr bool logical_not(T a) {
  return a == T(0);
}

template <Bits T>
[[nodiscard]] constexpr T bitwise_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <Bits T>
[[nodiscard]] constexpr T bitwise_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <Bits T>
[[nodiscard]] constexpr T bitwise_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <Bits T>
[[nodiscard]] constexpr T bitwise_not(T a) {
  if constexpr (std::same_as<T, bool>) {
    return !a;
  } else {
    return static_cast<T>(~a);
  }
}

namespace detail {
template <Integer T>
[[nodiscard]] constexpr bool is_shift_in_range(T amount) {
  return static_cast<std::make_unsigned_t<T>>(amount) < static_cast<std::make_unsigned_t<T>>(kWidth<T>);
}
}  // namespace detail

/// Shifts by an amount outside [0, width) give 0, or all sign bits for the arithmetic one.
template <Integer T>
[[nodiscard]] constexpr T shift_left(T a, T amount) {
  if (!detail::is_shift_in_range(amount)) return 0;
  return static_cast<T>(static_cast<detail::Wide<T>>(a) << amount);
}
template <Integer T>
[[nodiscard]] constexpr T shift_right_logical(T a, T amount) {
  if (!detail::is_shift_in_range(amount)) return 0;
  return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) >> amount);
}
template <Integer T>
[[nodiscard]] constexpr T shift_right_arithmetic(T a, T amount) {
  if constexpr (SignedInteger<T>) {
    return static_cast<T>(
        a >> (detail::is_shift_in_range(amount) ? static_cast<int>(amount) : detail::kWidth<T> - 1));
  } else {
    return shift_right_logical(a, amount);
  }
}

// --- Rounding to integers ---

template <Floating T>
[[nodiscard]] inline T floor(T x) {
  return std::floor(x);
}
template <Floating T>
[[nodiscard]] inline T ceil(T x) {
  return std::ceil(x);
}
template <Floating T>
[[nodiscard]] inline T trunc(T x) {
  return std::trunc(x);
}
/// Half to even.
template <Floating T>
[[nodiscard]] inline T round(T x) {
  return std::nearbyint(x);
}
/// Half away from zero.
template <Floating T>
[[nodiscard]] inline T round_half_away(T x) {
  return std::round(x);
}

// --- Elementary functions ---

/// Correctly rounded.
template <Floating T>
[[nodiscard]] inline T sqrt(T x) {
  return std::sqrt(x);
}
template <Floating T>
[[nodiscard]] inline T rsqrt(T x) {
  return detail::in_double(x, [](double d) { return 1.0 / std::sqrt(d); });
}

#define CALX_ELEMENTARY(name)                                           \
  template <Floating T>                                                 \
  [[nodiscard]] inline T name(T x) {                                    \
    return detail::in_double(x, [](double d) { return std::name(d); }); \
  }
CALX_ELEMENTARY(cbrt)
CALX_ELEMENTARY(exp)
CALX_ELEMENTARY(exp2)
CALX_ELEMENTARY(expm1)
CALX_ELEMENTARY(log)
CALX_ELEMENTARY(log2)
CALX_ELEMENTARY(log10)
CALX_ELEMENTARY(log1p)
CALX_ELEMENTARY(sin)
CALX_ELEMENTARY(cos)
CALX_ELEMENTARY(tan)
CALX_ELEMENTARY(asin)
CALX_ELEMENTARY(acos)
CALX_ELEMENTARY(atan)
CALX_ELEMENTARY(sinh)
CALX_ELEMENTARY(cosh)
CALX_ELEMENTARY(tanh)
CALX_ELEMENTARY(asinh)
CALX_ELEMENTARY(acosh)
CALX_ELEMENTARY(atanh)
CALX_ELEMENTARY(erf)
CALX_ELEMENTARY(erfc)
#undef CALX_ELEMENTARY

/// The angle of (x, y) as atan2(y, x), IEEE's value at zeros and infinities.
template <Floating T>
[[nodiscard]] inline T atan2(T y, T x) {
  return static_cast<T>(std::atan2(static_cast<double>(y), static_cast<double>(x)));
}

/// Floats: C's pow. Integers wrap; a negative exponent gives the power rounded towards zero (and 0 for base
/// 0).
template <Element T>
[[nodiscard]] inline T pow(T base, T exponent) {
  if constexpr (Floating<T>) {
    return static_cast<T>(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  } else if constexpr (std::same_as<T, bool>) {
    return base || !exponent;
  } else {
    if constexpr (SignedInteger<T>) {
      if (exponent < 0) return base == 1 ? T(1) : base == -1 ? T(exponent % 2 == 0 ? 1 : -1) : T(0);
    }
    T result = 1;
    for (T factor = base; exponent != 0; exponent = static_cast<T>(exponent / 2)) {
      if (exponent % 2 != 0) result = mul(result, factor);
      factor = mul(factor, factor);
    }
    return result;
  }
}

}  // namespace calx::loopir::math
