// EXPECT: a traced function returns a tensor or a tree of tensors
#include "calx/jit/jit.h"

int jitted() { return calx::jit([](calx::Tensor) { return 1; })(calx::scalar(1.0F)); }
