// The derivatives of calculus.h nest in any order, with each other, with vmap and with jit.
#include <gtest/gtest.h>

#include <cmath>

#include "calx/calx.h"

namespace calx::composition_test {
namespace {

using Values = std::vector<double>;

Tensor row(const Values& values) { return tensor(values, {static_cast<std::int64_t>(values.size())}); }
Values values(const Tensor& x) { return x.to_vector<double>(); }

/// x1^3 x2: gradient (3 x1^2 x2, x1^3), Hessian ((6 x1 x2, 3 x1^2), (3 x1^2, 0)).
Tensor cubic(const Tensor& x) {
  const Tensor first = reshape(slice(x, {0}, {1}), {}), second = reshape(slice(x, {1}, {2}), {});
  return first * first * first * second;
}
/// (x, y) -> sum(x^2 y).
Tensor product(const Tensor& x, const Tensor& y) { return sum(x * x * y); }

const Tensor& at() {
  static const Tensor x = row({2, 5});
  return x;
}
const Tensor& batch() {
  static const Tensor x = tensor(Values{2, 5, 1, 3, -1, 4}, {3, 2});
  return x;
}
const Values kGradients = {60, 8, 9, 1, 12, -1};

TEST(Composition, GradientsAreBatched) {
  EXPECT_EQ(values(vmap(grad(cubic))(batch())), kGradients);
  EXPECT_EQ(values(grad([](const Tensor& x) { return sum(vmap(cubic)(x)); })(batch())), kGradients);
  EXPECT_EQ(values(vmap(grad(cubic), {.in_axes = {1}, .out_axis = 1})(transpose(batch()))), (Values{60, 9, 12, 8, 1, -1}));
}

TEST(Composition, HessiansAreBatched) {
  const Values expected = {60, 12, 12, 0, 18, 3, 3, 0, -24, 3, 3, 0};
  EXPECT_EQ(values(vmap(hessian(cubic))(batch())), expected);
  // The whole Hessian of the sum over lanes is block diagonal.
  const Tensor whole = hessian([](const Tensor& x) { return sum(vmap(cubic)(x)); })(batch());
  EXPECT_EQ(whole.type().to_string(), "f64[3,2,3,2]");
  const Values entries = values(whole);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t a = 0; a < 2; ++a) {
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t b = 0; b < 2; ++b) {
          EXPECT_EQ(entries[((i * 2 + a) * 3 + j) * 2 + b], i == j ? expected[i * 4 + a * 2 + b] : 0);
        }
      }
    }
  }
}

TEST(Composition, SecondDerivativesInEveryOrderOfModes) {
  const Tensor v = row({1, 10});
  const Values product = {60 + 120, 12};  // H v
  EXPECT_EQ(values(jvp(grad(cubic))(v, at()).second), product);
  EXPECT_EQ(values(grad([&](const Tensor& x) { return jvp(cubic)(v, x).second; })(at())), product);
  EXPECT_EQ(values(grad([&](const Tensor& x) { return sum(grad(cubic)(x) * v); })(at())), product);
  EXPECT_EQ(values(vjp(grad(cubic))(v, at()).second), product);
  EXPECT_EQ(values(hvp(cubic)(v, at())), product);
  // d2 f (v, v) = v.Hv
  const auto along = [&](const Tensor& x) { return jvp(cubic)(v, x).second; };
  EXPECT_EQ(jvp(along)(v, at()).second.item<double>(), product[0] + 10 * product[1]);
}

TEST(Composition, GradientOfAGradient) {
  const auto power = [](const Tensor& x) { return x * x * x * x; };
  EXPECT_EQ(grad(grad(power))(scalar(2.0)).item<double>(), 48);
  EXPECT_EQ(grad(grad(grad(power)))(scalar(2.0)).item<double>(), 48);
  EXPECT_EQ(grad(grad(grad(grad(power))))(scalar(2.0)).item<double>(), 24);
  EXPECT_EQ(grad(grad(grad(grad(grad(power)))))(scalar(2.0)).item<double>(), 0);
}

TEST(Composition, TheOuterDerivativeSeesThroughTheInner) {
  // d/dx (x * d/dy (x y)|y=1) = d/dx x^2: the inner derivative's constant is the outer one's variable.
  const auto f = [](const Tensor& x) { return x * grad([&](const Tensor& y) { return x * y; })(scalar(1.0)); };
  EXPECT_EQ(grad(f)(scalar(3.0)).item<double>(), 6);
  EXPECT_EQ(jvp(f)(scalar(1.0), scalar(3.0)).second.item<double>(), 6);
  const auto g = [](const Tensor& x) {
    return x * jvp([&](const Tensor& y) { return x * y; })(scalar(1.0), scalar(1.0)).second;
  };
  EXPECT_EQ(grad(g)(scalar(3.0)).item<double>(), 6);
  EXPECT_EQ(jvp(g)(scalar(1.0), scalar(3.0)).second.item<double>(), 6);
}

