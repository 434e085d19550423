// EXPECT: invalid initialization of reference of type .const calx::Operand&. from expression of type .const .*Tangent
#include "calx/core/bind.h"
#include "calx/ops.h"

calx::JvpRule rule = [](const calx::Call& c, const calx::Tangents& t) { return calx::Tangents(calx::div(c[0], t[0])); };
