// cumsum: running sums. The transpose is a running sum in the other direction.
#include "indexing/_cumulative.h"

namespace calx::ops {

OpDef cumsum() {
  using namespace cumulative_attrs;
  return {
      .name = "cumsum",
      .family = "indexing",
      .doc =
          {.summary = "Running sums along an axis.",
           .math =
               "y_i = x_0 + ... + x_i; exclusive: y_i = x_0 + ... + x_{i-1}; reverse: from the last element",
           .shapes = "`x: f32[a,b]`, axis 1 -> `f32[a,b]`",
           .gradient = "the running sum of the cotangent in the other direction",
           .accuracy = "accumulated in `accumulation` (f32 for f16 and bf16, i32 or u32 for narrow "
                       "integers), each result converted once; integers wrap",
           .errors = "axis outside [-rank, rank): CALX-E203; an accumulation type that does not hold the "
                     "dtype: CALX-E101",
           .example = "cumsum(tensor({1, 2, 3}))  // f32[3] [1, 3, 6]",
           .source = "numpy.cumsum, which flattens by default; jax.lax.cumsum"},
      .operands = {{"x", DTypes::numeric}},
      .attrs = {axis, exclusive, reversed, accumulation},
      .form = Primitive{.infer = cumulative_infer(true),
                        .jvp = FromLinear{},
                        .linear = LinearIn{{{0}},
                                           [](const Call& c, int, const Tangents& ct) {
                                             return Tangents(apply_linear(
                                                 c.op(), ct[0], c.attrs().with(reversed, !c[reversed])));
                                           }},
                        .batch = cumulative_batch(),
                        .simplify = cumulative_simplify(),
                        .reference = cumulative_reference(loopir::Combiner::sum),
                        .lower = cumulative_lower(loopir::Combiner::sum, true)},
      .samples = cumulative_samples(true),
      .rejects = cumulative_rejects(true),
  };
}

}  // namespace calx::ops
