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

TEST(OpMisuse, IndexOutOfRangeNamesTheOpThatWasCalled) {
  const Tensor x = row(), at = tensor<std::int32_t>({0, 7});
  const Tensor logits = tensor({{1, 2, 3}, {4, 5, 6}});
  const auto told = [](std::string_view op, const auto& f, const auto&... args) {
    const auto run = [&](auto&& body) {
      const Error error = expect_error(ErrorId::index_out_of_range, body);
      EXPECT_EQ(error.op(), op) << error.what();
      EXPECT_EQ(fact(error, "value"), "7") << error.what();
      EXPECT_EQ(to_string(error.where()).substr(0, 18), "op_misuse_test.cc:") << error.what();
      EXPECT_EQ(!error.hint().empty(), op.starts_with("take")) << error.what();  // only these have modes
    };
    run([&] { (void)f(args...).value(); });
    run([&] { (void)jit(f)(args...).value(); });
    const Function traced = trace(f, args...);
    const std::vector<Array> values = {args.value()...};
    run([&] { (void)default_evaluator().run(traced, values); });
    run([&] { (void)default_evaluator().run(expand_composites(traced), values); });
    run([&] { (void)default_evaluator().run(optimize(expand_composites(traced)), values); });
    const Function again = parse(print(expand_composites(traced)));
    EXPECT_TRUE(again == expand_composites(traced));
    EXPECT_EQ(expect_error(ErrorId::index_out_of_range, [&] { (void)default_evaluator().run(again, values); }).op(), op);
  };
  const auto taken = [](const Tensor& t, const Tensor& i) { return take(t, i); };
  const auto loss = [](const Tensor& t, const Tensor& i) { return softmax_cross_entropy(t, i); };
  told("take", taken, x, at);
  told("take_along_axis", [](const Tensor& t, const Tensor& i) { return take_along_axis(t, i); }, x, at);
  told("one_hot", [](const Tensor& i) { return one_hot(i, 3); }, at);
  told("softmax_cross_entropy", loss, logits, at);
  told("checked_index", [](const Tensor& i) { return checked_index(i, 3); }, at);
  // Derivatives and batches are made of the same checks.
  const auto named = [](std::string_view op, auto&& body) {
    EXPECT_EQ(expect_error(ErrorId::index_out_of_range, body).op(), op);
  };
  named("softmax_cross_entropy", [&] { (void)grad(loss)(logits, at).value(); });
  named("take", [&] { (void)jvp(taken)(x, x, at).second.value(); });
  named("take", [&] { (void)vjp(taken)(tensor({1, 2}), x, at).second.value(); });
  named("take", [&] { (void)vmap(taken, {.in_axes = {std::nullopt, 0}})(x, at).value(); });
  named("one_hot", [&] { (void)vmap([](const Tensor& i) { return one_hot(i, 3); })(at).value(); });
}

TEST(OpMisuse, LabelsThatAreIgnoredAreNotChecked) {
  const struct {
    Tensor logits = zeros({2, 0});
    Tensor labels = tensor<std::int32_t>({-100, -100});
  } none;
  const SoftmaxCrossEntropyOptions rows = {.ignore_index = -100, .reduction = LossReduction::none};
  EXPECT_EQ(softmax_cross_entropy(none.logits, none.labels, rows).to_vector<float>(), (std::vector<float>{0, 0}));
  for (LossReduction reduction : {LossReduction::sum, LossReduction::mean}) {
    EXPECT_EQ(softmax_cross_entropy(none.logits, none.labels, {.ignore_index = -100, .reduction = reduction}).item<float>(), 0);
  }
  const SoftmaxCrossEntropyOptions smooth = {.ignore_index = -100, .label_smoothing = 0.1, .reduction = LossReduction::none};
  EXPECT_EQ(softmax_cross_entropy(none.logits, none.labels, smooth).to_vector<float>(), (std::vector<float>{0, 0}));
  EXPECT_EQ(grad([&](const Tensor& x) { return sum(softmax_cross_entropy(x, none.labels, rows)); })(none.logits).shape(),
            (Shape{2, 0}));
  // No class is among none.
  const Tensor one = tensor<std::int32_t>({-100, 0});
  const Error error =
      expect_error(ErrorId::index_out_of_range, [&] { (void)softmax_cross_entropy(none.logits, one, rows).value(); });
  EXPECT_EQ(error.op(), "softmax_cross_entropy");
  EXPECT_EQ(error.facts(), (Facts{{"position", "1"}, {"value", "0"}, {"size", "0"}}));
  // An ignored label may be one that there is, and any other number.
  const Tensor logits = tensor({{0, 0}, {3, 1}});
  EXPECT_EQ(softmax_cross_entropy(logits, tensor<std::int32_t>({7, 0}), {.ignore_index = 7, .reduction = LossReduction::none})
                .to_vector<float>()[0],
            0);
}

