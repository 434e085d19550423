// Derivatives of what is computed on scaled values: representable wherever the true derivative is, in every mode.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace calx::extreme_derivatives_test
