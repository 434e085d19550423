// scatter_min: the smallest of an element and its updates, at positions that are data. Ties share the
// derivative.
#include "indexing/_support.h"

namespace calx::ops {

OpDef scatter_min() {
  return scatter_choice(
      "scatter_min",
      {.summary = "Keeps the smallest of an element and its updates, at positions given by indices.",
       .math = "y[p] = min of operand[p] and all updates[b, o] with start(b) + o = p; starts and axes as in "
               "gather",
       .accuracy = "exact; NaN wins, of zeros the negative one",
       .example = "scatter_min(tensor({1, 2, 3}), tensor<std::int32_t>({0, 0}), tensor({0, -1}), 1, "
                  "{.inserted_window_dims = {0}, "
                  ".scatter_dims_to_operand_dims = {0}})  // f32[3] [-1, 2, 3]",
       .source = "StableHLO scatter with a body that takes the min; jax.lax.scatter_min"},
      loopir::ScatterCombiner::min);
}

}  // namespace calx::ops
