// vmap over C++ functions of trees: which axes, what is repeated, what is handed through.
#include <gtest/gtest.h>

#include "calx/calx.h"

namespace calx::vmap_test {
namespace {

using Values = std::vector<double>;

Tensor row(const Values& values) { return tensor(values, {static_cast<std::int64_t>(values.size())}); }
Tensor matrix(const Values& values, std::int64_t rows) {
  return tensor(values, {rows, static_cast<std::int64_t>(values.size()) / rows});
}
Values values(const Tensor& x) { return x.to_vector<double>(); }

struct Layer {
  Tensor weight;
  std::vector<Tensor> biases;
  int times = 1;  // not listed
};
CALX_TREE(Layer, weight, biases);

Tensor applied(const Layer& layer, const Tensor& x) {
  return sum(layer.weight * x) * static_cast<double>(layer.times) + layer.biases[0];
}

TEST(Vmap, OneAxisForAllLeavesOfAnArgument) {
  const Layer layers{matrix({1, 2, 3, 4}, 2), {row({10, 20})}, 2};
  const Tensor x = row({1, 100});
  // Both layers on the same x.
  EXPECT_EQ(values(vmap(applied, {.in_axes = {0, std::nullopt}})(layers, x)), (Values{2 * 201 + 10, 2 * 403 + 20}));
  // One layer on every row of a matrix.
  const Layer layer{row({1, 2}), {scalar(5.0)}, 1};
  EXPECT_EQ(values(vmap(applied, {.in_axes = {std::nullopt, 0}})(layer, matrix({1, 1, 2, 2, 3, 3}, 3))), (Values{8, 11, 14}));
  // Row by row.
  EXPECT_EQ(values(vmap(applied)(layers, matrix({1, 1, 10, 10}, 2))), (Values{16, 160}));
}

TEST(Vmap, NegativeAxesCountFromTheBack) {
  const auto f = [](const Tensor& x) { return x * row({1, 10}); };
  const Tensor x = matrix({1, 2, 3, 4, 5, 6}, 2);  // columns (1, 4), (2, 5), (3, 6)
  EXPECT_EQ(values(vmap(f, {.in_axes = {-1}})(x)), (Values{1, 40, 2, 50, 3, 60}));
  EXPECT_EQ(values(vmap(f, {.in_axes = {1}, .out_axis = -1})(x)), (Values{1, 2, 3, 40, 50, 60}));
  EXPECT_EQ(vmap(f, {.in_axes = {1}, .out_axis = -2})(x).type().to_string(), "f64[3,2]");
}

TEST(Vmap, ResultsAreTreesAndWhatIsNotBatchedIsRepeated) {
  const auto f = [](const Tensor& x, const Tensor& y) { return Layer{x, {y, scalar(3.0), x * y}, 7}; };
  const Layer out = vmap(f, {.in_axes = {0, std::nullopt}})(row({1, 2}), scalar(5.0));
  EXPECT_EQ(values(out.weight), (Values{1, 2}));
  EXPECT_EQ(values(out.biases[0]), (Values{5, 5}));
  EXPECT_EQ(values(out.biases[1]), (Values{3, 3}));
  EXPECT_EQ(values(out.biases[2]), (Values{5, 10}));
  EXPECT_EQ(out.times, 7);
}

TEST(Vmap, OutAxesOfResultsOfDifferentRanks) {
  const auto f = [](const Tensor& x) { return std::pair(sum(x), x); };
  const auto [sums, rows] = vmap(f, {.out_axis = -1})(matrix({1, 2, 3, 4, 5, 6}, 3));
  EXPECT_EQ(values(sums), (Values{3, 7, 11}));
  EXPECT_EQ(rows.type().to_string(), "f64[2,3]");
  EXPECT_EQ(values(rows), (Values{1, 3, 5, 2, 4, 6}));
}

TEST(Vmap, HandsThroughWhatIsNoTree) {
  const auto f = [](const Tensor& x, int times, const std::string& name) {
    return x * static_cast<double>(times) + static_cast<double>(name.size());
  };
  EXPECT_EQ(values(vmap(f)(row({1, 2}), 3, std::string("four"))), (Values{7, 10}));
}

TEST(Vmap, BatchesOfNoneOneAndUnknownSize) {
  const auto f = [](const Tensor& x) { return sum(x * x); };
  EXPECT_EQ(vmap(f)(zeros({0, 3}, f64)).type().to_string(), "f64[0]");
  EXPECT_EQ(values(vmap(f)(matrix({1, 2, 3}, 1))), (Values{14}));
  const Function traced = trace([&](const Tensor& x) { return vmap(f)(x); }, spec(f64, {"B", 3}));
  EXPECT_EQ(traced.result_types()[0].to_string(), "f64[B]");
  EXPECT_EQ(default_evaluator().run(traced, {Array::from<double>({2, 3}, Values{1, 2, 3, 4, 5, 6})})[0],
            Array::from<double>({2}, Values{14, 77}));
}

TEST(Vmap, TracesTheFunctionOnce) {
  int calls = 0;
  const auto f = [&](const Tensor& x) {
    ++calls;
    EXPECT_EQ(x.type().to_string(), "f64[2]");
    return x;
  };
  (void)vmap(f)(matrix({1, 2, 3, 4, 5, 6}, 3));
  EXPECT_EQ(calls, 1);
}

TEST(Vmap, DerivativesOfOtherArguments) {
  const auto f = [](const Tensor& x, const Tensor& y) { return x * y * y; };
  const Tensor x = row({1, 2}), y = row({3, 5}), one = row({1, 1});
  const auto pushed = [&](const Tensor& t, const Tensor& a, const Tensor& b) { return jvp<1>(f)(t, a, b); };
  const auto pulled = [&](const Tensor& c, const Tensor& a, const Tensor& b) { return vjp<1>(f)(c, a, b).second; };
  const auto [value, tangent] = vmap(pushed)(one, x, y);
  EXPECT_EQ(values(value), (Values{9, 50}));
  EXPECT_EQ(values(tangent), (Values{6, 20}));
  EXPECT_EQ(values(vmap(pulled)(one, x, y)), (Values{6, 20}));
}

}  // namespace
}  // namespace calx::vmap_test
