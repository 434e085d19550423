// jit: one trace per signature, from one thread and from many; nesting; failures; what is captured.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <functional>
#include <thread>

#include "calx/calx.h"
#include "support/expect_error.h"

namespace calx::jit_test {
namespace {

using test::expect_error;
using Floats = std::vector<float>;

Tensor row(std::int64_t n, float value = 1) { return tensor(Floats(static_cast<std::size_t>(n), value), {n}); }
Floats floats(const Tensor& x) { return x.to_vector<float>(); }

struct Layer {
  Tensor weight;
  std::optional<Tensor> bias;
  int units = 0;  // not listed
};
CALX_TREE(Layer, weight, bias);

TEST(Jit, TracesOncePerSignature) {
  int calls = 0;
  const auto f = jit([&](const Tensor& x) {
    ++calls;
    return x * x + 1.0;
  });
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(floats(f(tensor({2, 3}))), (Floats{5, 10}));
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(floats(f(tensor({4, 5}))), (Floats{17, 26}));
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(floats(f(tensor({1, 2, 3}))), (Floats{2, 5, 10}));          // another size
  EXPECT_EQ(f(tensor<double>({2, 3})).to_vector<double>()[1], 10);      // another dtype
  EXPECT_EQ(floats(f(tensor({{2, 3}}))), (Floats{5, 10}));              // another rank
  EXPECT_EQ(calls, 4);
  (void)f(tensor({7, 8}));
  (void)f(tensor<double>({7, 8}));
  EXPECT_EQ(calls, 4);
  const auto copy = f;  // copies share what was traced
  EXPECT_EQ(floats(copy(tensor({0, 1}))), (Floats{1, 2}));
  EXPECT_EQ(calls, 4);
}

TEST(Jit, StructureIsPartOfTheSignature) {
  int calls = 0;
  const auto f = jit([&](const Layer& layer) {
    ++calls;
    return layer.bias ? layer.weight + *layer.bias : layer.weight;
  });
  EXPECT_EQ(floats(f(Layer{row(2), row(2)})), (Floats{2, 2}));
  EXPECT_EQ(floats(f(Layer{row(2), std::nullopt})), (Floats{1, 1}));
  EXPECT_EQ(floats(f(Layer{row(2, 5), row(2, 6)})), (Floats{11, 11}));
  EXPECT_EQ(calls, 2);
}

TEST(Jit, KeysOfMapsCannotForgeASignature) {
  using Map = std::map<std::string, Tensor>;
  const auto f = jit([](const Map& map) { return scalar(static_cast<float>(map.size())) + map.begin()->second; });
  EXPECT_EQ(f(Map{{"a", scalar(0.0F)}, {"b", scalar(0.0F)}}).item<float>(), 2);
  EXPECT_EQ(f(Map{{"a:f32[],b", scalar(0.0F)}}).item<float>(), 1);
  EXPECT_EQ(f(Map{{"a:f32[],1:b", scalar(0.0F)}}).item<float>(), 1);
}

TEST(Jit, ArgumentsMayHaveDifferentTypes) {
  int calls = 0;
  const auto f = jit([&](const auto& x) {
    ++calls;
    return tree::leaves(x).front() + 1.0;
  });
  EXPECT_EQ(floats(f(row(2))), (Floats{2, 2}));
  EXPECT_EQ(floats(f(std::vector<Tensor>{row(2, 3)})), (Floats{4, 4}));
  EXPECT_EQ(floats(f(std::array<Tensor, 1>{row(2, 5)})), (Floats{6, 6}));
  EXPECT_EQ(floats(f(row(2, 7))), (Floats{8, 8}));
  EXPECT_EQ(calls, 3);
}

TEST(Jit, ResultsAreTrees) {
  const auto f = jit([](const Layer& layer) {
    return std::pair(Layer{layer.weight * 2.0, layer.bias, layer.units}, layer.weight);
  });
  const auto [layer, weight] = f(Layer{row(2), row(3, 4), 7});
  EXPECT_EQ(floats(layer.weight), (Floats{2, 2}));
  EXPECT_EQ(floats(*layer.bias), (Floats{4, 4, 4}));
  EXPECT_EQ(layer.units, 7);
  EXPECT_EQ(floats(weight), (Floats{1, 1}));
  EXPECT_FALSE(layer.weight.is_traced());
  const auto none = jit([](const Tensor&) { return Tensors{}; });
  EXPECT_TRUE(none(row(2)).empty());
}

TEST(Jit, CapturesAreConstantsOfTheFirstTrace) {
  Tensor scale = scalar(2.0F);
  double shift = 10;
  const auto f = jit([&](const Tensor& x) { return x * scale + shift; });
  EXPECT_EQ(floats(f(row(2))), (Floats{12, 12}));
  scale = scalar(3.0F);
  shift = 20;
  EXPECT_EQ(floats(f(row(2))), (Floats{12, 12}));
  EXPECT_EQ(floats(f(row(3))), (Floats{23, 23, 23}));  // a new signature: a new trace
}

TEST(Jit, LargeCapturesAreWarnedOfOnce) {
  const auto run = [](std::int64_t size) {
    const Tensor captured(Array::zeros(f32, {size}));
    testing::internal::CaptureStderr();
    (void)jit([&](const Tensor& x) { return x + captured; })(scalar(1.0F));
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(run(1000), "");
  const std::string warning = run(1 << 19);
  EXPECT_NE(warning.find("2097152 bytes"), std::string::npos) << warning;
  EXPECT_EQ(run(1 << 19), "");
}

TEST(Jit, CapturesOfAnEnclosingTraceAreVariables) {
  const auto f = [](const Tensor& x) {
    const auto inner = jit([&](const Tensor& y) { return x * y; });
    return sum(inner(x) + inner(scalar(10.0F)));  // x^2 + 10 x: the second operand is concrete, the capture is not
  };
  EXPECT_EQ(floats(grad(f)(tensor({1, 2}))), (Floats{12, 14}));
  EXPECT_EQ(floats(jit(f)(tensor({1, 2}))), (Floats{5 + 30}));
}

TEST(Jit, NestsAndIsInlinedInATrace) {
  int calls = 0;
  const auto inner = jit([&](const Tensor& x) {
    ++calls;
    return x * 2.0;
  });
  const auto outer = jit([&](const Tensor& x) { return inner(x) + inner(inner(x)); });
  EXPECT_EQ(floats(outer(row(2))), (Floats{6, 6}));
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(floats(outer(row(2, 5))), (Floats{30, 30}));
  EXPECT_EQ(calls, 3);
  const Function f = trace([&](const Tensor& x) { return outer(x); }, row(2));
  for (const Equation& equation : f.equations()) EXPECT_NE(equation.op->name, "call");
  EXPECT_EQ(floats(jit(outer)(row(2))), (Floats{6, 6}));
}

TEST(Jit, OnConcreteTensorsInsideATraceItRunsAtOnce) {
  const auto inner = jit([](const Tensor& x) { return x * 2.0; });
  const auto outer = jit([&](const Tensor& x) { return x + inner(scalar(3.0F)).item<float>(); });
  EXPECT_EQ(floats(outer(row(2))), (Floats{7, 7}));
}

TEST(Jit, AFunctionMayCallItselfOnConcreteTensors) {
  std::function<Tensor(const Tensor&)> factorial;
  const auto jitted = jit([&](const Tensor& n) { return factorial(n); });
  // Of a row of n elements: n! times its first element.
  factorial = [&](const Tensor& n) -> Tensor {
    const std::int64_t size = n.dim(0).value();
    const float rest = size <= 1 ? 1 : jitted(row(size - 1)).item<float>();
    return sum(n) * rest;
  };
  EXPECT_EQ(jitted(row(4)).item<float>(), 24);
}

TEST(Jit, AFailureWhileTracingLeavesTheCacheUsable) {
  int calls = 0;
  bool fails = true;
  const auto f = jit([&](const Tensor& x) {
    ++calls;
    if (fails) throw std::runtime_error("not yet");
    return matmul(x, tensor({1, 2}));
  });
  EXPECT_THROW((void)f(row(2)), std::runtime_error);
  EXPECT_THROW((void)f(row(2)), std::runtime_error);
  EXPECT_EQ(calls, 2);
  fails = false;
  for (int i = 0; i < 2; ++i) expect_error(ErrorId::contracted_size, [&] { (void)f(row(3)); });
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(f(row(2)).item<float>(), 3);
  EXPECT_EQ(f(row(2, 2)).item<float>(), 6);
  EXPECT_EQ(calls, 5);
  EXPECT_FALSE((row(2) + 1.0).is_traced());
}

TEST(Jit, AFailureOfARunLeavesTheProgramUsable) {
  int calls = 0;
  const auto f = jit([&](const Tensor& x, const Tensor& at) {
    ++calls;
    return take(x, at, {.axis = 0});
  });
  expect_error(ErrorId::index_out_of_range, [&] { (void)f(tensor({1, 2}), scalar<std::int32_t>(2)); });
  EXPECT_EQ(f(tensor({1, 2}), scalar<std::int32_t>(1)).item<float>(), 2);
  EXPECT_EQ(calls, 1);
}

TEST(Jit, EqualsThePlainFunctionBitForBit) {
  const auto f = [](const Tensor& x) { return softmax(tanh(x) * 3.0 + 1.0) + sum(x * 0.0 + 0.1); };
  const Tensor x = tensor({0.1, -2, 3e8, -0.0, 1e-40});
  EXPECT_EQ(jit(f)(x).value(), f(x).value());
}

// ---- Threads -------------------------------------------------------------------------------------------------------------

constexpr int kThreads = 8;

/// Runs body(i) on eight threads that start together.
template <class Body>
void on_threads(Body body) {
  std::barrier start(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      body(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(JitThreads, EachSignatureIsTracedOnce) {
  constexpr int kSizes = 4;
  std::atomic<int> calls = 0;
  const auto f = jit([&](const Tensor& x) {
    ++calls;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // others arrive while this one traces
    return x * static_cast<double>(x.dim(0).value());
  });
  std::atomic<int> wrong = 0;
  on_threads([&](int i) {
    for (int k = 0; k < 20; ++k) {
      const std::int64_t n = 1 + (i + k) % kSizes;
      const auto value = static_cast<float>(100 * i + k);
      if (floats(f(row(n, value))) != Floats(static_cast<std::size_t>(n), value * static_cast<float>(n))) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(calls, kSizes);
}

TEST(JitThreads, ATraceDoesNotHoldUpOtherSignatures) {
  // The trace for size 1 ends only when a call with size 2 has come back.
  std::atomic<bool> other_done = false;
  const auto f = jit([&](const Tensor& x) {
    for (int i = 0; x.dim(0) == Dim(1) && !other_done && i < 5000; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return x + (other_done ? 1.0 : 0.0);
  });
  std::atomic<float> first = -1;
  std::thread waiting([&] { first = f(row(1)).item<float>(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(floats(f(row(2))), (Floats{1, 1}));
  other_done = true;
  waiting.join();
  EXPECT_EQ(first, 2);
}

TEST(JitThreads, FunctionsThatCallEachOtherDoNotWaitForEachOther) {
  // Each traces itself, waits until the other does so too, then calls it on concrete tensors.
  std::barrier both(2);
  std::atomic<int> arrived{0};
  std::function<Tensor(const Tensor&)> first, second;
  const auto meet = [&] {
    if (arrived.fetch_add(1) < 2) both.arrive_and_wait();
  };
  const auto a = jit([&](const Tensor& x) {
    meet();
    return x + (arrived.load() < 3 ? second(row(2)) : row(2, 10));
  });
  const auto b = jit([&](const Tensor& x) {
    meet();
    return x + (arrived.load() < 3 ? first(row(2)) : row(2, 20));
  });
  first = [&](const Tensor& x) { return a(x); };
  second = [&](const Tensor& x) { return b(x); };
  std::thread one([&] { EXPECT_EQ(floats(a(row(2))).size(), 2U); });
  std::thread other([&] { EXPECT_EQ(floats(b(row(2))).size(), 2U); });
  one.join();
  other.join();
}

TEST(JitThreads, OneThreadBuildsOnWhatAnotherReads) {
  for (int round = 0; round < 20; ++round) {
    const Tensor shared = row(64, 2) * row(64, 3);
    std::thread reader([&] { EXPECT_EQ(floats(shared)[0], 6); });
    Tensor built = shared;
    for (int i = 0; i < 50; ++i) built = built + shared;
    EXPECT_EQ(floats(built)[63], 306);
    reader.join();
  }
}

TEST(JitThreads, FailuresAreEverybodysOwn) {
  const auto f = jit([](const Tensor& x) { return matmul(x, tensor({1, 2})); });
  std::atomic<int> raised = 0, right = 0;
  on_threads([&](int i) {
    for (int k = 0; k < 10; ++k) {
      try {
        if (f(row(2 + i % 2)).item<float>() == 3) ++right;
      } catch (const Error& error) {
        if (error.id() == ErrorId::contracted_size) ++raised;
      }
    }
  });
  EXPECT_EQ(right, 40);
  EXPECT_EQ(raised, 40);
}

TEST(JitThreads, DerivativesOfOneFunctionAtOnce) {
  const auto f = jit(grad([](const Tensor& x) { return sum(x * x * x); }));
  std::atomic<int> wrong = 0;
  on_threads([&](int i) {
    for (int k = 0; k < 10; ++k) {
      const auto n = static_cast<std::size_t>(1 + (i + k) % 3);
      const auto value = static_cast<float>(i + 1);
      if (floats(f(row(static_cast<std::int64_t>(n), value))) != Floats(n, 3 * value * value)) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace calx::jit_test
