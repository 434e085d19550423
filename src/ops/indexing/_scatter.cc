// Builders of gathers and scatters, and the slots that all scatters have in common.
#include <algorithm>
#include <numeric>

#include "calx/loopir/scalar_math.h"
#include "indexing/_support.h"

namespace calx::ops {

Array widest(const Array& x) {
  const DType dtype = x.dtype();
  return ref::convert_array(x, dtype.is_floating() ? f64 : dtype.is_signed() ? i64 : u64);
}

SampleOperand index_operand(Shape shape, double low, double high) {
  return {.shape = std::move(shape), .dtype = i32, .draw = Draw::indices, .low = low, .high = high};
}

Tensor make_gather(const Tensor& operand, const Tensor& indices, const GatherSpec& spec,
                   IndexMode index_mode) {
  return apply_one(get_op("gather"), {operand, indices}, spec.gather_attrs(index_mode));
}

Tangent make_gather(const Tangent& operand, const Tensor& indices, const GatherSpec& spec,
                    IndexMode index_mode) {
  if (!operand.is_zero()) return Tangent(make_gather(operand.tensor(), indices, spec, index_mode));
  Attrs attrs = spec.gather_attrs(index_mode);
  const Type types[] = {operand.type(), indices.type()};
  return Tangent::zero(infer_types(get_op("gather"), types, attrs, {}).front());
}

Tensor make_scatter(const OpDef& op, const Tensor& operand, const Tensor& indices, const Tensor& updates,
                    const GatherSpec& spec, IndexMode index_mode) {
  return apply_one(op, {operand, indices, updates}, spec.scatter_attrs(index_mode));
}

Tangent make_scatter(const OpDef& op, const Tangent& operand, const Tensor& indices, const Tangent& updates,
                     const GatherSpec& spec, IndexMode index_mode) {
  if (operand.is_zero() && updates.is_zero()) return operand;
  return Tangent(make_scatter(op, operand.instantiate(), indices, updates.instantiate(), spec, index_mode));
}

GatherSpec along_axis(int rank, int axis) {
  GatherSpec spec{.collapsed_slice_dims = {axis}, .start_index_map = {axis}, .index_vector_dim = rank};
  for (int other = 0; other < rank; ++other) {
    if (other != axis) spec.operand_batching_dims.push_back(other);
  }
  spec.start_indices_batching_dims = spec.operand_batching_dims;
  spec.slice_sizes.assign(static_cast<std::size_t>(rank), Dim(1));
  return spec;
}

Tensor make_take_along(const Tensor& x, const Tensor& indices, int axis, IndexMode index_mode) {
  return make_gather(x, indices, along_axis(x.rank(), axis), index_mode);
}

Tangent make_take_along(const Tangent& t, const Tensor& indices, int axis, IndexMode index_mode) {
  return make_gather(t, indices, along_axis(t.type().rank(), axis), index_mode);
}

Tensor element_numbers(const Shape& shape) {
  const Tensor flat = core::iota({shape.num_elements()}, 0, i64);
  return core::reshape(core::add(flat, core::ones(flat.type())), shape);
}

std::vector<OperandSpec> scatter_operands(DTypes dtypes) {
  return {{"operand", dtypes}, {"indices", DTypes::index}, {"updates", dtypes}};
}

std::vector<AttrSpec> scatter_attributes() {
  using namespace index_attrs;
  return {update_window_dims,
          inserted_window_dims,
          operand_batching_dims,
          scatter_indices_batching_dims,
          scatter_dims_to_operand_dims,
          index_vector_dim,
          mode};
}

InferRule scatter_infer() {
  return [](const Call& c) {
    require_same_dtype(c, 0, 2);
    const GatherSpec spec = GatherSpec::of_scatter(c.attrs(), c.type(0).rank(), c.shape(2));
    const Shape read = check_gather(c, spec, c.type(0), c.type(1));
    require_rank(c, 2, read.rank());
    for (int axis = 0; axis < read.rank(); ++axis) {
      require_equal(c, c.shape(2)[axis], read[axis], "a size of `updates`", "what the indices address");
    }
    return Types(c.type(0));
  };
}

BatchRule scatter_batch() {
  return [](const BatchCall& c) -> std::vector<Batched> {
    const GatherSpec spec = GatherSpec::of_scatter(c.call.attrs(), c.call.type(0).rank(), c.call.shape(2));
    return {{make_scatter(c.call.op(), c.with_batch(0), c.tensor(1), c.with_batch(2),
                          spec.batched(true, c.batched(1), c.size), c.call[index_attrs::mode]),
             true}};
  };
}

namespace {

/// combine(element, update) for every update that is kept.
template <class T, class Combine>
void scatter_into(GatherWalk& walk, const T* operand, const T* updates, T* to, std::int64_t count,
                  Combine combine) {
  std::copy_n(operand, count, to);
  walk.run([&](std::int64_t update, std::int64_t target) {
    if (target >= 0) to[target] = combine(to[target], updates[update]);
  });
}

/// The dtype in which updates are combined: sums and products as wide as reductions, else the dtype's compute
/// type.
DType combining_dtype(loopir::ScatterCombiner combiner, DType dtype) {
  const bool accumulates =
      combiner == loopir::ScatterCombiner::add || combiner == loopir::ScatterCombiner::mul;
  return accumulates || (combiner != loopir::ScatterCombiner::set && dtype.is_floating())
             ? dtype.accumulation()
             : dtype;
}

/// Converted before and after, so that the loops exist once per accumulation type.
template <class Combine>
Array scatter_combining(GatherWalk& walk, const ReferenceCall& c, DType wide, Combine combine) {
  const Array operand = ref::convert_array(c[0], wide);
  const Array updates = ref::convert_array(c[2], wide);
  Array out = Array::uninitialized(wide, operand.sizes());
  ref::visit<DTypes::numeric>(wide, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, ComputeType<T>>) {
      scatter_into(walk, operand.data<T>(), updates.data<T>(), out.mutable_data<T>(), out.num_elements(),
                   combine);
    } else {
      raise_internal("16-bit floats are combined in f32");
    }
  });
  return ref::convert_array(out, c.dtype());
}

