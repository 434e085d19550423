// Misuse of ops, through the C++ face: the error's id, op, facts, hint and the user's line.
#include <gtest/gtest.h>

#include "misuse.h"

namespace calx::op_misuse_test {
namespace {

using test::expect_error;
using test::fact;
using test::misuse;

Tensor row() { return tensor({1, 2, 3}); }
Tensor matrix() { return tensor({{1, 2, 3}, {4, 5, 6}}); }
Tensor integers() { return tensor<std::int32_t>({1, 2, 3}); }

TEST(OpMisuse, WrongDType) {
  const Tensor n = integers();
  const Error error = misuse(ErrorId::dtype, "sqrt", [&] { (void)sqrt(n); });
  EXPECT_EQ(error.facts(), (Facts{{"x", "i32[3]"}}));
  EXPECT_FALSE(error.hint().empty());
  EXPECT_NE(dynamic_cast<const std::runtime_error*>(&error), nullptr);
  EXPECT_THROW((void)sqrt(n), DTypeError);
  misuse(ErrorId::dtype, "logical_not", [&] { (void)logical_not(n); });
  misuse(ErrorId::dtype, "matmul", [&] { (void)matmul(tensor<bool>({true}), tensor<bool>({true})); });
}

TEST(OpMisuse, NoCommonDType) {
  const Tensor u = tensor<std::uint64_t>({1, 2, 3}), n = integers();
  const Error error = misuse(ErrorId::promotion, "add", [&] { (void)(u + n); });
  EXPECT_EQ(error.facts(), (Facts{{"lhs", "u64[3]"}, {"rhs", "i32[3]"}}));
  EXPECT_FALSE(error.hint().empty());
}

TEST(OpMisuse, ScalarThatDoesNotFit) {
  const Tensor n = tensor<std::int8_t>({1});
  const Error error = expect_error(ErrorId::value, [&] { (void)(n + 1000); });
  EXPECT_EQ(to_string(error.where()), "op_misuse_test.cc:" + std::to_string(__LINE__ - 1));
  EXPECT_FALSE(error.hint().empty());
}

TEST(OpMisuse, WrongRank) {
  const Tensor x = row();
  const Error error = misuse(ErrorId::rank, "matmul", [&] { (void)matmul(x, 2.0); });
  EXPECT_EQ(fact(error, "lhs"), "f32[3]");
  misuse(ErrorId::rank, "full", [&] { (void)full({2}, x); });
  misuse(ErrorId::rank, "conv", [&] { (void)conv(x, x); });
}

TEST(OpMisuse, ContractedSize) {
  const Tensor x = matrix();
  const Error error = misuse(ErrorId::contracted_size, "matmul", [&] { (void)matmul(x, x); });
  EXPECT_EQ(error.facts(), (Facts{{"lhs", "f32[2,3]"}, {"rhs", "f32[2,3]"}}));
  EXPECT_FALSE(error.hint().empty());
  EXPECT_THROW((void)matmul(x, x), ShapeError);
}

TEST(OpMisuse, ShapesThatDoNotBroadcast) {
  const Tensor x = matrix(), y = tensor({1, 2});
  const Error error = misuse(ErrorId::shape_mismatch, "mul", [&] { (void)(x * y); });
  EXPECT_EQ(error.facts(), (Facts{{"lhs", "f32[2,3]"}, {"rhs", "f32[2]"}}));
  EXPECT_FALSE(error.hint().empty());
  misuse(ErrorId::shape_mismatch, "broadcast_to", [&] { (void)broadcast_to(x, {3, 3}); });
}

TEST(OpMisuse, AxisOutOfRange) {
  const Tensor x = matrix();
  const Error error = misuse(ErrorId::axis, "softmax", [&] { (void)softmax(x, {.axis = 2}); });
  EXPECT_EQ(error.facts(), (Facts{{"x", "f32[2,3]"}}));
  EXPECT_NE(error.message().find("`axis` is 2, outside [-2, 2)"), std::string::npos) << error.what();
  misuse(ErrorId::axis, "sum", [&] { (void)sum(x, {.axes = std::vector<std::int64_t>{-3}}); });
  misuse(ErrorId::axis, "concat", [&] { (void)concat({x, x}, {.axis = 2}); });
  misuse(ErrorId::axis, "expand_dims", [&] { (void)expand_dims(x, {3}); });
  misuse(ErrorId::axis, "squeeze", [&] { (void)squeeze(x, {2}); });
  misuse(ErrorId::axis, "swapaxes", [&] { (void)swapaxes(x, 0, 2); });
  misuse(ErrorId::axis, "moveaxis", [&] { (void)moveaxis(x, -3, 0); });
}

TEST(OpMisuse, DuplicateAxis) {
  const Tensor x = matrix();
  const Error error = misuse(ErrorId::duplicate_axis, "sum", [&] { (void)sum(x, {.axes = std::vector<std::int64_t>{0, -2}}); });
  EXPECT_EQ(error.facts(), (Facts{{"x", "f32[2,3]"}}));
  misuse(ErrorId::duplicate_axis, "expand_dims", [&] { (void)expand_dims(x, {0, 0}); });
}

TEST(OpMisuse, ReshapeCount) {
  const Tensor x = matrix();
  const Error error = expect_error(ErrorId::reshape_count, [&] { (void)reshape(x, {4}); });
  EXPECT_EQ(error.op(), "reshape");
  EXPECT_EQ(fact(error, "x"), "f32[2,3]");
  misuse(ErrorId::reshape_count, "reshape", [&] { (void)reshape(x, {4, -1}); });
  misuse(ErrorId::value, "reshape", [&] { (void)reshape(x, {-1, -1}); });
  misuse(ErrorId::value, "reshape", [&] { (void)reshape(x, {0, -1}); });
  misuse(ErrorId::shape_mismatch, "squeeze", [&] { (void)squeeze(x, {0}); });
}

TEST(OpMisuse, AttributeOutOfRange) {
  const Tensor x = matrix();
  const Error error = misuse(ErrorId::attribute, "slice", [&] { (void)slice(x, {0, 0}, {2, 4}); });
  EXPECT_EQ(fact(error, "x"), "f32[2,3]");
  misuse(ErrorId::attribute, "uniform", [&] { (void)uniform(scalar<std::uint64_t>(0), {2}, {.low = 1, .high = 0}); });
  misuse(ErrorId::value, "arange", [&] { (void)arange(3, {.step = 0}); });
  const Tensor image = zeros({1, 1, 4, 4});
  misuse(ErrorId::attribute, "conv", [&] { (void)conv(image, image, {.strides = {0}}); });
  EXPECT_FALSE(expect_error(ErrorId::attribute, [&] { (void)conv(image, image, {.padding = "sane"}); }).hint().empty());
}

TEST(OpMisuse, AttributesOfTheUntypedForm) {
  const Tensor x = matrix();
  const SourceLoc here = SourceLoc::current();
  const auto applied = [&](std::string_view op, Attrs attrs) { (void)apply(get_op(op), {x}, std::move(attrs), here); };
  EXPECT_EQ(to_string(expect_error(ErrorId::attribute_missing, [&] { applied("transpose", {}); }).where()), to_string(here));
  expect_error(ErrorId::attribute_unknown, [&] { applied("neg", Attrs{{"axis", std::int64_t{1}}}); });
  expect_error(ErrorId::attribute, [&] { applied("transpose", Attrs{{"permutation", true}}); });
  EXPECT_EQ(fact(expect_error(ErrorId::arity, [&] { applied("mul", {}); }), "lhs"), "f32[2,3]");
}

TEST(OpMisuse, EmptyAxisAndHugeSizes) {
  const Tensor none = zeros({0});
  misuse(ErrorId::empty_axis, "max", [&] { (void)max(none); });
  const Dim half = std::int64_t{1} << 40;
  expect_error(ErrorId::size_overflow, [&] { (void)ones({half, half}); });
}

TEST(OpMisuse, Einsum) {
  const Tensor x = matrix();
  misuse(ErrorId::value, "einsum", [&] { (void)einsum("a?->a", {x}); });
  misuse(ErrorId::value, "einsum", [&] { (void)einsum("ab->c", {x}); });
  misuse(ErrorId::rank, "einsum", [&] { (void)einsum("a->a", {x}); });
  misuse(ErrorId::shape_mismatch, "einsum", [&] { (void)einsum("ab,bc->ac", {x, x}); });
  // Without operands there is no line to tell.
  EXPECT_EQ(expect_error(ErrorId::arity, [&] { (void)einsum("ab->ab", {}); }).op(), "einsum");
}

TEST(OpMisuse, UnprovableSizes) {
  const auto add_rows = [](const Tensor& x, const Tensor& y) {
    const Error error = misuse(ErrorId::dim_unknown, "add", [&] { (void)(x + y); });
    EXPECT_EQ(error.facts(), (Facts{{"lhs", "f32[B,3]"}, {"rhs", "f32[C,3]"}}));
    EXPECT_FALSE(error.hint().empty());
    misuse(ErrorId::dim_unknown, "matmul", [&] { (void)matmul(transpose(x), y); });
    EXPECT_EQ(expect_error(ErrorId::dim_unknown, [&] { (void)reshape(x, {6}); }).op(), "reshape");
    EXPECT_FALSE(misuse(ErrorId::dim_unknown, "reshape", [&] { (void)reshape(x, {2, -1}); }).hint().empty());
    misuse(ErrorId::dim_unknown, "squeeze", [&] { (void)squeeze(x, {0}); });
    return x;
  };
  (void)trace(add_rows, spec(f32, {"B", 3}), spec(f32, {"C", 3}));
}

TEST(OpMisuse, UndefinedTensor) {
  const Tensor none, x = row();
  const Error error = misuse(ErrorId::undefined_tensor, "add", [&] { (void)(x + none); });
  EXPECT_FALSE(error.hint().empty());
  misuse(ErrorId::undefined_tensor, "neg", [&] { (void)-none; });
  misuse(ErrorId::undefined_tensor, "softmax", [&] { (void)softmax(none); });
  misuse(ErrorId::undefined_tensor, "reshape", [&] { (void)reshape(none, {1}); });
  misuse(ErrorId::undefined_tensor, "matmul", [&] { (void)matmul(x, none); });
  misuse(ErrorId::undefined_tensor, "concat", [&] { (void)concat({x, none}); });
}

TEST(OpMisuse, IndexOutOfRangeAtRunTime) {
  const Tensor x = row(), at = tensor<std::int32_t>({0, 7, 9});
  std::uint32_t line = __LINE__ + 1;
  const Tensor taken = take(x, at, {.axis = 0});
  const Error error = expect_error(ErrorId::index_out_of_range, [&] { (void)taken.to_vector<float>(); });
  EXPECT_EQ(to_string(error.where()), "op_misuse_test.cc:" + std::to_string(line)) << error.what();
  EXPECT_EQ(error.facts(), (Facts{{"position", "1"}, {"value", "7"}, {"size", "3"}}));
  EXPECT_FALSE(error.hint().empty());
  EXPECT_THROW((void)take(x, at, {.axis = 0}).value(), IndexError);
  // The run was not spoiled for others.
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2, 3}));
}

