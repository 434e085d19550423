// Byte hashing in 8-byte words.
#include "calx/base/hash.h"

#include <cstring>

namespace calx {

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) {
  std::uint64_t state = hash_mix(seed, bytes.size());
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    state = hash_mix(state, word);
  }
  if (i < bytes.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, bytes.size() - i);
    state = hash_mix(state, word);
  }
  return state;
}

std::uint64_t hash_string(std::string_view text, std::uint64_t seed) {
  return hash_bytes(std::as_bytes(std::span(text.data(), text.size())), seed);
}

}  // namespace calx