Array scatter_setting(GatherWalk& walk, const ReferenceCall& c) {
  Array out = c.result();
  visit_words(c.dtype(), [&]<class Word>(std::type_identity<Word>) {
    scatter_into(walk, words<Word>(c[0]), words<Word>(c[2]), mutable_words<Word>(out), out.num_elements(),
                 [](Word, Word update) { return update; });
  });
  return out;
}

}  // namespace

ReferenceRule scatter_reference(loopir::ScatterCombiner combiner) {
  return [combiner](const ReferenceCall& c) -> std::vector<Array> {
    using loopir::ScatterCombiner;
    const GatherSpec spec = GatherSpec::of_scatter(c.attrs(), c[0].rank(), Shape::of(c[2].sizes()));
    GatherWalk walk(spec.lowered(), c[index_attrs::mode], c[0].sizes(), c[1], c[2].sizes());
    const DType wide = combining_dtype(combiner, c.dtype());
    namespace math = loopir::math;
    switch (combiner) {
      case ScatterCombiner::set:
        return {scatter_setting(walk, c)};
      case ScatterCombiner::add:
        return {scatter_combining(walk, c, wide, [](auto a, auto b) { return math::add(a, b); })};
      case ScatterCombiner::mul:
        return {scatter_combining(walk, c, wide, [](auto a, auto b) { return math::mul(a, b); })};
      case ScatterCombiner::min:
        return {scatter_combining(walk, c, wide, [](auto a, auto b) { return math::minimum(a, b); })};
      case ScatterCombiner::max:
        return {scatter_combining(walk, c, wide, [](auto a, auto b) { return math::maximum(a, b); })};
    }
    raise_internal("unknown combiner");
  };
}