TEST(Composition, MapsOfMaps) {
  const Tensor x = row({1, 2, 3}), y = row({10, 20});
  const auto times = [](const Tensor& a, const Tensor& b) { return a * b; };
  const auto outer = vmap([&](const Tensor& a, const Tensor& b) {
    return vmap(times, {.in_axes = {std::nullopt, 0}})(a, b);
  }, {.in_axes = {0, std::nullopt}});
  const Tensor table = outer(x, y);
  EXPECT_EQ(table.type().to_string(), "f64[3,2]");
  EXPECT_EQ(values(table), (Values{10, 20, 20, 40, 30, 60}));
  EXPECT_EQ(values(grad([&](const Tensor& a) { return sum(outer(a, y)); })(x)), (Values{30, 30, 30}));
  // The batched argument may be used from an enclosing trace.
  const auto captured = vmap([&](const Tensor& a) { return vmap([&](const Tensor& b) { return a * b; })(y); });
  EXPECT_EQ(values(captured(x)), values(table));
}

TEST(Composition, JacobiansOfMapsAndMapsOfJacobians) {
  const auto square = [](const Tensor& x) { return x * x; };
  const Tensor per_lane = vmap(jacobian(square))(tensor(Values{1, 2, 3, 4}, {2, 2}));
  EXPECT_EQ(values(per_lane), (Values{2, 0, 0, 4, 6, 0, 0, 8}));
  EXPECT_EQ(values(jacobian(vmap(square), JacobianMode::reverse)(row({1, 2}))), (Values{2, 0, 0, 4}));
  EXPECT_EQ(values(vmap(nth_derivative<2>([](const Tensor& x) { return x * x * x; }))(row({1, 2}))), (Values{6, 12}));
}

TEST(Composition, TransposedLinearPartIsTheVjp) {
  const Function f = trace([](const Tensor& x, const Tensor& y) { return std::pair(sin(x) * y, sum(x * y)); }, at(), at());
  const std::vector<bool> both = {true, true};
  const Linearized parts = linearize(f, both);
  std::vector<Array> forward = default_evaluator().run(parts.forward, {at().value(), row({3, -2}).value()});
  std::vector<Array> linear_operands(forward.begin() + 2, forward.end());
  ASSERT_EQ(linear_operands.size(), static_cast<std::size_t>(parts.num_residuals));
  std::vector<bool> linear(linear_operands.size(), false);
  linear.resize(linear.size() + 2, true);
  const std::vector<Array> cotangents = {row({1, 10}).value(), scalar(100.0).value()};
  linear_operands.insert(linear_operands.end(), cotangents.begin(), cotangents.end());
  const std::vector<Array> pulled = default_evaluator().run(transpose(parts.linear, linear), linear_operands);
  const std::vector<Array> reverse =
      default_evaluator().run(vjp(f, both), {at().value(), row({3, -2}).value(), cotangents[0], cotangents[1]});
  ASSERT_EQ(pulled.size(), 2u);
  EXPECT_EQ(pulled[0], reverse[2]);
  EXPECT_EQ(pulled[1], reverse[3]);
  EXPECT_EQ(forward[0], reverse[0]);
  EXPECT_NEAR(pulled[0].element_as_double(0), std::cos(2.0) * 3 + 300, 1e-12);
  EXPECT_NEAR(pulled[1].element_as_double(1), std::sin(5.0) * 10 + 500, 1e-12);
}

TEST(Composition, JitInsideAndOutsideOfDerivatives) {
  EXPECT_EQ(values(grad(jit(cubic))(at())), (Values{60, 8}));
  EXPECT_EQ(values(jit(grad(cubic))(at())), (Values{60, 8}));
  EXPECT_EQ(values(jit(grad(jit(cubic)))(at())), (Values{60, 8}));
  EXPECT_EQ(values(jvp(jit(grad(cubic)))(row({1, 10}), at()).second), (Values{180, 12}));
  EXPECT_EQ(values(jit(hessian(jit(cubic)))(at())), (Values{60, 12, 12, 0}));
  EXPECT_EQ(values(hessian(jit(cubic))(at())), (Values{60, 12, 12, 0}));
  EXPECT_EQ(values(vmap(jit(grad(cubic)))(batch())), kGradients);
  EXPECT_EQ(values(jit(vmap(grad(cubic)))(batch())), kGradients);
  EXPECT_EQ(values(grad([](const Tensor& x) { return sum(jit(vmap(jit(cubic)))(x)); })(batch())), kGradients);
}

TEST(Composition, SeveralArguments) {
  const Tensor x = row({1, 2}), y = row({3, 5});
  EXPECT_EQ(values(grad<1>(product)(x, y)), (Values{1, 4}));
  // d/dy of d/dx: diag(2 x).
  EXPECT_EQ(values(jacobian<1>(grad<0>(product))(x, y)), (Values{2, 0, 0, 4}));
  EXPECT_EQ(values(jacobian<0>(grad<1>(product))(x, y)), (Values{2, 0, 0, 4}));
  EXPECT_EQ(values(vmap(grad<1>(product), {.in_axes = {std::nullopt, 0}})(x, tensor(Values{3, 5, 7, 9}, {2, 2}))),
            (Values{1, 4, 1, 4}));
}

TEST(Composition, GraphsDoNotGrowWithTheSizeOfTheArgument) {
  const auto equations = [](std::int64_t n) {
    const auto of_hessian = [](const Tensor& x) { return hessian([](const Tensor& y) { return sum(tanh(y) * y); })(x); };
    return trace(of_hessian, spec(f64, {n})).count_equations();
  };
  EXPECT_EQ(equations(2), equations(64));
}

}  // namespace
}  // namespace calx::composition_test
