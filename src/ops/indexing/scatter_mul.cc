// scatter_mul: multiplies elements at positions that are data. Its derivative takes the product rule one
// update at a time, as a linear_recurrence over the updates sorted by their element: exact with zeros and
// duplicates, of constant size.
#include "indexing/_cumulative.h"

namespace calx::ops {

namespace scatter_mul_parts {

using namespace index_attrs;

/// v_k, the element after update k, is u_k v_{k-1}, so dv_k = u_k dv_{k-1} + v_{k-1} du_k, from v_{-1} =
/// operand.
Tangent product_rule(const Call& c, const Tangent& operand_t, const Tangent& updates_t) {
  const GatherSpec spec = GatherSpec::of_scatter(c.attrs(), c.type(0).rank(), c.shape(2));
  const Shape flat{c.shape(2).num_elements()};
  const Shape flat_operand{c.shape(0).num_elements()};
  // Element numbers from 1; 0 is an update that is dropped.
  const Tensor target = core::reshape(make_gather(element_numbers(c.shape(0)), c[1], spec, c[mode]), flat);
  const Tensors sorted = apply(get_op("sort"), {target}, {});
  const Tensor order = sorted[1];
  const Tensor element = sorted[0];
  const Tensor index = core::sub(element, core::ones(element.type()));
  // Of the dropped ones, which come first, none: they start from 0 and stay there.
  const Tensor is_first =
      core::compare(element, make_shift(element, core::zeros({i64, {}}), 0, 1), Comparison::ne);

  const Tensor u = make_take_along(core::reshape(c[2], flat), order, 0);
  const Tangent du = make_take_along(reshape(updates_t, flat), order, 0);
  // Dropped updates read any element, and nothing of it is kept.
  const Tensor x = make_take_along(core::reshape(c[0], flat_operand), index, 0, IndexMode::clip);
  const Tangent dx = make_take_along(reshape(operand_t, flat_operand), index, 0, IndexMode::clip);
  const Tensor zero = core::zeros(u.type());
  const Tensor previous_u = make_shift(u, core::zeros({u.dtype(), {}}), 0, 1);
  const Tensor before = make_linear_recurrence(core::select(is_first, zero, previous_u),
                                               core::select(is_first, x, zero), 0, false);
  const Tangent start = select(is_first, u * dx, Tangent::zero(dx.type()));
  const Tangent after =
      make_linear_recurrence(core::select(is_first, zero, u), start + before * du, 0, false);

  // The last update of an element holds its derivative; elements without updates keep theirs.
  const GatherSpec along = along_axis(1, 0);
  const IndexMode write = c[mode] == IndexMode::fill ? IndexMode::fill : IndexMode::in_bounds;
  return reshape(
      make_scatter(get_op("scatter"), reshape(operand_t, flat_operand), index, after, along, write),
      c.shape(0));
}

}  // namespace scatter_mul_parts

OpDef scatter_mul() {
  using namespace scatter_mul_parts;
  return {
      .name = "scatter_mul",
      .family = "indexing",
      .doc = {.summary = "Multiplies elements at positions given by indices; every update counts, in the "
                         "order of indices.",
              .math = "y[p] = operand[p] * product of updates[b, o] over start(b) + o = p; starts and axes "
                      "as in gather",
              .shapes = "`operand: f32[v,d]`, `indices: i32[n]`, `updates: f32[n,d]`, update_window_dims "
                        "[1], inserted_window_dims "
                        "[0], scatter_dims_to_operand_dims [0], index_vector_dim 1 -> `f32[v,d]`",
              .gradient = "to operand the cotangent times the product of the updates; to an update that "
                          "times operand and the other "
                          "updates of its element: exact products, no division",
              .accuracy = "multiplied one after the other in the order of indices, in the accumulation type "
                          "of the dtype (f32 for f16 "
                          "and bf16), converted once",
              .errors = "as gather; updates of another shape than the indices address: CALX-E202, of another "
                        "dtype: CALX-E102",
              .example = "scatter_mul(tensor({1, 2, 3}), tensor<std::int32_t>({1, 1}), tensor({7, 8}), 1, "
                         "{.inserted_window_dims = {0}, "
                         ".scatter_dims_to_operand_dims = {0}})  // f32[3] [1, 112, 3]",
              .source = "StableHLO scatter with a body that multiplies; jax.lax.scatter_mul, which does not "
                        "differentiate duplicates"},
      .operands = scatter_operands(DTypes::numeric),
      .attrs = scatter_attributes(),
      .form = Primitive{.infer = scatter_infer(),
                        .jvp =
                            [](const Call& c, const Tangents& t) {
                              if (t[0].is_zero() && t[2].is_zero()) return Tangents(t[0]);
                              return Tangents(product_rule(c, t[0], t[2]));
                            },
                        .linear = LinearIn{{{0}},
                                           [](const Call& c, int, const Tangents& ct) {
                                             const GatherSpec spec = GatherSpec::of_scatter(
                                                 c.attrs(), c.type(0).rank(), c.shape(2));
                                             return Tangents(make_scatter(get_op("scatter_mul"),
                                                                          core::ones(c.type(0)), c[1], c[2],
                                                                          spec, c[mode]) *
                                                             ct[0]);
                                           }},
                        .batch = scatter_batch(),
                        .simplify = NoIdentity{},
                        .reference = scatter_reference(loopir::ScatterCombiner::mul),
                        .lower = scatter_lower(loopir::ScatterCombiner::mul)},
      .samples = scatter_samples(),
      .rejects = scatter_rejects(),
  };
}

}  // namespace calx::ops
