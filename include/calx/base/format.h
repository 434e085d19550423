// fmt behind one header, so that a change of formatting library touches one file.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace calx {
using fmt::format;
}  // namespace calx