TEST(OpMisuse, LanesThatCountAreCheckedEvenInAnEmptyRange) {
  // Lanes in which the branch is not taken are silent; the others are not.
  const auto f = [](const Tensor& taken, const Tensor& i) {
    return cond(taken, [](const Tensor& at) { return core::checked_index(at, 0); }, [](const Tensor& at) { return at; }, i);
  };
  const Tensor indices = tensor<std::int32_t>({5, 0});
  EXPECT_EQ(vmap(f)(tensor<bool>({false, false}), indices).to_vector<std::int32_t>(), (std::vector<std::int32_t>{5, 0}));
  const Error error =
      expect_error(ErrorId::index_out_of_range, [&] { (void)vmap(f)(tensor<bool>({false, true}), indices).value(); });
  EXPECT_EQ(fact(error, "size"), "0");
  EXPECT_EQ(fact(error, "position"), "1");
}

TEST(OpMisuse, NumbersOfOperands) {
  const auto given = [](std::string_view op, std::size_t count) {
    return misuse(ErrorId::arity, op, [&] { (void)apply(get_op(op), Tensors(count, row()), {}, SourceLoc::current()); })
        .message();
  };
  EXPECT_EQ(given("rms_norm", 3), "takes 1 to 2 operand(s) but was given 3 (f32[3], f32[3], f32[3])");
  EXPECT_EQ(given("rms_norm", 0), "takes 1 to 2 operand(s) but was given none");
  EXPECT_EQ(given("layer_norm", 4), "takes 1 to 3 operand(s) but was given 4 (f32[3], f32[3], f32[3], f32[3])");
  EXPECT_EQ(given("layer_norm", 0), "takes 1 to 3 operand(s) but was given none");
  EXPECT_EQ(given("softmax_cross_entropy", 1), "takes 2 to 3 operand(s) but was given 1 (f32[3])");
  EXPECT_EQ(given("add", 1), "takes 2 operand(s) but was given 1 (f32[3])");
  EXPECT_EQ(given("neg", 2), "takes 1 operand(s) but was given 2 (f32[3], f32[3])");
}

TEST(OpMisuse, TextsThatCannotBePrinted) {
  const Tensor x = matrix();
  const auto refuse = [&](std::string_view subscripts) {
    return expect_error(ErrorId::value, [&] { (void)einsum(subscripts, {x, x}); });
  };
  using namespace std::string_view_literals;
  EXPECT_EQ(refuse("ij\0,jk"sv).message(), R"(`\x00` in "ij\x00,jk" is no letter)");
  EXPECT_EQ(refuse("ij,jk->i\0k"sv).message(), R"(`\x00` in the result of "ij,jk->i\x00k" is no letter)");
  EXPECT_EQ(refuse("\x1b[1mij,jk").message(), R"(`\x1b` in "\x1b[1mij,jk" is no letter)");
  EXPECT_EQ(refuse("i\u00e9,jk").message(), "`\u00e9` in \"i\u00e9,jk\" is no letter");
  EXPECT_EQ(refuse("i\xc3,jk").message(), R"(`\xc3` in "i\xc3,jk" is no letter)");
  EXPECT_EQ(refuse("i\n,jk").message(), R"(`\n` in "i\n,jk" is no letter)");
  const std::string longest(1'000'000, 'i');
  const Error error = misuse(ErrorId::rank, "einsum", [&] { (void)einsum(longest + ",j", {x, x}); });
  EXPECT_LT(error.message().size(), 200U);
  EXPECT_NE(error.message().find("iii...\" is f32[2,3] but has 1000000 letter(s)"), std::string::npos) << error.what();
  misuse(ErrorId::arity, "einsum", [&] { (void)einsum("ij", {}); });
  // What is told elsewhere is made printable in one place, so one name stands for all.
  const Error op = expect_error(ErrorId::value, [] { (void)get_op("a\0b\x7f"sv); });
  EXPECT_EQ(op.op(), R"(a\x00b\x7f)");
  EXPECT_NE(std::string(op.what()).find("there is no op of this name"), std::string::npos) << op.what();
}

}  // namespace
}  // namespace calx::op_misuse_test
