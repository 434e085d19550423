// Expecting a calx::Error by its id, and looking at it.
#pragma once

#include <gtest/gtest.h>

#include "calx/base/error.h"
#include "calx/base/function_ref.h"

namespace calx::test {

/// Runs f, which must raise a calx::Error with this id; the error. (A failed expectation gives an internal error.)
inline Error expect_error(ErrorId id, FunctionRef<void()> f) {
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
