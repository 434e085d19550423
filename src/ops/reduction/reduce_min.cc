#include "reduction/_extreme.h"

namespace calx::ops {

OpDef reduce_min() {
  return reduction::reduce_extreme(
      "reduce_min",
      {.summary = "Smallest element over axes.",
       .math = "y[kept] = min over axes of x[kept, axes]",
       .accuracy = "exact; NaN if any element is (the canonical one); with allow_empty an empty axis gives "
                   "inf (the largest integer)",
       .example = "reduce_min(tensor({{1, 2}, {4, 3}}), {0})  // f32[2] [1, 2]",
       .source = "numpy.min; jax.lax.reduce_min, with an error for an empty axis"},
      loopir::Combiner::min, reduction::reduction_reference<loopir::Min>());
}

}  // namespace calx::ops
