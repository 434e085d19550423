// The element types. The one home of everything that depends on the dtype alone: size, name, kind, promotion,
// accumulation, and the dispatch from a run-time dtype to a C++ type.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "calx/base/error.h"
#include "calx/types/half.h"

namespace calx {

class DType {
 public:
  enum class Kind : std::uint8_t { boolean, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };
  static constexpr int kCount = 13;

  constexpr DType() = default;  // f32
  constexpr explicit DType(Kind kind) : kind_(kind) {}

  [[nodiscard]] constexpr Kind kind() const { return kind_; }
  [[nodiscard]] constexpr bool is_floating() const { return kind_ >= Kind::f16; }
  [[nodiscard]] constexpr bool is_boolean() const { return kind_ == Kind::boolean; }
  [[nodiscard]] constexpr bool is_integer() const { return !is_floating() && !is_boolean(); }
  [[nodiscard]] constexpr bool is_signed() const {
    return is_floating() || kind_ == Kind::i8 || kind_ == Kind::i16 || kind_ == Kind::i32 || kind_ == Kind::i64;
  }
  /// Bytes of one element; booleans take one byte, 0 or 1.
  [[nodiscard]] constexpr int size_bytes() const {
    constexpr std::uint8_t sizes[kCount] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};
    return sizes[static_cast<int>(kind_)];
  }
  /// "bool", "i32", "bf16", ...
  [[nodiscard]] constexpr std::string_view name() const {
    constexpr std::string_view names[kCount] = {"bool", "i8",  "u8",  "i16",  "u16", "i32", "u32",
                                                "i64",  "u64", "f16", "bf16", "f32", "f64"};
    return names[static_cast<int>(kind_)];
  }
  [[nodiscard]] static std::optional<DType> from_name(std::string_view name);

  /// The type in which sums, products and norms of this dtype are accumulated.
  [[nodiscard]] DType accumulation() const;

  friend constexpr bool operator==(DType, DType) = default;
  friend constexpr auto operator<=>(DType, DType) = default;

 private:
  Kind kind_ = Kind::f32;
};

inline constexpr DType boolean{DType::Kind::boolean};
inline constexpr DType i8{DType::Kind::i8};
inline constexpr DType u8{DType::Kind::u8};
inline constexpr DType i16{DType::Kind::i16};
inline constexpr DType u16{DType::Kind::u16};
inline constexpr DType i32{DType::Kind::i32};
inline constexpr DType u32{DType::Kind::u32};
inline constexpr DType i64{DType::Kind::i64};
inline constexpr DType u64{DType::Kind::u64};
inline constexpr DType f16{DType::Kind::f16};
inline constexpr DType bf16{DType::Kind::bf16};
inline constexpr DType f32{DType::Kind::f32};
inline constexpr DType f64{DType::Kind::f64};
inline constexpr DType kAllDTypes[] = {boolean, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64};

/// The dtype that holds both operands (the JAX lattice); nullopt where none does (u64 with a signed integer).
[[nodiscard]] std::optional<DType> promote(DType a, DType b);

/// C++ and Python scalars are weak: they take the other operand's dtype where its kind can hold them.
enum class WeakKind : std::uint8_t { boolean, integer, floating };
/// The dtype of an operation between a tensor of `strong` and a weak scalar.
[[nodiscard]] DType promote_weak(DType strong, WeakKind weak);

namespace detail {
template <class T>
struct DTypeOf;
template <> struct DTypeOf<bool> { static constexpr DType value = boolean; };
template <> struct DTypeOf<std::int8_t> { static constexpr DType value = i8; };
template <> struct DTypeOf<std::uint8_t> { static constexpr DType value = u8; };
template <> struct DTypeOf<std::int16_t> { static constexpr DType value = i16; };
template <> struct DTypeOf<std::uint16_t> { static constexpr DType value = u16; };
template <> struct DTypeOf<std::int32_t> { static constexpr DType value = i32; };
template <> struct DTypeOf<std::uint32_t> { static constexpr DType value = u32; };
template <> struct DTypeOf<std::int64_t> { static constexpr DType value = i64; };
template <> struct DTypeOf<std::uint64_t> { static constexpr DType value = u64; };
template <> struct DTypeOf<float16_t> { static constexpr DType value = f16; };
template <> struct DTypeOf<bfloat16_t> { static constexpr DType value = bf16; };
template <> struct DTypeOf<float> { static constexpr DType value = f32; };
template <> struct DTypeOf<double> { static constexpr DType value = f64; };
}  // namespace detail

/// The DType of a C++ element type.
template <class T>
inline constexpr DType dtype_of = detail::DTypeOf<T>::value;

