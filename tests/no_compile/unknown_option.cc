// EXPECT: has no non-static data member named .axes
#include "calx/ops.h"

calx::Tensor count() { return calx::iota({3}, calx::IotaOptions{.axes = 0}); }
