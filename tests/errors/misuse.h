// What a misuse must raise: the id, the op, and the place, which is the line of the caller of `misuse`. So the whole call,
// with the misuse in it, stands on one line.
#pragma once

#include <string>
#include <string_view>

#include "calx/calx.h"
#include "support/expect_error.h"

namespace calx::test {

/// Runs f, which must raise an error with this id, by this op, at the caller's line; the error.
inline Error misuse(ErrorId id, std::string_view op, FunctionRef<void()> f, SourceLoc here = SourceLoc::current()) {
  const testing::ScopedTrace trace(here.file, static_cast<int>(here.line), "the misuse");
  Error error = expect_error(id, f);
  EXPECT_EQ(error.op(), op) << error.what();
  EXPECT_EQ(to_string(error.where()), to_string(here)) << error.what();
  return error;
}

/// The value of a fact; a failure if the error does not state it.
inline std::string fact(const Error& error, std::string_view name) {
  for (const auto& [key, value] : error.facts()) {
    if (key == name) return value;
  }
  ADD_FAILURE() << "no fact `" << name << "`: " << error.what();
  return {};
}

}  // namespace calx::test
