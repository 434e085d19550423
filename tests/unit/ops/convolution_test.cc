// conv_general and reduce_window: exact values, adjoints, and closure under transposition with symbolic
// sizes.
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "calx/core/core_ops.h"
#include "calx/core/trace.h"
#include "calx/interp/interpreter.h"
#include "calx/ops/contraction.h"
#include "ops_testing.h"

namespace calx::convolution_test {
namespace {

using Doubles = std::vector<double>;
using Floats = std::vector<float>;

struct Spatial {
  std::int64_t size, kernel, stride, low, high, lhs_dilation, rhs_dilation;
};

struct Case {
  std::vector<Spatial> axes;
  std::int64_t n = 2, in = 2, out = 2;  // of one group
  std::int64_t features = 1, batches = 1;

  [[nodiscard]] Attrs attrs() const {
    std::vector<std::int64_t> strides, lhs_dilation, rhs_dilation;
    std::vector<Dim> low, high;
    for (const Spatial& axis : axes) {
      strides.push_back(axis.stride);
      low.push_back(axis.low);
      high.push_back(axis.high);
      lhs_dilation.push_back(axis.lhs_dilation);
      rhs_dilation.push_back(axis.rhs_dilation);
    }
    return {{"strides", strides},           {"padding_low", low},           {"padding_high", high},
            {"lhs_dilation", lhs_dilation}, {"rhs_dilation", rhs_dilation}, {"feature_groups", Dim(features)},
            {"batch_groups", Dim(batches)}};
  }
  [[nodiscard]] std::vector<std::int64_t> lhs_sizes() const {
    std::vector<std::int64_t> sizes = {n * batches, in * features};
    for (const Spatial& axis : axes) sizes.push_back(axis.size);
    return sizes;
  }
  [[nodiscard]] std::vector<std::int64_t> rhs_sizes() const {
    std::vector<std::int64_t> sizes = {out * features * batches, in};
    for (const Spatial& axis : axes) sizes.push_back(axis.kernel);
    return sizes;
  }
};

// Strides that do not divide, more padding than kernel - 1, crops, holes, sizes below the kernel, empty ones.
std::vector<Case> cases() {
  return {
      {.axes = {{7, 3, 1, 0, 0, 1, 1}}},
      {.axes = {{8, 3, 2, 0, 0, 1, 1}}},
      {.axes = {{11, 3, 1, 4, 4, 1, 1}, {14, 3, 1, 4, 4, 1, 1}}, .n = 1, .in = 1},
      {.axes = {{9, 3, 3, 1, 2, 1, 2}, {6, 2, 2, -1, 3, 1, 1}}, .in = 3},
      {.axes = {{4, 3, 2, 5, -2, 3, 2}, {5, 2, 3, -2, 4, 2, 1}}},
      {.axes = {{9, 3, 2, 1, 1, 1, 1}}, .features = 3},
      {.axes = {{9, 3, 2, 1, 1, 1, 1}}, .in = 1, .out = 1, .features = 4},
      {.axes = {{7, 2, 2, 3, 0, 2, 2}}, .batches = 3},
      {.axes = {{16, 16, 16, 0, 0, 1, 1}}},
      {.axes = {{10, 7, 2, 3, 3, 1, 1}}},
      {.axes = {}},
      {.axes = {}, .features = 2},
      {.axes = {{2, 3, 1, 0, 0, 1, 1}}},
      {.axes = {{3, 1, 2, 0, 0, 1, 1}, {4, 1, 2, 0, 0, 1, 1}}, .features = 2},
      {.axes = {{0, 2, 1, 2, 2, 1, 1}}},
      {.axes = {{5, 2, 2, 0, 0, 1, 1}}, .n = 0},
      {.axes = {{4, 2, 2, 0, 1, 1, 1}, {3, 2, 1, 1, 0, 2, 1}, {4, 2, 1, 0, 0, 1, 2}}, .in = 1},
  };
}

/// The definition, element by element.
Doubles convolve_plainly(const Case& c, const Doubles& lhs, const Doubles& rhs,
                         const std::vector<std::int64_t>& sizes) {
  const std::size_t rank = c.axes.size();
  std::vector<std::int64_t> taps;
  for (const Spatial& axis : c.axes) taps.push_back(axis.kernel);
  const std::vector<std::int64_t> lhs_strides = row_major_strides(c.lhs_sizes());
  const std::vector<std::int64_t> rhs_strides = row_major_strides(c.rhs_sizes());
  Doubles out;
  testing::for_each(sizes, [&](const std::vector<std::int64_t>& at) {
    const std::int64_t group = at[1] / c.out;
    double sum = 0;
    for (std::int64_t i = 0; i < c.in; ++i) {
      testing::for_each(taps, [&](const std::vector<std::int64_t>& tap) {
        const std::int64_t image = c.batches > 1 ? group * c.n + at[0] : at[0];
        const std::int64_t channel = c.features > 1 ? group * c.in + i : i;
        std::int64_t from = image * lhs_strides[0] + channel * lhs_strides[1];
        std::int64_t weight = at[1] * rhs_strides[0] + i * rhs_strides[1];
        for (std::size_t a = 0; a < rank; ++a) {
          const Spatial& axis = c.axes[a];
          const std::int64_t spread = at[a + 2] * axis.stride + tap[a] * axis.rhs_dilation - axis.low;
          if (spread < 0 || spread % axis.lhs_dilation != 0 || spread / axis.lhs_dilation >= axis.size)
            return;
          from += spread / axis.lhs_dilation * lhs_strides[a + 2];
          weight += tap[a] * rhs_strides[a + 2];
        }
        sum += lhs[static_cast<std::size_t>(from)] * rhs[static_cast<std::size_t>(weight)];
      });
    }
    out.push_back(sum);
  });
  return out;
}

const OpDef& convolution() { return get_op("conv_general"); }

TEST(ConvGeneral, FollowsItsDefinitionAndIsAdjoint) {
  std::mt19937 random(7);
  int number = 0;
  for (const Case& c : cases()) {
    SCOPED_TRACE(number++);
    const Tensor lhs = testing::small_integers(random, c.lhs_sizes());
    const Tensor rhs = testing::small_integers(random, c.rhs_sizes());
    const Tensor y = apply_one(convolution(), {lhs, rhs}, c.attrs());
    const std::vector<std::int64_t> sizes = y.shape().sizes();
    EXPECT_EQ(y.to_vector<double>(),
              convolve_plainly(c, lhs.to_vector<double>(), rhs.to_vector<double>(), sizes));
    const Tensor ct = testing::small_integers(random, sizes);
    const double expected = testing::inner(y, ct);
    for (int group : {0, 1}) {
      const Tensor back = testing::transpose_rule(convolution(), {lhs, rhs}, c.attrs(), group, ct);
      EXPECT_EQ(back.type(), (group == 0 ? lhs : rhs).type());
      EXPECT_EQ(testing::inner(back, group == 0 ? lhs : rhs), expected) << "group " << group;
    }
  }
}

TEST(ConvGeneral, BatchesAsStackingDoes) {
  std::mt19937 random(8);
  int number = 0;
  for (const Case& c : cases()) {
    for (const std::int64_t size : {0, 1, 3}) {
      for (const auto& [left, right] :
           {std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
        SCOPED_TRACE(std::to_string(number) + " size " + std::to_string(size) + (left ? " lhs" : "") +
                     (right ? " rhs" : ""));
        std::vector<Tensor> lanes[2];
        for (int i : {0, 1}) {
          const std::vector<std::int64_t> sizes = i == 0 ? c.lhs_sizes() : c.rhs_sizes();
          const bool batched = i == 0 ? left : right;
          for (std::int64_t lane = 0; lane < (batched ? size : 1); ++lane) {
            lanes[i].push_back(testing::small_integers(random, sizes));
          }
          if (lanes[i].empty()) lanes[i].push_back(testing::small_integers(random, sizes));
        }
        Doubles expected;
        Type lane_type;
        for (std::int64_t lane = 0; lane < std::max<std::int64_t>(size, 1); ++lane) {
          const auto pick = [&](int i) {
            return lanes[i][std::min<std::size_t>(static_cast<std::size_t>(lane), lanes[i].size() - 1)];
          };
          const Tensor y = apply_one(convolution(), {pick(0), pick(1)}, c.attrs());
          lane_type = y.type();
          if (lane < size) {
            for (double value : y.to_vector<double>()) expected.push_back(value);
          }
        }
        const Tensor y = testing::batch_rule(
            convolution(),
            {testing::stack(lanes[0], left ? size : -1), testing::stack(lanes[1], right ? size : -1)},
            {left, right}, c.attrs(), size);
        EXPECT_EQ(y.type(), lane_type.with_shape(lane_type.shape.with_inserted(0, size)));
        EXPECT_EQ(y.to_vector<double>(), expected);
      }
    }
    ++number;
  }
}

/// Every transpose of every convolution in f, `depth` times over: types are given back as they were.
void expect_closed(const OpDef& op, const std::vector<Type>& types, const Attrs& attrs, int depth) {
  if (depth == 0) return;
  Attrs complete = attrs;
  const Type result = infer_types(op, types, complete, {}).front();
  const int groups = static_cast<int>(types.size());
  for (int group = 0; group < groups; ++group) {
    std::vector<Argument> arguments;
    for (const Type& type : types) arguments.push_back({"x" + std::to_string(arguments.size()), type});
    arguments.push_back({"ct", result});
    const Traced traced = trace_flat(arguments, [&](std::span<const Tensor> x) {
      const Tensor back =
          testing::transpose_rule(op, Tensors(x.begin(), x.end() - 1), complete, group, x.back());
      EXPECT_EQ(proven_equal(back.shape(), types[static_cast<std::size_t>(group)].shape), Proof::yes)
          << back.type().to_string() << " and " << types[static_cast<std::size_t>(group)].to_string();
      return Tensors{back};
    });
    for (const Equation& equation : traced.function.equations()) {
      if (equation.op != &op) continue;
      std::vector<Type> inner;
      for (const ValueId operand : equation.operands) inner.push_back(traced.function.type(operand));
      expect_closed(op, inner, equation.attrs, depth - 1);
    }
  }
}

TEST(ConvGeneral, IsClosedUnderTranspositionWithSymbolicSizes) {
  const Dim symbols[] = {Dim::symbol("H"), Dim::symbol("W"), Dim::symbol("D")};
  for (const Case& c : cases()) {
    std::vector<Dim> lhs = {Dim::symbol("N") * c.batches, Dim(c.in * c.features)};
    std::vector<Dim> rhs = {Dim(c.out * c.features * c.batches), Dim(c.in)};
    for (std::size_t a = 0; a < c.axes.size(); ++a) {
      lhs.push_back(symbols[a]);
      rhs.push_back(c.axes[a].kernel);
    }
    expect_closed(convolution(), {{f32, Shape(lhs)}, {f32, Shape(rhs)}}, c.attrs(), 4);
    // Symbolic kernels and symbolic groups as well.
    for (std::size_t a = 0; a < c.axes.size(); ++a) rhs[a + 2] = Dim::symbol("K" + std::to_string(a));
    expect_closed(convolution(), {{f32, Shape(lhs)}, {f32, Shape(rhs)}}, c.attrs(), 3);
    // Sizes that are not known to be 0 or more.
    for (std::size_t a = 0; a < c.axes.size(); ++a) {
      lhs[a + 2] -= 3;
      rhs[a + 2] -= 2;
    }
    expect_closed(convolution(), {{f32, Shape(lhs)}, {f32, Shape(rhs)}}, c.attrs(), 2);
  }
  const Dim channels = Dim::symbol("C");
  expect_closed(convolution(), {{f32, {2, channels, Dim::symbol("H")}}, {f32, {channels, 1, 3}}},
                {{"strides", std::vector<std::int64_t>{2}}, {"feature_groups", channels}}, 4);
}

TEST(ConvGeneral, PaddingContributesNothingToInfiniteKernels) {
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor x = tensor(Floats{1, 2, 3}, {1, 1, 3});
  const Tensor w = tensor(Floats{inf, 1, 1}, {1, 1, 3});
  const Tensor y = conv(x, w, {.padding = "same"});
  EXPECT_EQ(y.to_vector<float>(), (Floats{3, inf, inf}));
  EXPECT_FALSE(
      std::signbit(conv(tensor(Floats{-0.0F}, {1, 1, 1}), tensor(Floats{1}, {1, 1, 1})).item<float>()));
}

TEST(ConvGeneral, LongSumsKeepTheirOrder) {
  // 2,000 products cross a block: chains of 1,024, then their sum.
  const std::int64_t k = 2000;
  Floats a, b;
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  for (std::int64_t i = 0; i < k; ++i) {
    a.push_back(normal(random));
    b.push_back(normal(random));
  }
  float total = 0;
  for (std::int64_t first = 0; first < k; first += 1024) {
    float chain = 0;
    for (std::int64_t i = first; i < std::min(k, first + 1024); ++i) {
      chain = std::fma(a[static_cast<std::size_t>(i)], b[static_cast<std::size_t>(i)], chain);
    }
    total += chain;
  }
  EXPECT_EQ(conv(tensor(a, {1, 20, 100}), tensor(b, {1, 20, 100})).item<float>(), total);
  EXPECT_EQ(matmul(tensor(a, {k}), tensor(b, {k})).item<float>(), total);
}

TEST(Conv, PadsByName) {
  const Tensor x = tensor(Floats{1, 2, 3, 4, 5}, {1, 1, 5});
  const Tensor w = tensor(Floats{1, 10, 100}, {1, 1, 3});
  EXPECT_EQ(conv(x, w).to_vector<float>(), (Floats{321, 432, 543}));
  EXPECT_EQ(conv(x, w, {.padding = "same"}).to_vector<float>(), (Floats{210, 321, 432, 543, 54}));
  EXPECT_EQ(conv(x, w, {.strides = {2}, .padding = "same"}).to_vector<float>(), (Floats{210, 432, 54}));
  EXPECT_EQ(conv(x, w, {.padding = 1}).to_vector<float>(), (Floats{210, 321, 432, 543, 54}));
  EXPECT_EQ(conv(x, w, {.padding = std::vector<std::pair<Dim, Dim>>{{0, 2}}}).to_vector<float>(),
            (Floats{321, 432, 543, 54, 5}));
  EXPECT_EQ(conv(x, w, {.dilation = {2}}).to_vector<float>(), Floats{531});
  EXPECT_THROW(static_cast<void>(conv(x, w, {.padding = "full"})), Error);
}

TEST(Conv, TellsErrorsInTheUsersTerms) {
  const Tensor x = core::zeros({f32, {1, 3, 8, 8}});
  try {
    static_cast<void>(conv(x, core::zeros({f32, {4, 2, 3, 3}})));
    FAIL();
  } catch (const ShapeError& error) {
    EXPECT_EQ(error.id(), ErrorId::contracted_size);
    EXPECT_EQ(error.message(),
              "`x` f32[1,3,8,8] has 3 channels, but `w` f32[4,2,3,3] takes 2 with 1 group(s)");
    EXPECT_EQ(error.op(), "conv");
  }
  EXPECT_THROW(static_cast<void>(conv(x, core::zeros({f32, {4, 3, 3}}))), ShapeError);
}

TEST(ReduceWindow, SumsWindowsAndIsAdjoint) {
  const OpDef& op = get_op("reduce_window");
  std::mt19937 random(9);
  int number = 0;
  for (const Case& c : cases()) {
    SCOPED_TRACE(number++);
    if (c.features != 1 || c.batches != 1) continue;
    Attrs attrs;
    const Attrs all = c.attrs();
    std::vector<Dim> window;
    for (const Spatial& axis : c.axes) window.push_back(axis.kernel);
    attrs.set_value("window", window);
    attrs.set_value("strides", *all.find("strides"));
    attrs.set_value("padding_low", *all.find("padding_low"));
    attrs.set_value("padding_high", *all.find("padding_high"));
    attrs.set_value("base_dilation", *all.find("lhs_dilation"));
    attrs.set_value("window_dilation", *all.find("rhs_dilation"));
    const Tensor x = testing::small_integers(random, c.lhs_sizes());
    const Tensor y = apply_one(op, {x}, attrs);
    // The same sums as a depthwise convolution with ones.
    Case depthwise = c;
    depthwise.features = c.in;
    depthwise.in = depthwise.out = 1;
    const Tensor ones = core::ones({f64, Shape::of(depthwise.rhs_sizes())});
    EXPECT_EQ(y.to_vector<double>(),
              apply_one(convolution(), {x, ones}, depthwise.attrs()).to_vector<double>());
    const Tensor ct = testing::small_integers(random, y.shape().sizes());
    const Tensor back = testing::transpose_rule(op, {x}, attrs, 0, ct);
    EXPECT_EQ(back.type(), x.type());
    EXPECT_EQ(testing::inner(back, x), testing::inner(y, ct));
    std::vector<Dim> symbolic = {Dim::symbol("N"), Dim(2)};
    for (std::size_t a = 0; a < c.axes.size(); ++a) symbolic.push_back(Dim::symbol("H" + std::to_string(a)));
    expect_closed(op, {{f32, Shape(symbolic)}}, attrs, 4);
    // Sizes that are not known to be 0 or more.
    for (std::size_t a = 0; a < c.axes.size(); ++a) symbolic[a + 2] -= 3;
    expect_closed(op, {{f32, Shape(symbolic)}}, attrs, 3);
  }
}

TEST(ReduceWindow, AWindowOutsideGivesPositiveZero) {
  const Tensor y = apply_one(get_op("reduce_window"), {tensor(Floats{-0.0F}, {1})},
                             {{"window", std::vector<Dim>{1}}, {"padding_high", std::vector<Dim>{1}}});
  EXPECT_TRUE(std::signbit(y.to_vector<float>()[0]));
  EXPECT_FALSE(std::signbit(y.to_vector<float>()[1]));
}

}  // namespace
}  // namespace calx::convolution_test
