// Jacobians, Hessians, products and higher derivatives against closed forms, over tensors and over trees.
#include <gtest/gtest.h>

#include <cmath>

#include "calx/calx.h"

namespace calx::derivatives_test {
namespace {

using Values = std::vector<double>;

Tensor row(const Values& values) { return tensor(values, {static_cast<std::int64_t>(values.size())}); }
Values values(const Tensor& x) { return x.to_vector<double>(); }
void expect_near(const Tensor& found, const Values& expected, double tolerance = 1e-12) {
  const Values numbers = values(found);
  ASSERT_EQ(numbers.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(numbers[i], expected[i], tolerance) << "entry " << i;
}
constexpr JacobianMode kModes[] = {JacobianMode::forward, JacobianMode::reverse};

struct Layer {
  Tensor weight;
  std::vector<Tensor> biases;
};
CALX_TREE(Layer, weight, biases);
struct Model {
  Layer hidden;
  std::pair<Tensor, Layer> rest;
};
CALX_TREE(Model, hidden, rest);

// ---- Jacobians -----------------------------------------------------------------------------------------------------------

TEST(Jacobian, OfALinearMapIsItsMatrix) {
  for (const auto& [rows, columns] : {std::pair{2, 3}, std::pair{3, 2}, std::pair{1, 4}, std::pair{4, 1}}) {
    Values entries;
    for (int i = 0; i < rows * columns; ++i) entries.push_back(i * i - 3.5 * i);
    const Tensor a = tensor(entries, {rows, columns});
    const Tensor x = ones({columns}, f64);
    for (JacobianMode mode : kModes) {
      const Tensor j = jacobian([&](const Tensor& y) { return matmul(a, y); }, mode)(x);
      EXPECT_EQ(j.type(), a.type());
      EXPECT_EQ(values(j), entries);
    }
  }
}

TEST(Jacobian, HasTheAxesOfTheResultThenThoseOfTheArgument) {
  const Tensor x = tensor(Values{1, 2, 3, 4, 5, 6}, {2, 3});
  for (JacobianMode mode : kModes) {
    const Tensor j = jacobian([](const Tensor& y) { return transpose(y * y); }, mode)(x);
    EXPECT_EQ(j.type().to_string(), "f64[3,2,2,3]");
    Values expected;
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 2; ++b) {
        for (int c = 0; c < 2; ++c) {
          for (int d = 0; d < 3; ++d) expected.push_back(a == d && b == c ? 2.0 * (3 * c + d + 1) : 0);
        }
      }
    }
    EXPECT_EQ(values(j), expected);
  }
}

TEST(Jacobian, OfScalarsAndOfEmptyTensors) {
  for (JacobianMode mode : kModes) {
    EXPECT_EQ(jacobian([](const Tensor& x) { return x * x * x; }, mode)(scalar(2.0)).item<double>(), 12);
    EXPECT_EQ(jacobian([](const Tensor& x) { return x * x; }, mode)(zeros({0}, f64)).type().to_string(), "f64[0,0]");
    EXPECT_EQ(jacobian([](const Tensor& x) { return sum(x); }, mode)(zeros({0}, f64)).type().to_string(), "f64[0]");
  }
}

TEST(Jacobian, OfAnotherArgument) {
  const auto f = [](const Tensor& x, const Tensor& n, const Tensor& y) { return x * y * convert(n, f64); };
  const Tensor n = scalar<std::int32_t>(2);
  for (JacobianMode mode : kModes) {
    EXPECT_EQ(values(jacobian<2>(f, mode)(row({3, 5}), n, row({7, 11}))), (Values{6, 0, 0, 10}));
    EXPECT_EQ(values(jacobian(f, mode)(row({3, 5}), n, row({7, 11}))), (Values{14, 0, 0, 22}));
  }
}

TEST(Jacobian, OverATreeIsATreeOfJacobians) {
  const auto f = [](const Model& m) {
    return m.hidden.weight * 3.0 + m.hidden.biases[0] * m.hidden.biases[1] + m.rest.first * m.rest.second.weight;
  };
  const Model m{{row({1, 2}), {row({3, 4}), row({5, 6})}}, {scalar(7.0), {row({8, 9}), {}}}};
  for (JacobianMode mode : kModes) {
    const Model j = jacobian(f, mode)(m);
    EXPECT_EQ(values(j.hidden.weight), (Values{3, 0, 0, 3}));
    EXPECT_EQ(values(j.hidden.biases[0]), (Values{5, 0, 0, 6}));
    EXPECT_EQ(values(j.hidden.biases[1]), (Values{3, 0, 0, 4}));
    EXPECT_EQ(j.rest.first.type().to_string(), "f64[2]");
    EXPECT_EQ(values(j.rest.first), (Values{8, 9}));
    EXPECT_EQ(values(j.rest.second.weight), (Values{7, 0, 0, 7}));
  }
}

// ---- Hessians ------------------------------------------------------------------------------------------------------------

TEST(Hessian, OfAQuadraticFormIsTheMatrixAndItsTranspose) {
  const Tensor a = tensor(Values{1, 2, 3, 4, 5, 6, 7, 8, 10}, {3, 3});
  const auto f = [&](const Tensor& x) { return matmul(x, matmul(a, x)); };
  const Tensor x = row({0.5, -1, 2});
  EXPECT_EQ(values(hessian(f)(x)), (Values{2, 6, 10, 6, 10, 14, 10, 14, 20}));
  const Tensor v = row({1, 10, 100});
  EXPECT_EQ(values(hvp(f)(v, x)), (Values{2 + 60 + 1000, 6 + 100 + 1400, 10 + 140 + 2000}));
  // Constant: the third derivative is 0.
  EXPECT_EQ(values(jacobian(hessian(f))(x)), Values(27, 0));
}

TEST(Hessian, OfLogsumexpIsTheCovarianceOfItsSoftmax) {
  const Tensor x = row({0.3, -1.2, 2.5, 0});
  const Values p = values(softmax(x));
  Values expected;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) expected.push_back((i == j ? p[i] : 0) - p[i] * p[j]);
  }
  const auto f = [](const Tensor& y) { return logsumexp(y); };
  expect_near(hessian(f)(x), expected);
  expect_near(jacobian(grad(f), JacobianMode::reverse)(x), expected);
  const Tensor v = row({1, 2, 3, 4});
  expect_near(grad([&](const Tensor& y) { return sum(v * grad(f)(y)); })(x), values(hvp(f)(v, x)));
}

