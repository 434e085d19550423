// Tensors: reading values, evaluation once, flushing of what nobody reads, printing, chains of any length.
#include "calx/core/tensor.h"

#include <gtest/gtest.h>

#include <thread>

#include "calx/core/core_ops.h"
#include "calx/core/text.h"
#include "calx/core/trace.h"
#include "plain_evaluator.h"
#include "support/expect_error.h"
#include "support/small_stack.h"

namespace calx::tensor_test {
namespace {

using test::evaluator_counts;
using test::expect_error;

TEST(Tensor, ReadsOnlyAsItsOwnDType) {
  const Tensor x = scalar(1.5f);
  EXPECT_EQ(x.item<float>(), 1.5f);
  const Error error = expect_error(ErrorId::item_dtype, [&] { (void)x.item<double>(); });
  EXPECT_NE(std::string(error.what()).find("f32[] was read as f64"), std::string::npos) << error.what();
  for (DType dtype : kAllDTypes) {
    const Tensor zero(Array::zeros(dtype, {}));
    visit_dtype(dtype, [&]<class T>(std::type_identity<T>) { (void)zero.item<T>(); });
    if (dtype != i32) expect_error(ErrorId::item_dtype, [&] { (void)zero.item<std::int32_t>(); });
    if (dtype != f32) expect_error(ErrorId::item_dtype, [&] { (void)zero.to_vector<float>(); });
  }
  expect_error(ErrorId::value, [] { (void)tensor({1, 2}).item<float>(); });
  expect_error(ErrorId::reshape_count, [] { (void)tensor(std::vector<float>{1, 2, 3}, {2, 2}); });
  expect_error(ErrorId::value, [] { (void)tensor({{1, 2}, {3}}); });
  expect_error(ErrorId::axis, [&] { (void)x.dim(0); });
}

template <class T>
void expect_tensor(const Tensor& x, std::string_view type, const std::vector<T>& values) {
  EXPECT_EQ(x.type().to_string(), type);
  EXPECT_EQ(x.dtype(), dtype_of<T>);
  const std::vector<T> elements = x.to_vector<T>();
  ASSERT_EQ(elements.size(), values.size()) << type;
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(static_cast<ComputeType<T>>(elements[i]), static_cast<ComputeType<T>>(values[i])) << type << " element " << i;
  }
}

/// Lists of every depth, one and two numbers long, in one element type.
template <class T>
void expect_lists() {
  const T zero = convert_element<T>(0), one = convert_element<T>(1);
  const std::string name(dtype_of<T>.name());
  expect_tensor<T>(tensor<T>(1), name + "[]", {one});
  expect_tensor<T>(tensor<T>({}), name + "[0]", {});
  expect_tensor<T>(tensor<T>({1}), name + "[1]", {one});
  expect_tensor<T>(tensor<T>({one, zero}), name + "[2]", {one, zero});
  expect_tensor<T>(tensor<T>({{}}), name + "[1,0]", {});
  expect_tensor<T>(tensor<T>({{}, {}}), name + "[2,0]", {});
  expect_tensor<T>(tensor<T>({{1}}), name + "[1,1]", {one});
  expect_tensor<T>(tensor<T>({{1}, {0}}), name + "[2,1]", {one, zero});
  expect_tensor<T>(tensor<T>({{1, 0}}), name + "[1,2]", {one, zero});
  expect_tensor<T>(tensor<T>({{1, 0}, {one, one}}), name + "[2,2]", {one, zero, one, one});
  expect_tensor<T>(tensor<T>({{{}}}), name + "[1,1,0]", {});
  expect_tensor<T>(tensor<T>({{{1}}}), name + "[1,1,1]", {one});
  expect_tensor<T>(tensor<T>({{{1}}, {{0}}}), name + "[2,1,1]", {one, zero});
  expect_tensor<T>(tensor<T>({{{1}, {0}}}), name + "[1,2,1]", {one, zero});
  expect_tensor<T>(tensor<T>({{{1, 0}}}), name + "[1,1,2]", {one, zero});
  expect_tensor<T>(tensor<T>({{{1, 0}, {0, 1}}, {{1, 1}, {0, 0}}}), name + "[2,2,2]",
                   {one, zero, zero, one, one, one, zero, zero});
}

TEST(Tensor, ListsOfEveryDepthAndType) {
  for (DType dtype : kAllDTypes) {
    visit_dtype(dtype, []<class T>(std::type_identity<T>) { expect_lists<T>(); });
  }
  // Without a type: f32, whatever the numbers are.
  expect_tensor<float>(tensor({{9}}), "f32[1,1]", {9});
  expect_tensor<float>(tensor({}), "f32[0]", {});
  expect_tensor<float>(tensor({{1}, {2.5}}), "f32[2,1]", {1, 2.5F});
  const int n = 3;
  const std::size_t size = 4;
  expect_tensor<double>(tensor<double>({n, 0.5F, size, true}), "f64[4]", {3, 0.5, 4, 1});
  expect_tensor<std::int64_t>(tensor<std::int64_t>({{n}, {5LL}}), "i64[2,1]", {3, 5});
  expect_tensor<float>(tensor({{{{1}, {2}}}}), "f32[1,1,2,1]", {1, 2});
}

template <class T, class... U>
concept TakesNumbers = requires(U... numbers) { tensor<T>({numbers...}); };
static_assert(TakesNumbers<float, int, double> && TakesNumbers<float16_t, float, bfloat16_t> && TakesNumbers<bool, int>);
static_assert(TakesNumbers<std::int8_t, long long, unsigned, bool> && !TakesNumbers<std::int32_t, double>);
static_assert(!TakesNumbers<bool, float> && !TakesNumbers<std::int64_t, float16_t> && !TakesNumbers<float, const char*>);

TEST(Tensor, ListsThatDoNotFit) {
  const auto refuse = [](std::uint32_t line, std::string_view message, auto&& make) {
    const Error error = expect_error(ErrorId::value, make);
    EXPECT_EQ(to_string(error.where()), "tensor_test.cc:" + std::to_string(line)) << error.what();
    EXPECT_EQ(error.message(), message);
    EXPECT_EQ(error.op(), "tensor");
  };
  refuse(__LINE__, "rows differ in length", [] { (void)tensor({{1, 2}, {3}}); });
  refuse(__LINE__, "rows differ in length", [] { (void)tensor({{1}, {2, 3}}); });
  refuse(__LINE__, "rows differ in length", [] { (void)tensor({{1}, 2}); });
  refuse(__LINE__, "rows differ in length", [] { (void)tensor({1, {2}}); });
  refuse(__LINE__, "rows differ in length", [] { (void)tensor({{}, {1}}); });
  refuse(__LINE__, "rows differ in length", [] { (void)tensor({{{1}}, {{2}, {3}}}); });
  refuse(__LINE__, "300 does not fit i8", [] { (void)tensor<std::int8_t>({1, 300}); });
  refuse(__LINE__, "-1 does not fit u64", [] { (void)tensor<std::uint64_t>({{-1}}); });
  refuse(__LINE__, "2 does not fit bool", [] { (void)tensor<bool>({2}); });
  refuse(__LINE__, "18446744073709551615 does not fit i64", [] { (void)tensor<std::int64_t>({~std::uint64_t{0}}); });
}

TEST(Tensor, EvaluatesOnce) {
  const Tensor x = core::add(tensor({1, 2}), tensor({3, 4}));
  const Tensor y = core::mul(x, x);
  const long before = evaluator_counts().equations;
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{16, 36}));
  const long after = evaluator_counts().equations;
  EXPECT_GT(after, before);
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{16, 36}));
  EXPECT_EQ(x.to_vector<float>(),
            (std::vector<float>{4, 6}));  // held by us, so it was stored in the same run
  EXPECT_EQ(evaluator_counts().equations, after);
}

