// Every scalar function at its corners, against exact expectations.
#include "calx/loopir/scalar_math.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace calx::loopir::scalar_math_test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();

/// The same bits.
::testing::AssertionResult is(float actual, float expected) {
  if (std::bit_cast<std::uint32_t>(actual) == std::bit_cast<std::uint32_t>(expected))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << actual << " is not " << expected;
}

TEST(ScalarMath, IntegersWrap) {
  EXPECT_EQ(math::add(kMax, 1), kMin);
  EXPECT_EQ(math::sub(kMin, 1), kMax);
  EXPECT_EQ(math::mul(kMin, -1), kMin);
  EXPECT_EQ(math::neg(kMin), kMin);
  EXPECT_EQ(math::abs(kMin), kMin);
  EXPECT_EQ(math::mul(std::uint16_t{65535}, std::uint16_t{65535}), 1);
  EXPECT_EQ(math::add(std::uint8_t{255}, std::uint8_t{2}), 1);
  EXPECT_EQ(math::neg(std::uint8_t{1}), 255);
  EXPECT_EQ(math::fma(kMax, 2, 3), 1);
}

TEST(ScalarMath, Booleans) {
  EXPECT_TRUE(math::add(true, true));
  EXPECT_FALSE(math::mul(true, false));
  EXPECT_FALSE(math::sub(true, true));
  EXPECT_TRUE(math::bitwise_not(false));
  EXPECT_TRUE(math::pow(false, false));
  EXPECT_FALSE(math::pow(false, true));
  EXPECT_TRUE(math::maximum(false, true));
}

TEST(ScalarMath, IntegerDivision) {
  EXPECT_EQ(math::floor_divide(7, -2), -4);
  EXPECT_EQ(math::remainder(7, -2), -1);
  EXPECT_EQ(math::floor_divide(-7, 2), -4);
  EXPECT_EQ(math::remainder(-7, 2), 1);
  EXPECT_EQ(math::trunc_divide(-7, 2), -3);
  EXPECT_EQ(math::fmod(-7, 2), -1);
  EXPECT_EQ(math::floor_divide(5, 0), 0);
  EXPECT_EQ(math::remainder(5, 0), 0);
  EXPECT_EQ(math::floor_divide(kMin, -1), kMin);
  EXPECT_EQ(math::remainder(kMin, -1), 0);
  EXPECT_EQ(math::trunc_divide(kMin, -1), kMin);
  EXPECT_EQ(math::fmod(kMin, -1), 0);
  EXPECT_EQ(math::floor_divide(std::int8_t{-128}, std::int8_t{-1}), -128);
  EXPECT_EQ(math::floor_divide(7u, 2u), 3u);
  EXPECT_EQ(math::remainder(7u, 4u), 3u);
}

TEST(ScalarMath, FloatDivision) {
  EXPECT_TRUE(is(math::floor_divide(7.0f, -2.0f), -4.0f));
  EXPECT_TRUE(is(math::remainder(7.0f, -2.0f), -1.0f));
  EXPECT_TRUE(is(math::remainder(-7.0f, 2.0f), 1.0f));
  EXPECT_TRUE(is(math::remainder(-4.0f, 2.0f), 0.0f));
  EXPECT_TRUE(is(math::remainder(4.0f, -2.0f), -0.0f));
  EXPECT_TRUE(is(math::floor_divide(1.0f, 0.1f), 9.0f));  // as Python's 1 // 0.1
  EXPECT_TRUE(is(math::floor_divide(1.0f, 0.0f), kInf));
  EXPECT_TRUE(is(math::floor_divide(-1.0f, 0.0f), -kInf));
  EXPECT_TRUE(std::isnan(math::remainder(1.0f, 0.0f)));
  EXPECT_TRUE(is(math::remainder(-1.0f, kInf), kInf));
  EXPECT_TRUE(is(math::floor_divide(-1.0f, kInf), -1.0f));
  EXPECT_TRUE(is(math::floor_divide(-0.0f, 3.0f), -0.0f));
  EXPECT_TRUE(is(math::fmod(-7.0f, 2.0f), -1.0f));
  EXPECT_TRUE(is(math::trunc_divide(-7.0f, 2.0f), -3.0f));
  EXPECT_TRUE(is(math::div(1.0f, -0.0f), -kInf));
}

TEST(ScalarMath, SignAndAbs) {
  EXPECT_TRUE(is(math::sign(-0.0f), -0.0f));
  EXPECT_TRUE(is(math::sign(0.0f), 0.0f));
  EXPECT_TRUE(is(math::sign(-kInf), -1.0f));
  EXPECT_TRUE(std::isnan(math::sign(kNaN)));
  EXPECT_EQ(math::sign(kMin), -1);
  EXPECT_EQ(math::sign(7u), 1u);
  EXPECT_TRUE(is(math::abs(-0.0f), 0.0f));
  EXPECT_TRUE(is(math::neg(0.0f), -0.0f));
}

