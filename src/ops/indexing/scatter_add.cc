// scatter_add: adds slices at positions that are data. The transpose of gather; its own transpose is gather.
#include "indexing/_support.h"

namespace calx::ops {

OpDef scatter_add() {
  using namespace index_attrs;
  return {
      .name = "scatter_add",
      .family = "indexing",
      .doc =
          {.summary =
               "Adds slices at positions given by indices; every update counts, in the order of indices.",
           .math =
               "y[p] = operand[p] + sum of updates[b, o] over start(b) + o = p; starts and axes as in gather",
           .shapes = "`operand: f32[v,d]`, `indices: i32[n]`, `updates: f32[n,d]`, update_window_dims [1], "
                     "inserted_window_dims "
                     "[0], scatter_dims_to_operand_dims [0], index_vector_dim 1 -> `f32[v,d]`",
           .gradient =
               "to operand the cotangent; to updates the gather of the cotangent in the same mode (fill: 0)",
           .accuracy = "added one after the other in the order of indices, in the accumulation type of the "
                       "dtype (f32 for f16 and "
                       "bf16), converted once; the same bits on any number of threads",
           .errors = "as gather; updates of another shape than the indices address: CALX-E202, of another "
                     "dtype: CALX-E102",
           .example = "scatter_add(tensor({1, 2, 3}), tensor<std::int32_t>({0, 0}), tensor({7, 8}), 1, "
                      "{.inserted_window_dims = {0}, "
                      ".scatter_dims_to_operand_dims = {0}})  // f32[3] [16, 2, 3]",
           .source = "StableHLO scatter with a body that adds; numpy.add.at; jax.lax.scatter_add"},
      .operands = scatter_operands(DTypes::numeric),
      .attrs = scatter_attributes(),
      .form = Primitive{.infer = scatter_infer(),
                        .jvp = FromLinear{},
                        .linear = LinearIn{{{0, 2}},
                                         [](const Call& c, int, const Tangents& ct) {
                                           const GatherSpec spec = GatherSpec::of_scatter(
                                               c.attrs(), c.type(0).rank(), c.shape(2));
                                           return Tangents{ct[0], make_gather(ct[0], c[1], spec, c[mode])};
                                         }},
                        .batch = scatter_batch(),
                        .simplify = NoIdentity{},
                        .reference = scatter_reference(loopir::ScatterCombiner::add),
                        .lower = scatter_lower(loopir::ScatterCombiner::add)},
      .samples = scatter_samples(),
      .rejects = scatter_rejects(),
  };
}

}  // namespace calx::ops
