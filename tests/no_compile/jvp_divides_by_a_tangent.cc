// EXPECT: no match for .operator/. .*Tangent
#include "calx/core/bind.h"
#include "calx/ops.h"

calx::JvpRule rule = [](const calx::Call& c, const calx::Tangents& t) { return calx::Tangents(c[0] / t[0]); };
