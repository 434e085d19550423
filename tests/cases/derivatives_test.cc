// Public reports about derivatives (area AD), replayed, and the points of the conventions that they are instances of.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cases/_derivatives.h"

namespace calx::cases::derivatives_test {
namespace {

using Floats = std::vector<float>;
using Axes = std::vector<std::int64_t>;
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Cases, B1_BranchNotTakenOfInfiniteSlope) {
  const Fn f = [](const Tensor& x) { return select(x < 1.0, x, sqrt(x)); };
  EXPECT_EQ(gradient(f, tensor({0, 1e-9, 4})), (Floats{1, 1, 0.25}));
  EXPECT_EQ(floats(forward(f)(tensor({0, 1e-9, 4}))), (Floats{1, 1, 0.25}));
}

TEST(Cases, B2_BranchNotTakenThatOverflows) {
  const Fn f = [](const Tensor& x) { return select(x <= 0.0, exp(x), 1.0 + x); };
  EXPECT_EQ(floats(f(tensor({100}))), (Floats{101}));
  EXPECT_EQ(gradient(f, tensor({100})), (Floats{1}));
}

TEST(Cases, B7_LogarithmAndAngleInTheBranchNotTaken) {
  const Tensor always = tensor<bool>({true});
  EXPECT_EQ(gradient([&](const Tensor& x) { return select(always, x, log(x)); }, tensor({0})), (Floats{1}));
  EXPECT_EQ(gradient([&](const Tensor& x) { return select(always, x, atan2(x, x)); }, tensor({0})), (Floats{1}));
}

TEST(Cases, B8_SlopesAtJoints) {
  EXPECT_EQ(gradient([](const Tensor& x) { return relu(x); }, tensor({0, 1e-45, -1e-45})), (Floats{0, 1, 0}));
  EXPECT_EQ(gradient([](const Tensor& x) { return relu6(x); }, tensor({0, 6, 3})), (Floats{0, 0, 1}));
  EXPECT_EQ(gradient([](const Tensor& x) { return hardswish(x); }, tensor({3, -3})), (Floats{1, 0}));
  EXPECT_EQ(gradient([](const Tensor& x) { return hardsigmoid(x); }, tensor({3, -3})), (Floats{0, 0}));
  EXPECT_EQ(gradient([](const Tensor& x) { return maximum(x, 0.0); }, tensor({0, 1e-45, -1e-45})), (Floats{0.5, 1, 0}));
  EXPECT_EQ(gradient([](const Tensor& x) { return abs(x); }, tensor({0, 1e-45, -1e-45})), (Floats{0, 1, -1}));
  EXPECT_EQ(gradient([](const Tensor& x) { return leaky_relu(x, {.negative_slope = 0.5}); }, tensor({0, -1})), (Floats{1, 0.5}));
  EXPECT_EQ(gradient([](const Tensor& x) { return elu(x, {.alpha = 2}); }, tensor({0})), (Floats{2}));
}

TEST(Cases, ClampSharesItsSlope) {
  const Tensor x = tensor({-1, 0, 0.5, 1, 2});
  EXPECT_EQ(gradient([](const Tensor& y) { return clamp(y, 0.0, 1.0); }, x), (Floats{0, 1, 1, 1, 0}));
  EXPECT_EQ(gradient([&](const Tensor& lo) { return clamp(x, lo, 1.0); }, tensor({0, 0, 0, 0, 0})), (Floats{1, 0, 0, 0, 0}));
  EXPECT_EQ(gradient([&](const Tensor& hi) { return clamp(x, 0.0, hi); }, tensor({1, 1, 1, 1, 1})), (Floats{0, 0, 0, 0, 1}));
  EXPECT_EQ(gradient([&](const Tensor& hi) { return clamp(x, 2.0, hi); }, tensor({1, 1, 1, 1, 1})), (Floats{1, 1, 1, 1, 1}));
}

TEST(Cases, B10_DeviationOfEqualValues) {
  const Fn deviation = [](const Tensor& x) { return std(x); };
  const Fn variance = [](const Tensor& x) { return var(x); };
  const Tensor x = tensor({0.1, 0.1, 0.1});
  EXPECT_EQ(gradient(deviation, x), (Floats{0, 0, 0}));
  EXPECT_EQ(gradient(variance, x), (Floats{0, 0, 0}));
  EXPECT_EQ(floats(forward(forward(deviation))(x)), (Floats{0}));
  EXPECT_EQ(gradient([](const Tensor& y) { return norm(y); }, tensor({0, 0})), (Floats{0, 0}));
  EXPECT_EQ(floats(reverse(reverse([](const Tensor& y) { return norm(y); }))(tensor({0, 0}))), (Floats{0, 0}));
}

TEST(Cases, B11_LogsumexpOfMinusInfinities) {
  const Fn f = [](const Tensor& x) { return logsumexp(x); };
  EXPECT_EQ(gradient(f, tensor({-kInf, -kInf})), (Floats{0, 0}));
  EXPECT_EQ(gradient(f, tensor({-kInf, 1})), (Floats{0, 1}));
  EXPECT_EQ(floats(reverse(reverse(f))(tensor({-kInf, -kInf}))), (Floats{0, 0}));
  for (const Fn& g : {Fn([](const Tensor& x) { return softmax(x); }), Fn([](const Tensor& x) { return log_softmax(x); })}) {
    EXPECT_EQ(gradient(g, tensor({-kInf, -kInf})), (Floats{0, 0}));
  }
}

TEST(Cases, B13_ProductWithZeros) {
  const Fn f = [](const Tensor& x) { return prod(x, {.axes = Axes{-1}}); };
  EXPECT_EQ(gradient(f, tensor({2, 0, 3, 4})), (Floats{0, 24, 0, 0}));
  EXPECT_EQ(gradient(f, tensor({2, 0, 3, 0})), (Floats{0, 0, 0, 0}));
  EXPECT_EQ(gradient(f, tensor({{2, 0, 3}, {1, 2, 3}})), (Floats{0, 6, 0, 6, 3, 2}));
  // The Hessian of xyz times (1, 1, 1) at (2, 0, 3): (z + y, z + x, x + y).
  EXPECT_EQ(floats(forward(reverse(f))(tensor({2, 0, 3}))), (Floats{3, 5, 2}));
  EXPECT_EQ(floats(reverse(reverse(f))(tensor({2, 0, 3}))), (Floats{3, 5, 2}));
}

TEST(Cases, B17_PowersOfZero) {
  EXPECT_EQ(gradient([](const Tensor& a) { return pow(a, tensor({1, 0, 2, 3})); }, tensor({0, 0, 0, 2})), (Floats{1, 0, 0, 12}));
  const Floats slopes = gradient([](const Tensor& b) { return pow(tensor({0, 2, 0}), b); }, tensor({1, 1, 0}));
  EXPECT_EQ(slopes[0], 0);
  EXPECT_FLOAT_EQ(slopes[1], 1.386294F);
  EXPECT_EQ(slopes[2], 0);
  const Tensor one = tensor({1});
  EXPECT_EQ(floats(reverse([&](const Tensor& p) { return pow(p - one, one); }, 123)(one)), (Floats{123}));
  EXPECT_EQ(floats(reverse([&](const Tensor& q) { return pow(one - q, q); }, 123)(one)), (Floats{-123}));
}

TEST(Cases, B26_HigherDerivativesOfLayerNorm) {
  const Fn f = [](const Tensor& t) {
    const Tensor x = t * tensor<double>({1, 0});
    return sum(layer_norm(x, tensor<double>({1, 2}), {.eps = 0.25}));
  };
  const Tensor t = scalar(0.7);
  const auto value = [&](const Fn& g) { return g(t).item<double>(); };
  EXPECT_NEAR(value(f), -0.7 / std::sqrt(1.49), 1e-14);
  for (const Fn& second : {forward(forward(f)), forward(reverse(f)), reverse(reverse(f)), reverse(forward(f))}) {
    EXPECT_NEAR(value(second), 0.774914207959094, 1e-12);
    EXPECT_NEAR(value(forward(second)), -0.713247976644996, 1e-11);
    EXPECT_NEAR(value(reverse(second)), -0.713247976644996, 1e-11);
  }
}

TEST(Cases, B139_CrossEntropyFarOut) {
  const Tensor label = scalar<std::int32_t>(0);
  const Fn loss = [&](const Tensor& x) { return softmax_cross_entropy(x, label); };
  EXPECT_EQ(floats(loss(tensor({-431, 279, 427}))), (Floats{858}));
  EXPECT_EQ(gradient(loss, tensor({-431, 279, 427})), (Floats{-1, 0, 1}));
  EXPECT_EQ(floats(softmax(tensor({-1047, -981, 1891}))), (Floats{0, 0, 1}));
  EXPECT_EQ(gradient([](const Tensor& x) { return softmax(x); }, tensor({-1047, -981, 1891})), (Floats{0, 0, 0}));
}

TEST(Cases, TiesAreShared) {
  EXPECT_EQ(gradient([](const Tensor& x) { return max(x); }, tensor({1, 3, 3, 2})), (Floats{0, 0.5, 0.5, 0}));
  EXPECT_EQ(gradient([](const Tensor& x) { return min(x, {.axes = Axes{1}}); }, tensor({{1, 1}, {2, 1}})), (Floats{0.5, 0.5, 0, 1}));
  EXPECT_EQ(gradient([](const Tensor& x) { return minimum(x, 1.0); }, tensor({1})), (Floats{0.5}));
}

TEST(Cases, AnglesAtTheOriginHaveNoSlope) {
  EXPECT_EQ(gradient([](const Tensor& y) { return atan2(y, tensor({0, 3, 1e-30})); }, tensor({0, 4, 0})), (Floats{0, 0.12F, 1e30F}));
}

TEST(Cases, SecondDerivativeOfSoftplusAtZero) {
  EXPECT_EQ(floats(forward(forward([](const Tensor& x) { return softplus(x); }))(tensor({0}))), (Floats{0.25}));
}

TEST(Cases, IgnoredRowsHaveNoGradient) {
  const Tensor labels = tensor<std::int32_t>({-100, 1});
  const Fn loss = [&](const Tensor& x) { return softmax_cross_entropy(x, labels, {.ignore_index = -100, .label_smoothing = 0.1}); };
  const Floats slopes = gradient(loss, tensor({{kInf, 2}, {3, 0.4}}));
  EXPECT_EQ(slopes[0], 0);
  EXPECT_EQ(slopes[1], 0);
  EXPECT_FLOAT_EQ(slopes[2], -slopes[3]);
  const Tensor none = tensor<std::int32_t>({-100, -100});
  EXPECT_EQ(gradient([&](const Tensor& x) { return softmax_cross_entropy(x, none, {.ignore_index = -100}); }, tensor({{1, 2}, {3, 4}})),
            (Floats{0, 0, 0, 0}));
}

TEST(Cases, StopGradientHoldsAtEveryOrder) {
  const Fn f = [](const Tensor& x) { return stop_gradient(x) * x * x; };
  EXPECT_EQ(gradient(f, tensor({3})), (Floats{18}));
  EXPECT_EQ(floats(forward(reverse(f))(tensor({3}))), (Floats{6}));
}

}  // namespace
}  // namespace calx::cases::derivatives_test