LowerRule scatter_lower(loopir::ScatterCombiner combiner) {
  return [combiner](const Call& c) -> loopir::Lowered {
    const GatherSpec spec = GatherSpec::of_scatter(c.attrs(), c.type(0).rank(), c.shape(2));
    return loopir::Scatter{spec.lowered(), c[index_attrs::mode], combiner, combining_dtype(combiner, c.dtype(0))};
  };
}

std::function<std::vector<Sample>()> scatter_samples() {
  return [] {
    using namespace index_attrs;
    const auto operand = [](Shape shape) { return SampleOperand{.shape = std::move(shape)}; };
    std::vector<Sample> samples;
    // Rows of a matrix, duplicates likely.
    samples.push_back({.operands = {operand({3, 2}), index_operand({5}, 0, 3), operand({5, 2})},
                       .attrs = {attr(update_window_dims, {1}), attr(inserted_window_dims, {0}),
                                 attr(scatter_dims_to_operand_dims, {0}), attr(index_vector_dim, 1)}});
    // Every mode, with indices on both sides outside.
    for (IndexMode each : {IndexMode::clip, IndexMode::fill, IndexMode::wrap}) {
      samples.push_back({.operands = {operand({4}), index_operand({6}, -3, 8), operand({6})},
                         .attrs = {attr(inserted_window_dims, {0}), attr(scatter_dims_to_operand_dims, {0}),
                                   attr(index_vector_dim, 1), attr(mode, each)}});
    }
    // Elements without updates next to dropped ones, the first and the last among them.
    samples.push_back(
        {.operands = {operand({4}),
                      {.shape = {6}, .dtype = i32, .draw = Draw::given, .values = {-2, 1, -3, 1, 5, 2}},
                      operand({6})},
         .attrs = {attr(inserted_window_dims, {0}), attr(scatter_dims_to_operand_dims, {0}),
                   attr(index_vector_dim, 1), attr(mode, IndexMode::fill)}});
    // Index vectors on axis 0, a window along one axis of the operand, in reversed order of the operand's
    // axes.
    samples.push_back({.operands = {operand({3, 4}), index_operand({2, 3}, -1, 4), operand({3, 2})},
                       .attrs = {attr(update_window_dims, {1}), attr(inserted_window_dims, {0}),
                                 attr(scatter_dims_to_operand_dims, {1, 0}), attr(index_vector_dim, 0)}});
    // Batch axes of operand and indices that run along together.
    samples.push_back(
        {.operands = {operand({2, 3}), index_operand({2, 4}, 0, 3), operand({2, 4})},
         .attrs = {attr(inserted_window_dims, {1}), attr(operand_batching_dims, {0}),
                   attr(scatter_indices_batching_dims, {0}), attr(scatter_dims_to_operand_dims, {1}),
                   attr(index_vector_dim, 2), attr(mode, IndexMode::in_bounds)}});
    // No update at all, and one index for a scalar.
    samples.push_back({.operands = {operand({3}), index_operand({0}, 0, 3), operand({0})},
                       .attrs = {attr(inserted_window_dims, {0}), attr(scatter_dims_to_operand_dims, {0}),
                                 attr(index_vector_dim, 1)}});
    samples.push_back({.operands = {operand({}), index_operand({0}, 0, 1), operand({})},
                       .attrs = {attr(index_vector_dim, 0)}});
    return samples;
  };
}

