#include "reduction/_arg.h"

namespace calx::ops {

OpDef argmin() {
  return reduction::arg_op({.summary = "Position of the smallest element along an axis.",
                            .math = "y = the first i with x_i == min over axis of x",
                            .shapes = "`x: f32[a,b]`, axis 1 -> `i32[a]`, or `i32[a,1]` with keepdims",
                            .gradient = "none: the result is an integer",
                            .accuracy = "exact; the first NaN where there is one, the lowest position at ties",
                            .errors = "axis outside [-rank, rank): CALX-E203; an axis without elements: CALX-E211; a dtype that is "
                                      "not i32 or i64: CALX-E301",
                            .example = "argmin(tensor({3, 1, 5}))  // i32[] 1",
                            .source = "numpy.argmin, whose result is i64"},
                           "argmin", false);
}

}  // namespace calx::ops
