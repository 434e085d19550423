// Where errors are told: those that have no place of their own at the line of the user's call.
#pragma once

#include <string_view>

#include "calx/base/error.h"

namespace calx::detail {

/// Raises the `error` that is being handled again, at `where` unless it has a place, by `op` unless it names one. Internal
/// errors stay as they are.
[[noreturn]] void raise_at(const Error& error, SourceLoc where, std::string_view op = {});

/// body(), whose errors are at `where` where they have no place of their own, and by `op` where they name none.
template <class Body>
decltype(auto) located(SourceLoc where, std::string_view op, Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    raise_at(error, where, op);
  }
}
template <class Body>
decltype(auto) located(SourceLoc where, Body&& body) {
  return located(where, {}, body);
}

}  // namespace calx::detail
