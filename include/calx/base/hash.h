// Combining hashes. Deterministic within and across runs, so that printed orders never depend on addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace calx {

[[nodiscard]] constexpr std::uint64_t hash_mix(std::uint64_t seed, std::uint64_t value) {
  // The finaliser of splitmix64 over a running sum.
  std::uint64_t z = seed * 0x9E3779B97F4A7C15ull + value + 0x632BE59BD9B4E019ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

[[nodiscard]] std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0);
[[nodiscard]] std::uint64_t hash_string(std::string_view text, std::uint64_t seed = 0);

}  // namespace calx
