// check_grads: right derivatives pass, wrong ones are found and told by argument, mode and order.
#include <gtest/gtest.h>

#include "calx/calx.h"
#include "support/expect_error.h"

namespace calx::check_grads_test {
namespace {

using test::expect_error;
using Values = std::vector<double>;
using List = std::span<const Tensor>;

Tensor row(const Values& values) { return tensor(values, {static_cast<std::int64_t>(values.size())}); }

struct Layer {
  Tensor weight;
  std::vector<Tensor> biases;
  Tensor steps;  // i32
};
CALX_TREE(Layer, weight, biases, steps);

/// x * y, whose rule gives `slope` times the right cotangent of y.
Tensor product_with_slope(const Tensor& x, const Tensor& y, double slope) {
  return custom_vjp_flat([](List a) -> Tensors { return {a[0] * a[1]}; },
                         [](List a) -> Tensors { return {a[0] * a[1], a[0], a[1]}; },
                         [slope](List r) -> Tensors { return {r[2] * r[1], r[2] * r[0] * slope}; }, {x, y})[0];
}

TEST(CheckGrads, RightDerivativesPassAtEveryOrder) {
  const auto f = [](const Tensor& x, const Tensor& y) { return tanh(x) * sum(exp(y)); };
  const GradientCheck one = check_grads(f, 1, 1e-7, row({0.3, -1}), row({0.5, 1}));
  EXPECT_EQ(one.probes, 2);  // one result: the jvp, and the vjp
  EXPECT_LT(one.worst_error, 1e-7);
  EXPECT_GT(one.worst_error, 0);
  const GradientCheck three = check_grads(f, 3, 1e-6, row({0.3, -1}), row({0.5, 1}));
  EXPECT_GT(three.probes, one.probes);
}

TEST(CheckGrads, OverTreesWithIntegersInside) {
  const auto f = [](const Layer& layer, const Tensor& x) {
    return std::pair(layer.weight * x + layer.biases[0] * layer.biases[1], sum(x) * convert(layer.steps, f64));
  };
  const Layer layer{row({1, 2}), {row({3, 4}), scalar(0.5)}, scalar<std::int32_t>(3)};
  const GradientCheck check = check_grads(f, 2, 1e-7, layer, row({-1, 0.25}));
  EXPECT_EQ(check.probes, 3 + 7);  // order 1: two results; order 2: two results and four cotangents
}

TEST(CheckGrads, AWrongRuleIsFound) {
  const auto f = [](const Tensor& x, const Layer& layer) { return product_with_slope(x, layer.biases[1], 1.5); };
  const Layer layer{row({1, 2}), {row({3, 4}), row({1, 1})}, scalar<std::int32_t>(3)};
  const std::uint32_t line = __LINE__ + 1;
  const Error error = expect_error(ErrorId::gradient_check, [&] { (void)check_grads(f, 1, 1e-6, row({2, 5}), layer); });
  EXPECT_EQ(error.op(), "check_grads");
  ASSERT_EQ(error.facts().size(), 5u);
  EXPECT_EQ(error.facts()[0], (std::pair<std::string, std::string>("argument", "arg1.biases.1")));
  EXPECT_EQ(error.facts()[1], (std::pair<std::string, std::string>("mode", "jvp")));
  EXPECT_EQ(error.facts()[2], (std::pair<std::string, std::string>("order", "1")));
  // found = 1.5 * expected, up to the rounding of differences
  EXPECT_NEAR(std::stod(error.facts()[3].second), 1.5 * std::stod(error.facts()[4].second), 1e-6);
  EXPECT_NE(error.message().find("`arg1.biases.1`"), std::string::npos) << error.what();
  EXPECT_EQ(error.where().line, line) << error.what();
  EXPECT_FALSE(error.hint().empty());
}

TEST(CheckGrads, ARightRulePasses) {
  const auto f = [](const Tensor& x, const Tensor& y) { return product_with_slope(x, y, 1); };
  EXPECT_LT(check_grads(f, 2, 1e-6, row({2, 5}), row({1, 3})).worst_error, 1e-6);
}

TEST(CheckGrads, AWrongSecondDerivativeIsFoundAtOrderTwo) {
  // The slope is right, but held fixed: its own derivative is lost.
  const auto f = [](const Tensor& x) {
    return custom_jvp_flat([](List a) -> Tensors { return {a[0] * a[0]}; },
                           [](List a) -> Tensors { return {a[0] * a[0], stop_gradient(a[0]) * 2.0 * a[1]}; }, {x})[0];
  };
  EXPECT_LT(check_grads(f, 1, 1e-6, row({2, 5})).worst_error, 1e-6);
  const Error error = expect_error(ErrorId::gradient_check, [&] { (void)check_grads(f, 2, 1e-6, row({2, 5})); });
  EXPECT_EQ(error.facts()[0].second, "arg0");
  EXPECT_EQ(error.facts()[2].second, "2");
}

/// neg, with a transpose that forgets the sign.
const OpDef& wrongly_transposed() {
  static const OpDef op = [] {
    OpDef copy = get_op("neg");
    copy.name = "wrongly_transposed";
    std::get<Primitive>(copy.form).linear = LinearIn({{0}}, [](const Call&, int, const Tangents& ct) { return ct; });
    return copy;
  }();
  return op;
}

TEST(CheckGrads, AModeThatDisagreesIsTold) {
  const auto f = [](const Tensor& x, const Tensor& y) { return x + apply_one(wrongly_transposed(), {y}); };
  const Error error = expect_error(ErrorId::gradient_check, [&] { (void)check_grads(f, 1, 1e-6, row({2, 5}), row({1, 3})); });
  EXPECT_EQ(error.facts()[0].second, "arg1");
  EXPECT_EQ(error.facts()[1].second, "vjp");
}

TEST(CheckGrads, NaNIsNoAgreement) {
  const auto f = [](const Tensor& x) { return sqrt(x - 10.0); };
  expect_error(ErrorId::gradient_check, [&] { (void)check_grads(f, 1, 1e-6, row({2, 5})); });
}

TEST(CheckGrads, DrawsDependOnTheSeedOnly) {
  const Function f = trace([](const Tensor& x) { return exp(x); }, row({0.1, 0.2}));
  const std::vector<Array> at = {row({0.1, 0.2}).value()};
  EXPECT_EQ(check_gradients(f, at, 1, 1e-5, 7).worst_error, check_gradients(f, at, 1, 1e-5, 7).worst_error);
  EXPECT_NE(check_gradients(f, at, 1, 1e-5, 7).worst_error, check_gradients(f, at, 1, 1e-5, 8).worst_error);
}

}  // namespace
}  // namespace calx::check_grads_test
