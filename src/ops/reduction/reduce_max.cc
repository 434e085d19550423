#include "reduction/_extreme.h"

namespace calx::ops {

OpDef reduce_max() {
  return reduction::reduce_extreme(
      "reduce_max",
      {.summary = "Largest element over axes.",
       .math = "y[kept] = max over axes of x[kept, axes]",
       .accuracy = "exact; NaN if any element is (the canonical one); with allow_empty an empty axis gives "
                   "-inf (the lowest integer)",
       .example = "reduce_max(tensor({{1, 2}, {4, 3}}), {0})  // f32[2] [4, 3]",
       .source = "numpy.max; jax.lax.reduce_max, with an error for an empty axis"},
      loopir::Combiner::max, reduction::reduction_reference<loopir::Max>());
}

}  // namespace calx::ops
