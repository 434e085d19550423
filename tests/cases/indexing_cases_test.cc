// Public reports about gather, scatter, sort, pooling, slices and running products, replayed by their ids.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

#include "calx/core/core_ops.h"
#include "calx/core/trace.h"
#include "calx/interp/interpreter.h"
#include "calx/ops.h"
#include "calx/transforms/transforms.h"

namespace calx::indexing_cases_test {
namespace {

using Floats = std::vector<float>;
using Scalarish = std::function<Tensor(const Tensor&)>;

Function traced(const Scalarish& f, const Type& type) {
  return trace_flat({{"x", type}}, [&](std::span<const Tensor> x) { return Tensors{f(x[0])}; }).function;
}

Floats floats(const Array& array) { return {array.values<float>().begin(), array.values<float>().end()}; }

/// The gradient of a scalar function.
Floats gradient(const Scalarish& f, const Tensor& x) {
  const Function pullback = vjp(traced(f, x.type()), {true});
  return floats(Interpreter().run(pullback, {x.value(), Array::scalar(1.0f)}).back());
}

/// Row i: the derivative of the gradient along unit vector i, forward over reverse.
std::vector<Floats> hessian(const Scalarish& f, const Tensor& x) {
  const Function pushed = jvp(vjp(traced(f, x.type()), {true}), {true, false});
  const std::int64_t n = x.value().num_elements();
  std::vector<Floats> rows;
  for (std::int64_t i = 0; i < n; ++i) {
    Floats direction(static_cast<std::size_t>(n), 0.0f);
    direction[static_cast<std::size_t>(i)] = 1;
    const std::vector<Array> results = Interpreter().run(
        pushed, {x.value(), Array::scalar(1.0f), Array::from(x.value().sizes(), direction)});
    rows.push_back(floats(results.back()));
  }
  return rows;
}

Tensor total(const Tensor& x) {
  std::vector<std::int64_t> axes;
  for (int axis = 0; axis < x.rank(); ++axis) axes.push_back(axis);
  return core::reduce_sum(x, axes);
}

Tensor squared_sum(const Tensor& x) { return total(core::mul(x, x)); }

TEST(Cases, B14) {
  EXPECT_EQ(gradient([](const Tensor& x) { return total(cumprod(x)); }, tensor({2, 0, 3, 4})),
            (Floats{1, 32, 0, 0}));
}

TEST(Cases, B16) {
  const Scalarish f = [](const Tensor& x) { return squared_sum(cumprod(x)); };
  EXPECT_EQ(gradient(f, tensor({1, 0})), (Floats{2, 0}));
  EXPECT_EQ(gradient(f, tensor({1, 2})), (Floats{10, 4}));
}

TEST(Cases, B25) {
  const Tensor x = tensor({3, 1, 2});
  EXPECT_EQ(hessian([](const Tensor& v) { return squared_sum(sort({v})[0]); }, x),
            (std::vector<Floats>{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}));
  EXPECT_EQ(hessian([](const Tensor& v) { return squared_sum(top_k(v, 2).values); }, x),
            (std::vector<Floats>{{2, 0, 0}, {0, 0, 0}, {0, 0, 2}}));
  EXPECT_EQ(hessian([](const Tensor& v) { return squared_sum(cummax(v)); }, x),
            (std::vector<Floats>{{6, 0, 0}, {0, 0, 0}, {0, 0, 0}}));
}

TEST(Cases, B35) {
  const Tensor x = tensor({10, 20, 30});
  const Tensor five = tensor<std::int32_t>({5});
  const auto reader = [&](OutOfRange mode, std::optional<double> fill) {
    return [=](const Tensor& v) { return total(take(v, five, {.mode = mode, .fill_value = fill})); };
  };
  EXPECT_EQ(reader(OutOfRange::clip, {})(x).item<float>(), 30);
  EXPECT_TRUE(std::isnan(reader(OutOfRange::fill, {})(x).item<float>()));
  EXPECT_EQ(reader(OutOfRange::fill, 0.0)(x).item<float>(), 0);
  EXPECT_THROW(static_cast<void>(reader(OutOfRange::error, {})(x).item<float>()), IndexError);
  EXPECT_EQ(gradient(reader(OutOfRange::clip, {}), x), (Floats{0, 0, 1}));
  EXPECT_EQ(gradient(reader(OutOfRange::fill, {}), x), (Floats{0, 0, 0}));
  const auto added = [&](IndexMode mode) {
    return scatter_add(x, five, tensor({1}), 1,
                       {.inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0}, .mode = mode})
        .to_vector<float>();
  };
  EXPECT_EQ(added(IndexMode::clip), (Floats{10, 20, 31}));
  EXPECT_EQ(added(IndexMode::fill), (Floats{10, 20, 30}));
}

TEST(Cases, B37) {
  const Tensor x = tensor({5, 3, 1, 2, 5});
  const Scalarish f = [](const Tensor& v) { return total(max_pool(v, {2})); };
  EXPECT_EQ(f(x).item<float>(), 15);
  EXPECT_EQ(gradient(f, x), (Floats{1, 1, 0, 1, 1}));
}

TEST(Cases, B38) {
  Floats cells(24);
  for (int i = 0; i < 24; ++i) cells[static_cast<std::size_t>(i)] = static_cast<float>(i + 1);
  cells[7] = 88;
  const Floats g = gradient(
      [](const Tensor& v) {
        return total(max_pool(v, {3, 3}, {.strides = {2, 2}, .padding_low = {1, 1}, .padding_high = {1, 1}}));
      },
      tensor(cells, {4, 6}));
  EXPECT_EQ(g[7], 4);
  EXPECT_EQ(std::accumulate(g.begin(), g.end(), 0.0f), 6);
}

TEST(Cases, B40) {
  const Tensor x = tensor({5, 3, 1, 2, 5});
  const std::vector<Floats> h = hessian([](const Tensor& v) { return squared_sum(max_pool(v, {2})); }, x);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(h[i][j], i == j && i != 2 ? 2 : 0) << i << ", " << j;
  }
}

