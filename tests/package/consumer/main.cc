// A user's program, built against the installed package only.
#include <cstdio>

#include "calx/base/error.h"

int main() {
  try {
    calx::raise({.id = calx::ErrorId::contracted_size, .op = "matmul", .message = "sizes differ"});
  } catch (const calx::ShapeError& error) {
    std::printf("%s\n", error.what());
  }
}
