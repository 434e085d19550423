// Public bug reports against contractions, convolutions and attention of other systems, replayed.
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "calx/core/core_ops.h"
#include "calx/core/trace.h"
#include "calx/ops/contraction.h"
#include "calx/ops/enums.h"
#include "calx/transforms/transforms.h"

namespace calx::contraction_cases_test {
namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

template <class T>
std::vector<T> draw(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<T> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<T>(normal(random)));
  return values;
}

Tensor attend(Tensors operands, Attrs attrs = {}) {
  return apply_one(get_op("attention"), std::move(operands), std::move(attrs));
}

Attrs causal(AttentionAlignment alignment) {
  return {{"causal", true}, {"alignment", static_cast<std::int64_t>(alignment)}};
}

/// Value of f's derivatives 0.. at t.
Doubles derivatives(double t, int order, const std::function<Tensor(const Tensor&)>& f) {
  Function g =
      trace_flat({{"t", {f64, {}}}}, [&](std::span<const Tensor> x) { return Tensors{f(x[0])}; }).function;
  Doubles values = {inline_function(g, std::vector<Tensor>{scalar(t)})[0].item<double>()};
  for (int i = 0; i < order; ++i) {
    const Function slope = jvp(g, {true});
    g = trace_flat({{"t", {f64, {}}}}, [&](std::span<const Tensor> x) {
          return Tensors{inline_function(slope, std::vector<Tensor>{x[0], scalar(1.0)})[1]};
        }).function;
    values.push_back(inline_function(g, std::vector<Tensor>{scalar(t)})[0].item<double>());
  }
  return values;
}

/// f's cotangents for a cotangent of its first result.
Tensors pull(const Tensors& operands, const Tensor& ct,
             const std::function<Tensor(std::span<const Tensor>)>& f) {
  std::vector<Argument> arguments;
  for (const Tensor& operand : operands)
    arguments.push_back({"x" + std::to_string(arguments.size()), operand.type()});
  const Function g = trace_flat(arguments, [&](std::span<const Tensor> x) { return Tensors{f(x)}; }).function;
  Tensors given = operands;
  given.push_back(ct);
  Tensors results = inline_function(vjp(g, std::vector<bool>(operands.size(), true)), given);
  results.erase(results.begin());
  return results;
}

TEST(Cases, B28_AttentionHasThirdDerivatives) {
  const Doubles d = derivatives(0.7, 3, [](const Tensor& t) {
    const Tensor indices = core::iota({1, 1, 2, 1}, 2);
    const Tensor is_first = core::compare(indices, core::zeros(indices.type()), Comparison::eq);
    const Tensor keys =
        core::select(is_first, core::expand(t, {1, 1, 2, 1}, {}), core::zeros({f64, {1, 1, 2, 1}}));
    const Tensor values = core::convert(is_first, f64);
    return core::reshape(attend({core::ones({f64, {1, 1, 1, 1}}), keys, values}, {{"scale", 1.0}}), {});
  });
  const double y = 1 / (1 + std::exp(-0.7));
  EXPECT_NEAR(d[0], y, 1e-15);
  EXPECT_NEAR(d[1], y * (1 - y), 1e-15);
  EXPECT_NEAR(d[2], -.07457878844034181, 1e-15);
  EXPECT_NEAR(d[3], -.07322671581020832, 1e-15);
}

TEST(Cases, B41_GroupedStridedConvolutionGradient) {
  struct Shape4 {
    std::int64_t channels, size, kernel;
  };
  for (const Shape4& s : {Shape4{4, 9, 3}, Shape4{3, 13, 7}, Shape4{4, 8, 1}}) {
    const std::int64_t pad = s.kernel / 2;
    const std::int64_t outputs = (s.size + 2 * pad - s.kernel) / 2 + 1;
    const Floats x = draw<float>(2 * s.channels * s.size * s.size, 1);
    const Floats w = draw<float>(s.channels * s.kernel * s.kernel, 2);
    const Floats ct = draw<float>(2 * s.channels * outputs * outputs, 3);
    const Tensors back =
        pull({tensor(x, {2, s.channels, s.size, s.size}), tensor(w, {s.channels, 1, s.kernel, s.kernel})},
             tensor(ct, {2, s.channels, outputs, outputs}), [&](std::span<const Tensor> a) {
               return conv(a[0], a[1], {.strides = {2}, .padding = pad, .groups = s.channels});
             });
    Doubles expected(x.size(), 0);
    for (std::int64_t plane = 0; plane < 2 * s.channels; ++plane) {
      for (std::int64_t i = 0; i < outputs * outputs; ++i) {
        for (std::int64_t k = 0; k < s.kernel * s.kernel; ++k) {
          const std::int64_t row = i / outputs * 2 + k / s.kernel - pad;
          const std::int64_t column = i % outputs * 2 + k % s.kernel - pad;
          if (row < 0 || column < 0 || row >= s.size || column >= s.size) continue;
          expected[static_cast<std::size_t>((plane * s.size + row) * s.size + column)] +=
              static_cast<double>(ct[static_cast<std::size_t>(plane * outputs * outputs + i)]) *
              static_cast<double>(w[static_cast<std::size_t>(plane % s.channels * s.kernel * s.kernel + k)]);
        }
      }
    }
    const Floats got = back[0].to_vector<float>();
    for (std::size_t i = 0; i < got.size(); ++i)
      EXPECT_NEAR(static_cast<double>(got[i]), expected[i], 1e-5) << s.kernel;
  }
}