TEST(ScalarMath, MaximumAndMinimum) {
  const float other_nan = std::bit_cast<float>(0xFFC12345u);
  EXPECT_TRUE(is(math::maximum(other_nan, 1.0f), kNaN));
  EXPECT_TRUE(is(math::maximum(1.0f, other_nan), kNaN));
  EXPECT_TRUE(is(math::minimum(other_nan, other_nan), kNaN));
  EXPECT_TRUE(is(math::maximum(-0.0f, 0.0f), 0.0f));
  EXPECT_TRUE(is(math::maximum(0.0f, -0.0f), 0.0f));
  EXPECT_TRUE(is(math::maximum(-0.0f, -0.0f), -0.0f));
  EXPECT_TRUE(is(math::minimum(0.0f, -0.0f), -0.0f));
  EXPECT_TRUE(is(math::minimum(0.0f, 0.0f), 0.0f));
  EXPECT_TRUE(is(math::maximum(-kInf, -3.0f), -3.0f));
  EXPECT_TRUE(is(math::maximum(2.5f, 2.5f), 2.5f));
  EXPECT_EQ(math::maximum(kMin, kMax), kMax);
  EXPECT_TRUE(is(math::clamp(5.0f, 3.0f, 1.0f), 1.0f));
  EXPECT_TRUE(is(math::clamp(0.0f, 3.0f, 1.0f), 1.0f));
  EXPECT_TRUE(is(math::clamp(kNaN, 0.0f, 1.0f), kNaN));
  EXPECT_EQ(math::clamp(7, 0, 3), 3);
}

TEST(ScalarMath, StrongMul) {
  EXPECT_TRUE(is(math::strong_mul(0.0f, kInf), 0.0f));
  EXPECT_TRUE(is(math::strong_mul(-kInf, 0.0f), -0.0f));
  EXPECT_TRUE(is(math::strong_mul(-0.0f, -3.0f), 0.0f));
  EXPECT_TRUE(is(math::strong_mul(0.0f, kNaN), 0.0f));
  EXPECT_TRUE(is(math::strong_mul(0.0f, -kNaN), 0.0f));
  EXPECT_TRUE(is(math::strong_mul(kNaN, -0.0f), -0.0f));
  EXPECT_TRUE(std::isnan(math::strong_mul(kNaN, 2.0f)));
  EXPECT_TRUE(is(math::strong_mul(3.0f, 2.0f), 6.0f));
  EXPECT_EQ(math::strong_mul(3, 2), 6);
}

TEST(ScalarMath, Rounding) {
  EXPECT_TRUE(is(math::round(0.5f), 0.0f));
  EXPECT_TRUE(is(math::round(1.5f), 2.0f));
  EXPECT_TRUE(is(math::round(-2.5f), -2.0f));
  EXPECT_TRUE(is(math::round(-0.5f), -0.0f));
  EXPECT_TRUE(is(math::round_half_away(2.5f), 3.0f));
  EXPECT_TRUE(is(math::round_half_away(-0.5f), -1.0f));
  EXPECT_TRUE(is(math::floor(-0.5f), -1.0f));
  EXPECT_TRUE(is(math::ceil(-0.5f), -0.0f));
  EXPECT_TRUE(is(math::trunc(-1.5f), -1.0f));
  EXPECT_TRUE(is(math::round(8388609.0f), 8388609.0f));
}

TEST(ScalarMath, Tests) {
  EXPECT_TRUE(math::is_nan(kNaN));
  EXPECT_FALSE(math::is_nan(1));
  EXPECT_TRUE(math::is_inf(-kInf));
  EXPECT_FALSE(math::is_finite(kInf));
  EXPECT_FALSE(math::is_finite(kNaN));
  EXPECT_TRUE(math::is_finite(std::numeric_limits<float>::max()));
  EXPECT_TRUE(math::is_finite(1));
  EXPECT_FALSE(math::equal(kNaN, kNaN));
  EXPECT_TRUE(math::not_equal(kNaN, kNaN));
  EXPECT_TRUE(math::equal(0.0f, -0.0f));
  EXPECT_FALSE(math::less(kNaN, 1.0f));
  EXPECT_TRUE(math::greater_equal(1, 1));
  EXPECT_TRUE(math::logical_and(2, 1));
  EXPECT_FALSE(math::logical_xor(2, 1));
  EXPECT_TRUE(math::logical_or(0, 1));
  EXPECT_TRUE(math::logical_not(0));
  EXPECT_EQ(math::select(false, 1, 2), 2);
}

