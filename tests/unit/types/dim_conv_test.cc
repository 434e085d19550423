// Convolutions are closed under transposition: the sizes of gradients of gradients, derived again and again
// with a symbolic input size, come back provably equal to the sizes of the operands that they are gradients
// of.
#include <gtest/gtest.h>

#include "calx/types/dim.h"

namespace calx::dim_conv_test {
namespace {

struct Conv {
  Dim input;
  Dim kernel;
  Dim stride = 1;
  Dim low = 0;
  Dim high = 0;
  Dim input_dilation = 1;
  Dim kernel_dilation = 1;
};

Dim dilated(const Dim& size, const Dim& dilation) { return (size - 1) * dilation + 1; }

Dim output(const Conv& conv) {
  const Dim padded = dilated(conv.input, conv.input_dilation) + conv.low + conv.high;
  return floor_div(padded - dilated(conv.kernel, conv.kernel_dilation), conv.stride) + 1;
}

// The output's cotangent, dilated by the stride, against the kernel: as large as the input.
Conv input_gradient(const Conv& conv) {
  const Dim out = output(conv);
  Conv result{out, conv.kernel, conv.input_dilation, 0, 0, conv.stride, conv.kernel_dilation};
  result.low = dilated(conv.kernel, conv.kernel_dilation) - 1 - conv.low;
  result.high = dilated(conv.input, conv.input_dilation) + dilated(conv.kernel, conv.kernel_dilation) - 1 -
                dilated(out, conv.stride) - result.low;
  return result;
}

// The input against the output's cotangent, with stride and kernel dilation exchanged: as large as the
// kernel.
Conv kernel_gradient(const Conv& conv) {
  const Dim out = output(conv);
  Conv result{conv.input, out, conv.kernel_dilation, conv.low, 0, conv.input_dilation, conv.stride};
  result.high = dilated(out, conv.stride) + dilated(conv.kernel, conv.kernel_dilation) - 1 -
                dilated(conv.input, conv.input_dilation) - conv.low;
  return result;
}

Conv evaluated(const Conv& conv, const Bindings& at) {
  return {conv.input.evaluate(at),          conv.kernel.evaluate(at),
          conv.stride.evaluate(at),         conv.low.evaluate(at),
          conv.high.evaluate(at),           conv.input_dilation.evaluate(at),
          conv.kernel_dilation.evaluate(at)};
}

void check_closure(const Conv& conv, int order, std::int64_t least_input, std::int64_t& checked) {
  if (order == 0) return;
  const Conv by_input = input_gradient(conv);
  const Conv by_kernel = kernel_gradient(conv);
  ASSERT_EQ(proven_equal(output(by_input), conv.input), Proof::yes) << output(by_input).to_string();
  ASSERT_EQ(proven_equal(output(by_kernel), conv.kernel), Proof::yes) << output(by_kernel).to_string();
  EXPECT_EQ(output(by_input), conv.input);
  EXPECT_EQ(output(by_kernel), conv.kernel);
  for (std::int64_t size = least_input; size <= 20; size += 5) {
    const Bindings at{{"H", size}};
    EXPECT_EQ(output(evaluated(by_input, at)), conv.input.evaluate(at));
    EXPECT_EQ(output(evaluated(by_kernel, at)), conv.kernel.evaluate(at));
    EXPECT_EQ(output(evaluated(conv, at)), output(conv).evaluate(at));
  }
  ++checked;
  check_closure(by_input, order - 1, least_input, checked);
  check_closure(by_kernel, order - 1, least_input, checked);
}

TEST(DimConv, ClosedUnderTranspositionToOrderFour) {
  std::int64_t checked = 0;
  for (int stride = 1; stride <= 3; ++stride) {
    for (int kernel = 1; kernel <= 4; ++kernel) {
      for (int dilation = 1; dilation <= 2; ++dilation) {
        for (int padding = 0; padding <= 2; ++padding) {
          const Conv conv{Dim::symbol("H"), kernel, stride, padding, padding / 2, 1, dilation};
          check_closure(conv, 4, dilation * (kernel - 1) + 1, checked);
        }
      }
    }
  }
  EXPECT_EQ(checked, 3 * 4 * 2 * 3 * 15);
}

TEST(DimConv, StackedConvolutionsAreClosed) {
  // A second convolution over the output of the first, with an input that is already dilated.
  std::int64_t checked = 0;
  for (int first = 1; first <= 3; ++first) {
    for (int second = 1; second <= 3; ++second) {
      for (int dilation = 1; dilation <= 3; ++dilation) {
        const Conv below{Dim::symbol("H"), 3, first, 1, 1, 1, 1};
        check_closure({output(below), 4, second, 1, 2, dilation, 2}, 4, 9, checked);
      }
    }
  }
  EXPECT_EQ(checked, 27 * 15);
}

TEST(DimConv, SymbolicAttributesAreClosed) {
  std::int64_t checked = 0;
  const Conv conv{Dim::symbol("H"), Dim::symbol("K"), 2, Dim::symbol("P"), Dim::symbol("P"), 1, 1};
  const Conv by_input = input_gradient(conv);
  EXPECT_EQ(output(by_input), conv.input);
  EXPECT_EQ(output(kernel_gradient(conv)), conv.kernel);
  EXPECT_EQ(output(input_gradient(by_input)), by_input.input);
  EXPECT_EQ(output(kernel_gradient(by_input)), by_input.kernel);
  check_closure({Dim::symbol("H"), 3, 2, min(Dim::symbol("H"), 1), max(Dim::symbol("H") - 4, 0), 1, 1}, 4, 3,
                checked);
  EXPECT_EQ(checked, 15);
}

}  // namespace
}  // namespace calx::dim_conv_test
