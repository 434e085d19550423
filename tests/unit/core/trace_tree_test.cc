// Tracing C++ functions of trees: names, types, what is handed through, errors.
#include "calx/core/trace_tree.h"

#include <gtest/gtest.h>

#include "calx/core/core_ops.h"
#include "support/expect_error.h"

namespace {

using calx::Dim;
using calx::ErrorId;
using calx::f32;
using calx::Function;
using calx::Tensor;

struct Affine {
  Tensor weight;
  Tensor bias;
};
CALX_TREE(Affine, weight, bias);

std::vector<std::string> argument_names(const Function& f) {
  std::vector<std::string> names;
  for (const calx::Argument& argument : f.arguments()) names.push_back(argument.name);
  return names;
}
std::vector<std::string> result_names(const Function& f) {
  std::vector<std::string> names;
  for (const calx::Result& result : f.results()) names.push_back(result.name);
  return names;
}
using Names = std::vector<std::string>;

Tensor vector3() { return calx::tensor({1, 2, 3}); }

TEST(TraceTree, ArgumentsAreNumbered) {
  const Function f = calx::trace([](Tensor x, Tensor y) { return calx::core::add(x, y); }, vector3(), vector3());
  EXPECT_EQ(argument_names(f), (Names{"arg0", "arg1"}));
  EXPECT_EQ(result_names(f), Names{"out"});
  EXPECT_EQ(f.name(), "f");
  EXPECT_EQ(f.arguments()[0].type, calx::spec(f32, {3}));
  EXPECT_EQ(f.equations().size(), 1u);
}

TEST(TraceTree, LeavesAreNamedByTheirPaths) {
  const Affine linear{vector3(), vector3()};
  const auto f = [](const Affine& layer, const std::vector<Tensor>& x) {
    return std::pair(Affine{calx::core::mul(layer.weight, x[0]), layer.bias}, x[1]);
  };
  const Function by_number = calx::trace(f, linear, std::vector{vector3(), vector3()});
  EXPECT_EQ(argument_names(by_number), (Names{"arg0.weight", "arg0.bias", "arg1.0", "arg1.1"}));
  EXPECT_EQ(result_names(by_number), (Names{"out.0.weight", "out.0.bias", "out.1"}));
  const Function by_name = calx::trace(f, {.names = {"model", "x"}, .name = "apply", .result = "y"}, linear,
                                       std::vector{vector3(), vector3()});
  EXPECT_EQ(argument_names(by_name), (Names{"model.weight", "model.bias", "x.0", "x.1"}));
  EXPECT_EQ(result_names(by_name), (Names{"y.0.weight", "y.0.bias", "y.1"}));
  EXPECT_EQ(by_name.name(), "apply");
}

TEST(TraceTree, TypesAndPlainValues) {
  const Function f = calx::trace(
      [](Tensor x, int times, Tensor y) {
        for (int i = 0; i < times; ++i) x = calx::core::add(x, y);
        return x;
      },
      calx::spec(f32, {"B", 784}), 3, calx::spec(f32, {"B", 784}));
  EXPECT_EQ(argument_names(f), (Names{"arg0", "arg2"}));
  EXPECT_EQ(f.arguments()[0].type.to_string(), "f32[B,784]");
  EXPECT_EQ(f.equations().size(), 3u);
}

TEST(TraceTree, SpecReadsSizes) {
  EXPECT_EQ(calx::spec(calx::i32, {}).to_string(), "i32[]");
  EXPECT_EQ(calx::spec(f32, {"2*T+1", std::size_t{4}, Dim(5), "B"}).to_string(), "f32[2*T+1,4,5,B]");
  const calx::Error error = calx::test::expect_error(ErrorId::parse, [] { (void)calx::spec(f32, {"2*"}); });
  EXPECT_NE(std::string(error.what()).find("trace_tree_test.cc"), std::string::npos) << error.what();
}

TEST(TraceTree, CapturesOfEnclosingTraces) {
  calx::TracedTree<Tensor> inner;
  const Function outer = calx::trace(
      [&](Tensor x) {
        inner = calx::trace_tree([&](Tensor y) { return calx::core::add(x, y); }, {}, {}, x);
        return calx::core::neg(x);
      },
      vector3());
  EXPECT_EQ(inner.captures.size(), 1u);
  EXPECT_EQ(argument_names(inner.function), (Names{"captured0", "arg0"}));
  calx::test::expect_error(ErrorId::leaked_tensor, [&] {
    (void)calx::trace(
        [&](Tensor x) {
          (void)calx::trace([&](Tensor y) { return calx::core::add(x, y); }, x);
          return x;
        },
        vector3());
  });
}

TEST(TraceTree, Errors) {
  const auto identity = [](const Affine& layer) { return layer; };
  EXPECT_EQ(calx::test::expect_error(ErrorId::undefined_tensor,
                                     [&] { (void)calx::trace(identity, Affine{vector3(), {}}); })
                .message(),
            "`arg0.bias` is an undefined tensor");
  const auto sum = [](Tensor x, Tensor y) { return calx::core::add(x, y); };
  calx::test::expect_error(ErrorId::arity,
                           [&] { (void)calx::trace(sum, {.names = {"x"}}, vector3(), vector3()); });
  calx::test::expect_error(ErrorId::value,
                           [&] { (void)calx::trace(sum, {.names = {"x", "x"}}, vector3(), vector3()); });
}

}  // namespace
