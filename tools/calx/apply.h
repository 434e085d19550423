// Transforms and passes by name: what `--apply` takes. Knows the text of specifications, nothing of files or
// programs' text.
#pragma once

#include <string>
#include <string_view>

#include "calx/core/function.h"

namespace calx::tool {

/// Applies one specification such as `grad:x,w`, `vmap:x@0,y@1`, `bind:H=3` to f. Raises `value` for what it
/// does not know.
[[nodiscard]] Function apply_transform(const Function& f, std::string_view specification);

/// What `--apply` accepts, one line each, for --help.
[[nodiscard]] std::string describe_transforms();

}  // namespace calx::tool
