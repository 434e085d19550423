// Derivatives of what is computed on scaled values: representable wherever the true derivative is, in every mode.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "calx/calx.h"

namespace calx::extreme_derivatives_test {
namespace {

using Floats = std::vector<float>;

void expect_close(const Tensor& x, const Floats& expected, double tolerance = 1e-5) {
  const Floats values = x.to_vector<float>();
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i] / expected[i], 1, tolerance) << i << ": " << values[i] << " is not " << expected[i];
  }
}

TEST(ExtremeDerivatives, SquareOfANormOfTinyValues) {
  const auto f = [](const Tensor& x) { return square(norm(x)); };
  expect_close(grad(f)(tensor({1e-25F, 1e-25F})), {2e-25F, 2e-25F});
}

TEST(ExtremeDerivatives, NormTimesAFactor) {
  const auto times = [](double factor, NormOptions options = {}) {
    return [=](const Tensor& x) { return norm(x, options) * factor; };
  };
  const auto root = static_cast<float>(std::sqrt(0.5));
  expect_close(grad(times(1e-25))(tensor({1e-25F, 1e-25F})), {root * 1e-25F, root * 1e-25F});
  expect_close(grad(times(1e25))(tensor({1e25F, 1e25F})), {root * 1e25F, root * 1e25F});
  expect_close(grad(times(1e-30))(tensor({1e-12F, 3e-12F})), {3.1622777e-31F, 9.4868330e-31F});
  // sign(x) (|x| / y)^2 with y = cbrt(28) e-25.
  const auto third = [](double x) { return static_cast<float>(x * x / std::pow(28, 2.0 / 3) * 1e-20); };
  expect_close(grad(times(1e-20, {.ord = 3}))(tensor({1e-25F, 3e-25F})), {third(1), third(3)});
}

TEST(ExtremeDerivatives, SecondOrderOfTheNormInEveryOrderOfModes) {
  const auto f = [](const Tensor& x) { return norm(x); };
  const Tensor x = tensor({1e-20F, 2e-20F});
  const Floats expected = {3.5777088e19F, -1.7888544e19F, -1.7888544e19F, 8.9442719e18F};
  expect_close(hessian(f)(x), expected);
  expect_close(jacobian(jacobian(f))(x), expected);
  expect_close(jacobian(jacobian(f, JacobianMode::reverse), JacobianMode::reverse)(x), expected);
  expect_close(jacobian(jacobian(f), JacobianMode::reverse)(x), expected);
}

TEST(ExtremeDerivatives, DeviationsAndVariances) {
  const auto spread = [](double factor) { return [=](const Tensor& x) { return std(x) * factor; }; };
  expect_close(grad(spread(1e20))(tensor({1e25F, 3e25F})), {-5e19F, 5e19F});
  expect_close(grad(spread(1e-20))(tensor({1e-25F, 3e-25F})), {-5e-21F, 5e-21F});
  expect_close(grad([](const Tensor& x) { return var(x); })(tensor({1e-25F, 3e-25F})), {-1e-25F, 1e-25F});
}

TEST(ExtremeDerivatives, ZeroWhereTheDeviationIsZero) {
  const Tensor x = tensor({2, 2, 2});
  const auto f = [](const Tensor& v) { return std(v) + norm(v - v); };
  EXPECT_EQ(grad(f)(x).to_vector<float>(), (Floats{0, 0, 0}));
  EXPECT_EQ(hessian(f)(x).to_vector<float>(), Floats(9, 0.0F));
}

TEST(ExtremeDerivatives, AngleOfSubnormals) {
  const auto f = [](const Tensor& x) { return atan2(x, 0.0); };
  EXPECT_EQ(grad(f)(scalar(1e-310)).item<double>(), 0);
  EXPECT_EQ(grad(f)(scalar(1e-40F)).item<float>(), 0);
}

/// Relative to the value, in units of the last place.
void expect_within_ulps(double value, double expected, double ulps, double at) {
  const double unit = std::max(std::abs(expected) * 0x1p-52, 0x1p-1074);
  EXPECT_LE(std::abs(value - expected), ulps * unit) << "at " << at << ": " << value << " is not " << expected;
}

