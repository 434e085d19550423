// Values that hold nothing, negative sizes and wrong counts, given to what core, passes and control flow offer: typed errors, at
// the user's line where the call carries one.
#include <gtest/gtest.h>

#include "calx/calx.h"
#include "calx/core/bind.h"
#include "calx/core/evaluator.h"
#include "misuse.h"

namespace calx::core_misuse_test {
namespace {

using test::expect_error;
using test::misuse;

const Tensors kNothing(1);

Tensors itself(std::span<const Tensor> x) { return {x.begin(), x.end()}; }

TEST(CoreMisuse, UndefinedTensorsInControlFlow) {
  misuse(ErrorId::undefined_tensor, "scan", [] { (void)scan_flat(itself, kNothing, {scalar(1.0F)}); });
  misuse(ErrorId::undefined_tensor, "scan", [] { (void)scan_flat(itself, {}, kNothing); });
  misuse(ErrorId::undefined_tensor, "cond", [] { (void)cond_flat(scalar(true), itself, itself, kNothing); });
  misuse(ErrorId::undefined_tensor, "while_loop", [] { (void)while_loop_flat(itself, itself, kNothing); });
  misuse(ErrorId::undefined_tensor, "checkpoint", [] { (void)checkpoint_flat(itself, kNothing); });
  misuse(ErrorId::undefined_tensor, "custom_jvp", [] { (void)custom_jvp_flat(itself, itself, kNothing); });
  misuse(ErrorId::undefined_tensor, "custom_vjp", [] { (void)custom_vjp_flat(itself, itself, itself, kNothing); });
}

TEST(CoreMisuse, UndefinedTensorsInApply) {
  misuse(ErrorId::undefined_tensor, "neg", [&] { (void)apply(get_op("neg"), Tensors(1), {}, SourceLoc::current()); });
}

TEST(CoreMisuse, AForwardRuleWithoutTheResults) {
  const auto none = [](std::span<const Tensor>) { return Tensors{}; };
  misuse(ErrorId::region_signature, "custom_vjp", [&] { (void)custom_vjp_flat(itself, none, itself, {scalar(1.0F)}); });
}

TEST(CoreMisuse, EmptyFunctionsToTrace) {
  expect_error(ErrorId::value, [] { (void)trace_flat({}, TraceBody(), {}); });
  expect_error(ErrorId::value, [] { (void)checkpoint_flat(FlatBody(), {scalar(1.0F)}); });
}

TEST(CoreMisuse, UndefinedArraysAndNegativeSizes) {
  expect_error(ErrorId::undefined_tensor, [] { (void)Tensor(Array()); });
  expect_error(ErrorId::value, [] { (void)Array::zeros(f32, {2, -1}); });
  misuse(ErrorId::attribute, "expand", [] { (void)zeros({-1}); });
}

TEST(CoreMisuse, NegativeSizes) {
  misuse(ErrorId::attribute, "expand", [] { (void)zeros({0, -1}); });
  misuse(ErrorId::attribute, "iota", [] { (void)apply(get_op("iota"), {}, {{"shape", std::vector<Dim>{-2}}}, SourceLoc::current()); });
  expect_error(ErrorId::attribute, [] { (void)one_hot(scalar(std::int32_t{0}), -1); });
  // Sizes that only the arguments of a run make negative.
  const Function f = parse(R"(calx 1
func f(%x: f32[B]) -> (f32[]) {
  %0 = constant() {value = f32[] 1}
  %1 = expand(%0) {shape = [B-5], dims = []}
  %2 = reduce_sum(%1) {axes = [0]}
  return %2
})");
  const Error error = expect_error(ErrorId::attribute, [&] { (void)default_evaluator().run(f, {Array::zeros(f32, {3})}); });
  EXPECT_EQ(error.op(), "expand");
  EXPECT_NE(error.message().find("the size -2"), std::string::npos) << error.what();
}

TEST(CoreMisuse, MoreMemoryThanThereIs) {
  const Tensor w = tensor({1, 2});
  expect_error(ErrorId::size_overflow, [&] {
    (void)reduce_window(w, {2}, {.padding_low = {std::int64_t{1} << 62}, .padding_high = {std::int64_t{1} << 61}}).value();
  });
}

TEST(CoreMisuse, FunctionsThatAreNestedTooDeep) {
  std::string chain = "calx 1\nfunc f0(%x: f32[]) -> (f32[]) {\n  return %x\n}\n";
  for (int i = 1; i < 10'000; ++i) {
    chain += "func f" + std::to_string(i) + "(%x: f32[]) -> (f32[]) {\n  %0 = call(%x) {function = @f" + std::to_string(i - 1) +
             "} : f32[]\n  return %0\n}\n";
  }
  const Error error = expect_error(ErrorId::parse, [&] { (void)parse(chain); });
  EXPECT_NE(error.message().find("nested more than 256 deep"), std::string::npos) << error.what();
  // Many side by side are many, not deep.
  std::string wide = "calx 1\nfunc g(%x: f32[]) -> (f32[]) {\n  return %x\n}\n";
  for (int i = 1; i < 1'000; ++i) {
    wide += "func f" + std::to_string(i) + "(%x: f32[]) -> (f32[]) {\n  %0 = call(%x) {function = @g} : f32[]\n  return %0\n}\n";
  }
  EXPECT_TRUE(parse(wide).defined());
}

TEST(CoreMisuse, UndefinedFunctions) {
  const Function none;
  expect_error(ErrorId::value, [&] { (void)print(none); });
  expect_error(ErrorId::value, [&] { (void)print_short(none); });
  expect_error(ErrorId::value, [&] { (void)free_symbols(none); });
  expect_error(ErrorId::value, [&] { (void)inline_function(none, {}); });
  expect_error(ErrorId::value, [&] { (void)none.with_name("f"); });
  expect_error(ErrorId::value, [&] { (void)optimize(none); });
  for (const Pass& pass : default_pipeline()) expect_error(ErrorId::value, [&] { (void)pass(none); });
}

TEST(CoreMisuse, CountsAndNames) {
  const Function f = trace([](const Tensor& x) { return -x; }, spec(f32, {2}));
  expect_error(ErrorId::arity, [&] { (void)inline_function(f, {}); });
  expect_error(ErrorId::arity, [&] { (void)f.with_argument_names({"a", "b"}); });
  expect_error(ErrorId::arity, [&] { (void)f.with_result_names({}); });
  const Error error = expect_error(ErrorId::value, [] { (void)get_op("nope"); });
  EXPECT_EQ(error.op(), "nope");
}

TEST(CoreMisuse, LinesOfShapesAndPaddings) {
  misuse(ErrorId::reshape_count, "reshape", [] { (void)reshape(tensor({1, 2, 3}), {4}); });
  misuse(ErrorId::attribute, "conv", [] { (void)Padding("sane"); });
}

}  // namespace
}  // namespace calx::core_misuse_test