TEST(Tensor, EvaluatesOnceFromSeveralThreads) {
  for (int round = 0; round < 20; ++round) {
    const Tensor y = core::neg(core::add(scalar(1.0f), scalar(2.0f)));
    const int before = evaluator_counts().runs;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] { EXPECT_EQ(y.item<float>(), -3.0f); });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(evaluator_counts().runs, before + 1);
  }
}

TEST(Tensor, PendingWorkIsFlushed) {
  const int before = evaluator_counts().runs;
  Tensor x = scalar(0.0f);
  const Tensor one = scalar(1.0f);
  for (int i = 0; i < 20'000; ++i) x = core::add(x, one);
  EXPECT_GE(evaluator_counts().runs, before + 3);
  EXPECT_EQ(x.item<float>(), 20'000.0f);
  // By bytes as well.
  const int runs = evaluator_counts().runs;
  Tensor large(Array::zeros(f32, {1 << 20}));
  for (int i = 0; i < 70; ++i) large = core::neg(large);
  EXPECT_GE(evaluator_counts().runs, runs + 1);
}

TEST(Tensor, SharedWorkIsDoneOnce) {
  Tensor x = scalar(1.0f);
  for (int i = 0; i < 10; ++i) x = core::add(x, x);
  const long before = evaluator_counts().equations;
  EXPECT_EQ(x.item<float>(), 1024.0f);
  EXPECT_LE(evaluator_counts().equations - before, 11);
}

TEST(Tensor, Prints) {
  EXPECT_EQ(to_string(tensor({{1, -2.5}, {0.1, 4}})), "f32[2,2] [[1, -2.5], [0.1, 4]]");
  EXPECT_EQ(to_string(scalar(true)), "bool[] true");
  EXPECT_EQ(to_string(tensor<std::int32_t>({2147483647, -2147483647 - 1})), "i32[2] [2147483647, -2147483648]");
  EXPECT_EQ(to_string(tensor<std::uint32_t>({2996334812})), "u32[1] [2996334812]");
  EXPECT_EQ(to_string(scalar<std::int64_t>(1)), "i64[] 1");
  EXPECT_EQ(to_string(Tensor(Array::zeros(f32, {2, 0}))), "f32[2,0] [[], []]");
  EXPECT_EQ(to_string(Tensor(Array::zeros(i32, {20}))), "i32[20] [0, 0, 0, 0, 0, 0, ..., 0, 0, 0, 0, 0, 0]");
  EXPECT_EQ(to_string(Tensor()), "undefined");
}

using test::kLongChain;
using test::on_small_stack;

TEST(Tensor, LongChainIsTracedPrintedParsedAndDestroyed) {
  on_small_stack([] {
    const Function f = trace_flat({{"x", {f32, {}}}}, [](std::span<const Tensor> x) -> Tensors {
                         Tensor y = x[0];
                         for (int i = 0; i < kLongChain; ++i) y = i % 2 == 0 ? core::neg(y) : core::mul(y, y);
                         return {y};
                       }).function;
    EXPECT_EQ(f.equations().size(), static_cast<std::size_t>(kLongChain));
    const std::string text = print(f);
    EXPECT_TRUE(parse(text) == f);
  });
}

TEST(Tensor, LongEagerChainIsEvaluatedAndDestroyed) {
  on_small_stack([] {
    Tensor y = scalar(1.0f);
    for (int i = 0; i < kLongChain / 10; ++i) y = core::neg(y);
    EXPECT_EQ(y.item<float>(), 1.0f);
  });
}

TEST(Tensor, UnusedLongChainOfATraceIsDestroyed) {
  on_small_stack([] {
    (void)trace_flat({{"x", {f32, {}}}}, [](std::span<const Tensor> x) -> Tensors {
      Tensor y = x[0];
      for (int i = 0; i < kLongChain; ++i) y = core::neg(y);
      return {x[0]};
    });
  });
}

}  // namespace
}  // namespace calx::tensor_test
