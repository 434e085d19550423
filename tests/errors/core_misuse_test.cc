// Values that hold nothing, negative sizes and wrong counts, given to what core, passes and control flow offer: typed errors, at
// the user's line where the call carries one.
#include <gtest/gtest.h>

#include "calx/calx.h"
#include "calx/core/bind.h"
#include "support/expect_error.h"

namespace calx {
namespace {

using test::expect_error;

/// Expects that error of f, at line `line` of this file.
template <class F>
void expect_error_at(ErrorId id, unsigned line, F&& f) {
  const Error error = expect_error(id, f);
  EXPECT_EQ(error.where().line, line) << error.what();
  ASSERT_TRUE(error.where().known()) << error.what();
  EXPECT_NE(std::string(error.where().file).find("core_misuse_test.cc"), std::string::npos) << error.what();
}

const Tensors kNothing(1);

Tensors itself(std::span<const Tensor> x) { return {x.begin(), x.end()}; }

TEST(CoreMisuse, UndefinedTensorsInControlFlow) {
  expect_error_at(ErrorId::undefined_tensor, __LINE__, [] { (void)scan_flat(itself, kNothing, {scalar(1.0F)}); });
  expect_error_at(ErrorId::undefined_tensor, __LINE__, [] { (void)scan_flat(itself, {}, kNothing); });
  expect_error_at(ErrorId::undefined_tensor, __LINE__, [] { (void)cond_flat(scalar(true), itself, itself, kNothing); });
  expect_error_at(ErrorId::undefined_tensor, __LINE__, [] { (void)while_loop_flat(itself, itself, kNothing); });
  expect_error_at(ErrorId::undefined_tensor, __LINE__, [] { (void)checkpoint_flat(itself, kNothing); });
  expect_error_at(ErrorId::undefined_tensor, __LINE__, [] { (void)custom_jvp_flat(itself, itself, kNothing); });
  expect_error_at(ErrorId::undefined_tensor, __LINE__, [] { (void)custom_vjp_flat(itself, itself, itself, kNothing); });
}

TEST(CoreMisuse, UndefinedTensorsInApply) {
  const SourceLoc here = SourceLoc::current();
  expect_error_at(ErrorId::undefined_tensor, here.line, [&] { (void)apply(get_op("neg"), Tensors(1), {}, here); });
}

TEST(CoreMisuse, AForwardRuleWithoutTheResults) {
  const auto none = [](std::span<const Tensor>) { return Tensors{}; };
  expect_error_at(ErrorId::region_signature, __LINE__, [&] { (void)custom_vjp_flat(itself, none, itself, {scalar(1.0F)}); });
}

TEST(CoreMisuse, EmptyFunctionsToTrace) {
  expect_error(ErrorId::value, [] { (void)trace_flat({}, TraceBody(), {}); });
  expect_error(ErrorId::value, [] { (void)checkpoint_flat(FlatBody(), {scalar(1.0F)}); });
}

TEST(CoreMisuse, UndefinedArraysAndNegativeSizes) {
  expect_error(ErrorId::undefined_tensor, [] { (void)Tensor(Array()); });
  expect_error(ErrorId::value, [] { (void)Array::zeros(f32, {2, -1}); });
  expect_error_at(ErrorId::attribute, __LINE__, [] { (void)zeros({-1}); });
}

TEST(CoreMisuse, UndefinedFunctions) {
  const Function none;
  expect_error(ErrorId::value, [&] { (void)print(none); });
  expect_error(ErrorId::value, [&] { (void)print_short(none); });
  expect_error(ErrorId::value, [&] { (void)free_symbols(none); });
  expect_error(ErrorId::value, [&] { (void)inline_function(none, {}); });
  expect_error(ErrorId::value, [&] { (void)none.with_name("f"); });
  expect_error(ErrorId::value, [&] { (void)optimize(none); });
  for (const Pass& pass : default_pipeline()) expect_error(ErrorId::value, [&] { (void)pass.run(none); });
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
  expect_error_at(ErrorId::reshape_count, __LINE__, [] { (void)reshape(tensor({1, 2, 3}), {4}); });
  expect_error_at(ErrorId::attribute, __LINE__, [] { (void)Padding("sane"); });
}

}  // namespace
}  // namespace calx