TEST(Hessian, OfALogDeterminantLikeProductHasSymmetricMixedPartials) {
  // f = sin(x y) + y exp(x z): every mixed partial differs.
  const auto f = [](const Tensor& v) {
    const auto at = [&](std::int64_t i) { return reshape(slice(v, {i}, {i + 1}), {}); };
    return sin(at(0) * at(1)) + at(1) * exp(at(0) * at(2));
  };
  const double x = 0.4, y = -0.7, z = 1.1, e = std::exp(x * z);
  const double xy = std::cos(x * y) - x * y * std::sin(x * y) + z * e;
  const double xz = y * (1 + x * z) * e;
  const double yz = x * e;
  expect_near(hessian(f)(row({x, y, z})),
              {-y * y * std::sin(x * y) + y * z * z * e, xy, xz, xy, -x * x * std::sin(x * y), yz, xz, yz, y * x * x * e});
  // Third derivatives are symmetric in every pair of axes.
  const Values third = values(jacobian(hessian(f))(row({x, y, z})));
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(third[9 * i + 3 * j + k], third[9 * j + 3 * i + k], 1e-12);
        EXPECT_NEAR(third[9 * i + 3 * j + k], third[9 * i + 3 * k + j], 1e-12);
      }
    }
  }
  EXPECT_NEAR(third[9 * 0 + 3 * 1 + 2], (1 + x * z) * e, 1e-12);  // d3/dxdydz
}

TEST(Hessian, ProductsOverTrees) {
  // f = w.w * b + c^3: H (dw, db, dc) = (2 b dw + 2 w db, 2 w.dw, 6 c dc).
  const auto f = [](const Layer& layer) {
    return sum(layer.weight * layer.weight) * layer.biases[0] + layer.biases[1] * layer.biases[1] * layer.biases[1];
  };
  const Layer at{row({1, 2}), {scalar(3.0), scalar(4.0)}};
  const Layer along{row({10, 20}), {scalar(30.0), scalar(40.0)}};
  const Layer product = hvp(f)(along, at);
  EXPECT_EQ(values(product.weight), (Values{6 * 10 + 2 * 30, 6 * 20 + 4 * 30}));
  EXPECT_EQ(values(product.biases[0]), (Values{2 * 10 + 4 * 20}));
  EXPECT_EQ(values(product.biases[1]), (Values{24 * 40}));
  const auto of_second = [](const Tensor& x, const Tensor& y) { return sum(x * y * y); };
  EXPECT_EQ(values(hvp<1>(of_second)(row({1, 10}), row({3, 5}), row({7, 7}))), (Values{6, 100}));
}

// ---- Higher derivatives --------------------------------------------------------------------------------------------------

TEST(NthDerivative, OfPowers) {
  const auto fifth = [](const Tensor& x) { return x * x * x * x * x; };
  const Tensor x = row({2, -1, 0});
  EXPECT_EQ(values(nth_derivative<0>(fifth)(x)), (Values{32, -1, 0}));
  EXPECT_EQ(values(nth_derivative<1>(fifth)(x)), (Values{80, 5, 0}));
  EXPECT_EQ(values(nth_derivative<2>(fifth)(x)), (Values{160, -20, 0}));
  EXPECT_EQ(values(nth_derivative<3>(fifth)(x)), (Values{240, 60, 0}));
  EXPECT_EQ(values(nth_derivative<4>(fifth)(x)), (Values{240, -120, 0}));
  EXPECT_EQ(values(nth_derivative<5>(fifth)(x)), (Values{120, 120, 120}));
  EXPECT_EQ(values(nth_derivative<6>(fifth)(x)), (Values{0, 0, 0}));
  // d3 x^n = n (n-1) (n-2) x^(n-3), through pow as well.
  for (int n = 0; n <= 6; ++n) {
    const auto power = [n](const Tensor& y) { return pow(y, static_cast<double>(n)); };
    EXPECT_NEAR(nth_derivative<3>(power)(scalar(1.5)).item<double>(), n * (n - 1) * (n - 2) * std::pow(1.5, n - 3), 1e-11) << n;
  }
}

