// Unsound Functions are refused by the verifier with the offending equation.
#include <gtest/gtest.h>

#include "calx/core/core_ops.h"
#include "calx/core/text.h"
#include "calx/core/trace.h"
#include "calx/core/verify.h"

namespace calx::verify_errors_test {
namespace {

const Type kVector{f32, {3}};

void expect_verify_error(const Function& f, std::string_view message) {
  try {
    verify(f);
    ADD_FAILURE() << "verified: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), ErrorId::verify) << error.what();
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

TEST(VerifyErrors, SoundFunctionsPass) {
  verify(parse(
      "calx 1\nfunc f(%x: f32[2*B+1], %y: f32[B]) -> (f32[2*B+1], f32[B]) donates (%y -> 1) where B >= 1 {\n"
      "  %0 = neg(%x)\n  return %0, %y\n}"));
}

TEST(VerifyErrors, WrongType) {
  FunctionBuilder builder("f");
  const ValueId x = builder.add_argument("x", kVector);
  builder.add_result("out", builder.add_equation(get_op("neg"), {x}, {}, {{f32, {4}}}, {"train.cc", 41}));
  expect_verify_error(
      builder.finish(),
      "result 0 has type f32[4], but the op gives f32[3]: %0 = neg(%x) : f32[4] · train.cc:41");
}

TEST(VerifyErrors, RuleRefuses) {
  FunctionBuilder builder("f");
  const ValueId x = builder.add_argument("x", kVector);
  const ValueId y = builder.add_argument("y", {i32, {3}});
  builder.add_result("out", builder.add_equation(get_op("mul"), {x, y}, {}, {kVector}, {}));
  expect_verify_error(builder.finish(), "%0 = mul(%x, %y)");
}

TEST(VerifyErrors, UseBeforeDefinition) {
  FunctionBuilder builder("f");
  const ValueId x = builder.add_argument("x", kVector);
  builder.add_result("out", builder.add_equation(get_op("mul"), {x, x + 1}, {}, {kVector}, {}));
  expect_verify_error(builder.finish(), "used before it is defined: %0 = mul(%x, %0)");
  FunctionBuilder unknown("f");
  unknown.add_argument("x", kVector);
  unknown.add_result("out", 7);
  expect_verify_error(unknown.finish(), "result `out` is no value of it");
}

TEST(VerifyErrors, DuplicateArgumentNames) {
  FunctionBuilder builder("f");
  builder.add_argument("x", kVector);
  builder.add_argument("x", kVector);
  expect_verify_error(builder.finish(), "two arguments are named `x`");
}

TEST(VerifyErrors, UndeterminedSymbol) {
  const Dim b = Dim::symbol("B");
  const Dim c = Dim::symbol("C");
  FunctionBuilder builder("f");
  const ValueId x = builder.add_argument("x", {f32, {b * c}});
  builder.add_result("out", builder.add_equation(get_op("neg"), {x}, {}, {{f32, {b * c}}}, {}));
  expect_verify_error(builder.finish(), "the size `B` in an argument is determined by no argument");
  const Function size = trace_flat({{"x", kVector}}, [&](std::span<const Tensor>) -> Tensors {
                          return {core::size(b)};
                        }).function;
  expect_verify_error(
      size, "the size `B` in an attribute is determined by no argument: %0 = size() {dim = B} : i64[]");
}

TEST(VerifyErrors, Donations) {
  const Function f = trace_flat({{"x", kVector}, {"y", {f32, {}}}}, [](std::span<const Tensor> x) -> Tensors {
                       return {core::neg(x[0]), x[1]};
                     }).function;
  verify(f.with_donations({{0, 0}, {1, 1}}));
  expect_verify_error(f.with_donations({{2, 0}}), "names no argument or no result");
  expect_verify_error(f.with_donations({{0, 0}, {0, 0}}), "an argument is given, and a result takes, once");
  expect_verify_error(f.with_donations({{0, 1}}), "f32[3] does not fit f32[]");
}

TEST(VerifyErrors, InsideRegions) {
  FunctionBuilder inner("body");
  const ValueId x = inner.add_argument("x", kVector);
  inner.add_result("out", inner.add_equation(get_op("mul"), {x, x + 1}, {}, {kVector}, {}));
  const Function body = inner.finish();
  FunctionBuilder outer("f");
  const ValueId y = outer.add_argument("y", kVector);
  outer.add_result("out", outer.add_equation(get_op("call"), {y}, Attrs{{"function", body}}, {kVector}, {}));
  expect_verify_error(outer.finish(), "body: an operand is used before it is defined");
}

}  // namespace
}  // namespace calx::verify_errors_test