/// The type in which one element of storage type T is computed: float for f16 and bf16, T otherwise.
template <class T>
using ComputeType =
    std::conditional_t<std::is_same_v<T, float16_t> || std::is_same_v<T, bfloat16_t>, float, T>;

/// Calls visit(std::type_identity<T>{}) with the storage type of dtype.
template <class Visit>
decltype(auto) visit_dtype(DType dtype, Visit&& visit) {
  switch (dtype.kind()) {
    case DType::Kind::boolean: return visit(std::type_identity<bool>{});
    case DType::Kind::i8: return visit(std::type_identity<std::int8_t>{});
    case DType::Kind::u8: return visit(std::type_identity<std::uint8_t>{});
    case DType::Kind::i16: return visit(std::type_identity<std::int16_t>{});
    case DType::Kind::u16: return visit(std::type_identity<std::uint16_t>{});
    case DType::Kind::i32: return visit(std::type_identity<std::int32_t>{});
    case DType::Kind::u32: return visit(std::type_identity<std::uint32_t>{});
    case DType::Kind::i64: return visit(std::type_identity<std::int64_t>{});
    case DType::Kind::u64: return visit(std::type_identity<std::uint64_t>{});
    case DType::Kind::f16: return visit(std::type_identity<float16_t>{});
    case DType::Kind::bf16: return visit(std::type_identity<bfloat16_t>{});
    case DType::Kind::f32: return visit(std::type_identity<float>{});
    case DType::Kind::f64: return visit(std::type_identity<double>{});
  }
  raise_internal("unknown dtype");
}

/// As visit_dtype, for the four floating dtypes only; anything else is an internal error.
template <class Visit>
decltype(auto) visit_floating(DType dtype, Visit&& visit) {
  switch (dtype.kind()) {
    case DType::Kind::f16: return visit(std::type_identity<float16_t>{});
    case DType::Kind::bf16: return visit(std::type_identity<bfloat16_t>{});
    case DType::Kind::f32: return visit(std::type_identity<float>{});
    case DType::Kind::f64: return visit(std::type_identity<double>{});
    default: raise_internal("a floating dtype is needed");
  }
}

namespace detail {

/// f64 to f32 such that a later rounding to 16 bits equals one rounding of the f64: truncated, last bit set if inexact.
[[nodiscard]] constexpr float round_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  const auto back = static_cast<double>(nearest);
  if (back == value || nearest - nearest != 0.0f) return nearest;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(nearest);
  if ((back < 0 ? -back : back) > (value < 0 ? -value : value)) bits -= 1;
  return std::bit_cast<float>(bits | 1u);
}

/// An integer as f64 for a later rounding to 16 bits: magnitudes above 2^53 keep a sticky bit instead of rounding.
template <class Integer>
[[nodiscard]] constexpr double to_double_keeping_inexactness(Integer value) {
  std::uint64_t magnitude = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  if (magnitude >> 53 != 0) magnitude = (magnitude & ~std::uint64_t(0xFFF)) | ((magnitude & 0xFFF) != 0 ? 0x1000 : 0);
  return value < 0 ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
}

}  // namespace detail

/// Converts one element as the `convert` op does: float to integer truncates, saturates, NaN gives 0; to bool is != 0;
/// integers wrap; floats round once, half to even.
template <class To, class From>
[[nodiscard]] constexpr To convert_element(From from) {
  using C = ComputeType<From>;
  if constexpr (std::is_same_v<To, From>) {
    return from;
  } else if constexpr (!std::is_same_v<C, From>) {
    return convert_element<To>(static_cast<C>(from));
  } else if constexpr (std::is_same_v<To, bool>) {
    return from != From(0);
  } else if constexpr (std::is_same_v<To, float16_t> || std::is_same_v<To, bfloat16_t>) {
    if constexpr (std::is_same_v<From, double>) {
      return To(detail::round_to_odd(from));
    } else if constexpr (std::is_integral_v<From> && sizeof(From) >= 4) {
      return To(detail::round_to_odd(detail::to_double_keeping_inexactness(from)));
    } else {
      return To(static_cast<float>(from));
    }
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (from != from) return To(0);
    constexpr To lowest = std::is_signed_v<To> ? To(To(1) << (sizeof(To) * 8 - 1)) : To(0);
    constexpr To largest = To(~lowest);
    const From power = From(std::uint64_t(1) << (sizeof(To) * 8 - 1)) * (std::is_signed_v<To> ? From(1) : From(2));
    if (from >= power) return largest;
    if (from < (std::is_signed_v<To> ? -power : From(0))) return lowest;
    return static_cast<To>(from);
  } else {
    return static_cast<To>(from);
  }
}

}  // namespace calx