TEST(NthDerivative, OfFunctionsThatReturn) {
  const Tensor x = row({0.3, 1.2});
  expect_near(nth_derivative<4>([](const Tensor& y) { return sin(y); })(x), {std::sin(0.3), std::sin(1.2)});
  const auto growth = [](const Tensor& y) { return exp(2.0 * y); };
  expect_near(nth_derivative<5>(growth)(x), {32 * std::exp(0.6), 32 * std::exp(2.4)}, 1e-11);
  expect_near(nth_derivative<3>([](const Tensor& y) { return log(y); })(x), {2 / 0.027, 2 / 1.728}, 1e-11);
  expect_near(nth_derivative<2>([](const Tensor& y) { return exp(3.0 * y); })(scalar(2.0)), {9 * std::exp(6)}, 1e-11);
}

TEST(NthDerivative, OfConstantsIsZero) {
  EXPECT_EQ(values(nth_derivative<1>([](const Tensor& y) { return zeros_like(y) + 3.0; })(row({1, 2}))), (Values{0, 0}));
  EXPECT_EQ(values(nth_derivative<2>([](const Tensor& y) { return stop_gradient(y); })(row({1, 2}))), (Values{0, 0}));
}

// ---- Trees with integers inside ------------------------------------------------------------------------------------------

struct Counted {
  Tensor value;
  Tensor count;  // i32
  Tensor extra;
};
CALX_TREE(Counted, value, count, extra);

TEST(Trees, ResultsThatAreNotFloatingHaveNoDerivative) {
  const auto f = [](const Tensor& x) { return Counted{x * x, argmax(x), x * 3.0}; };
  const Tensor x = row({1, 2});
  const auto [value, tangent] = jvp(f)(row({10, 100}), x);
  EXPECT_EQ(value.count.item<std::int32_t>(), 1);
  EXPECT_EQ(values(tangent.value), (Values{20, 400}));
  EXPECT_EQ(tangent.count.type().to_string(), "i32[]");
  EXPECT_EQ(tangent.count.item<std::int32_t>(), 0);
  EXPECT_EQ(values(tangent.extra), (Values{30, 300}));
  // The cotangent of `count` is not looked at, whatever it is.
  for (const Tensor& ignored : {scalar<std::int32_t>(5), scalar(1.0F)}) {
    const auto [again, pulled] = vjp(f)(Counted{row({1, 1}), ignored, row({1, 0})}, x);
    EXPECT_EQ(again.count.item<std::int32_t>(), 1);
    EXPECT_EQ(values(pulled), (Values{2 + 3, 4}));
  }
}

TEST(Trees, AuxiliaryResultsOfAGradient) {
  const auto f = [](const Tensor& x) { return std::pair(sum(x * x), argmax(x)); };
  const auto [result, gradient] = value_and_grad(f)(row({1, 5, 2}));
  EXPECT_EQ(result.first.item<double>(), 30);
  EXPECT_EQ(result.second.item<std::int32_t>(), 1);
  EXPECT_EQ(values(gradient), (Values{2, 10, 4}));
}

TEST(Trees, GradientsOfNestedTreesAndOfSeveralArguments) {
  const auto f = [](const Model& m, const std::map<std::string, Tensor>& scale, int times) {
    return sum(m.hidden.weight * scale.at("a")) * static_cast<double>(times) + sum(m.rest.second.weight * m.rest.first);
  };
  const Model m{{row({1, 2}), {row({3, 4})}}, {scalar(7.0), {row({8, 9}), {}}}};
  const std::map<std::string, Tensor> scale = {{"a", row({5, 6})}, {"b", scalar<std::int32_t>(1)}};
  const Model of_model = grad(f)(m, scale, 2);
  EXPECT_EQ(values(of_model.hidden.weight), (Values{10, 12}));
  EXPECT_EQ(values(of_model.hidden.biases[0]), (Values{0, 0}));
  EXPECT_EQ(values(of_model.rest.first), (Values{17}));
  EXPECT_EQ(values(of_model.rest.second.weight), (Values{7, 7}));
  EXPECT_TRUE(of_model.rest.second.biases.empty());
  const std::map<std::string, Tensor> floating = {{"a", row({5, 6})}};
  EXPECT_EQ(values(grad<1>(f)(m, floating, 3).at("a")), (Values{3, 6}));
}

}  // namespace
}  // namespace calx::derivatives_test
