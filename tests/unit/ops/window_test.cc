// Windows: sizes, values and slopes in padding, crops, holes and narrow dtypes.
#include "calx/core/evaluator.h"
#include "calx/ops.h"
#include "calx/transforms/transforms.h"
#include "rules_testing.h"

namespace calx::window_test {
namespace {

using testing::kNaN;
using testing::values;
using Floats = std::vector<float>;

TEST(AvgPool, PaddingCountsOrNot) {
  const Tensor x = tensor({{2, 4, 6}, {8, 10, 12}});
  AvgPoolOptions options{.strides = {2, 2}, .padding_low = {1, 1}, .padding_high = {1, 0}};
  EXPECT_EQ(values(avg_pool(x, {2, 2}, options)), (Floats{0.5, 2.5, 2, 5.5}));
  options.count_include_pad = false;
  EXPECT_EQ(values(avg_pool(x, {2, 2}, options)), (Floats{2, 5, 8, 11}));
}

TEST(AvgPool, WindowsThatHoldNothing) {
  const Tensor x = tensor({1, 2});
  EXPECT_EQ(values(avg_pool(x, {2}, {.padding_low = {3}})), (Floats{0, 0, 0.5, 1.5}));
  const Floats means = values(avg_pool(x, {2}, {.padding_low = {3}, .count_include_pad = false}));
  EXPECT_TRUE(std::isnan(means[0]) && std::isnan(means[1]));
  EXPECT_EQ(means[2], 1);
  EXPECT_EQ(means[3], 1.5F);
  EXPECT_EQ(values(avg_pool(x, {3})), Floats{});
}

TEST(AvgPool, HolesAndCrops) {
  const Tensor x = tensor({4, 8, 12});
  // 4 . 8 . 12
  EXPECT_EQ(values(avg_pool(x, {2}, {.base_dilation = {2}})), (Floats{2, 4, 4, 6}));
  EXPECT_EQ(values(avg_pool(x, {2}, {.base_dilation = {2}, .count_include_pad = false})),
            (Floats{4, 8, 8, 12}));
  EXPECT_EQ(values(avg_pool(x, {2}, {.window_dilation = {2}})), (Floats{8}));
  EXPECT_EQ(values(avg_pool(x, {2}, {.padding_low = {-1}})), (Floats{10}));
}

TEST(AvgPool, NarrowFloatsAreSummedInF32) {
  // In f16 2048 + 1 is 2048 again.
  const Tensor x = core::convert(tensor({2048, 1, 1, 1}), f16);
  const Tensor mean = avg_pool(x, {4});
  EXPECT_EQ(mean.dtype(), f16);
  EXPECT_EQ(values(core::convert(mean, f32)), (Floats{513}));
}

TEST(AvgPool, SizesMayBeSymbols) {
  const Dim b = Dim::symbol("B"), h = Dim::symbol("H"), w = Dim::symbol("W");
  for (const bool counts_padding : {true, false}) {
    const Traced traced =
        trace_flat({{"x", {f32, Shape({b, 2 * h, w})}}}, [&](std::span<const Tensor> x) -> Tensors {
          return {avg_pool(x[0], {2, 2},
                           {.strides = {2, 1}, .padding_high = {0, 1}, .count_include_pad = counts_padding})};
        });
    EXPECT_EQ(traced.function.result_types()[0].to_string(), "f32[B,H,W]");
    const Function reverse = vjp(traced.function, {true});
    EXPECT_EQ(reverse.result_types()[1].to_string(), "f32[B,2*H,W]");
  }
}

TEST(Windows, SymbolicSizesTooSmallForOneGiveNone) {
  const Dim h = Dim::symbol("H");
  const std::vector<std::function<Tensor(const Tensor&)>> ops = {
      [](const Tensor& x) { return avg_pool(x, {3}, {.strides = {2}}); },
      [](const Tensor& x) { return max_pool(x, {3}, {.strides = {2}}); },
      [](const Tensor& x) { return reduce_window(x, {3}, {.strides = {2}}); },
      [](const Tensor& x) { return avg_pool(x, {2}, {.window_dilation = {2}}); },
      [](const Tensor& x) { return max_pool(x, {2}, {.window_dilation = {2}}); },
      [](const Tensor& x) { return core::convert(window_argmax(x, {3}), f32); }};
  for (const auto& op : ops) {
    const Function f =
        trace_flat({{"x", {f32, Shape({Dim(2), h})}}}, [&](std::span<const Tensor> x) -> Tensors { return {op(x[0])}; }).function;
    const Function reverse = vjp(f, {true});
    for (const std::int64_t size : {0, 1, 2, 3, 6}) {
      const Array x = core::full({f32, Shape({2, size})}, 1).value();
      const Tensor eager = op(Tensor(x));
      const Array value = default_evaluator().run(f, {x})[0];
      EXPECT_EQ(value, eager.value()) << size;
      EXPECT_EQ(value.num_elements() == 0, size < 3) << size;
      const std::vector<Array> slopes = default_evaluator().run(reverse, {x, core::full(eager.type(), 1).value()});
      EXPECT_EQ(slopes[1].sizes(), (std::vector<std::int64_t>{2, size}));
      if (size < 3) {
        EXPECT_EQ(slopes[1], core::full({f32, Shape({2, size})}, 0).value()) << size;
      }
    }
  }
}

}  // namespace
}  // namespace calx::window_test