TEST(ExtremeDerivatives, SigmoidAtBothEnds) {
  // With e = exp(-|x|): e / (1 + e)^2; that times -sign(x) (1 - e) / (1 + e); that times (1 - 4 e + e^2) / (1 + e)^2.
  const auto f = [](const Tensor& t) { return sigmoid(t); };
  for (const double size : {3.0, 10.0, 20.0, 36.0, 37.0, 38.0, 50.0, 100.0, 400.0, 700.0}) {
    for (const double x : {-size, size}) {
      const double e = std::exp(-size), first = e / ((1 + e) * (1 + e));
      const double second = -first * (1 - e) / (1 + e) * std::copysign(1, x);
      const double third = first * (1 - 4 * e + e * e) / ((1 + e) * (1 + e));
      expect_within_ulps(nth_derivative<1>(f)(scalar(x)).item<double>(), first, 4, x);
      expect_within_ulps(grad(f)(scalar(x)).item<double>(), first, 4, x);
      expect_within_ulps(nth_derivative<2>(f)(scalar(x)).item<double>(), second, 8, x);
      expect_within_ulps(grad(grad(f))(scalar(x)).item<double>(), second, 8, x);
      expect_within_ulps(nth_derivative<3>(f)(scalar(x)).item<double>(), third, 16, x);
    }
  }
  for (const double infinity : {-HUGE_VAL, HUGE_VAL}) {
    EXPECT_EQ(nth_derivative<1>(f)(scalar(infinity)).item<double>(), 0);
    EXPECT_EQ(nth_derivative<3>(f)(scalar(infinity)).item<double>(), 0);
  }
}

TEST(ExtremeDerivatives, WhatIsMadeOfTheSigmoidAtBothEnds) {
  for (const double size : {3.0, 10.0, 37.0, 50.0, 300.0}) {
    for (const double x : {-size, size}) {
      const double e = std::exp(-size), s = x < 0 ? e / (1 + e) : 1 / (1 + e), rest = x < 0 ? 1 / (1 + e) : e / (1 + e);
      const auto first = [&](auto f) { return grad(f)(scalar(x)).template item<double>(); };
      const auto second = [&](auto f) { return grad(grad(f))(scalar(x)).template item<double>(); };
      expect_within_ulps(first([](const Tensor& t) { return silu(t); }), s * (1 + x * rest), 8, x);
      expect_within_ulps(second([](const Tensor& t) { return silu(t); }), s * rest * (2 + x * (rest - s)), 16, x);
      expect_within_ulps(first([](const Tensor& t) { return softplus(t); }), s, 4, x);
      expect_within_ulps(second([](const Tensor& t) { return softplus(t); }), s * rest, 8, x);
      expect_within_ulps(first([](const Tensor& t) { return log_sigmoid(t); }), rest, 4, x);
      expect_within_ulps(second([](const Tensor& t) { return log_sigmoid(t); }), -s * rest, 8, x);
    }
  }
}

TEST(ExtremeDerivatives, ApproximateGeluAtBothEnds) {
  // x sigmoid(u) with u = 2 sqrt(2 / pi) (x + 0.044715 x^3). The exponential makes the rounding of u |u| times as large.
  const auto f = [](const Tensor& t) { return gelu(t, {.approximate = GeluApproximation::tanh}); };
  for (const double x : {-15.0, -8.0, -6.0, -3.0, 3.0, 6.0, 15.0}) {
    const double u = 2 * 0.7978845608028654 * (x + 0.044715 * (x * (x * x)));
    const double slope = 2 * 0.7978845608028654 * (1 + 3 * 0.044715 * (x * x));
    const double e = std::exp(-std::abs(u)), s = x < 0 ? e / (1 + e) : 1 / (1 + e), rest = x < 0 ? 1 / (1 + e) : e / (1 + e);
    const double allowed = 8 + 8 * std::abs(u);
    expect_within_ulps(f(scalar(x)).item<double>(), x * s, allowed, x);
    expect_within_ulps(grad(f)(scalar(x)).item<double>(), s + x * (s * rest * slope), allowed, x);
  }
  EXPECT_LT(grad(f)(scalar(-8.0)).item<double>(), 0);
}

TEST(ExtremeDerivatives, ExponentialUnits) {
  for (const double x : {-700.0, -40.0, -1e-3, -1e-300}) {
    expect_within_ulps(grad([](const Tensor& t) { return elu(t); })(scalar(x)).item<double>(), std::exp(x), 2, x);
    expect_within_ulps(grad([](const Tensor& t) { return expm1(t); })(scalar(x)).item<double>(), std::exp(x), 2, x);
  }
  EXPECT_EQ(grad([](const Tensor& t) { return elu(t); })(scalar(-0.0)).item<double>(), 1);
  EXPECT_TRUE(std::signbit(elu(scalar(-0.0)).item<double>()));
}

}  // namespace
}  // namespace calx::extreme_derivatives_test