TEST(Cases, B43_PaddingBeyondTheKernelAndLargeStridesHaveGradients) {
  struct Setting {
    std::int64_t height, width, kernel, stride, padding, out_height, out_width;
  };
  for (const Setting& s :
       {Setting{11, 14, 3, 1, 4, 17, 20}, Setting{32, 32, 16, 16, 0, 2, 2}, Setting{15, 15, 7, 2, 3, 8, 8}}) {
    const Tensor x = tensor(draw<double>(2 * s.height * s.width, 4), {1, 2, s.height, s.width});
    const Tensor w = tensor(draw<double>(6 * s.kernel * s.kernel, 5), {3, 2, s.kernel, s.kernel});
    const auto f = [&](std::span<const Tensor> a) {
      return conv(a[0], a[1], {.strides = {s.stride}, .padding = s.padding});
    };
    const Tensor y = f(Tensors{x, w});
    EXPECT_EQ(y.shape(), (Shape{1, 3, s.out_height, s.out_width}));
    const Tensors back = pull({x, w}, y, f);
    // Bilinear: both pairings are the squared norm of y.
    const auto inner = [](const Tensor& a, const Tensor& b) {
      return core::reduce_sum(core::mul(a, b), {0, 1, 2, 3}).item<double>();
    };
    EXPECT_NEAR(inner(back[0], x), inner(y, y), 1e-9 * inner(y, y));
    EXPECT_NEAR(inner(back[1], w), inner(y, y), 1e-9 * inner(y, y));
  }
}

TEST(Cases, B77_NarrowMatmulKeepsItsDType) {
  const Tensor y = matmul(core::ones({i8, {1, 1, 2}}), core::ones({i8, {1, 2, 2}}));
  EXPECT_EQ(y.type().to_string(), "i8[1,1,2]");
  EXPECT_EQ(y.to_vector<std::int8_t>(), (std::vector<std::int8_t>{2, 2}));
}

TEST(Cases, B80_RowsWithoutKeysAreZeroWithZeroGradients) {
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor q = tensor(draw<float>(4, 1), {1, 1, 2, 2});
  const Tensor k = tensor(draw<float>(4, 2), {1, 1, 2, 2});
  const Tensor v = tensor(draw<float>(4, 3), {1, 1, 2, 2});
  const Tensor only_empty_row = tensor(Floats{1, 1, 0, 0}, {1, 1, 2, 2});
  const Tensor boolean_mask = core::convert(tensor(Floats{0, 0, 1, 1}, {2, 2}), boolean);
  for (const Tensor& mask : {boolean_mask, tensor(Floats{-inf, -inf, 0, 0}, {2, 2})}) {
    const auto f = [&](std::span<const Tensor> a) { return attend({a[0], a[1], a[2], mask}); };
    const Floats y = f(Tensors{q, k, v}).to_vector<float>();
    EXPECT_EQ(y[0], 0);
    EXPECT_EQ(y[1], 0);
    EXPECT_TRUE(std::isfinite(y[2]));
    for (const Tensor& gradient : pull({q, k, v}, only_empty_row, f))
      EXPECT_EQ(gradient.to_vector<float>(), (Floats{0, 0, 0, 0}));
  }
  const float lowest = std::numeric_limits<float>::lowest();
  const Floats y = attend({q, k, v, tensor(Floats{lowest, lowest, 0, 0}, {2, 2})}).to_vector<float>();
  const Floats values = v.to_vector<float>();
  EXPECT_FLOAT_EQ(y[0], (values[0] + values[2]) / 2);
  EXPECT_FLOAT_EQ(y[1], (values[1] + values[3]) / 2);
}

