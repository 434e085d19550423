// gather: slices of a tensor at positions that are data, in StableHLO's general form. Its transpose is
// scatter_add with the same dimension numbers and the same mode.
#include "indexing/_support.h"

namespace calx::ops {

OpDef gather() {
  using namespace index_attrs;
  return {
      .name = "gather",
      .family = "indexing",
      .doc =
          {.summary = "Reads slices of a tensor at positions given by indices.",
           .math = "y[b, o] = operand[start(b) + o], start(b)[start_index_map[k]] = indices[b, k]; collapsed "
                   "axes have no o, "
                   "batching axes run along with b",
           .shapes = "`operand: f32[v,d]`, `indices: i32[n]`, offset_dims [1], collapsed_slice_dims [0], "
                     "start_index_map [0], "
                     "index_vector_dim 1, slice_sizes [1,d] -> `f32[n,d]`",
           .gradient = "to operand: scatter_add of the cotangent into zeros, exactly as `mode` read it: clip "
                       "adds to the clipped "
                       "element, fill drops",
           .accuracy = "exact",
           .errors = "axes out of range, named twice or out of order: CALX-E203, CALX-E204; lists of unfit "
                     "lengths: CALX-E201; "
                     "a slice larger than the operand: CALX-E301; batching axes of different sizes: "
                     "CALX-E202. Indices are "
                     "never errors here: `mode` clip moves the slice inside, fill gives 0, wrap counts "
                     "modulo the size, "
                     "in_bounds promises that none is outside",
           .example =
               "gather(tensor({10, 20, 30}), tensor<std::int32_t>({2, 5}), 1, {1}, {.collapsed_slice_dims = "
               "{0}, .start_index_map = {0}})  // f32[2] [30, 30]",
           .source = "StableHLO gather (mode clip); jax.lax.gather for the other modes, with fill value 0"},
      .operands = {{"operand", DTypes::any}, {"indices", DTypes::index}},
      .attrs = {offset_dims, collapsed_slice_dims, operand_batching_dims, start_indices_batching_dims,
                start_index_map, index_vector_dim, slice_sizes, mode},
      .form =
          Primitive{.infer =
                        [](const Call& c) {
                          return Types(Type{c.dtype(0), check_gather(c, GatherSpec::of_gather(c.attrs()),
                                                                     c.type(0), c.type(1))});
                        },
                    .jvp = FromLinear{},
                    .linear = LinearIn{{{0}},
                                       [](const Call& c, int, const Tangents& ct) {
                                         return Tangents(make_scatter(
                                             get_op("scatter_add"), Tangent::zero(c.type(0)), c[1], ct[0],
                                             GatherSpec::of_gather(c.attrs()), c[mode]));
                                       }},
                    .batch = [](const BatchCall& c) -> std::vector<Batched> {
                      const GatherSpec spec =
                          GatherSpec::of_gather(c.call.attrs()).batched(c.batched(0), c.batched(1), c.size);
                      return {{make_gather(c.tensor(0), c.tensor(1), spec, c.call[mode]), true}};
                    },
                    .simplify = NoIdentity{},
                    .reference = [](const ReferenceCall& c) -> std::vector<Array> {
                      GatherSpec spec = GatherSpec::of_gather(c.attrs());
                      for (Dim& size : spec.slice_sizes) size = Dim(c.evaluate(size));
                      GatherWalk walk(spec.lowered(), c[mode], c[0].sizes(), c[1], c.sizes());
                      Array out = c.result();
                      visit_words(c.dtype(), [&]<class Word>(std::type_identity<Word>) {
                        const Word* from = words<Word>(c[0]);
                        Word* to = mutable_words<Word>(out);
                        walk.run([&](std::int64_t target, std::int64_t source) {
                          to[target] = source >= 0 ? from[source] : Word(0);
                        });
                      });
                      return {std::move(out)};
                    },
                    .lower = [](const Call& c) -> loopir::Lowered {
                      return loopir::Gather{GatherSpec::of_gather(c.attrs()).lowered(), c[mode],
                                            loopir::Scalar::constant(0, c.dtype(0))};
                    }},
      .samples =
          [] {
            std::vector<Sample> samples;
            samples.push_back({.operands = {{.shape = {3, 2}}, index_operand({5}, 0, 3)},
                               .attrs = {attr(offset_dims, {1}), attr(collapsed_slice_dims, {0}),
                                         attr(start_index_map, {0}), attr(index_vector_dim, 1),
                                         attr(slice_sizes, {Dim(1), Dim(2)})}});
            for (IndexMode each : {IndexMode::clip, IndexMode::fill, IndexMode::wrap}) {
              samples.push_back(
                  {.operands = {{.shape = {5}}, index_operand({4, 1}, -3, 8)},
                   .attrs = {attr(offset_dims, {1}), attr(start_index_map, {0}), attr(index_vector_dim, 1),
                             attr(slice_sizes, {Dim(2)}), attr(mode, each)}});
            }
            samples.push_back({.operands = {{.shape = {3, 4}}, index_operand({2, 3}, -1, 4)},
                               .attrs = {attr(offset_dims, {0}), attr(collapsed_slice_dims, {0}),
                                         attr(start_index_map, {1, 0}), attr(index_vector_dim, 0),
                                         attr(slice_sizes, {Dim(1), Dim(2)})}});
            samples.push_back({.operands = {{.shape = {2, 3}}, index_operand({4, 2}, 0, 3)},
                               .attrs = {attr(collapsed_slice_dims, {1}), attr(operand_batching_dims, {0}),
                                         attr(start_indices_batching_dims, {1}), attr(start_index_map, {1}),
                                         attr(index_vector_dim, 2), attr(slice_sizes, {Dim(1), Dim(1)}),
                                         attr(mode, IndexMode::in_bounds)}});
            samples.push_back({.operands = {{.shape = {3}}, index_operand({0}, 0, 3)},
                               .attrs = {attr(collapsed_slice_dims, {0}), attr(start_index_map, {0}),
                                         attr(index_vector_dim, 1), attr(slice_sizes, {Dim(1)})}});
            samples.push_back({.operands = {{}, index_operand({0}, 0, 1)},
                               .attrs = {attr(index_vector_dim, 0), attr(slice_sizes, std::vector<Dim>{})}});
            samples.push_back(
                {.operands = {{.shape = {3, 3}},
                              {.shape = {}, .dtype = i64, .draw = Draw::indices, .low = 0, .high = 3}},
                 .attrs = {attr(offset_dims, {0}), attr(collapsed_slice_dims, {1}),
                           attr(start_index_map, {1}), attr(index_vector_dim, 0),
                           attr(slice_sizes, {Dim(3), Dim(1)})}});
            return samples;
          },
      .rejects =
          [] {
            const Attrs rows = {attr(offset_dims, {1}), attr(collapsed_slice_dims, {0}),
                                attr(start_index_map, {0}), attr(index_vector_dim, 1),
                                attr(slice_sizes, {Dim(1), Dim(2)})};
            const Type x{f32, {3, 2}};
            const Type i{i32, {5}};
            return std::vector<Reject>{{.operands = {x, {f32, {5}}},
                                        .attrs = rows,
                                        .id = ErrorId::dtype,
                                        .message = "`indices` f32[5]"},
                                       {.operands = {x, i},
                                        .attrs = Attrs(rows).with(offset_dims, {2}),
                                        .id = ErrorId::axis,
                                        .message = "`offset_dims` names axis 2"},
                                       {.operands = {x, i},
                                        .attrs = Attrs(rows).with(offset_dims, {}),
                                        .id = ErrorId::rank,
                                        .message = "`offset_dims` needs 1"},
                                       {.operands = {x, i},
                                        .attrs = Attrs(rows).with(collapsed_slice_dims, {0, 0}),
                                        .id = ErrorId::duplicate_axis,
                                        .message = "`collapsed_slice_dims` names axis 0 twice"},
                                       {.operands = {x, i},
                                        .attrs = Attrs(rows).with(start_index_map, {0, 1}),
                                        .id = ErrorId::shape_mismatch,
                                        .message = "`start_index_map` (2)"},
                                       {.operands = {x, i},
                                        .attrs = Attrs(rows).with(index_vector_dim, 2),
                                        .id = ErrorId::axis,
                                        .message = "`index_vector_dim` is 2"},
                                       {.operands = {x, i},
                                        .attrs = Attrs(rows).with(slice_sizes, {Dim(1), Dim(3)}),
                                        .id = ErrorId::attribute,
                                        .message = "the slice size of axis 1 is 3"},
                                       {.operands = {x, i},
                                        .attrs = Attrs(rows).with(slice_sizes, {Dim(2), Dim(2)}),
                                        .id = ErrorId::attribute,
                                        .message = "not 1, but the axis is collapsed"},
                                       {.operands = {x, i},
                                        .attrs = Attrs(rows).with(slice_sizes, {Dim(1)}),
                                        .id = ErrorId::rank,
                                        .message = "`slice_sizes` needs 2"},
                                       {.operands = {x, i},
                                        .attrs = Attrs(rows).with(start_indices_batching_dims, {0}),
                                        .id = ErrorId::rank,
                                        .message = "must have one length"},
                                       {.operands = {x, i},
                                        .attrs = Attrs(rows)
                                                     .with(operand_batching_dims, {1})
                                                     .with(start_indices_batching_dims, {0})
                                                     .with(offset_dims, {})
                                                     .with(slice_sizes, {Dim(1), Dim(1)}),
                                        .id = ErrorId::shape_mismatch,
                                        .message = "axis 1 of `operand` (2)"}};
          },
  };
}

}  // namespace calx::ops
