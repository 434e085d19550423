// Values of reductions, norms and losses at the points where conventions decide.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "calx/ops.h"

namespace calx::reduction_test {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;
using Axes = std::vector<std::int64_t>;
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Floats values(const Tensor& x) { return x.to_vector<float>(); }

Tensor empty(std::vector<std::int64_t> sizes) { return tensor<float>(Floats{}, std::move(sizes)); }

TEST(Reduction, AxesAndKeepdims) {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(values(sum(x)), (Floats{21}));
  EXPECT_EQ(values(sum(x, {.axes = Axes{0}})), (Floats{5, 7, 9}));
  EXPECT_EQ(values(prod(x, {.axes = Axes{-1}})), (Floats{6, 120}));
  EXPECT_EQ(values(mean(x, {.axes = Axes{1}})), (Floats{2, 5}));
  EXPECT_EQ(sum(x, {.axes = Axes{1}, .keepdims = true}).type().to_string(), "f32[2,1]");
  EXPECT_EQ(sum(x, {.keepdims = true}).type().to_string(), "f32[1,1]");
  EXPECT_EQ(values(sum(x, {.axes = Axes{}})), (Floats{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values(max(x, {.axes = Axes{0}})), (Floats{4, 5, 6}));
  EXPECT_EQ(values(min(x)), (Floats{1}));
}

TEST(Reduction, EmptyAxes) {
  const Tensor x = empty({2, 0});
  const Axes last = {1};
  EXPECT_EQ(values(sum(x, {.axes = last})), (Floats{0, 0}));
  EXPECT_EQ(values(prod(x, {.axes = last})), (Floats{1, 1}));
  EXPECT_EQ(values(logsumexp(x, {.axes = last})), (Floats{-kInf, -kInf}));
  EXPECT_EQ(values(norm(x, {.axes = last})), (Floats{0, 0}));
  for (const Tensor& y : {mean(x, {.axes = last}), var(x, {.axes = last}), std(x, {.axes = last})}) {
    EXPECT_TRUE(std::isnan(values(y)[0]));
  }
  EXPECT_EQ(softmax(x).type().to_string(), "f32[2,0]");
  for (const auto& use : {+[](const Tensor& y) { return max(y); }, +[](const Tensor& y) { return argmax(y); }}) {
    try {
      static_cast<void>(use(x));
      FAIL() << "an empty axis must be an error";
    } catch (const Error& error) {
      EXPECT_EQ(error.id(), ErrorId::empty_axis);
    }
  }
}

TEST(Reduction, NaNPropagatesAndIsFound) {
  const auto check = [](const Tensor& x, std::int32_t wanted) {
    EXPECT_EQ(argmax(x).item<std::int32_t>(), wanted);
    EXPECT_EQ(argmin(x).item<std::int32_t>(), wanted);
    EXPECT_TRUE(std::isnan(max(x).item<float>()));
  };
  check(tensor({3, kNaN, 1, 5}), 1);
  check(tensor({1, 2, kNaN}), 2);
  check(tensor({kInf, kNaN, -kInf}), 1);
  check(tensor({kNaN, 1, 2}), 0);
}

TEST(Reduction, ArgmaxTakesTheLowestPosition) {
  const Tensor x = tensor({{1, 3, 3}, {0, 0, -1}});
  EXPECT_EQ(argmax(x, {.axis = 1}).to_vector<std::int32_t>(), (Ints{1, 0}));
  EXPECT_EQ(argmin(x, {.axis = 0}).to_vector<std::int32_t>(), (Ints{1, 1, 1}));
  EXPECT_EQ(argmax(x).item<std::int32_t>(), 1);
  EXPECT_EQ(argmax(x, {.axis = 1, .keepdims = true, .dtype = i64}).type().to_string(), "i64[2,1]");
}

TEST(Reduction, VarianceIsTwoPassAndScaled) {
  EXPECT_EQ(var(tensor({1, 2, 3, 4})).item<float>(), 1.25F);
  EXPECT_FLOAT_EQ(var(tensor({1, 2, 3, 4}), {.ddof = 1}).item<float>(), 5.0F / 3);
  EXPECT_FLOAT_EQ(std(tensor({1e30, -1e30})).item<float>(), 1e30F);
  EXPECT_FLOAT_EQ(std(tensor({1e-30, -1e-30})).item<float>(), 1e-30F);
  EXPECT_EQ(std(tensor({0.1, 0.1, 0.1})).item<float>(), 0);
  EXPECT_EQ(var(tensor({0.1, 0.1, 0.1})).item<float>(), 0);
  EXPECT_FLOAT_EQ(norm(tensor({3e30, -4e30})).item<float>(), 5e30F);
  EXPECT_EQ(norm(tensor({3, -4}), {.ord = 1}).item<float>(), 7);
  EXPECT_EQ(norm(tensor({3, -4}), {.ord = kInf}).item<float>(), 4);
  EXPECT_FLOAT_EQ(norm(tensor({1, 2}), {.ord = 3}).item<float>(), 2.0800838F);
}

TEST(Reduction, LogsumexpAndSoftmaxAreStable) {
  EXPECT_FLOAT_EQ(logsumexp(tensor({1000, 1000})).item<float>(), 1000.69315F);
  EXPECT_EQ(logsumexp(tensor({-kInf, -kInf})).item<float>(), -kInf);
  EXPECT_EQ(logsumexp(tensor({-kInf, 1})).item<float>(), 1);
  EXPECT_EQ(logsumexp(tensor({kInf, 1})).item<float>(), kInf);
  EXPECT_EQ(values(softmax(tensor({-kInf, -kInf}))), (Floats{0, 0}));
  EXPECT_EQ(values(log_softmax(tensor({-kInf, -kInf}))), (Floats{-kInf, -kInf}));
  EXPECT_EQ(values(softmax(tensor({-1e38, -2e38, -kInf}))), (Floats{1, 0, 0}));
  EXPECT_EQ(values(log_softmax(tensor({1e8, 1e8}))), (Floats{-0.69314718F, -0.69314718F}));
  EXPECT_EQ(values(softmax(tensor({{0, 1}, {0, 1}}), {.axis = 0})), (Floats{0.5, 0.5, 0.5, 0.5}));
}

TEST(Reduction, LinearRecurrence) {
  const Tensor factors = tensor({1, 2, 3});
  const Tensor ones = tensor({1, 1, 1});
  EXPECT_EQ(values(linear_recurrence(factors, ones)), (Floats{1, 3, 10}));
  EXPECT_EQ(values(linear_recurrence(factors, ones, {.shifted = true})), (Floats{1, 2, 5}));
  EXPECT_EQ(values(linear_recurrence(factors, ones, {.exclusive = true})), (Floats{0, 1, 3}));
  EXPECT_EQ(values(linear_recurrence(factors, ones, {.reverse = true})), (Floats{4, 3, 1}));
}

TEST(Norm, LayerNormOfHugeTinyAndEqualValues) {
  EXPECT_EQ(values(layer_norm(tensor({1, 3}), {.eps = 0})), (Floats{-1, 1}));
  const Floats huge = values(layer_norm(tensor({1e30, -1e30})));
  EXPECT_FLOAT_EQ(huge[0], 1);
  EXPECT_FLOAT_EQ(huge[1], -1);
  EXPECT_EQ(values(layer_norm(tensor({1e30, 1e30}))), (Floats{0, 0}));
  EXPECT_EQ(values(layer_norm(tensor({0, 0}), {.eps = 0})), (Floats{0, 0}));
  const Floats tiny = values(layer_norm(tensor({1e-30, -1e-30}), {.eps = 0}));
  EXPECT_FLOAT_EQ(tiny[0], 1);
  const Tensor x = tensor({{1, 3}, {2, 6}});
  EXPECT_EQ(values(layer_norm(x, tensor({2, 4}), {.eps = 0})), (Floats{-2, 4, -2, 4}));
  EXPECT_EQ(values(layer_norm(x, tensor({2, 4}), tensor({1, 1}), {.eps = 0})), (Floats{-1, 5, -1, 5}));
  EXPECT_EQ(values(rms_norm(tensor({3, -3}), {.eps = 0})), (Floats{1, -1}));
  EXPECT_EQ(values(rms_norm(tensor({0, 0}), {.eps = 0})), (Floats{0, 0}));
  EXPECT_FLOAT_EQ(values(rms_norm(tensor({1e30, 1e30}), tensor({2, 3})))[1], 3);
}

TEST(Loss, CrossEntropyOfLabelsAndTheirOneHotAgree) {
  const Tensor logits = tensor({{1, 2, 0}, {3, 0.5, -1}});
  const Tensor labels = tensor<std::int32_t>({2, 0});
  const Tensor weights = tensor({0.5, 1, 2});
  for (double smoothing : {0.0, 0.25}) {
    const Tensor of_labels = softmax_cross_entropy(logits, labels, weights, {.label_smoothing = smoothing});
    const Tensor of_one_hot = softmax_cross_entropy(logits, one_hot(labels, 3), weights, {.label_smoothing = smoothing});
    EXPECT_FLOAT_EQ(of_labels.item<float>(), of_one_hot.item<float>());
  }
  EXPECT_FLOAT_EQ(softmax_cross_entropy(tensor({{0, 0}}), tensor<std::int32_t>({1})).item<float>(), 0.69314718F);
  // A class of probability 0 that is no target adds nothing.
  EXPECT_EQ(softmax_cross_entropy(tensor({{5, -kInf}}), tensor<std::int32_t>({0})).item<float>(), 0);
  EXPECT_EQ(softmax_cross_entropy(tensor({{5, -kInf}}), tensor({{1, 0}})).item<float>(), 0);
}

TEST(Loss, IgnoredRowsAddNothing) {
  const Tensor logits = tensor({{1, 2}, {kNaN, kNaN}});
  const Tensor labels = tensor<std::int32_t>({1, -100});
  EXPECT_FLOAT_EQ(softmax_cross_entropy(logits, labels, {.ignore_index = -100}).item<float>(), 0.31326169F);
  const Tensor all = softmax_cross_entropy(tensor({{1, 2}}), tensor<std::int32_t>({-100}), {.ignore_index = -100});
  EXPECT_EQ(all.item<float>(), 0);
}

TEST(Loss, ALabelThatIsNoClassIsAnError) {
  const Tensor loss = softmax_cross_entropy(tensor({{1, 2}}), tensor<std::int32_t>({2}));
  try {
    static_cast<void>(loss.item<float>());
    FAIL() << "label 2 of 2 classes must be an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), ErrorId::index_out_of_range);
  }
}

}  // namespace
}  // namespace calx::reduction_test
