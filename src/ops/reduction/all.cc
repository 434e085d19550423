#include "reduction/_logic.h"

namespace calx::ops {

OpDef all() {
  return reduction::logic("all",
                          {.summary = "Whether all elements over axes are true.",
                           .math = "y = and over axes of x",
                           .accuracy = "exact; an empty axis gives true",
                           .example = "all(tensor<bool>({true, false}))  // bool[] false",
                           .source = "numpy.all, of booleans only"},
                          "reduce_and");
}

}  // namespace calx::ops
