// Control flow and custom derivatives over trees.
#include "calx/ops/control_tree.h"

#include <gtest/gtest.h>

#include <cmath>

#include "calx/calx.h"
#include "support/expect_error.h"

namespace {

using calx::Tensor;
using calx::tensor;

struct State {
  Tensor hidden;
  Tensor steps;
};
CALX_TREE(State, hidden, steps);

State initial() { return {tensor({0.5, -0.25}), calx::scalar(std::int32_t{0})}; }
Tensor inputs() { return tensor({{0.1, 0.2}, {0.3, -0.4}, {-0.5, 0.6}}); }

std::pair<State, Tensor> cell(const State& state, const Tensor& x, const Tensor& w) {
  const Tensor hidden = tanh(state.hidden * w + x);
  return {State{hidden, state.steps + 1}, reduce_sum(hidden, {0})};
}

Tensor scanned(const Tensor& w) {
  const auto [last, ys] = calx::scan([&](const State& s, const Tensor& x) { return cell(s, x, w); }, initial(), inputs());
  return sum(last.hidden) + sum(ys * ys);
}

Tensor unrolled(const Tensor& w) {
  State state = initial();
  Tensor total = calx::scalar(0.0F);
  for (int i = 0; i < 3; ++i) {
    auto [next, y] = cell(state, reshape(slice(inputs(), {i, 0}, {i + 1, 2}), {2}), w);
    state = next;
    total = total + y * y;
  }
  return sum(state.hidden) + total;
}

void expect_near(const Tensor& a, const Tensor& b, double tolerance = 1e-6) {
  const std::vector<float> x = a.to_vector<float>();
  const std::vector<float> y = b.to_vector<float>();
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], tolerance) << i;
}

TEST(ControlTree, ScanCarriesAStructAndCapturesTensors) {
  const auto [last, ys] =
      calx::scan([](const State& s, const Tensor& x) { return cell(s, x, calx::scalar(2.0F)); }, initial(), inputs());
  EXPECT_EQ(last.steps.item<std::int32_t>(), 3);
  EXPECT_EQ(ys.shape(), calx::Shape({3}));
  const Tensor w = tensor({0.7, -1.1});
  expect_near(scanned(w), unrolled(w));
  expect_near(calx::grad(scanned)(w), calx::grad(unrolled)(w));
  expect_near(calx::hvp(scanned)(tensor({1, 2}), w), calx::hvp(unrolled)(tensor({1, 2}), w), 1e-5);
}

TEST(ControlTree, ScanWithoutXsOrYs) {
  const auto [last, none] = calx::scan(
      [](const Tensor& carry, std::tuple<>) { return std::pair(carry * 2.0, std::tuple<>()); }, calx::scalar(3.0F),
      std::tuple<>(), {.length = calx::Dim(5)});
  static_cast<void>(none);
  EXPECT_EQ(last.item<float>(), 96);
}

TEST(ControlTree, CondTakesAndGivesTrees) {
  const auto f = [](const Tensor& x) {
    const auto [a, b] = calx::cond(
        sum(x) > 0.0, [](const Tensor& v, const State& s) { return std::pair(v * v, s.hidden); },
        [](const Tensor& v, const State& s) { return std::pair(-v, s.hidden * 3.0); }, x, initial());
    return sum(a * b);
  };
  expect_near(f(tensor({1, 2})), calx::scalar(0.5F - 1.0F));
  expect_near(calx::grad(f)(tensor({1, 2})), tensor({1, -1}));
  expect_near(calx::grad(f)(tensor({1, -2})), tensor({-1.5, 0.75}));
  expect_near(calx::vmap(calx::grad(f))(tensor({{1, 2}, {1, -2}})), tensor({{1, -1}, {-1.5, 0.75}}));
}