TEST(Cases, B59) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> draw;
  std::vector<bfloat16_t> x;
  for (int i = 0; i < 10000; ++i) x.push_back(convert_element<bfloat16_t>(draw(random)));
  const std::vector<bfloat16_t> sums = cumsum(tensor(x, {10000})).to_vector<bfloat16_t>();
  double exact = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    exact += static_cast<double>(static_cast<float>(x[i]));
    const double ulp = std::max(std::abs(exact), 1e-3) / 128;
    EXPECT_NEAR(static_cast<double>(static_cast<float>(sums[i])), exact, ulp) << i;
  }
}

TEST(Cases, B91) {
  const auto step = [](const Tensor& x, std::int64_t by) {
    return slice(x, {0}, {x.shape()[0]}, {.stride = {by}});
  };
  EXPECT_EQ(step(tensor({7, 8, 9}), 1000000000).to_vector<float>(), (Floats{7}));
  EXPECT_EQ(step(tensor(Floats{}, {0}), 1000000000).to_vector<float>(), (Floats{}));
  EXPECT_EQ(step(tensor({7, 8, 9}), std::numeric_limits<std::int64_t>::max()).to_vector<float>(),
            (Floats{7}));
}

TEST(Cases, B104) {
  // Labels that are ignored are outside; they are read nowhere and get no gradient.
  const Tensor labels = tensor<std::int32_t>({1, -100}, {2, 1});
  const Scalarish f = [&](const Tensor& v) {
    return total(take_along_axis(v, labels, {.axis = 1, .mode = OutOfRange::fill, .fill_value = 0.0}));
  };
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(f(x).item<float>(), 2);
  EXPECT_EQ(gradient(f, x), (Floats{0, 1, 0, 0, 0, 0}));
}

TEST(Cases, B128) {
  std::mt19937_64 random(3);
  std::normal_distribution<float> draw;
  Floats updates(100000);
  std::vector<std::int32_t> cells(updates.size());
  Floats expected(100, 0.0f);
  for (std::size_t i = 0; i < updates.size(); ++i) {
    updates[i] = draw(random);
    cells[i] = static_cast<std::int32_t>(random() % 100);
    expected[static_cast<std::size_t>(cells[i])] += updates[i];
  }
  const std::vector<std::int64_t> n = {static_cast<std::int64_t>(updates.size())};
  for (int run = 0; run < 3; ++run) {
    EXPECT_EQ(scatter_add(core::zeros({f32, {100}}), tensor(cells, n), tensor(updates, n), 1,
                          {.inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0}})
                  .to_vector<float>(),
              expected);
  }
}

TEST(Cases, B131) {
  // The median of an even count takes half of each of the two middle elements of the stable order.
  const Scalarish median = [](const Tensor& v) {
    return total(core::mul(slice(sort({v})[0], {1}, {3}), core::full({f32, {2}}, 0.5)));
  };
  EXPECT_EQ(gradient(median, tensor({1, 2, 2, 3})), (Floats{0, 0.5, 0.5, 0}));
  EXPECT_EQ(gradient(median, tensor({2, 2, 2, 2})), (Floats{0, 0.5, 0.5, 0}));
}

}  // namespace
}  // namespace calx::indexing_cases_test
