// Misuse of tensors, trees and traces: reading, leaking, undefined tensors, wrong names.
#include <gtest/gtest.h>

#include "misuse.h"

namespace calx::trace_misuse_test {
namespace {

using test::expect_error;
using test::fact;
using test::misuse;

struct Layer {
  Tensor weight;
  Tensor bias;
};
CALX_TREE(Layer, weight, bias);

Tensor row() { return tensor({1, 2, 3}); }
std::string here_before(int lines, SourceLoc here = SourceLoc::current()) {
  return "trace_misuse_test.cc:" + std::to_string(here.line - static_cast<std::uint32_t>(lines));
}

// ---- Values --------------------------------------------------------------------------------------------------------------

TEST(TraceMisuse, ReadingAsAnotherType) {
  const Tensor x = scalar(1.5F);
  const Error error = misuse(ErrorId::item_dtype, "item", [&] { (void)x.item<double>(); });
  EXPECT_EQ(error.facts(), (Facts{{"tensor", "f32[]"}, {"read as", "f64"}}));
  EXPECT_FALSE(error.hint().empty());
  EXPECT_THROW((void)x.item<std::int32_t>(), DTypeError);
  misuse(ErrorId::item_dtype, "to_vector", [&] { (void)x.to_vector<std::int32_t>(); });
}

TEST(TraceMisuse, ReadingOneOfManyElements) {
  const Tensor x = row();
  const Error error = misuse(ErrorId::value, "item", [&] { (void)x.item<float>(); });
  EXPECT_EQ(fact(error, "tensor"), "f32[3]");
  EXPECT_FALSE(error.hint().empty());
  misuse(ErrorId::value, "item", [&] { (void)zeros({0}).item<float>(); });
}

TEST(TraceMisuse, InitialisersThatAreNoArray) {
  misuse(ErrorId::value, "tensor", [] { (void)tensor({{1, 2}, {3}}); });
  misuse(ErrorId::reshape_count, "tensor", [] { (void)tensor(std::vector<float>{1, 2, 3}, {2, 2}); });
  misuse(ErrorId::reshape_count, "tensor", [] { (void)tensor(std::vector<float>{1}, {-1, -1}); });
  misuse(ErrorId::reshape_count, "tensor", [] { (void)tensor(std::vector<float>{}, {1LL << 62, 4}); });
}

TEST(TraceMisuse, UndefinedTensorsHoldNothing) {
  const Tensor none;
  for (const auto& use : std::vector<std::function<void()>>{
           [&] { (void)none.type(); }, [&] { (void)none.dim(0); }, [&] { (void)none.is_traced(); }, [&] { (void)none.value(); },
           [&] { (void)none.item<float>(); }, [&] { (void)none.to_vector<float>(); },
           [&] { evaluate(std::vector<Tensor>{none}); }}) {
    EXPECT_FALSE(expect_error(ErrorId::undefined_tensor, use).hint().empty());
  }
  const Error axis = expect_error(ErrorId::axis, [&] { (void)row().dim(1); });
  EXPECT_EQ(axis.op(), "dim");
  EXPECT_NE(axis.message().find("axis 1 of f32[3]"), std::string::npos) << axis.what();
}

// ---- Traces --------------------------------------------------------------------------------------------------------------

TEST(TraceMisuse, ReadingATracedTensor) {
  const auto f = [](const Tensor& x) {
    const Tensor y = x * 2.0;
    const std::string made = here_before(1);
    const Error error = misuse(ErrorId::traced_read, "mul", [&] { (void)y.to_vector<float>(); });
    EXPECT_EQ(error.facts(), (Facts{{"type", "f32[3]"}, {"made at", made}}));
    EXPECT_FALSE(error.hint().empty());
    misuse(ErrorId::traced_read, "sum", [&] { (void)sum(y).item<float>(); });
    misuse(ErrorId::traced_read, "", [&] { (void)x.value(); });
    misuse(ErrorId::traced_read, "mul", [&] { evaluate(std::vector<Tensor>{y}); });
    return y;
  };
  (void)trace(f, row());
  (void)grad([&](const Tensor& x) { return sum(f(x)); })(row());
  (void)jit(f)(row());
  (void)vmap([&](const Tensor& x) { return f(x); })(tensor({{1, 2, 3}}));
}

TEST(TraceMisuse, LeakingOutOfATrace) {
  Tensor leaked, argument;
  std::string made;
  (void)trace([&](const Tensor& x) {
    argument = x;
    leaked = x * 2.0;
    made = here_before(1);
    return x;
  }, row());
  const Error read = misuse(ErrorId::leaked_tensor, "mul", [&] { (void)leaked.to_vector<float>(); });
  EXPECT_EQ(read.facts(), (Facts{{"type", "f32[3]"}, {"made at", made}}));
  EXPECT_FALSE(read.hint().empty());
  const Error used = misuse(ErrorId::leaked_tensor, "add", [&] { (void)(leaked + 1.0); });
  EXPECT_EQ(fact(used, "made at"), made);
  misuse(ErrorId::leaked_tensor, "add", [&] { (void)(argument + 1.0); });
  // A finished trace's tensor in another trace: as an operand, and as its result.
  (void)trace([&](const Tensor& x) {
    const Error mixed = misuse(ErrorId::leaked_tensor, "mul", [&] { (void)(x * leaked); });
    EXPECT_EQ(fact(mixed, "made at"), made);
    return x;
  }, row());
  const auto give_back = [&](const Tensor&) { return leaked; };
  const Error returned = expect_error(ErrorId::leaked_tensor, [&] { (void)trace(give_back, row()); });
  EXPECT_EQ(fact(returned, "made at"), made);
}

TEST(TraceMisuse, LeakingThroughDerivativesAndJit) {
  Tensor leaked;
  const auto leak = [&](const Tensor& x) {
    leaked = x * x;
    return sum(leaked);
  };
  for (const auto& run : std::vector<std::function<void()>>{
           [&] { (void)grad(leak)(row()); }, [&] { (void)jit(leak)(row()); }, [&] { (void)vmap(leak)(tensor({{1, 2, 3}})); }}) {
    leaked = Tensor();
    run();
    misuse(ErrorId::leaked_tensor, "mul", [&] { (void)leaked.to_vector<float>(); });
    misuse(ErrorId::leaked_tensor, "neg", [&] { (void)-leaked; });
  }
}

TEST(TraceMisuse, ATraceIsClosed) {
  const Error error = expect_error(ErrorId::leaked_tensor, [] {
    (void)trace([](const Tensor& x) {
      (void)trace([&](const Tensor& y) { return x + y; }, {.name = "inner"}, x);
      return x;
    }, row());
  });
  EXPECT_EQ(error.op(), "inner");
  EXPECT_EQ(fact(error, "type"), "f32[3]");
  EXPECT_FALSE(error.hint().empty());
  // Nothing stays open.
  EXPECT_FALSE((row() + 1.0).is_traced());
}

TEST(TraceMisuse, ArgumentsAndResultsThatAreUndefined) {
  const auto identity = [](const Layer& layer) { return layer; };
  const Error argument = expect_error(ErrorId::undefined_tensor, [&] { (void)trace(identity, Layer{row(), {}}); });
  EXPECT_EQ(argument.facts(), (Facts{{"path", "arg0.bias"}}));
  EXPECT_FALSE(argument.hint().empty());
  const Error named = expect_error(ErrorId::undefined_tensor, [&] { (void)trace(identity, {.names = {"model"}}, Layer{}); });
  EXPECT_EQ(fact(named, "path"), "model.weight");
  const auto result = [](const Tensor& x) { return Layer{x, {}}; };
  expect_error(ErrorId::undefined_tensor, [&] { (void)trace(result, row()); });
}

TEST(TraceMisuse, NamesOfArguments) {
  const auto f = [](const Tensor& x, const Tensor& y) { return x + y; };
  const Error count = expect_error(ErrorId::arity, [&] { (void)trace(f, {.names = {"x"}, .name = "f"}, row(), row()); });
  EXPECT_EQ(count.op(), "f");
  const Error twice = expect_error(ErrorId::value, [&] { (void)trace(f, {.names = {"x", "x"}, .name = "f"}, row(), row()); });
  EXPECT_EQ(twice.facts(), (Facts{{"name", "x"}}));
}

TEST(TraceMisuse, SizesThatAreNoSizes) {
  const Error error = misuse(ErrorId::parse, "spec", [] { (void)spec(f32, {"2*"}); });
  EXPECT_EQ(fact(error, "text"), "2*");
  EXPECT_FALSE(error.hint().empty());
}

// ---- Trees ---------------------------------------------------------------------------------------------------------------

TEST(TraceMisuse, TreesThatDiffer) {
  const std::vector<Tensor> two = {row(), row()}, three = {row(), row(), row()};
  const Error error = misuse(ErrorId::tree, "", [&] { tree::require_same_structure(two, three); });
  EXPECT_EQ(fact(error, "path"), "2");
  EXPECT_EQ(fact(error, "the first tree"), "2 leaves");
  expect_error(ErrorId::tree, [&] { (void)tree::map([](const Tensor& a, const Tensor&) { return a; }, two, three); });
  const Error count = misuse(ErrorId::tree, "", [&] { (void)tree::unflatten(Layer{}, three); });
  EXPECT_EQ(count.facts(), (Facts{{"given", "3"}, {"leaves", "2"}}));
  const Error fewer = misuse(ErrorId::tree, "", [&] { (void)tree::unflatten(three, two); });
  EXPECT_EQ(fact(fewer, "path"), "2");
}

// ---- Text ----------------------------------------------------------------------------------------------------------------

TEST(TraceMisuse, TextThatIsNoProgram) {
  const Error error = expect_error(ErrorId::parse, [] { (void)parse("calx 1\nfunc f() -> () {\n  return %x\n}\n", "f.calx"); });
  EXPECT_EQ(fact(error, "line"), "3");
  EXPECT_EQ(to_string(error.where()), "f.calx:3");
}

}  // namespace
}  // namespace calx::trace_misuse_test