TEST(OpMisuse, IndexOutOfRangeIsToldAtItsLineEverywhere) {
  const Tensor x = row();
  std::uint32_t line = 0;
  const auto f = [&](const Tensor& at) {
    line = __LINE__ + 1;
    const Tensor taken = take(x, at, {.axis = 0});
    return sum(taken * taken);
  };
  const Tensor bad = scalar<std::int32_t>(3);
  const auto place = [&](auto&& run) {
    const Error error = expect_error(ErrorId::index_out_of_range, run);
    EXPECT_EQ(to_string(error.where()), "op_misuse_test.cc:" + std::to_string(line)) << error.what();
    EXPECT_EQ(fact(error, "value"), "3");
  };
  place([&] { (void)f(bad).value(); });
  place([&] { (void)default_evaluator().run(trace(f, bad), {bad.value()}); });
  place([&] { (void)default_evaluator().run(optimize(trace(f, bad)), {bad.value()}); });
  place([&] { (void)jit(f)(bad).value(); });
  place([&] { (void)vmap(f)(tensor<std::int32_t>({0, 3})).value(); });
  const auto scaled = [&](const Tensor& s, const Tensor& at) { return s * f(at); };
  place([&] { (void)grad(scaled)(scalar(2.0F), bad).value(); });
}

}  // namespace
}  // namespace calx::op_misuse_test
