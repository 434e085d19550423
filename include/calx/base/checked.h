// 64-bit integer arithmetic that reports overflow instead of wrapping. Sizes, offsets and Dim coefficients use it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace calx {

[[nodiscard]] constexpr std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

[[nodiscard]] constexpr std::optional<std::int64_t> checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

/// Product of non-negative sizes. A zero factor gives 0 even where the others overflow.
[[nodiscard]] constexpr std::optional<std::int64_t> checked_product(std::span<const std::int64_t> sizes) {
  for (std::int64_t size : sizes) {
    if (size == 0) return 0;
  }
  std::int64_t product = 1;
  for (std::int64_t size : sizes) {
    if (__builtin_mul_overflow(product, size, &product)) return std::nullopt;
  }
  return product;
}

/// Quotient rounded towards minus infinity; b != 0.
[[nodiscard]] constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return quotient - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0);
}

[[nodiscard]] constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) { return a - floor_div(a, b) * b; }

}  // namespace calx
