// f16 and bf16 as storage types: 16 bits and conversions that round once, half to even. No arithmetic of their own:
// arithmetic on them is computed in f32 and rounded once.
#pragma once

#include <bit>
#include <cstdint>

namespace calx {

/// IEEE 754 binary16.
struct float16_t {
  std::uint16_t bits = 0;

  constexpr float16_t() = default;
  constexpr explicit float16_t(float value) : bits(from_float(value)) {}
  constexpr explicit operator float() const { return to_float(bits); }
  [[nodiscard]] static constexpr float16_t from_bits(std::uint16_t pattern) {
    float16_t result;
    result.bits = pattern;
    return result;
  }

  [[nodiscard]] static constexpr float to_float(std::uint16_t half) {
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1Fu;
    const std::uint32_t mantissa = half & 0x3FFu;
    if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000u | (mantissa << 13));
    if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
    // Subnormal: mantissa * 2^-24, exact in f32.
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
  }

  [[nodiscard]] static constexpr std::uint16_t from_float(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) return static_cast<std::uint16_t>(sign | 0x7E00u | ((magnitude >> 13) & 0x3FFu));
    if (magnitude >= 0x477FF000u) return static_cast<std::uint16_t>(sign | 0x7C00u);  // rounds to infinity
    if (magnitude < 0x38800000u) {
      // Subnormal result: adding 0.5 aligns the 24-bit significand so that the hardware rounds at 2^-24.
      const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
      return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3F000000u));
    }
    const std::uint32_t rounded = magnitude + 0xFFFu + ((magnitude >> 13) & 1u);
    return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
  }
};

/// The upper half of a binary32.
struct bfloat16_t {
  std::uint16_t bits = 0;

  constexpr bfloat16_t() = default;
  constexpr explicit bfloat16_t(float value) : bits(from_float(value)) {}
  constexpr explicit operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
  [[nodiscard]] static constexpr bfloat16_t from_bits(std::uint16_t pattern) {
    bfloat16_t result;
    result.bits = pattern;
    return result;
  }

  [[nodiscard]] static constexpr std::uint16_t from_float(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
    return static_cast<std::uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
  }
};

}  // namespace calx
