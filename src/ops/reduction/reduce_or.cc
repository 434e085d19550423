#include "reduction/_logic.h"

namespace calx::ops {

OpDef reduce_or() {
  return reduction::reduce_logic("reduce_or",
                                 {.summary = "Whether any elements over axes is true.",
                                  .math = "y[kept] = or over axes of x[kept, axes]",
                                  .accuracy = "exact; an empty axis gives false",
                                  .example = "reduce_or(tensor<bool>({true, false}), {0})  // bool[] true",
                                  .source = "jax.lax.reduce_or, of booleans"},
                                 loopir::Combiner::bitwise_or, reduction::logic_reference<loopir::Or>());
}

}  // namespace calx::ops
