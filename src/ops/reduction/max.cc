#include "reduction/_extreme.h"

namespace calx::ops {

OpDef max() {
  return reduction::extreme("max",
                            {.summary = "Largest element over axes.",
                             .math = "y = max over axes of x",
                             .example = "max(tensor({{1, 2}, {4, 3}}))  // f32[] 4",
                             .source = "numpy.max; the tie rule is jax.numpy's"},
                            "reduce_max");
}

}  // namespace calx::ops