TEST(ControlTree, WhileLoopRunsUntilItsConditionFails) {
  // Newton's method for the square root, and how often it steps.
  const auto root = [](const Tensor& a) {
    return calx::while_loop([&](const State& s) { return abs(s.hidden * s.hidden - a) > 1e-6; },
                            [&](const State& s) { return State{(s.hidden + a / s.hidden) * 0.5, s.steps + 1}; },
                            State{a, calx::scalar(std::int32_t{0})}, {.max_steps = calx::Dim(30)});
  };
  const State at = root(calx::scalar(2.0F));
  EXPECT_NEAR(at.hidden.item<float>(), std::sqrt(2.0), 1e-6);
  EXPECT_GT(at.steps.item<std::int32_t>(), 2);
  const auto value = [&](const Tensor& a) { return root(a).hidden; };
  EXPECT_NEAR(calx::grad(value)(calx::scalar(2.0F)).item<float>(), 0.5 / std::sqrt(2.0), 1e-5);
}

TEST(ControlTree, CheckpointChangesNoDerivative) {
  const auto f = [](const Tensor& x, const State& s) { return sum(sin(x * s.hidden) * tanh(x)); };
  const auto g = [&](const Tensor& x) { return calx::checkpoint(f)(x, initial()); };
  const auto plain = [&](const Tensor& x) { return f(x, initial()); };
  const Tensor x = tensor({0.3, -0.8});
  expect_near(calx::grad(g)(x), calx::grad(plain)(x));
  expect_near(calx::hvp(g)(tensor({1, 1}), x), calx::hvp(plain)(tensor({1, 1}), x));
}

TEST(ControlTree, CustomJvpOverAStruct) {
  // log(1 + exp(h)), with its slope written out; the integer beside it has no tangent.
  const auto f = calx::custom_jvp(
      [](const State& s) { return State{log(1.0 + exp(s.hidden)), s.steps}; },
      [](const State& s, const State& t) {
        return std::pair(State{log(1.0 + exp(s.hidden)), s.steps}, State{sigmoid(s.hidden) * t.hidden, t.steps});
      });
  const auto loss = [&](const Tensor& h) { return sum(f(State{h, calx::scalar(std::int32_t{4})}).hidden); };
  const Tensor h = tensor({0.3, -2.0});
  expect_near(calx::grad(loss)(h), sigmoid(h));
  expect_near(calx::hvp(loss)(tensor({1, 1}), h), sigmoid(h) * (1.0 - sigmoid(h)));
  EXPECT_EQ(f(State{h, calx::scalar(std::int32_t{4})}).steps.item<std::int32_t>(), 4);
}

TEST(ControlTree, CustomVjpGivesOneCotangentPerArgument) {
  // Identity whose gradient is clipped to [-bound, bound]; bound has none.
  const auto clip_gradient = calx::custom_vjp(
      [](const Tensor& x, const Tensor&) { return x; },
      [](const Tensor& x, const Tensor& bound) { return std::pair(x, bound); },
      [](const Tensor& bound, const Tensor& ct) {
        return std::tuple(minimum(maximum(ct, -bound), bound), zeros_like(bound));
      });
  const auto loss = [&](const Tensor& x) { return sum(clip_gradient(x, calx::scalar(1.0F)) * tensor({5, 0.5, -3})); };
  expect_near(calx::grad(loss)(tensor({1, 2, 3})), tensor({1, 0.5, -1}));
}

TEST(ControlTree, AStructureThatChangesIsAnErrorAtTheUsersLine) {
  using Carry = std::vector<Tensor>;
  int line = 0;
  const calx::Error error = calx::test::expect_error(calx::ErrorId::tree, [&] {
    line = __LINE__ + 1;
    (void)calx::scan([](const Carry& c, const Tensor& x) { return std::pair(Carry{c[0], x}, x); }, Carry{tensor({1, 2})}, inputs());
  });
  EXPECT_NE(error.message().find("the body's carry"), std::string::npos) << error.what();
  EXPECT_EQ(static_cast<int>(error.where().line), line) << error.what();
}

}  // namespace
