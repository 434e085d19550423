// EXPECT: cannot convert .const calx::Tensor. to .float
#include "calx/ops.h"

float value(const calx::Tensor& x) { return x; }
