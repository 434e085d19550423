// A user's program, built against the installed package only.
#include <cstdio>

#include "calx/calx.h"

namespace {

// Made before main, when the initialisers of other files may not have run yet.
const calx::Tensor weights = calx::tensor({2, 3, 4});
const calx::Tensor gradient = calx::grad([](const calx::Tensor& x) { return calx::reduce_sum(x * x * weights, {0}); })(weights);

}  // namespace

int main() {
  std::printf("%s\n", calx::to_string(gradient).c_str());
  try {
    static_cast<void>(calx::matmul(weights, calx::tensor({1, 2})));
  } catch (const calx::ShapeError& error) {
    std::printf("%d\n", static_cast<int>(error.id()));
  }
}
