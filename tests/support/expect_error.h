// Expecting a calx::Error by its id, and looking at it.
#pragma once

#include <gtest/gtest.h>

#include <concepts>

#include "calx/base/error.h"

namespace calx::test {

/// Runs f, which must raise a calx::Error with this id; the error. (A failed expectation gives an internal error.)
template <std::invocable F>
Error expect_error(ErrorId id, F&& f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(to_string(error.id()), to_string(id)) << error.what();
    return error;
  }
  ADD_FAILURE() << "expected " << to_string(id) << ", nothing was raised";
  return Error({});
}

}  // namespace calx::test