TEST(ScalarMath, BitsAndShifts) {
  EXPECT_EQ(math::bitwise_not(std::uint8_t{0x0F}), 0xF0);
  EXPECT_EQ(math::bitwise_xor(6, 3), 5);
  EXPECT_EQ(math::shift_left(1, 31), kMin);
  EXPECT_EQ(math::shift_left(1, 32), 0);
  EXPECT_EQ(math::shift_left(1, -1), 0);
  EXPECT_EQ(math::shift_right_arithmetic(-8, 1), -4);
  EXPECT_EQ(math::shift_right_arithmetic(-8, 40), -1);
  EXPECT_EQ(math::shift_right_arithmetic(8, -1), 0);
  EXPECT_EQ(math::shift_right_arithmetic(0x80000000u, 31u), 1u);
  EXPECT_EQ(math::shift_right_logical(-1, 31), 1);
  EXPECT_EQ(math::shift_right_logical(-1, 32), 0);
  EXPECT_EQ(math::shift_left(std::int8_t{1}, std::int8_t{7}), -128);
  EXPECT_EQ(math::shift_left(std::uint64_t{1}, ~std::uint64_t{0}), 0u);
}

TEST(ScalarMath, Powers) {
  EXPECT_EQ(math::pow(3, 4), 81);
  EXPECT_EQ(math::pow(2, 32), 0);
  EXPECT_EQ(math::pow(0, 0), 1);
  EXPECT_EQ(math::pow(2, -1), 0);
  EXPECT_EQ(math::pow(-1, -3), -1);
  EXPECT_EQ(math::pow(1, kMin), 1);
  EXPECT_EQ(math::pow(0, -1), 0);
  EXPECT_TRUE(is(math::pow(kNaN, 0.0f), 1.0f));
  EXPECT_TRUE(is(math::pow(-8.0f, 3.0f), -512.0f));
  EXPECT_TRUE(is(math::pow(0.0f, -1.0f), kInf));
  EXPECT_TRUE(std::isnan(math::pow(-1.0f, 0.5f)));
}

TEST(ScalarMath, ElementaryFunctionsOfFloatAreRoundedOnce) {
  // Correctly rounded values, from 50-digit arithmetic.
  EXPECT_TRUE(is(math::exp(1.0f), 2.7182817f));
  EXPECT_TRUE(is(math::tanh(0.5f), 0.46211717f));
  EXPECT_TRUE(is(math::log(2.0f), 0.6931472f));
  EXPECT_TRUE(is(math::erf(0.5f), 0.5204999f));
  EXPECT_TRUE(is(math::erfc(3.0f), 2.2090497e-05f));
  EXPECT_TRUE(is(math::rsqrt(2.0f), 0.70710677f));
  EXPECT_TRUE(is(math::rsqrt(0.0f), kInf));
  EXPECT_TRUE(is(math::rsqrt(-0.0f), -kInf));
  EXPECT_TRUE(is(math::sqrt(-0.0f), -0.0f));
  EXPECT_TRUE(std::isnan(math::sqrt(-1.0f)));
  EXPECT_TRUE(is(math::expm1(-0.0f), -0.0f));
  EXPECT_TRUE(is(math::log1p(-1.0f), -kInf));
  EXPECT_TRUE(is(math::exp(-kInf), 0.0f));
  EXPECT_TRUE(is(math::exp(89.0f), kInf));
  EXPECT_TRUE(is(math::tan(0.0f), 0.0f));
  EXPECT_TRUE(is(math::sin(1e10f), -0.48750603f));
  EXPECT_TRUE(is(math::cos(0.0f), 1.0f));
  EXPECT_TRUE(is(math::asin(1.0f), 1.5707964f));
  EXPECT_TRUE(is(math::acos(1.0f), 0.0f));
  EXPECT_TRUE(is(math::atan(kInf), 1.5707964f));
  EXPECT_TRUE(is(math::sinh(-0.0f), -0.0f));
  EXPECT_TRUE(is(math::cosh(0.0f), 1.0f));
  EXPECT_TRUE(is(math::atan2(0.0f, -0.0f), 3.1415927f));
  EXPECT_TRUE(is(math::atan2(-0.0f, 1.0f), -0.0f));
  EXPECT_TRUE(is(math::cbrt(-27.0f), -3.0f));
  EXPECT_EQ(math::exp(1.0), std::exp(1.0));
  EXPECT_TRUE(is(math::fma(1e20f, 1e20f, -kInf), -kInf));
}

TEST(ScalarMath, FunctionsExistWhereTheyHaveAMeaning) {
  constexpr auto takes_exp = [](auto x) { return requires { math::exp(x); }; };
  constexpr auto takes_shift = [](auto x) { return requires { math::shift_left(x, x); }; };
  static_assert(takes_exp(1.0f) && !takes_exp(1) && !takes_exp(true));
  static_assert(takes_shift(1) && !takes_shift(1.0f) && !takes_shift(true));
}

}  // namespace
}  // namespace calx::loopir::scalar_math_test
