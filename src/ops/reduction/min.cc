#include "reduction/_extreme.h"

namespace calx::ops {

OpDef min() {
  return reduction::extreme("min",
                            {.summary = "Smallest element over axes.",
                             .math = "y = min over axes of x",
                             .example = "min(tensor({{1, 2}, {4, 3}}))  // f32[] 1",
                             .source = "numpy.min; the tie rule is jax.numpy's"},
                            "reduce_min");
}

}  // namespace calx::ops
