// Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw (SC 2011), and the definition
// of the random bits of an element. A pure function of key and counter: no state, the same bits everywhere.
#pragma once

#include <array>
#include <cstdint>

namespace calx::loopir {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

[[nodiscard]] constexpr PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * counter[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(product0)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

/// The 64 random bits of element `index` under `key`: the counter is (low half of index, high half, 0, 0),
/// the key (low half, high half), and the bits are output word 0 in the low half and word 1 in the high half.
/// A narrower dtype takes the low bits, so u32 is output word 0.
[[nodiscard]] constexpr std::uint64_t random_bits(std::uint64_t key, std::uint64_t index) {
  const PhiloxCounter words =
      philox4x32({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), 0, 0},
                 {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)});
  return words[0] | (static_cast<std::uint64_t>(words[1]) << 32);
}

static_assert(philox4x32({0, 0, 0, 0}, {0, 0}) ==
              PhiloxCounter{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u});

}  // namespace calx::loopir
