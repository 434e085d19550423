// Transforms of programs that nothing may recurse over.
#include <gtest/gtest.h>

#include "calx/core/core_ops.h"
#include "calx/core/text.h"
#include "calx/core/trace.h"
#include "calx/transforms/transforms.h"
#include "support/small_stack.h"

namespace calx::long_chain_test {
namespace {

Function chain(int length = test::kLongChain) {
  return trace_flat({{"x", {f32, {}}}},
                    [length](std::span<const Tensor> x) -> Tensors {
                      Tensor y = x[0];
                      for (int i = 0; i < length; ++i) y = i % 2 == 0 ? core::neg(y) : core::mul(y, x[0]);
                      return {y};
                    })
      .function;
}

void expect_long(const Function& f, int length = test::kLongChain) {
  EXPECT_GE(f.equations().size(), static_cast<std::size_t>(length));
  EXPECT_FALSE(print(f).empty());
}

TEST(LongChain, ForwardMode) {
  test::on_small_stack([] { expect_long(jvp(chain(), {true})); });
}

TEST(LongChain, ReverseMode) {
  test::on_small_stack([] { expect_long(vjp(chain(), {true})); });
}

TEST(LongChain, LinearizeAndTranspose) {
  test::on_small_stack([] {
    const int length = test::kLongChain / 5;  // half of the equations have residuals
    const Linearized both = linearize(chain(length), {true});
    std::vector<bool> linear(both.linear.arguments().size(), false);
    linear.back() = true;
    expect_long(transpose(both.linear, linear), length);
  });
}

TEST(LongChain, Batching) {
  test::on_small_stack([] { expect_long(vmap(chain(), {0}, 4)); });
}

}  // namespace
}  // namespace calx::long_chain_test