TEST(Cases, B82_CausalAlignmentIsSaid) {
  // Values are one-hot and scores are equal, so a row lists the keys that it attends.
  const auto rows = [](std::int64_t queries, std::int64_t keys, AttentionAlignment alignment) {
    const Tensor values = core::convert(
        core::compare(core::iota({keys, keys}, 0), core::iota({keys, keys}, 1), Comparison::eq), f32);
    const Tensor y = attend({core::zeros({f32, {1, 1, queries, 1}}), core::zeros({f32, {1, 1, keys, 1}}),
                             core::reshape(values, {1, 1, keys, keys})},
                            causal(alignment));
    std::vector<std::vector<int>> attended(static_cast<std::size_t>(queries));
    const Floats weights = y.to_vector<float>();
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] > 0)
        attended[i / static_cast<std::size_t>(keys)].push_back(
            static_cast<int>(i % static_cast<std::size_t>(keys)));
    }
    return attended;
  };
  using Rows = std::vector<std::vector<int>>;
  EXPECT_EQ(rows(2, 5, AttentionAlignment::top_left), (Rows{{0}, {0, 1}}));
  EXPECT_EQ(rows(2, 5, AttentionAlignment::bottom_right), (Rows{{0, 1, 2, 3}, {0, 1, 2, 3, 4}}));
  EXPECT_EQ(rows(5, 2, AttentionAlignment::bottom_right), (Rows{{}, {}, {}, {0}, {0, 1}}));
  EXPECT_THROW(static_cast<void>(attend({core::zeros({f32, {1, 1, 5, 1}}), core::zeros({f32, {1, 1, 2, 1}}),
                                         core::zeros({f32, {1, 1, 2, 1}})},
                                        {{"causal", true}})),
               Error);
}

TEST(Cases, B83_ACausalMaskAndABooleanMaskIntersect) {
  const Tensor values = tensor(Floats{1, 10, 100, 1000}, {1, 1, 4, 1});
  const Tensor q = core::zeros({f32, {1, 1, 1, 1}});
  const Tensor k = core::zeros({f32, {1, 1, 4, 1}});
  EXPECT_EQ(attend({q, k, values}, causal(AttentionAlignment::bottom_right)).item<float>(), 1111.0F / 4);
  EXPECT_EQ(attend({q, k, values}, causal(AttentionAlignment::top_left)).item<float>(), 1);
  const Tensor mask = core::convert(tensor(Floats{0, 1, 0, 1}, {1, 4}), boolean);
  EXPECT_EQ(attend({q, k, values, mask}, causal(AttentionAlignment::bottom_right)).item<float>(), 505);
  EXPECT_EQ(attend({q, k, values, mask}, causal(AttentionAlignment::top_left)).item<float>(), 0);
}

TEST(Cases, B86_GroupedHeadsRepeatAndSumTheirGradients) {
  const auto grouped = [](std::span<const Tensor> a) { return attend({a[0], a[1], a[2]}); };
  for (const auto& [heads, kv] : {std::pair<std::int64_t, std::int64_t>(4, 2), {6, 2}}) {
    const std::int64_t group = heads / kv;
    const Tensor q = tensor(draw<double>(heads * 3 * 2, 1), {1, heads, 3, 2});
    const Tensor k = tensor(draw<double>(kv * 4 * 2, 2), {1, kv, 4, 2});
    const Tensor v = tensor(draw<double>(kv * 4 * 2, 3), {1, kv, 4, 2});
    const Tensor ct = tensor(draw<double>(heads * 3 * 2, 4), {1, heads, 3, 2});
    const auto repeated = [&](const Tensor& x) {
      return core::reshape(core::expand(x, {1, kv, group, 4, 2}, {0, 1, 3, 4}), {1, heads, 4, 2});
    };
    const Tensors one = pull({q, k, v}, ct, grouped);
    const Tensors other = pull({q, k, v}, ct, [&](std::span<const Tensor> a) {
      return attend({a[0], repeated(a[1]), repeated(a[2])});
    });
    const Doubles y = grouped(Tensors{q, k, v}).to_vector<double>();
    const Doubles z = attend({q, repeated(k), repeated(v)}).to_vector<double>();
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], z[i], 1e-14);
    for (std::size_t j = 0; j < 3; ++j) {
      const Doubles a = one[j].to_vector<double>();
      const Doubles b = other[j].to_vector<double>();
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-13);
    }
  }
}

}  // namespace
}  // namespace calx::contraction_cases_test
