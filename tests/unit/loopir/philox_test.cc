// Known answers of Philox4x32-10 (published with Random123).
#include "calx/loopir/philox.h"

#include <gtest/gtest.h>

namespace calx::loopir::philox_test {
namespace {

TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
  constexpr std::uint32_t f = 0xFFFFFFFFu;
  EXPECT_EQ(philox4x32({f, f, f, f}, {f, f}),
            (PhiloxCounter{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
  EXPECT_EQ(philox4x32({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}, {0xa4093822u, 0x299f31d0u}),
            (PhiloxCounter{0xd16cfe09u, 0x94fdcceb, 0x5001e420u, 0x24126ea1u}));
}

TEST(Philox, ElementBits) {
  EXPECT_EQ(random_bits(0, 0), 0xe169c58d6627e8d5u);
  const auto words = philox4x32({5, 1, 0, 0}, {7, 2});
  EXPECT_EQ(random_bits(0x200000007u, 0x100000005u), (std::uint64_t{words[1]} << 32) | words[0]);
}

}  // namespace
}  // namespace calx::loopir::philox_test
