// Overflow is reported at the ends of the 64-bit range, and division rounds down for every combination of signs.
#include "calx/base/checked.h"

#include <array>
#include <limits>

#include <gtest/gtest.h>

namespace calx::checked_test {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

TEST(Checked, AddReportsOverflow) {
  EXPECT_EQ(checked_add(kMax - 1, 1), kMax);
  EXPECT_EQ(checked_add(kMax, 1), std::nullopt);
  EXPECT_EQ(checked_add(kMin, -1), std::nullopt);
}

TEST(Checked, MulReportsOverflow) {
  EXPECT_EQ(checked_mul(kMax, -1), -kMax);
  EXPECT_EQ(checked_mul(kMin, -1), std::nullopt);
  EXPECT_EQ(checked_mul(std::int64_t{1} << 32, std::int64_t{1} << 31), std::nullopt);
}

TEST(Checked, ProductIsZeroWithAZeroFactorEvenIfTheRestOverflows) {
  EXPECT_EQ(checked_product(std::array<std::int64_t, 0>{}), 1);
  EXPECT_EQ(checked_product(std::array<std::int64_t, 3>{2, 3, 4}), 24);
  EXPECT_EQ(checked_product(std::array{kMax, kMax, std::int64_t{0}}), 0);
  EXPECT_EQ(checked_product(std::array{kMax, std::int64_t{2}}), std::nullopt);
}

TEST(Checked, FloorDivisionRoundsDown) {
  for (std::int64_t a = -7; a <= 7; ++a) {
    for (std::int64_t b : {-3, -2, -1, 1, 2, 3}) {
      const std::int64_t quotient = floor_div(a, b);
      const std::int64_t remainder = floor_mod(a, b);
      EXPECT_EQ(quotient * b + remainder, a) << a << " / " << b;
      EXPECT_TRUE(b > 0 ? (0 <= remainder && remainder < b) : (b < remainder && remainder <= 0)) << a << " / " << b;
    }
  }
}

}  // namespace
}  // namespace calx::checked_test
