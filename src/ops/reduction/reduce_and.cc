#include "reduction/_logic.h"

namespace calx::ops {

OpDef reduce_and() {
  return reduction::reduce_logic("reduce_and",
                                 {.summary = "Whether all elements over axes are true.",
                                  .math = "y[kept] = and over axes of x[kept, axes]",
                                  .accuracy = "exact; an empty axis gives true",
                                  .example = "reduce_and(tensor<bool>({true, false}), {0})  // bool[] false",
                                  .source = "jax.lax.reduce_and, of booleans"},
                                 loopir::Combiner::bitwise_and, reduction::logic_reference<loopir::And>());
}

}  // namespace calx::ops
