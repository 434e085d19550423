// Ops over windows: exact values and slopes in padding, crops, holes and narrow dtypes; sizes that are symbols, too small, 0
// and dilated; the dtype of positions.
#include "_index_dtype.h"
#include "calx/jit/jit.h"
#include "calx/ops.h"
#include "calx/transforms/transforms.h"
#include "rules_testing.h"
#include "window/_support.h"

namespace calx::window_test {
namespace {

using namespace ops::windows;
using testing::kInf;
using testing::kNaN;
using testing::values;
using Floats = std::vector<float>;
using Integers = std::vector<std::int32_t>;

constexpr std::string_view kOps[] = {"reduce_window", "avg_pool", "max_pool", "window_argmax"};

Tensor run(std::string_view op, const Tensor& x, const Attrs& attrs) { return apply_one(get_op(op), {x}, attrs); }

/// 0, 5, 3, 1, 6, ...: no two of 7 neighbours are equal.
Array spread(DType dtype, const std::vector<std::int64_t>& sizes) {
  Array array = Array::uninitialized(dtype, sizes);
  visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
    for (std::int64_t i = 0; i < array.num_elements(); ++i) array.mutable_data<T>()[i] = convert_element<T>(i * 5 % 7);
  });
  return array;
}

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

TEST(WindowArgmax, FirstWinsFirstNaNWinsPaddingNever) {
  const auto positions = [](const Tensor& x, const Attrs& attrs) {
    return values<std::int32_t>(run("window_argmax", x, attrs));
  };
  EXPECT_EQ(positions(tensor({5, 3, 1, 2, 5}), {attr(window, {Dim(2)})}), (Integers{0, 1, 3, 4}));
  EXPECT_EQ(positions(tensor({1, 1, 1}), {attr(window, {Dim(2)})}), (Integers{0, 1}));
  EXPECT_EQ(positions(tensor({1, kNaN, kNaN}), {attr(window, {Dim(3)})}), (Integers{1}));
  EXPECT_EQ(positions(tensor({-3, -4}),
                      {attr(window, {Dim(2)}), attr(padding_low, {Dim(3)}), attr(padding_high, {Dim(1)})}),
            (Integers{-1, -1, 0, 0, 1}));
  EXPECT_EQ(positions(tensor({{1, 2}, {4, 3}}), {attr(window, {Dim(2), Dim(2)})}), (Integers{2}));
  EXPECT_EQ(positions(tensor({-kInf, -kInf}), {attr(window, {Dim(2)})}), (Integers{0}));
}

TEST(WindowArgmax, BatchRuleStacks) {
  testing::expect_batch_is_stacking("window_argmax", {tensor({{3, 1, 2}, {5, 6, 4}})}, {true}, {attr(window, {Dim(2)})}, 2);
}

TEST(WindowArgmax, PositionsAreI32WhereTheyFit) {
  const auto dtype_of_result = [](const Shape& x, const Attrs& given) {
    Attrs attrs = given;
    return infer_types(get_op("window_argmax"), std::vector<Type>{{f32, x}}, attrs, {}).front().dtype;
  };
  const Attrs flat = {attr(window, {Dim(1), Dim(1)})};
  EXPECT_EQ(dtype_of_result({2, 3}, flat), i32);
  EXPECT_EQ(dtype_of_result({65536, 32768}, flat), i32);  // the last is 2^31 - 1
  EXPECT_EQ(dtype_of_result({65536, 32769}, flat), i64);
  EXPECT_EQ(dtype_of_result({65536, 65536, 2}, flat), i32);  // batch axes do not count
  EXPECT_EQ(dtype_of_result({Dim::symbol("H"), Dim::symbol("W")}, flat), i32);
  EXPECT_EQ(dtype_of_result({Dim::symbol("H") + 65536, 65536}, flat), i64);
  EXPECT_EQ(dtype_of_result({2, 3}, flat.with(ops::index_dtype, i64)), i64);
  const Dim most(std::int64_t{1} << 31);
  EXPECT_EQ(ops::counting_dtype(most), i32);
  EXPECT_EQ(ops::counting_dtype(most + 1), i64);
  EXPECT_EQ(ops::counting_dtype(Dim::symbol("H")), i32);
  EXPECT_EQ(ops::counting_dtype(Dim::symbol("H") + most), i32);
  EXPECT_EQ(ops::counting_dtype(Dim::symbol("H") + most + 1), i64);
}

