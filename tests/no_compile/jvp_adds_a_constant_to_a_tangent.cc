// EXPECT: no match for .operator\+. .*Tangent
#include "calx/core/bind.h"
#include "calx/ops.h"

calx::JvpRule rule = [](const calx::Call&, const calx::Tangents& t) { return calx::Tangents(t[0] + 1.0); };
