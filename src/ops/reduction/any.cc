#include "reduction/_logic.h"

namespace calx::ops {

OpDef any() {
  return reduction::logic("any",
                          {.summary = "Whether any elements over axes is true.",
                           .math = "y = or over axes of x",
                           .accuracy = "exact; an empty axis gives false",
                           .example = "any(tensor<bool>({true, false}))  // bool[] true",
                           .source = "numpy.any, of booleans only"},
                          "reduce_or");
}

}  // namespace calx::ops
