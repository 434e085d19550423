// scatter_max: the largest of an element and its updates, at positions that are data. Ties share the
// derivative.
#include "indexing/_support.h"

namespace calx::ops {

OpDef scatter_max() {
  return {
      .name = "scatter_max",
      .family = "indexing",
      .doc = {.summary = "Keeps the largest of an element and its updates, at positions given by indices.",
              .math = "y[p] = max of operand[p] and all updates[b, o] with start(b) + o = p; starts and axes "
                      "as in gather",
              .shapes = "`operand: f32[v,d]`, `indices: i32[n]`, `updates: f32[n,d]`, update_window_dims "
                        "[1], inserted_window_dims "
                        "[0], scatter_dims_to_operand_dims [0], index_vector_dim 1 -> `f32[v,d]`",
              .gradient = "shared equally among the entries that equal the result; the operand's own entry "
                          "counts as one. Where the "
                          "result is NaN: 0",
              .accuracy = "exact; NaN wins, of zeros the positive one",
              .errors = "as gather; updates of another shape than the indices address: CALX-E202, of another "
                        "dtype: CALX-E102",
              .example = "scatter_max(tensor({1, 2, 3}), tensor<std::int32_t>({0, 0}), tensor({7, 8}), 1, "
                         "{.inserted_window_dims = {0}, "
                         ".scatter_dims_to_operand_dims = {0}})  // f32[3] [8, 2, 3]",
              .source = "StableHLO scatter with a body that takes the max; jax.lax.scatter_max"},
      .operands = scatter_operands(DTypes::numeric),
      .attrs = scatter_attributes(),
      .form = Primitive{.infer = scatter_infer(),
                        .jvp = scatter_choice_jvp,
                        .linear = NotLinear{},
                        .batch = scatter_batch(),
                        .simplify = NoIdentity{},
                        .reference = scatter_reference(loopir::ScatterCombiner::max),
                        .lower = scatter_lower(loopir::ScatterCombiner::max)},
      .samples = scatter_samples(),
      .rejects = scatter_rejects(),
  };
}

}  // namespace calx::ops
