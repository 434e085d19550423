// What an internal error carries: the stage that failed, and the program it failed on, saved as a file in the text format so
// that it can be sent and run again. Files go to $CALX_REPORTS, or the system's folder for temporary files.
#pragma once

#include <string_view>

#include "calx/base/error.h"
#include "calx/core/function.h"

namespace calx {

namespace detail {
/// Raises `error` again with a note that names the saved program; as it is, if it has one already.
[[noreturn]] void raise_with_program(const InternalError& error, std::string_view stage, const Function& f);
}  // namespace detail

/// body(), a stage applied to f.
template <class Body>
auto reporting_bugs(std::string_view stage, const Function& f, Body&& body) {
  try {
    return body();
  } catch (const InternalError& error) {
    detail::raise_with_program(error, stage, f);
  }
}

}  // namespace calx
