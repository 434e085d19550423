// What callers of the transforms may get wrong, checked once: each raises in the name of the transform that was called.
#pragma once

#include <string_view>
#include <vector>

#include "calx/core/function.h"

namespace calx::detail {

/// Raises arity unless there is one flag for each argument, grad_integer unless every flagged argument is floating.
void require_floating(const Function& f, const std::vector<bool>& flags, std::string_view transform);

}  // namespace calx::detail
