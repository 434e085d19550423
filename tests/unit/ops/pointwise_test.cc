// Values of pointwise ops at the points where conventions decide.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "calx/ops.h"

namespace calx::pointwise_test {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;
using Bools = std::vector<bool>;
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Floats values(const Tensor& x) { return x.to_vector<float>(); }

TEST(Pointwise, ZerosAreOrderedAndNaNPropagates) {
  const Floats larger = values(maximum(tensor({-0.0, 0, 1, kNaN}), tensor({0, -0.0, kNaN, 1})));
  EXPECT_FALSE(std::signbit(larger[0]));
  EXPECT_FALSE(std::signbit(larger[1]));
  EXPECT_TRUE(std::isnan(larger[2]));
  EXPECT_TRUE(std::isnan(larger[3]));
  const Floats smaller = values(minimum(tensor({-0.0, 0, 1, kNaN}), tensor({0, -0.0, kNaN, 1})));
  EXPECT_TRUE(std::signbit(smaller[0]));
  EXPECT_TRUE(std::signbit(smaller[1]));
  EXPECT_TRUE(std::isnan(smaller[2]));
  EXPECT_TRUE(std::isnan(smaller[3]));
}

TEST(Pointwise, ClampOfAnEmptyIntervalIsItsUpperBound) {
  EXPECT_EQ(values(clamp(tensor({-1, 0.5, 2}), 0.0, 1.0)), (Floats{0, 0.5, 1}));
  EXPECT_EQ(values(clamp(tensor({-1, 0.5, 2}), 1.0, 0.0)), (Floats{0, 0, 0}));
  EXPECT_TRUE(std::isnan(values(clamp(tensor({kNaN}), 0.0, 1.0))[0]));
}

TEST(Pointwise, RoundingIsHalfToEven) {
  EXPECT_EQ(values(round(tensor({0.5, 1.5, 2.5, -0.5, -1.5}))), (Floats{0, 2, 2, -0.0F, -2}));
  EXPECT_EQ(values(floor(tensor({1.5, -1.5}))), (Floats{1, -2}));
  EXPECT_EQ(values(ceil(tensor({1.5, -1.5}))), (Floats{2, -1}));
  EXPECT_EQ(values(sign(tensor({-2, 0, 3}))), (Floats{-1, 0, 1}));
}

TEST(Pointwise, IntegerDivisionFollowsNumPyAndNeverTraps) {
  constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
  const Tensor lhs = tensor<std::int32_t>({7, -7, 7, -7, 5, lowest, 0});
  const Tensor rhs = tensor<std::int32_t>({2, 2, -2, -2, 0, -1, 0});
  EXPECT_EQ(floor_divide(lhs, rhs).to_vector<std::int32_t>(), (Ints{3, -4, -4, 3, 0, lowest, 0}));
  EXPECT_EQ(remainder(lhs, rhs).to_vector<std::int32_t>(), (Ints{1, 1, -1, -1, 0, 0, 0}));
  EXPECT_EQ(values(remainder(tensor({7.5, -7.5}), 2.0)), (Floats{1.5, 0.5}));
}

TEST(Pointwise, PowersOfIntegersWrapAndRoundTowardZero) {
  const Tensor lhs = tensor<std::int32_t>({3, 2, 2, -1, 0});
  const Tensor rhs = tensor<std::int32_t>({4, 32, -1, -3, 0});
  EXPECT_EQ(pow(lhs, rhs).to_vector<std::int32_t>(), (Ints{81, 0, 0, -1, 1}));
  EXPECT_EQ(values(pow(tensor({0, 2, 9}), tensor({0, 3, 0.5}))), (Floats{1, 8, 3}));
}

TEST(Pointwise, AnglesAtTheOriginFollowIEEE) {
  const Floats angles = values(atan2(tensor({0, 0, -0.0, 1}), tensor({1, -0.0, -0.0, 0})));
  EXPECT_EQ(angles, (Floats{0, 3.14159265F, -3.14159265F, 1.57079633F}));
}

TEST(Pointwise, ActivationsAtTheirJoints) {
  const Tensor x = tensor({-4, -3, 0, 3, 6, 7});
  EXPECT_EQ(values(relu(x)), (Floats{0, 0, 0, 3, 6, 7}));
  EXPECT_EQ(values(relu6(x)), (Floats{0, 0, 0, 3, 6, 6}));
  EXPECT_EQ(values(hardswish(x)), (Floats{0, 0, 0, 3, 6, 7}));
  EXPECT_EQ(values(hardsigmoid(x)), (Floats{0, 0, 0.5, 1, 1, 1}));
  EXPECT_EQ(values(leaky_relu(tensor({-2, 0, 2}), {.negative_slope = 0.25})), (Floats{-0.5, 0, 2}));
  EXPECT_TRUE(std::isnan(values(relu(tensor({kNaN})))[0]));
}

TEST(Pointwise, ActivationsNeitherOverflowNorCancel) {
  const Floats ends = values(softplus(tensor({-200, -20, 0, 200})));
  EXPECT_FLOAT_EQ(ends[1], 2.0611536e-9F);
  EXPECT_FLOAT_EQ(ends[2], 0.69314718F);
  EXPECT_EQ(ends[3], 200);
  EXPECT_EQ(values(log_sigmoid(tensor({-200, 200}))), (Floats{-200, 0}));
  const Floats logistic = values(sigmoid(tensor({-1000, -20, 0, 1000})));
  EXPECT_EQ(logistic[0], 0);
  EXPECT_FLOAT_EQ(logistic[1], 2.0611536e-9F);
  EXPECT_EQ(logistic[2], 0.5F);
  EXPECT_EQ(logistic[3], 1);
  EXPECT_EQ(values(silu(tensor({-kInf, 0, kInf}))), (Floats{0, 0, kInf}));
  EXPECT_EQ(values(gelu(tensor({-kInf, 0, kInf}))), (Floats{0, 0, kInf}));
  // 0.5 * (1 + erf(1 / sqrt(2))), and of the approximation.
  EXPECT_FLOAT_EQ(values(gelu(tensor({1})))[0], 0.84134475F);
  EXPECT_FLOAT_EQ(values(gelu(tensor({1}), {.approximate = GeluApproximation::tanh}))[0], 0.84119199F);
  // x * Phi(x) far out, where 1 + erf cancels.
  EXPECT_FLOAT_EQ(values(gelu(tensor({-5})))[0], -1.4332579e-6F);
}

TEST(Pointwise, PowersOfTwo) {
  EXPECT_EQ(values(floor_to_power_of_two(tensor({5, -0.3, 0, kInf, kNaN, 1e-40, 8}))),
            (Floats{4, 0.25, 1, 1, 1, 1.17549435e-38F, 8}));
}

TEST(Pointwise, LogicAndTests) {
  const Tensor a = tensor<bool>({true, true, false, false});
  const Tensor b = tensor<bool>({true, false, true, false});
  EXPECT_EQ(logical_and(a, b).to_vector<bool>(), (Bools{true, false, false, false}));
  EXPECT_EQ(logical_or(a, b).to_vector<bool>(), (Bools{true, true, true, false}));
  EXPECT_EQ(logical_xor(a, b).to_vector<bool>(), (Bools{false, true, true, false}));
  EXPECT_EQ(logical_not(a).to_vector<bool>(), (Bools{false, false, true, true}));
  const Tensor x = tensor({1, kInf, kNaN});
  EXPECT_EQ(is_finite(x).to_vector<bool>(), (Bools{true, false, false}));
  EXPECT_EQ(is_inf(x).to_vector<bool>(), (Bools{false, true, false}));
  EXPECT_EQ(is_nan(x).to_vector<bool>(), (Bools{false, false, true}));
}

TEST(Pointwise, SixteenBitsAreComputedInF32AndRoundedOnce) {
  // In f16 itself 1 + exp(-|x|) would be rounded before the division.
  const Tensor x = convert(tensor({1.5}), f16);
  EXPECT_EQ(convert(sigmoid(x), f32).to_vector<float>()[0], static_cast<float>(float16_t(0.81757448F)));
}

}  // namespace
}  // namespace calx::pointwise_test
