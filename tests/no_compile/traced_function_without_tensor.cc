// EXPECT: a traced function returns a tensor or a tree of tensors
#include "calx/core/trace_tree.h"

calx::Function f = calx::trace([](const calx::Tensor&) { return 1; }, calx::spec(calx::f32, {2}));
