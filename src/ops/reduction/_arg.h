// argmax and argmin, which differ in one reduction.
#pragma once

#include "reduction/_support.h"

namespace calx::ops::reduction {

[[nodiscard]] OpDef arg_op(OpDoc doc, std::string_view name, bool largest);

}  // namespace calx::ops::reduction
