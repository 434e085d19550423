// Trees: which types are trees, paths, order, copies, structure errors.
#include "calx/core/tree.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace {

using calx::ErrorId;
using calx::Tensor;
using calx::Tensors;

Tensor value(float x) { return calx::scalar(x); }
float read(const Tensor& tensor) { return tensor.item<float>(); }

struct Linear {
  Tensor weight;
  std::optional<Tensor> bias;
  int units = 0;  // not listed: copied
};
CALX_TREE(Linear, weight, bias);

struct Mlp {
  std::vector<Linear> layers;
  std::map<std::string, Tensor> extra;
  std::pair<Tensor, std::array<Tensor, 2>> pair;
};
CALX_TREE(Mlp, layers, extra, pair);

struct Nested {
  Tensor here;
  std::vector<Nested> children;
};
CALX_TREE(Nested, here, children);

struct Empty {};
CALX_TREE(Empty);

struct Wide {
  Tensor a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7;
  Tensor c0, c1, c2, c3, c4, c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7;
};
CALX_TREE(Wide, a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7, c0, c1, c2, c3, c4, c5, c6, c7, d0, d1,
          d2, d3, d4, d5, d6, d7);

struct NotATree {};

static_assert(calx::Tree<Tensor> && calx::Tree<const Mlp&> && calx::Tree<std::vector<Mlp>> && calx::Tree<Empty>);
static_assert(calx::Tree<std::tuple<Tensor, Linear>> && calx::Tree<std::map<std::string, std::vector<Tensor>>>);
static_assert(!calx::Tree<int> && !calx::Tree<NotATree> && !calx::Tree<std::vector<int>>);
static_assert(!calx::Tree<std::map<int, Tensor>> && !calx::Tree<std::tuple<Tensor, int>>);

Mlp make_mlp() {
  return {.layers = {{value(1), value(2), 7}, {value(3), std::nullopt, 8}},
          .extra = {{"b", value(5)}, {"a", value(4)}},
          .pair = {value(6), {value(7), value(8)}}};
}

TEST(Tree, PathsAreInTheOrderOfFieldsElementsAndKeys) {
  EXPECT_EQ(calx::tree::paths(make_mlp()),
            (std::vector<std::string>{"layers.0.weight", "layers.0.bias", "layers.1.weight", "extra.a", "extra.b",
                                      "pair.0", "pair.1.0", "pair.1.1"}));
  EXPECT_EQ(calx::tree::paths(value(1)), std::vector<std::string>{""});
  EXPECT_EQ(calx::tree::paths(value(1), "x"), std::vector<std::string>{"x"});
  EXPECT_EQ(calx::tree::paths(std::vector<Tensor>{value(1)}, "x"), std::vector<std::string>{"x.0"});
  EXPECT_TRUE(calx::tree::paths(Empty{}).empty());
  EXPECT_EQ(calx::tree::paths(Nested{value(1), {{value(2), {}}, {value(3), {{value(4), {}}}}}}),
            (std::vector<std::string>{"here", "children.0.here", "children.1.here", "children.1.children.0.here"}));
}

TEST(Tree, ThirtyTwoFields) {
  Wide wide;
  EXPECT_EQ(calx::tree::leaves(wide).size(), 32u);
  EXPECT_EQ(calx::tree::paths(wide).back(), "d7");
}

TEST(Tree, LeavesAndUnflattenAreInverse) {
  const Mlp mlp = make_mlp();
  Tensors leaves = calx::tree::leaves(mlp);
  ASSERT_EQ(leaves.size(), 8u);
  for (std::size_t i = 0; i < leaves.size(); ++i) EXPECT_EQ(read(leaves[i]), static_cast<float>(i + 1));
  leaves[2] = value(30);
  const Mlp other = calx::tree::unflatten(mlp, leaves);
  EXPECT_EQ(read(other.layers[1].weight), 30);
  EXPECT_EQ(read(mlp.layers[1].weight), 3);
  EXPECT_EQ(other.layers[1].units, 8);
  EXPECT_FALSE(other.layers[1].bias.has_value());
}

TEST(Tree, MapVisitsEveryLeafOfSeveralTrees) {
  const Mlp mlp = make_mlp();
  const auto pick = [](const Tensor&, const Tensor& second) { return value(10 * read(second)); };
  const Mlp other = calx::tree::map(pick, mlp, mlp);
  EXPECT_EQ(read(other.extra.at("a")), 40);
  EXPECT_EQ(other.layers[0].units, 7);
  const Tensor one = calx::tree::map([](const Tensor& leaf) { return value(read(leaf) + 1); }, value(1));
  EXPECT_EQ(read(one), 2);
}

TEST(Tree, DifferentStructuresNameThePath) {
  const Mlp mlp = make_mlp();
  Mlp other = mlp;
  calx::tree::require_same_structure(mlp, other);
  other.layers[1].bias = value(0);
  const calx::Error error = calx::test::expect_error(
      ErrorId::tree, [&] { calx::tree::require_same_structure(mlp, other, "`params`", "`grads`"); });
  EXPECT_EQ(error.message(), "`grads` has a leaf `layers.1.bias` that `params` has not");
  other = mlp;
  other.extra.erase("a");
  EXPECT_EQ(calx::test::expect_error(ErrorId::tree, [&] { calx::tree::require_same_structure(mlp, other); }).message(),
            "the first tree has a leaf `extra.a` that the second tree has not");
  EXPECT_NE(std::string(error.what()).find("tree_test.cc"), std::string::npos);
}

TEST(Tree, WrongLeafCount) {
  const std::vector<Tensor> three(3, value(0));
  EXPECT_EQ(calx::test::expect_error(ErrorId::tree, [&] { (void)calx::tree::unflatten(make_mlp(), three); }).message(),
            "a tree of 8 leaves was given 3 tensors: none for `extra.a`");
  EXPECT_EQ(calx::test::expect_error(ErrorId::tree, [&] { (void)calx::tree::unflatten(value(1), three); }).message(),
            "a tree of 1 leaves was given 3 tensors");
}

}  // namespace
