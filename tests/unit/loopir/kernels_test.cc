// Kernel descriptors on small examples, contiguous and strided.
#include <cmath>

#include "calx/loopir/interpreter.h"
#include "calx/loopir/philox.h"
#include "testing.h"

namespace calx::loopir::kernels_test {
namespace {

TEST(Kernels, Contraction) {
  // A plain matrix product.
  expect_run(Kernel(Contraction{{}, {}, {1}, {0}, f32}), {counting({2, 3}), counting({3, 2})},
             {array<float>({2, 2}, {10, 13, 28, 40})});
  // Batch axes in other places, two contracted axes in another order: out[b, m, n] = sum x[k, b, l, m] * y[n,
  // l, k, b].
  const Array x = counting({2, 2, 3, 2}), y = counting({2, 3, 2, 2});
  std::vector<float> expected;
  for (int b = 0; b < 2; ++b) {
    for (int m = 0; m < 2; ++m) {
      for (int n = 0; n < 2; ++n) {
        float sum = 0;
        for (int k = 0; k < 2; ++k) {
          for (int l = 0; l < 3; ++l) {
            sum += x.data<float>()[((k * 2 + b) * 3 + l) * 2 + m] *
                   y.data<float>()[((n * 3 + l) * 2 + k) * 2 + b];
          }
        }
        expected.push_back(sum);
      }
    }
  }
  expect_run(Kernel(Contraction{{1}, {3}, {0, 2}, {2, 1}, f32}), {x, y}, {array<float>({2, 2, 2}, expected)});
  // Nothing to contract, no elements to contract.
  expect_run(Kernel(Contraction{{}, {}, {}, {}, f32}), {counting({2}), counting({2})},
             {array<float>({2, 2}, {0, 0, 0, 1})});
  expect_run(Kernel(Contraction{{}, {}, {0}, {0}, f32}), {counting({0}), counting({0})},
             {array<float>({}, {0})});
  // u8 accumulates in u32 and wraps when stored.
  expect_run(Kernel(Contraction{{}, {}, {0}, {0}, u32}),
             {array<std::uint8_t>({2}, {200, 200}), array<std::uint8_t>({2}, {2, 2})},
             {array<std::uint8_t>({}, {32})});
}

TEST(Kernels, ContractionHasTheBitsOfMatmul) {
  Array a = Array::uninitialized(f32, {3, 2000}), b = Array::uninitialized(f32, {2000, 4});
  for (std::int64_t i = 0; i < a.num_elements(); ++i)
    a.mutable_data<float>()[i] = std::sin(static_cast<float>(i));
  for (std::int64_t i = 0; i < b.num_elements(); ++i)
    b.mutable_data<float>()[i] = std::cos(static_cast<float>(i));
  Array c = Array::uninitialized(f32, {3, 4});
  matmul<float>(3, 4, 2000, {a.data<float>(), 2000, 1}, {b.data<float>(), 4, 1},
                {c.mutable_data<float>(), 4, 1});
  expect_run(Kernel(Contraction{{}, {}, {1}, {0}, f32}), {a, b}, {c});
}

Window window(Sizes sizes, Sizes strides, Sizes low, Sizes high, Sizes base_dilation, Sizes dilation) {
  return {sizes, strides, low, high, base_dilation, dilation};
}

TEST(Kernels, WindowGeometry) {
  EXPECT_EQ(window({3}, {2}, {1}, {1}, {1}, {1}).output_size(0, 8), 4);
  EXPECT_EQ(window({3}, {1}, {0}, {0}, {1}, {2}).output_size(0, 4), 0);
  EXPECT_EQ(window({1}, {1}, {-1}, {-1}, {2}, {1}).output_size(0, 3), 3);
  // No elements span 1 - dilation, as in the ops.
  EXPECT_EQ(window({1}, {1}, {1}, {0}, {2}, {1}).output_size(0, 0), 0);
  EXPECT_EQ(window({1}, {1}, {1}, {1}, {2}, {1}).output_size(0, 0), 1);
  const Window holes = window({2}, {1}, {1}, {0}, {2}, {1});
  EXPECT_EQ(holes.operand_index(0, 0, 0, 3), std::nullopt);  // padding
  EXPECT_EQ(holes.operand_index(0, 0, 1, 3), 0);
  EXPECT_EQ(holes.operand_index(0, 1, 1, 3), std::nullopt);  // a hole
  EXPECT_EQ(holes.operand_index(0, 2, 1, 3), 1);
}

TEST(Kernels, ConvolutionPlain) {
  const Array x = counting({1, 1, 3, 3});
  const Array k = array<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  expect_run(Kernel(Convolution{Window::of({2, 2}), 1, 1, f32}), {x, k},
             {array<float>({1, 1, 2, 2}, {27, 37, 57, 67})});
  // Stride 2, padding (1, 0): windows start at -1 and 1.
  expect_run(Kernel(Convolution{window({2, 2}, {2, 2}, {1, 1}, {0, 0}, {1, 1}, {1, 1}), 1, 1, f32}), {x, k},
             {array<float>({1, 1, 2, 2}, {0, 11, 30, 67})});
}

TEST(Kernels, ConvolutionDilationsAndNegativePadding) {
  const Array x = array<float>({1, 1, 3}, {1, 2, 3});
  const Array k = array<float>({1, 1, 2}, {1, 10});
  // lhs dilated: 1 0 2 0 3.
  expect_run(Kernel(Convolution{window({2}, {1}, {0}, {0}, {2}, {1}), 1, 1, f32}), {x, k},
             {array<float>({1, 1, 4}, {1, 20, 2, 30})});
  // rhs dilated: taps 0 and 2.
  expect_run(Kernel(Convolution{window({2}, {1}, {0}, {0}, {1}, {2}), 1, 1, f32}), {x, k},
             {array<float>({1, 1, 1}, {31})});
  // Cropped to the last two.
  expect_run(Kernel(Convolution{window({2}, {1}, {-1}, {0}, {1}, {1}), 1, 1, f32}), {x, k},
             {array<float>({1, 1, 1}, {32})});
}

TEST(Kernels, ConvolutionGroups) {
  const Array x = array<float>({2, 2, 1}, {1, 2, 3, 4});
  // Each output reads one channel.
  expect_run(Kernel(Convolution{Window::of({1}), 2, 1, f32}),
             {x, array<float>({4, 1, 1}, {1, 10, 100, 1000})},
             {array<float>({2, 4, 1}, {1, 10, 200, 2000, 3, 30, 400, 4000})});
  // Each output reads one half of the batch.
  expect_run(Kernel(Convolution{Window::of({1}), 1, 2, f32}),
             {x, array<float>({2, 2, 1}, {1, 10, 100, 1000})}, {array<float>({1, 2, 1}, {21, 4300})});
}

TEST(Kernels, ConvolutionIsADotOverChannelsAndTaps) {
  const std::int64_t channels = 200;  // 200 * 7 crosses a block
  Array x = Array::uninitialized(f32, {1, channels, 7}), k = Array::uninitialized(f32, {1, channels, 7});
  for (std::int64_t i = 0; i < x.num_elements(); ++i) {
    x.mutable_data<float>()[i] = std::sin(static_cast<float>(i));
    k.mutable_data<float>()[i] = std::cos(static_cast<float>(3 * i));
  }
  const float expected = dot<float>(
      channels * 7, [&](std::int64_t i) { return x.data<float>()[i]; },
      [&](std::int64_t i) { return k.data<float>()[i]; });
  expect_run(Kernel(Convolution{Window::of({7}), 1, 1, f32}), {x, k}, {array<float>({1, 1, 1}, {expected})});
}

TEST(Kernels, WindowReduce) {
  const Array x = counting({2, 3, 3});
  expect_run(Kernel(WindowReduce{Window::of({2, 2}), Combiner::sum, f32}), {x},
             {array<float>({2, 2, 2}, {8, 12, 20, 24, 44, 48, 56, 60})});
  // Padding never wins, and an all-padding window is the empty value.
  const Array y = array<float>({3}, {-1, -2, -3});
  const float inf = std::numeric_limits<float>::infinity();
  expect_run(Kernel(WindowReduce{window({2}, {2}, {2}, {1}, {1}, {1}), Combiner::max, f32}), {y},
             {array<float>({3}, {-inf, -1, -3})});
  expect_run(Kernel(WindowReduce{window({2}, {1}, {0}, {0}, {2}, {2}), Combiner::sum, f32}), {y},
             {array<float>({3}, {-3, 0, -5})});
}

TEST(Kernels, WindowArgReduce) {
  const Array x = array<float>({2, 2, 3}, {1, 5, 5, 2, 0, 9, 3, 3, 3, NAN, 1, NAN});
  expect_run(Kernel(WindowArgReduce{Window::of({2, 2}), false}), {x},
             {array<std::int32_t>({2, 1, 2}, {1, 5, 3, 5})});
  expect_run(Kernel(WindowArgReduce{Window::of({1, 3}), true}), {x},
             {array<std::int32_t>({2, 2, 1}, {0, 4, 0, 3})});
  expect_run(Kernel(WindowArgReduce{window({1}, {1}, {1}, {0}, {1}, {1}), false}),
             {array<float>({2}, {-7, -8})}, {array<std::int64_t>({3}, {-1, 0, 1})});
}

TEST(Kernels, Sort) {
  const Array keys = array<float>({2, 3}, {3, 1, 2, 0.0f, -0.0f, -5});
  const Array values = counting({2, 3}, i32);
  expect_run(
      Kernel(Sort{1, 1, false}), {keys, values},
      {array<float>({2, 3}, {1, 2, 3, -5, 0.0f, -0.0f}), array<std::int32_t>({2, 3}, {1, 2, 0, 5, 3, 4}),
       array<std::int32_t>({2, 3}, {1, 2, 0, 2, 0, 1})});
  expect_run(Kernel(Sort{0, 1, true}), {keys}, {array<float>({2, 3}, {3, 1, 2, 0, 0, -5})});
  // Two keys, stable, descending.
  expect_run(
      Kernel(Sort{0, 2, true}),
      {array<std::int32_t>({4}, {1, 2, 1, 1}), array<std::int32_t>({4}, {5, 0, 7, 5}), counting({4}, i32)},
      {array<std::int32_t>({4}, {2, 1, 1, 1}), array<std::int32_t>({4}, {0, 7, 5, 5}),
       array<std::int32_t>({4}, {1, 2, 0, 3})});
  expect_run(Kernel(Sort{0, 1, false}), {counting({0})}, {counting({0})});
}

TEST(Kernels, SortPutsNanLastInBothDirections) {
  const Array keys = array<float>({4}, {NAN, 1, NAN, 2});
  const auto permutation = [&](bool descending) {
    const auto results = run(Kernel(Sort{0, 1, descending}), std::array{StridedArray::of(keys)},
                             std::array{Type{f32, {4}}, Type{i64, {4}}});
    return std::vector<std::int64_t>(results[1].values<std::int64_t>().begin(),
                                     results[1].values<std::int64_t>().end());
  };
  EXPECT_EQ(permutation(false), (std::vector<std::int64_t>{1, 3, 0, 2}));
  EXPECT_EQ(permutation(true), (std::vector<std::int64_t>{3, 1, 0, 2}));
}

TEST(Kernels, RandomBits) {
  const auto low = [](std::uint64_t key, std::uint64_t i) {
    return static_cast<std::uint32_t>(random_bits(key, i));
  };
  expect_run(Kernel(RandomBits{}), {array<std::uint64_t>({}, {42})},
             {array<std::uint32_t>({2, 2}, {low(42, 0), low(42, 1), low(42, 2), low(42, 3)})});
  expect_run(Kernel(RandomBits{}), {array<std::uint64_t>({2}, {7, 9})},
             {array<std::uint64_t>({2, 1}, {random_bits(7, 0), random_bits(9, 0)})});
}

}  // namespace
}  // namespace calx::loopir::kernels_test
