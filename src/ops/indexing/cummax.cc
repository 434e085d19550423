// cummax: the largest element so far. It selects, so its derivative is a gather at the selected positions.
#include "indexing/_cumulative.h"

namespace calx::ops {

using namespace cumulative_attrs;

OpDef cummax() {
  return {
      .name = "cummax",
      .family = "indexing",
      .doc = {.summary = "The largest element so far along an axis.",
              .math = "y_i = max(x_0, ..., x_i); exclusive: max(x_0, ..., x_{i-1}), of nothing -inf, or the "
                      "lowest integer; reverse: from the last element",
              .shapes = "`x: f32[a,b]`, axis 1 -> `f32[a,b]`",
              .gradient = "all of it to the chosen element; of tied ones to that with the lowest index, of "
                          "NaNs to the first",
              .accuracy = "exact; a NaN stays",
              .errors = "axis outside [-rank, rank): CALX-E203",
              .example = "cummax(tensor({2, 1, 3}))  // f32[3] [2, 2, 3]",
              .source = "numpy.maximum.accumulate; jax.lax.cummax, whose gradient shares ties"},
      .operands = {{"x", DTypes::numeric}},
      .attrs = {axis, exclusive, reversed},
      .form = Primitive{.infer = cumulative_infer(false),
                        .jvp = [](const Call& c,
                                  const Tangents& t) { return cumulative_choice_jvp(c, t, Comparison::gt); },
                        .linear = NotLinear{},
                        .batch = cumulative_batch(),
                        .simplify = cumulative_simplify(),
                        .reference = cumulative_reference(loopir::Combiner::max, false),
                        .lower = cumulative_lower(loopir::Combiner::max, false)},
      .samples = cumulative_samples(false, Draw::distinct),
      .rejects = cumulative_rejects(false),
  };
}

}  // namespace calx::ops
