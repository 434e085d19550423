// What the definitions of core ops share.
#pragma once

#include "calx/core/core_ops.h"
#include "calx/core/lower.h"
#include "calx/core/match.h"
#include "calx/core/reference.h"
#include "calx/core/samples.h"
#include "calx/loopir/scalar_math.h"
#include "core_attrs.h"

namespace calx::ops {

namespace math = loopir::math;
using namespace core::attrs;

}  // namespace calx::ops
