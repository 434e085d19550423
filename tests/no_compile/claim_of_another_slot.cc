// EXPECT: could not convert .*NotLinear.* to .calx::slot::simplify
#include "calx/core/bind.h"

calx::slot::simplify rule() { return calx::NotLinear{}; }