TEST(MaxPool, EmptyWindowsGiveMinusInfinity) {
  const Tensor y = run("max_pool", tensor({-3, -4}), {attr(window, {Dim(2)}), attr(padding_low, {Dim(3)})});
  EXPECT_EQ(values(y), (Floats{-kInf, -kInf, -3, -3}));
  EXPECT_EQ(values(run("max_pool", tensor({{5, 3, 1}, {2, 5, 9}}), {attr(window, {Dim(2)})})), (Floats{5, 3, 5, 9}));
}

TEST(Windows, Samples) {
  for (const std::string_view op : kOps) testing::check_samples(op);
}

TEST(Windows, ListsOfUnfitLengthsRaiseOneError) {
  const Attrs unfit[] = {{attr(strides, {1, 1})},
                         {attr(padding_low, {Dim(1), Dim(1)})},
                         {attr(padding_high, {Dim(1), Dim(1)})},
                         {attr(base_dilation, {1, 1})},
                         {attr(window_dilation, {1, 1})}};
  for (const std::string_view op : kOps) {
    for (const Attrs& attrs : unfit) {
      try {
        static_cast<void>(run(op, tensor({1, 2, 3}), attrs.with(window, {Dim(2)})));
        FAIL() << op;
      } catch (const Error& error) {
        EXPECT_EQ(error.id(), ErrorId::attribute) << op << ": " << error.what();
      }
    }
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

struct OneAxis {
  std::int64_t window, stride, low, high, base_dilation, dilation;

  [[nodiscard]] Attrs attrs() const {
    return {attr(ops::windows::window, {Dim(window)}),   attr(strides, {stride}),
            attr(padding_low, {Dim(low)}),               attr(padding_high, {Dim(high)}),
            attr(ops::windows::base_dilation, {base_dilation}), attr(window_dilation, {dilation})};
  }
  /// The number of windows that fit, counted.
  [[nodiscard]] std::int64_t count(std::int64_t size) const {
    const std::int64_t end = (size - 1) * base_dilation + 1 + low + high;
    std::int64_t result = 0;
    for (std::int64_t start = 0; start + (window - 1) * dilation + 1 <= end; start += stride) ++result;
    return result;
  }
};

TEST(Windows, SymbolicSizesThatAreTooSmallGiveNothing) {
  const OneAxis axes[] = {{3, 1, 0, 0, 1, 1},  {4, 2, 1, 0, 1, 1},  {3, 2, 0, 0, 1, 3}, {5, 1, 0, 0, 2, 1},
                          {2, 3, -1, -2, 1, 1}, {1, 1, 0, 0, 3, 2}, {2, 1, 1, 1, 1, 1}, {2, 1, 2, 3, 3, 2}};
  for (const OneAxis& axis : axes) {
    for (const std::string_view op : kOps) {
      const bool has_slopes = op != "window_argmax";
      const auto apply_op = [&](const Tensor& x) { return run(op, x, axis.attrs()); };
      const Function f = trace_flat({{"x", {f64, {Dim::symbol("N"), Dim::symbol("H")}}}},
                                    [&](std::span<const Tensor> x) { return Tensors{apply_op(x[0])}; })
                             .function;
      const Function reverse = has_slopes ? vjp(f, {true}) : f;
      const Function twice = has_slopes ? vjp(reverse, {true, true}) : f;
      for (std::int64_t size = 0; size < 9; ++size) {
        SCOPED_TRACE(std::string(op) + format(" window {} over {}", axis.window, size));
        const std::int64_t num_windows = axis.count(size);
        const Array x = spread(f64, {2, size});
        const Bindings sizes = {{"N", 2}, {"H", size}};
        const Array expected = apply_op(Tensor(x)).value();
        EXPECT_EQ(expected.sizes(), (std::vector<std::int64_t>{2, num_windows}));
        EXPECT_EQ(default_evaluator().run(f, {x})[0], expected);
        EXPECT_EQ(default_evaluator().run(bind(f, sizes), {x})[0], expected);
        EXPECT_EQ(jit(apply_op)(Tensor(x)).value(), expected);
        if (get_op(op).primitive() != nullptr) {
          EXPECT_EQ(testing::Applied(op, {Tensor(x)}, axis.attrs()).lowered()[0], expected);
        }
        if (!has_slopes) continue;
        const Array ct = spread(f64, {2, num_windows});
        const std::vector<Array> slopes = default_evaluator().run(reverse, {x, ct});
        EXPECT_EQ(slopes[1].sizes(), x.sizes());
        EXPECT_EQ(slopes, default_evaluator().run(vjp(bind(f, sizes), {true}), {x, ct}));
        EXPECT_EQ(slopes, default_evaluator().run(bind(reverse, sizes), {x, ct}));
        if (num_windows == 0) {
          EXPECT_EQ(slopes[1], Array::zeros(f64, x.sizes()));
        }
        const std::vector<Array> arguments = {x, ct, ct, spread(f64, {2, size})};
        EXPECT_EQ(default_evaluator().run(twice, arguments),
                  default_evaluator().run(vjp(vjp(bind(f, sizes), {true}), {true, true}), arguments));
      }
    }
  }
}

TEST(Windows, DilatedAxesOfSizes0And1) {
  // Nothing at distance 3 spans -2, and 1 + 2 with the paddings: one window of 2 at distance 2.
  const Tensor nothing = core::zeros({f32, {0}});
  const Attrs around_nothing = OneAxis{2, 1, 2, 3, 3, 2}.attrs();
  EXPECT_EQ(values(run("reduce_window", nothing, around_nothing)), (Floats{0}));
  EXPECT_EQ(values(run("avg_pool", nothing, around_nothing)), (Floats{0}));
  EXPECT_EQ(values(run("max_pool", nothing, around_nothing)), (Floats{-kInf}));
  EXPECT_EQ(values<std::int32_t>(run("window_argmax", nothing, around_nothing)), (Integers{-1}));
  // One window in the paddings of nothing.
  EXPECT_EQ(values(run("max_pool", nothing, OneAxis{2, 1, 1, 1, 1, 1}.attrs())), (Floats{-kInf}));
  // One element spans 1, however it is dilated; so does a window of one.
  const Tensor one = tensor({7});
  const Attrs around_one = OneAxis{1, 1, 1, 1, 2, 3}.attrs();
  EXPECT_EQ(values(run("reduce_window", one, around_one)), (Floats{0, 7, 0}));
  EXPECT_EQ(values(run("avg_pool", one, around_one)), (Floats{0, 7, 0}));
  EXPECT_EQ(values(run("max_pool", one, around_one)), (Floats{-kInf, 7, -kInf}));
  EXPECT_EQ(values<std::int32_t>(run("window_argmax", one, around_one)), (Integers{-1, 0, -1}));
  // A window of nothing at distance 3 spans -2: it has 5 places in two elements.
  EXPECT_EQ(values(run("reduce_window", tensor({1, 2}), OneAxis{0, 1, 0, 0, 1, 3}.attrs())), (Floats{0, 0, 0, 0, 0}));
}

TEST(Windows, SizesKeepTheirFormInDerivatives) {
  // H-3 is not known to be 0 or more, but it is a size.
  for (const std::string_view op : {"reduce_window", "avg_pool", "max_pool"}) {
    const Function f = trace_flat({{"x", {f64, {Dim::symbol("H")}}}}, [&](std::span<const Tensor> x) {
                         const Tensor rest = slice(x[0], {3}, {Dim::symbol("H")});
                         const Tensor same = run(op, rest, OneAxis{3, 1, 1, 1, 1, 1}.attrs());
                         EXPECT_EQ(same.type().to_string(), "f64[H-3]");
                         return Tensors{run(op, rest * same, OneAxis{2, 2, 0, 0, 1, 1}.attrs())};
                       }).function;
    const Function reverse = vjp(f, {true});
    EXPECT_EQ(reverse.result_types()[1].to_string(), "f64[H]");
    for (const std::int64_t size : {3, 4, 5, 8}) {
      SCOPED_TRACE(std::string(op) + format(" over {}", size));
      const Array x = spread(f64, {size});
      const std::int64_t num_windows = (size - 3) / 2;
      const std::vector<Array> arguments = {x, spread(f64, {num_windows})};
      const std::vector<Array> slopes = default_evaluator().run(reverse, arguments);
      EXPECT_EQ(slopes, default_evaluator().run(vjp(bind(f, {{"H", size}}), {true}), arguments));
    }
  }
}

}  // namespace
}  // namespace calx::window_test
