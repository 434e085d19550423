// scatter_max: the largest of an element and its updates, at positions that are data. Ties share the
// derivative.
#include "indexing/_support.h"

namespace calx::ops {

OpDef scatter_max() {
  return scatter_choice(
      "scatter_max",
      {.summary = "Keeps the largest of an element and its updates, at positions given by indices.",
       .math = "y[p] = max of operand[p] and all updates[b, o] with start(b) + o = p; starts and axes as in "
               "gather",
       .accuracy = "exact; NaN wins, of zeros the positive one",
       .example = "scatter_max(tensor({1, 2, 3}), tensor<std::int32_t>({0, 0}), tensor({7, 8}), 1, "
                  "{.inserted_window_dims = {0}, "
                  ".scatter_dims_to_operand_dims = {0}})  // f32[3] [8, 2, 3]",
       .source = "StableHLO scatter with a body that takes the max; jax.lax.scatter_max"},
      loopir::ScatterCombiner::max);
}

}  // namespace calx::ops
