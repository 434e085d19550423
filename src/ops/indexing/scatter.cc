// scatter: writes slices at positions that are data; of several updates of one element the last wins. Linear
// in operand and updates together: the result is a selection of their elements.
#include "indexing/_support.h"

namespace calx::ops {

using namespace index_attrs;

namespace {

/// Which updates are the last of their element: numbers of updates are scattered, read back and compared.
Tensor is_last(const Call& c, const GatherSpec& spec) {
  const Tensor numbers = element_numbers(c.shape(2));
  const Tensor winners =
      make_scatter(get_op("scatter"), core::zeros({i64, c.shape(0)}), c[1], numbers, spec, c[mode]);
  return core::compare(make_gather(winners, c[1], spec, c[mode]), numbers, Comparison::eq);
}

}  // namespace

OpDef scatter() {
  return {
      .name = "scatter",
      .family = "indexing",
      .doc = {.summary = "Writes slices at positions given by indices; the last update of an element wins.",
              .math = "y[start(b) + o] = updates[b, o], y = operand elsewhere; starts and axes as in gather",
              .shapes = "`operand: f32[v,d]`, `indices: i32[n]`, `updates: f32[n,d]`, update_window_dims "
                        "[1], inserted_window_dims "
                        "[0], scatter_dims_to_operand_dims [0], index_vector_dim 1 -> `f32[v,d]`",
              .gradient = "to operand the cotangent where nothing was written; to updates the cotangent of "
                          "their element where "
                          "they are its last update, else 0",
              .accuracy = "exact",
              .errors = "as gather; updates of another shape than the indices address: CALX-E202, of another "
                        "dtype: CALX-E102",
              .example = "scatter(tensor({1, 2, 3}), tensor<std::int32_t>({0, 0}), tensor({7, 8}), 1, "
                         "{.inserted_window_dims = {0}, "
                         ".scatter_dims_to_operand_dims = {0}})  // f32[3] [8, 2, 3]",
              .source = "StableHLO scatter with a body that returns the update, made deterministic; mode "
                        "fill drops, as StableHLO "
                        "does; jax.lax.scatter"},
      .operands = scatter_operands(DTypes::any),
      .attrs = scatter_attributes(),
      .form =
          Primitive{.infer = scatter_infer(),
                    .jvp = FromLinear{},
                    .linear = LinearIn{{{0, 2}},
                                     [](const Call& c, int, const Tangents& ct) {
                                       if (ct[0].is_zero())
                                         return Tangents{Tangent::zero(c.type(0)), Tangent::zero(c.type(2))};
                                       const GatherSpec spec =
                                           GatherSpec::of_scatter(c.attrs(), c.type(0).rank(), c.shape(2));
                                       const Tangent none = Tangent::zero(c.type(2));
                                       return Tangents{
                                           make_scatter(get_op("scatter"), ct[0], c[1], none, spec, c[mode]),
                                           select(is_last(c, spec), make_gather(ct[0], c[1], spec, c[mode]),
                                                  none)};
                                     }},
                    .batch = scatter_batch(),
                    .simplify = NoIdentity{},
                    .reference = scatter_reference(loopir::ScatterCombiner::set),
                    .lower = scatter_lower(loopir::ScatterCombiner::set)},
      .samples = scatter_samples(),
      .rejects = scatter_rejects(),
  };
}

}  // namespace calx::ops
