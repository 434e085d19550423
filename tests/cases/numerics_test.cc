// Public reports about numerics (area NUM), replayed.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "calx/ops.h"

namespace calx::numerics_test {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Floats floats(const Tensor& x) { return x.to_vector<float>(); }
Tensor copies(double value, std::int64_t n, DType dtype) { return core::full({dtype, {Dim(n)}}, value); }

TEST(Cases, B55_SumOfAMillion) {
  EXPECT_NEAR(sum(copies(0.1F, 1000000, f32)).item<float>(), 100000.00149, 0.02);
}

TEST(Cases, B56_SumsOfSixteenBits) {
  EXPECT_EQ(static_cast<float>(sum(copies(1, 20000, f16)).item<float16_t>()), 20000);
  EXPECT_EQ(static_cast<float>(sum(copies(1, 70000, bf16)).item<bfloat16_t>()), 70144);
  EXPECT_EQ(static_cast<float>(mean(copies(1, 20000, f16)).item<float16_t>()), 1);
  EXPECT_EQ(static_cast<float>(mean(copies(1, 70000, bf16)).item<bfloat16_t>()), 1);
}

TEST(Cases, B58_SoftmaxOfEqualLogitsInBf16) {
  for (bfloat16_t share : softmax(copies(3, 512, bf16)).to_vector<bfloat16_t>()) {
    ASSERT_EQ(static_cast<float>(share), 0.001953125F);
  }
}

TEST(Cases, B61_LayerNormFarFromZero) {
  for (const auto& [m, wanted] : {std::pair{0.0, -1.3416408F}, {100.0, -1.3415277F}, {1000.0, -1.3415078F}, {10000.0, -1.3313334F}}) {
    Floats values;
    for (int i = 0; i < 16; ++i) values.push_back(static_cast<float>(m + i * 1e-3));
    EXPECT_NEAR(floats(layer_norm(tensor(values, {16})))[0], wanted, 2e-6) << m;
  }
}

TEST(Cases, B62_LayerNormOfF16Range) {
  const Floats wanted = {-1.341635F, -0.447212F, 0.447212F, 1.341635F};
  const Floats out = floats(layer_norm(tensor({40000, 40001, 40002, 40003})));
  const Floats half = floats(convert(layer_norm(convert(tensor({40000, 40032, 40064, 40096}), f16)), f32));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(out[i], wanted[i], 1e-6);
    EXPECT_NEAR(half[i], wanted[i], 1e-3);
  }
}

TEST(Cases, B64_NormsOfHugeValues) {
  const Floats out = floats(layer_norm(tensor({1e30, -1e30})));
  EXPECT_FLOAT_EQ(out[0], 1);
  EXPECT_FLOAT_EQ(out[1], -1);
  EXPECT_FLOAT_EQ(floats(rms_norm(tensor({1e30, -1e30})))[0], 1);
}

TEST(Cases, B65_StandardisingNearlyEqualValues) {
  const Floats near = floats(layer_norm(tensor({-11, -11.000001, -10.999999}), {.eps = 0}));
  for (float value : near) EXPECT_TRUE(std::isfinite(value));
  EXPECT_EQ(floats(layer_norm(tensor({-11, -11, -11}), {.eps = 0})), (Floats{0, 0, 0}));
}

TEST(Cases, B67_SmoothingLeavesIgnoredRowsOut) {
  const Tensor logits = tensor<double>({{1, 2}, {3, 0.4}});
  const Tensor labels = tensor<std::int32_t>({-100, 1});
  EXPECT_NEAR(softmax_cross_entropy(logits, labels, {.ignore_index = -100, .label_smoothing = 0.1}).item<double>(), 2.54164469197, 1e-10);
}

TEST(Cases, B68_SmoothingWithClassWeights) {
  const Tensor logits = tensor<double>({{1, 2}, {3, 0.4}});
  const Tensor labels = tensor<std::int32_t>({-100, 1});
  const Tensor weights = tensor<double>({0.2, 0.3});
  const auto loss = [&](LossReduction reduction) {
    return softmax_cross_entropy(logits, labels, weights, {.ignore_index = -100, .label_smoothing = 0.1, .reduction = reduction}).item<double>();
  };
  EXPECT_NEAR(loss(LossReduction::sum), 0.76213518413, 1e-10);
  EXPECT_NEAR(loss(LossReduction::mean), 2.54045061377, 1e-10);
}

TEST(Cases, B70_ArgmaxFindsTheFirstNaN) {
  for (std::int64_t n : {3, 17, 1025, 5000}) {
    for (DType dtype : {f32, f16, bf16}) {
      Floats values(static_cast<std::size_t>(n), 1);
      values[static_cast<std::size_t>(n - 2)] = kNaN;
      values.back() = kNaN;
      const Tensor x = convert(tensor(values, {n}), dtype);
      EXPECT_EQ(argmax(x).item<std::int32_t>(), n - 2);
      EXPECT_EQ(argmin(x).item<std::int32_t>(), n - 2);
    }
  }
}

TEST(Cases, B71_LimitsOfNaN) {
  EXPECT_TRUE(std::isnan(floats(minimum(tensor({kNaN}), 10.0))[0]));
  EXPECT_TRUE(std::isnan(floats(maximum(tensor({1, 2, kNaN}), 10.0))[2]));
  EXPECT_TRUE(std::isnan(floats(clamp(tensor({kNaN}), 0.0, 1.0))[0]));
  EXPECT_TRUE(std::isnan(min(tensor({kNaN, 10})).item<float>()));
}

TEST(Cases, B73_IntegerDivisionByZeroAndOverflow) {
  constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
  const Tensor lhs = tensor<std::int32_t>({5, lowest});
  const Tensor rhs = tensor<std::int32_t>({0, -1});
  EXPECT_EQ(floor_divide(lhs, rhs).to_vector<std::int32_t>(), (Ints{0, lowest}));
  EXPECT_EQ(remainder(lhs, rhs).to_vector<std::int32_t>(), (Ints{0, 0}));
}

TEST(Cases, B103_SoftmaxOfVeryNegativeRows) {
  EXPECT_EQ(floats(softmax(tensor({-2e30, -2e30}))), (Floats{0.5, 0.5}));
  EXPECT_EQ(floats(softmax(tensor({{-kInf, -3e38}, {-kInf, -kInf}}))), (Floats{0, 1, 0, 0}));
}

TEST(Cases, B136_ProductsAreRounded) {
  const Tensor x = tensor({1e10});
  EXPECT_EQ(floats(tensor({1e20}) * x + tensor({-1e20}) * x), (Floats{0}));
}

}  // namespace
}  // namespace calx::numerics_test
