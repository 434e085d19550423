// cummax: the largest element so far. It selects, so its derivative is a gather at the selected positions.
#include "indexing/_cumulative.h"

namespace calx::ops {

OpDef cummax() {
  return cumulative_choice("cummax",
                           {.summary = "The largest element so far along an axis.",
                            .math = "y_i = max(x_0, ..., x_i); exclusive: max(x_0, ..., x_{i-1}), of nothing "
                                    "-inf, or the lowest integer; "
                                    "reverse: from the last element",
                            .example = "cummax(tensor({2, 1, 3}))  // f32[3] [2, 2, 3]",
                            .source = "numpy.maximum.accumulate; jax.lax.cummax, whose gradient shares ties"},
                           loopir::Combiner::max, Comparison::gt);
}

}  // namespace calx::ops
