// cummin: the smallest element so far. It selects, so its derivative is a gather at the selected positions.
#include "indexing/_cumulative.h"

namespace calx::ops {

OpDef cummin() {
  return cumulative_choice("cummin",
                           {.summary = "The smallest element so far along an axis.",
                            .math = "y_i = min(x_0, ..., x_i); exclusive: min(x_0, ..., x_{i-1}), of nothing "
                                    "inf, or the largest integer; "
                                    "reverse: from the last element",
                            .example = "cummin(tensor({2, 1, 3}))  // f32[3] [2, 1, 1]",
                            .source = "numpy.minimum.accumulate; jax.lax.cummin, whose gradient shares ties"},
                           loopir::Combiner::min, Comparison::lt);
}

}  // namespace calx::ops
