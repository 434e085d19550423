// cumprod: running products. Its derivative obeys the product rule step by step, so zeros need no care.
#include "indexing/_cumulative.h"

namespace calx::ops {

OpDef cumprod() {
  using namespace cumulative_attrs;
  return {
      .name = "cumprod",
      .family = "indexing",
      .doc =
          {.summary = "Running products along an axis.",
           .math =
               "y_i = x_0 * ... * x_i; exclusive: y_i = x_0 * ... * x_{i-1}; reverse: from the last element",
           .shapes = "`x: f32[a,b]`, axis 1 -> `f32[a,b]`",
           .gradient = "dy_i = x_i dy_{i-1} + y_{i-1} dx_i, a linear_recurrence: exact products, no "
                       "division, also where x has zeros",
           .accuracy = "multiplied in `accumulation` (f32 for f16 and bf16, i32 or u32 for narrow integers), "
                       "each result converted once; integers wrap",
           .errors = "axis outside [-rank, rank): CALX-E203; an accumulation type that does not hold the "
                     "dtype: CALX-E101",
           .example = "cumprod(tensor({1, 2, 3}))  // f32[3] [1, 2, 6]",
           .source = "numpy.cumprod; jax.lax.cumprod"},
      .operands = {{"x", DTypes::numeric}},
      .attrs = {axis, exclusive, reversed, accumulation},
      .form = Primitive{.infer = cumulative_infer(true),
                        .jvp =
                            [](const Call& c, const Tangents& t) {
                              const int along = normalize_axis(c, c[axis], c.type(0).rank());
                              const bool reverse = c[reversed];
                              // In the dtype of the running product, like the value.
                              const DType running = running_dtype(c.attrs(), c.dtype(0), true);
                              const Tensor x = core::convert(c[0], running);
                              const Tensor before = c[exclusive] && running == c.dtype(0)
                                                        ? c.out()
                                                        : make_cumulative(c.op(), x, along, true, reverse);
                              const Tangent inclusive =
                                  make_linear_recurrence(x, before * convert(t[0], running), along, reverse);
                              return Tangents(convert(
                                  c[exclusive] ? make_shift(inclusive, along, reverse ? -1 : 1) : inclusive,
                                  c.dtype(0)));
                            },
                        .linear = NotLinear{},
                        .batch = cumulative_batch(),
                        .simplify = cumulative_simplify(),
                        .reference = cumulative_reference(loopir::Combiner::prod),
                        .lower = cumulative_lower(loopir::Combiner::prod, true)},
      .samples = cumulative_samples(true),
      .rejects = cumulative_rejects(true),
  };
}

}  // namespace calx::ops
