// sort, argsort, top_k, running sums, products and extrema, linear_recurrence, window_argmax: values and
// rules.
#include "indexing/_cumulative.h"
#include "window/_support.h"
#include "rules_testing.h"

namespace calx::sort_and_cumulative_test {
namespace {

using namespace ops::cumulative_attrs;
using testing::Applied;
using testing::kInf;
using testing::kNaN;
using testing::values;
using Floats = std::vector<float>;
using Integers = std::vector<std::int32_t>;

constinit const Attr<bool> descending{"descending", false, ""};
constinit const Attr<std::int64_t> num_keys{"num_keys", std::int64_t{1}, ""};

TEST(Sort, NaNIsLastAndTiesKeepTheirOrder) {
  const Tensor x = tensor({kNaN, 2, -0.0f, kInf, 0.0f, -kInf});
  const Applied up("sort", {x}, {});
  EXPECT_EQ(values<std::int32_t>(up.result(1)), (Integers{5, 2, 4, 1, 3, 0}));
  const Applied down("sort", {x}, {attr(descending, true)});
  EXPECT_EQ(values<std::int32_t>(down.result(1)), (Integers{3, 1, 2, 4, 5, 0}));
}

TEST(Sort, TangentsFollowThePermutation) {
  const Applied sorted("sort", {tensor({3, 1, 2, 1})}, {});
  EXPECT_EQ(values(sorted.result()), (Floats{1, 1, 2, 3}));
  const Tangents t = sorted.jvp({tensor({10, 20, 30, 40})});
  EXPECT_EQ(values(t[0]), (Floats{20, 40, 30, 10}));
  EXPECT_TRUE(t[1].is_zero());
}

TEST(Sort, SeveralKeysAndPassengers) {
  const Applied both("sort",
                     {tensor<std::int32_t>({1, 0, 1, 0}), tensor({2, 4, 1, 3}), tensor({10, 20, 30, 40})},
                     {attr(num_keys, 2)});
  EXPECT_EQ(values<std::int32_t>(both.result(0)), (Integers{0, 0, 1, 1}));
  EXPECT_EQ(values(both.result(1)), (Floats{3, 4, 1, 2}));
  EXPECT_EQ(values(both.result(2)), (Floats{40, 20, 30, 10}));
  EXPECT_EQ(values(both.jvp({{}, tensor({1, 2, 3, 4}), {}})[1]), (Floats{4, 2, 3, 1}));
}

TEST(Cumsum, DirectionsAndTranspose) {
  const Tensor x = tensor({1, 2, 3});
  const auto run = [&](bool is_exclusive, bool reverse) {
    const Applied sum("cumsum", {x}, {attr(exclusive, is_exclusive), attr(reversed, reverse)});
    const Floats back = values(sum.transpose(tensor({1, 10, 100}))[0]);
    Floats all = values(sum.result());
    all.insert(all.end(), back.begin(), back.end());
    return all;
  };
  EXPECT_EQ(run(false, false), (Floats{1, 3, 6, 111, 110, 100}));
  EXPECT_EQ(run(true, false), (Floats{0, 1, 3, 110, 100, 0}));
  EXPECT_EQ(run(false, true), (Floats{6, 5, 3, 1, 11, 111}));
  EXPECT_EQ(run(true, true), (Floats{5, 3, 0, 0, 1, 11}));
}

TEST(Cumprod, DerivativesAreExactWithZeros) {
  // Row j: derivative of every running product with respect to element j.
  const auto derivatives = [](const Tensor& x, bool is_exclusive, bool reverse) {
    const Applied product("cumprod", {x}, {attr(exclusive, is_exclusive), attr(reversed, reverse)});
    std::vector<Floats> rows;
    const std::int64_t n = x.shape()[0].value();
    for (std::int64_t j = 0; j < n; ++j) {
      Floats direction(static_cast<std::size_t>(n), 0.0f);
      direction[static_cast<std::size_t>(j)] = 1;
      rows.push_back(values(product.jvp({tensor(direction, {n})})[0]));
    }
    return rows;
  };
  const Tensor x = tensor({2, 0, 3, 4});
  EXPECT_EQ(derivatives(x, false, false),
            (std::vector<Floats>{{1, 0, 0, 0}, {0, 2, 6, 24}, {0, 0, 0, 0}, {0, 0, 0, 0}}));
  EXPECT_EQ(derivatives(x, true, false),
            (std::vector<Floats>{{0, 1, 0, 0}, {0, 0, 2, 6}, {0, 0, 0, 0}, {0, 0, 0, 0}}));
  EXPECT_EQ(derivatives(x, false, true),
            (std::vector<Floats>{{0, 0, 0, 0}, {24, 12, 0, 0}, {0, 0, 4, 0}, {0, 0, 3, 1}}));
  EXPECT_EQ(derivatives(tensor({0, 0}), false, false), (std::vector<Floats>{{1, 0}, {0, 0}}));
}

TEST(Cummax, TiesGoToTheLowestIndexInEitherDirection) {
  const Tensor x = tensor({1, 3, 2, 3, kNaN, 9});
  const Tensor t = tensor({1, 2, 4, 8, 16, 32});
  const Applied forward("cummax", {x}, {});
  const Floats seen = values(forward.result());
  EXPECT_EQ(Floats(seen.begin(), seen.begin() + 4), (Floats{1, 3, 3, 3}));
  EXPECT_TRUE(std::isnan(seen[4]) && std::isnan(seen[5]));
  EXPECT_EQ(values(forward.jvp({t})[0]), (Floats{1, 2, 2, 2, 16, 16}));
  const Tensor y = tensor({1, 3, 2, 3});
  const Tensor u = tensor({1, 2, 4, 8});
  EXPECT_EQ(values(Applied("cummax", {y}, {attr(reversed, true)}).jvp({u})[0]), (Floats{2, 2, 8, 8}));
  const Applied shifted("cummax", {y}, {attr(exclusive, true)});
  EXPECT_EQ(values(shifted.result()), (Floats{-kInf, 1, 3, 3}));
  EXPECT_EQ(values(shifted.jvp({u})[0]), (Floats{0, 1, 2, 2}));
  const Applied low("cummin", {tensor({3, 1, 1, 2})}, {attr(reversed, true)});
  EXPECT_EQ(values(low.result()), (Floats{1, 1, 1, 2}));
  EXPECT_EQ(values(low.jvp({u})[0]), (Floats{2, 2, 4, 8}));
  EXPECT_EQ(values(Applied("cummax", {tensor({-kInf, -kInf})}, {}).jvp({tensor({1, 2})})[0]), (Floats{1, 1}));
}

TEST(LinearRecurrence, ValueAndRules) {
  const Applied forward("linear_recurrence", {tensor({5, 2, 3}), tensor({1, 1, 1})}, {});
  EXPECT_EQ(values(forward.result()), (Floats{1, 3, 10}));
  EXPECT_EQ(values(forward.transpose(tensor({1, 1, 1}))[0]), (Floats{9, 4, 1}));
  EXPECT_EQ(values(forward.jvp({tensor({1, 1, 1}), {}})[0]), (Floats{0, 1, 6}));
  const Applied back("linear_recurrence", {tensor({2, 3, 5}), tensor({1, 1, 1})}, {attr(reversed, true)});
  EXPECT_EQ(values(back.result()), (Floats{9, 4, 1}));
  // A factor 0 wins over infinity.
  const Applied strong("linear_recurrence", {tensor({1, 0}), tensor({kInf, 2})}, {});
  EXPECT_EQ(values(strong.result()), (Floats{kInf, 2}));
}

TEST(WindowArgmax, FirstWinsFirstNaNWinsPaddingNever) {
  using namespace ops::window_attrs;
  const auto run = [](const Tensor& x, const Attrs& attrs) {
    return values<std::int32_t>(apply_one(get_op("window_argmax"), {x}, attrs));
  };
  EXPECT_EQ(run(tensor({5, 3, 1, 2, 5}), {attr(window, {Dim(2)})}), (Integers{0, 1, 3, 4}));
  EXPECT_EQ(run(tensor({1, 1, 1}), {attr(window, {Dim(2)})}), (Integers{0, 1}));
  EXPECT_EQ(run(tensor({1, kNaN, kNaN}), {attr(window, {Dim(3)})}), (Integers{1}));
  EXPECT_EQ(run(tensor({-3, -4}),
                {attr(window, {Dim(2)}), attr(padding_low, {Dim(3)}), attr(padding_high, {Dim(1)})}),
            (Integers{-1, -1, 0, 0, 1}));
  EXPECT_EQ(run(tensor({{1, 2}, {4, 3}}), {attr(window, {Dim(2), Dim(2)})}), (Integers{2}));
  EXPECT_EQ(run(tensor({-kInf, -kInf}), {attr(window, {Dim(2)})}), (Integers{0}));
}

TEST(MaxPool, EmptyWindowsGiveMinusInfinity) {
  using namespace ops::window_attrs;
  const Tensor y = apply_one(get_op("max_pool"), {tensor({-3, -4})},
                             {attr(window, {Dim(2)}), attr(padding_low, {Dim(3)})});
  EXPECT_EQ(values(y), (Floats{-kInf, -kInf, -3, -3}));
  EXPECT_EQ(values(apply_one(get_op("max_pool"), {tensor({{5, 3, 1}, {2, 5, 9}})}, {attr(window, {Dim(2)})})),
            (Floats{5, 3, 5, 9}));
}

TEST(SortAndCumulative, BatchRulesStack) {
  const Tensor x = tensor({{3, 1, 2}, {5, 6, 4}});
  testing::expect_batch_is_stacking("sort", {x, tensor({1, 2, 3})}, {true, false}, {}, 2);
  for (const char* op : {"cumsum", "cumprod", "cummax", "cummin"}) {
    testing::expect_batch_is_stacking(op, {x}, {true}, {attr(exclusive, true), attr(reversed, true)}, 2);
  }
  testing::expect_batch_is_stacking("linear_recurrence", {x, tensor({1, 2, 3})}, {true, false},
                                    {attr(axis, 0)}, 2);
  testing::expect_batch_is_stacking("window_argmax", {x}, {true}, {attr(ops::window_attrs::window, {Dim(2)})},
                                    2);
}

}  // namespace
}  // namespace calx::sort_and_cumulative_test