std::function<std::vector<Reject>()> scatter_rejects() {
  return [] {
    using namespace index_attrs;
    const Attrs rows = {attr(update_window_dims, {1}), attr(inserted_window_dims, {0}),
                        attr(scatter_dims_to_operand_dims, {0}), attr(index_vector_dim, 1)};
    return std::vector<Reject>{{.operands = {{f32, {3, 2}}, {f32, {5}}, {f32, {5, 2}}},
                                .attrs = rows,
                                .id = ErrorId::dtype,
                                .message = "`indices` f32[5]"},
                               {.operands = {{f32, {3, 2}}, {i32, {5}}, {i32, {5, 2}}},
                                .attrs = rows,
                                .id = ErrorId::dtype_mismatch,
                                .message = "`updates`"},
                               {.operands = {{f32, {3, 2}}, {i32, {5}}, {f32, {4, 2}}},
                                .attrs = rows,
                                .id = ErrorId::shape_mismatch,
                                .message = "a size of `updates`"},
                               {.operands = {{f32, {3, 2}}, {i32, {5}}, {f32, {5, 3}}},
                                .attrs = rows,
                                .id = ErrorId::attribute,
                                .message = "slice size of axis 1 is 3"},
                               {.operands = {{f32, {3, 2}}, {i32, {5}}, {f32, {5, 2}}},
                                .attrs = Attrs(rows).with(inserted_window_dims, {2}),
                                .id = ErrorId::axis,
                                .message = "`inserted_window_dims` names axis 2"},
                               {.operands = {{f32, {3, 2}}, {i32, {5}}, {f32, {5, 2}}},
                                .attrs = Attrs(rows).with(scatter_dims_to_operand_dims, {0, 1}),
                                .id = ErrorId::shape_mismatch,
                                .message = "the size of an index vector"}};
  };
}

namespace {

/// Shared equally among the entries that equal the result.
Tangents share_among_entries(const Call& c, const Tangents& t) {
  if (t[0].is_zero() && t[2].is_zero()) return Tangents(t[0]);
  const GatherSpec spec = GatherSpec::of_scatter(c.attrs(), c.type(0).rank(), c.shape(2));
  const DType counting = c.dtype(0).accumulation();
  const Tensor& y = c.out();
  const Tensor operand_wins = core::compare(c[0], y, Comparison::eq);
  // What is read for an update that is dropped does not matter.
  const IndexMode read = c[index_attrs::mode] == IndexMode::fill ? IndexMode::clip : c[index_attrs::mode];
  const Tensor update_wins = core::compare(c[2], make_gather(y, c[1], spec, read), Comparison::eq);
  const Tensor winners = make_scatter(get_op("scatter_add"), core::convert(operand_wins, counting), c[1],
                                      core::convert(update_wins, counting), spec, c[index_attrs::mode]);
  // No entry equals a NaN; 1/0 is cut there because nothing is added either.
  const Tensor share = core::convert(core::div(core::ones(winners.type()), winners), c.dtype(0));
  const Tangent sum =
      make_scatter(get_op("scatter_add"), select(operand_wins, t[0], Tangent::zero(t[0].type())), c[1],
                   select(update_wins, t[2], Tangent::zero(t[2].type())), spec, c[index_attrs::mode]);
  return Tangents(share * sum);
}

}  // namespace

OpDef scatter_choice(std::string_view name, OpDoc doc, loopir::ScatterCombiner combiner) {
  doc.shapes =
      "`operand: f32[v,d]`, `indices: i32[n]`, `updates: f32[n,d]`, update_window_dims [1], "
      "inserted_window_dims [0], scatter_dims_to_operand_dims [0], index_vector_dim 1 -> `f32[v,d]`";
  doc.gradient =
      "shared equally among the entries that equal the result; the operand's own entry counts as one. Where "
      "the "
      "result is NaN: 0";
  doc.errors =
      "as gather; updates of another shape than the indices address: CALX-E202, of another dtype: CALX-E102";
  return {.name = name,
          .family = "indexing",
          .doc = doc,
          .operands = scatter_operands(DTypes::numeric),
          .attrs = scatter_attributes(),
          .form = Primitive{.infer = scatter_infer(),
                            .jvp = share_among_entries,
                            .linear = NotLinear{},
                            .batch = scatter_batch(),
                            .simplify = NoIdentity{},
                            .reference = scatter_reference(combiner),
                            .lower = scatter_lower(combiner)},
          .samples = scatter_samples(),
          .rejects = scatter_rejects()};
}

}  // namespace calx::ops
