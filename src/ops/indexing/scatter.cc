// scatter: writes slices at positions that are data; of several updates of one element the last wins. Linear
// in operand and updates together: the result is a selection of their elements.
#include "indexing/_support.h"

namespace calx::ops {

namespace scatter_parts {

using namespace index_attrs;

/// The cotangent of the updates: that of their element where they are its last update, else 0. To know the
/// last ones, numbers of the updates are scattered, read back and compared. A dropped update finds no element
/// that holds its number, wherever it looks.
Tangent of_updates(const Call& c, const GatherSpec& spec, const Tangent& ct) {
  const Shape& shape = c.shape(2);
  if (shape.num_elements() == Dim(1)) return make_gather(ct, c[1], spec, c[mode]);
  const bool drops = c[mode] == IndexMode::fill;
  const IndexMode read = drops ? IndexMode::clip : c[mode];
  const Tensor numbers = core::reshape(core::iota({shape.num_elements()}, 0, i64), shape);
  const Tensor none = drops ? core::expand(Tensor(Array::scalar(std::int64_t{-1})), c.shape(0), {})
                            : core::zeros({i64, c.shape(0)});
  const Tensor winners = make_scatter(get_op("scatter"), none, c[1], numbers, spec, c[mode]);
  const Tensor is_last = core::compare(make_gather(winners, c[1], spec, read), numbers, Comparison::eq);
  return select(is_last, make_gather(ct, c[1], spec, read), Tangent::zero(c.type(2)));
}

}  // namespace scatter_parts

OpDef scatter() {
  using namespace scatter_parts;
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
      .form = Primitive{.infer = scatter_infer(),
                        .jvp = FromLinear{},
                        .linear =
                            LinearIn{{{0, 2}},
                                     [](const Call& c, int, const Tangents& ct) {
                                       if (ct[0].is_zero())
                                         return Tangents{Tangent::zero(c.type(0)), Tangent::zero(c.type(2))};
                                       const GatherSpec spec =
                                           GatherSpec::of_scatter(c.attrs(), c.type(0).rank(), c.shape(2));
                                       return Tangents{make_scatter(get_op("scatter"), ct[0], c[1],
                                                                    Tangent::zero(c.type(2)), spec, c[mode]),
                                                       of_updates(c, spec, ct[0])};
                                     }},
                        .batch = scatter_batch(),
                        .simplify = NoIdentity{},
                        .reference = scatter_reference(loopir::ScatterCombiner::set),
                        .lower = scatter_lower(loopir::ScatterCombiner::set)},
      .samples =
          [] {
            std::vector<Sample> samples = scatter_samples()();
            // One update of one element among several.
            samples.push_back(
                {.operands = {{.shape = {3}},
                              {.shape = {1}, .dtype = i32, .draw = Draw::indices, .high = 3},
                              {}},
                 .attrs = {attr(inserted_window_dims, {0}), attr(scatter_dims_to_operand_dims, {0}),
                           attr(index_vector_dim, 0)}});
            return samples;
          },
      .rejects = scatter_rejects(),
  };
}

}  // namespace calx::ops
