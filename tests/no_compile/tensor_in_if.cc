// EXPECT: could not convert .*Tensor.* to .bool
#include "calx/ops.h"

int sign(const calx::Tensor& x) {
  if (x < 0) return -1;
  return 1;
}
