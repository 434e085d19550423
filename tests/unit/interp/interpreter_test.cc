// The interpreter: what it counts, what it holds, which failure it raises, sizes of symbols, several runs at once.
#include "calx/interp/interpreter.h"

#include <gtest/gtest.h>

#include <thread>

#include "calx/calx.h"
#include "support/expect_error.h"

namespace calx::interpreter_test {
namespace {

using test::expect_error;
using List = std::span<const Tensor>;

Array floats(std::vector<float> values) {
  const auto size = static_cast<std::int64_t>(values.size());
  return Array::from<float>({size}, values);
}
Array index(std::int32_t value) { return Array::scalar<std::int32_t>(value); }
std::string fact(const Error& error, std::string_view name) {
  for (const auto& [key, value] : error.facts()) {
    if (key == name) return value;
  }
  return {};
}

TEST(Interpreter, CountsEquationsOfEveryIteration) {
  const auto run = [](std::int64_t length) {
    const Function f = trace_flat({{"x", {f32, {}}}}, [&](List x) -> Tensors {
                         return {scan_flat([](List s) -> Tensors { return {core::mul(core::neg(s[0]), s[0])}; }, {x[0]}, {},
                                           {.length = length})
                                     .carry[0]};
                       }).function;
    RunStatistics statistics;
    (void)Interpreter().run(f, {Array::scalar(1.0F)}, statistics);
    return statistics.equations;
  };
  EXPECT_EQ(run(0), 1);
  EXPECT_EQ(run(1), 3);
  EXPECT_EQ(run(10), 21);
}

TEST(Interpreter, DropsValuesAfterTheirLastUse) {
  // A chain holds two values at a time, whatever its length; nothing is left.
  const auto peak = [](int length) {
    const Function f = trace_flat({{"x", {f32, {100}}}}, [&](List x) -> Tensors {
                         Tensor y = core::neg(x[0]);
                         for (int i = 1; i < length; ++i) y = core::neg(y);
                         return {y};
                       }).function;
    RunStatistics statistics;
    (void)Interpreter().run(f, {Array::zeros(f32, {100})}, statistics);
    EXPECT_EQ(statistics.equations, length);
    EXPECT_EQ(statistics.live_bytes, 0);
    return statistics.peak_live_bytes;
  };
  EXPECT_EQ(peak(1), 400);
  EXPECT_EQ(peak(2), peak(50));
  EXPECT_LE(peak(50), 800);
}

TEST(Interpreter, HoldsWhatIsUsedLater) {
  const Function f = trace_flat({{"x", {f32, {100}}}}, [&](List x) -> Tensors {
                       const Tensor a = core::neg(x[0]);
                       const Tensor b = core::neg(core::neg(core::neg(a)));
                       return {core::add(a, b)};
                     }).function;
  RunStatistics statistics;
  (void)Interpreter().run(f, {Array::zeros(f32, {100})}, statistics);
  EXPECT_GE(statistics.peak_live_bytes, 800);
  EXPECT_LE(statistics.peak_live_bytes, 1200);
}

TEST(Interpreter, ResultsMayBeArgumentsAndMayRepeat) {
  const Function f = trace_flat({{"x", {f32, {2}}}, {"y", {f32, {2}}}},
                                [](List x) -> Tensors { return {x[1], x[0], x[1]}; }).function;
  const std::vector<Array> results = Interpreter().run(f, {floats({1, 2}), floats({3, 4})});
  EXPECT_EQ(results, (std::vector<Array>{floats({3, 4}), floats({1, 2}), floats({3, 4})}));
}

TEST(Interpreter, BindsSizesOfSymbols) {
  const Function f = trace([](const Tensor& x, const Tensor& y) { return std::pair(concat({x, y}), core::size(x.dim(0))); },
                           spec(f32, {"N"}), spec(f32, {"2*N+1"}));
  const std::vector<Array> results = default_evaluator().run(f, {floats({1, 2}), floats({3, 4, 5, 6, 7})});
  EXPECT_EQ(results[0], floats({1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(results[1].element_as_double(0), 2);
  EXPECT_EQ(default_evaluator().run(f, {floats({}), floats({3})})[0], floats({3}));
}

// ---- Failures ------------------------------------------------------------------------------------------------------------

TEST(Interpreter, RaisesTheFirstFailureOfTheFirstIteration) {
  // At each step one index is wrong at another position; the first step's counts, though its position is the last.
  const auto f = [](const Tensor& x, const Tensor& at) {
    const auto step = [&](List s) -> Tensors { return {s[0] + sum(take(x, s[1], {.axis = 0}))}; };
    return scan_flat(step, {scalar(0.0F)}, {at}).carry[0];
  };
  const Tensor x = tensor({1, 2, 3}), at = tensor<std::int32_t>({{0, 1, 50}, {60, 0, 0}, {0, 70, 0}});
  const Error error = expect_error(ErrorId::index_out_of_range, [&] { (void)f(x, at).value(); });
  EXPECT_EQ(fact(error, "value"), "50");
  EXPECT_EQ(fact(error, "position"), "2");
}

TEST(Interpreter, AFailureOfAnEarlierEquationWinsThoughItIsInALaterIteration) {
  const auto f = [](const Tensor& x, const Tensor& first, const Tensor& second) {
    const auto step = [&](List s) -> Tensors {
      const Tensor a = take(x, s[1], {.axis = 0});
      const Tensor b = take(x, s[2], {.axis = 0});
      return {s[0] + a + b};
    };
    return scan_flat(step, {scalar(0.0F)}, {first, second}).carry[0];
  };
  const Tensor x = tensor({1, 2, 3});
  const Error error = expect_error(ErrorId::index_out_of_range, [&] {
    (void)f(x, tensor<std::int32_t>({0, 9}), tensor<std::int32_t>({8, 0})).value();
  });
  EXPECT_EQ(fact(error, "value"), "9");
}

TEST(Interpreter, BranchesThatAreNotTakenDoNotFail) {
  const auto f = [](const Tensor& x, const Tensor& at) {
    return cond_flat(at < 3, [&](List y) -> Tensors { return {take(x, y[0], {.axis = 0})}; },
                     [](List) -> Tensors { return {scalar(-1.0F)}; }, {at})[0];
  };
  const Tensor x = tensor({1, 2, 3});
  EXPECT_EQ(f(x, scalar<std::int32_t>(2)).item<float>(), 3);
  EXPECT_EQ(f(x, scalar<std::int32_t>(7)).item<float>(), -1);
  const auto lanes = [&](const Tensor& at) { return f(x, at); };
  EXPECT_EQ(vmap(lanes)(tensor<std::int32_t>({2, 7, 0})).to_vector<float>(), (std::vector<float>{3, -1, 1}));
}

TEST(Interpreter, AFailureThatNoResultNeedsIsStillNone) {
  // Pure: what is not needed is not traced, so it cannot fail.
  const Function f = trace([](const Tensor& x, const Tensor& at) {
    (void)take(x, at, {.axis = 0});
    return x;
  }, spec(f32, {3}), spec(i32, {}));
  EXPECT_EQ(default_evaluator().run(f, {floats({1, 2, 3}), index(7)})[0], floats({1, 2, 3}));
}

TEST(Interpreter, AFailureInACompositeOfACompositeIsToldAtTheUsersLine) {
  const auto f = [](const Tensor& x, const Tensor& at) { return take_along_axis(x, at, {.axis = 0}); };
  const std::uint32_t line = __LINE__ - 1;
  const Function traced = trace(f, spec(f32, {3}), spec(i32, {2}));
  const Array bad = Array::from<std::int32_t>({2}, std::vector<std::int32_t>{0, 5});
  const Error error =
      expect_error(ErrorId::index_out_of_range, [&] { (void)Interpreter().run(traced, {floats({1, 2, 3}), bad}); });
  EXPECT_EQ(error.where().line, line) << error.what();
}

// ---- Several runs at once ------------------------------------------------------------------------------------------------

TEST(Interpreter, RunsAreIndependent) {
  const Function f = trace([](const Tensor& x, const Tensor& at) { return softmax(x * 2.0) + take(x, at, {.axis = 0}); },
                           spec(f32, {"N"}), spec(i32, {}));
  const auto expected = [&](int i) {
    return Interpreter().run(f, {floats(std::vector<float>(static_cast<std::size_t>(i + 1), 0.5F)), index(0)})[0];
  };
  std::vector<Array> wanted;
  for (int i = 0; i < 4; ++i) wanted.push_back(expected(i));
  std::atomic<int> wrong = 0, raised = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 50; ++k) {
        if (!(expected(i) == wanted[static_cast<std::size_t>(i)])) ++wrong;
        try {
          (void)default_evaluator().run(f, {floats({1}), index(i + 1)});
        } catch (const IndexError& error) {
          if (fact(error, "value") == std::to_string(i + 1)) ++raised;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(raised, 200);
}

}  // namespace
}  // namespace calx::interpreter_test
