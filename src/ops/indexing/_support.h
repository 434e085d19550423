// What gather and the scatters share: attribute keys, the dimension numbers and their checks, the walk over
// the elements that indices address, and builders for rules. A scatter is described by the gather that would
// read what it writes.
#pragma once

#include <vector>

#include "calx/core/core_ops.h"
#include "calx/core/lower.h"
#include "calx/core/match.h"
#include "calx/core/reference.h"
#include "calx/core/samples.h"
#include "calx/ops/enums.h"
#include "shape/_support.h"

namespace calx::ops {

using Ints = std::vector<std::int64_t>;

namespace index_attrs {
inline constinit const Attr<Ints> offset_dims{"offset_dims", Ints{},
                                    "axes of the result that run over a slice, increasing"};
inline constinit const Attr<Ints> collapsed_slice_dims{
    "collapsed_slice_dims", Ints{}, "axes of the operand that the result lacks (slice size 1), increasing"};
inline constinit const Attr<Ints> operand_batching_dims{
    "operand_batching_dims", Ints{},
    "axes of the operand that run along with axes of the indices, increasing"};
inline constinit const Attr<Ints> start_indices_batching_dims{
    "start_indices_batching_dims", Ints{},
    "the axes of the indices that operand_batching_dims run along with"};
inline constinit const Attr<Ints> start_index_map{"start_index_map", Ints{},
                                        "axis of the operand for each entry of an index vector"};
inline constinit const Attr<std::int64_t> index_vector_dim{
    "index_vector_dim", required,
    "the axis of the indices that holds index vectors; their rank: each index is a scalar"};
inline constinit const Attr<std::vector<Dim>> slice_sizes{"slice_sizes", required,
                                                "size of the slice along each axis of the operand"};
inline constinit const Attr<IndexMode> mode{"mode", IndexMode::clip,
                                  "what becomes of slices that are not wholly inside the operand"};

inline constinit const Attr<Ints> update_window_dims{"update_window_dims", Ints{},
                                           "axes of the updates that run over a slice, increasing"};
inline constinit const Attr<Ints> inserted_window_dims{
    "inserted_window_dims", Ints{}, "axes of the operand that the updates lack (slice size 1), increasing"};
inline constinit const Attr<Ints> scatter_indices_batching_dims{
    "scatter_indices_batching_dims", Ints{},
    "the axes of the indices that operand_batching_dims run along with"};
inline constinit const Attr<Ints> scatter_dims_to_operand_dims{"scatter_dims_to_operand_dims", Ints{},
                                                     "axis of the operand for each entry of an index vector"};
}  // namespace index_attrs

/// The dimension numbers of a gather, sizes symbolic.
struct GatherSpec {
  Ints offset_dims = {};
  Ints collapsed_slice_dims = {};
  Ints operand_batching_dims = {};
  Ints start_indices_batching_dims = {};
  Ints start_index_map = {};
  std::int64_t index_vector_dim = 0;
  std::vector<Dim> slice_sizes = {};

  [[nodiscard]] static GatherSpec of_gather(const Attrs& attrs);
  /// The gather that reads what a scatter into an operand of rank `operand_rank` writes.
  [[nodiscard]] static GatherSpec of_scatter(const Attrs& attrs, int operand_rank, const Shape& updates);
  [[nodiscard]] Attrs gather_attrs(IndexMode mode) const;
  [[nodiscard]] Attrs scatter_attrs(IndexMode mode) const;
  /// With a batch axis put before the operand's, the indices' or both (then they run along together).
  [[nodiscard]] GatherSpec batched(bool operand, bool indices, const Dim& size) const;
  [[nodiscard]] loopir::GatherDimensions lowered() const;
};

/// Raises what is wrong with the dimension numbers; the shape of what the gather reads.
[[nodiscard]] Shape check_gather(const Call& c, const GatherSpec& spec, const Type& operand,
                                 const Type& indices);

/// Visits the elements that a gather reads, in the order of starts, within a start in the order of the slice.
/// visit(result element, operand element), the latter -1 where the slice is outside and the mode says so.
class GatherWalk {
 public:
  GatherWalk(const loopir::GatherDimensions& dimensions, IndexMode mode, const Ints& operand_sizes,
             const Array& indices, const Ints& result_sizes);

  template <class Visit>
  void run(Visit visit) {
    if (num_offsets_ == 0) return;
    for (bool more = num_starts_ > 0; more; more = next_start()) {
      if (outside_) {
        for (std::int64_t target : result_offsets_) visit(result_base_ + target, std::int64_t{-1});
      } else if (mode_ == IndexMode::wrap) {
        for (std::int64_t k = 0; k < num_offsets_; ++k) {
          visit(result_base_ + result_offsets_[static_cast<std::size_t>(k)], wrapped_element(k));
        }
      } else {
        for (std::size_t k = 0; k < result_offsets_.size(); ++k) {
          visit(result_base_ + result_offsets_[k], operand_base_ + operand_offsets_[k]);
        }
      }
    }
  }

 private:
  bool next_start();
  void read_start();
  [[nodiscard]] std::int64_t wrapped_element(std::int64_t k) const;

  loopir::GatherDimensions dimensions_;
  IndexMode mode_;
  Ints operand_sizes_;
  Ints operand_strides_;
  Ints index_values_;
  std::int64_t index_vector_stride_ = 0;
  std::int64_t index_vector_size_ = 1;
  Ints start_sizes_;           // of the axes of the indices without the index vectors'
  Ints start_strides_;         // of those axes in the indices
  Ints start_result_strides_;  // of the matching axes of the result
  Ints start_operand_axis_;    // for batching axes the operand's axis, else -1
  Ints start_;
  Ints slice_start_;
  std::int64_t num_starts_ = 1;
  std::int64_t num_offsets_ = 1;
  Ints result_offsets_;
  Ints operand_offsets_;
  std::vector<Ints> slice_index_;  // of each offset, per operand axis; mode wrap only
  std::int64_t result_base_ = 0;
  std::int64_t operand_base_ = 0;
  bool outside_ = false;
};

/// The same values in f64, i64 or u64 (bool as well), for loops that only compare; then f<T>() with its type.
[[nodiscard]] Array widest(const Array& x);
template <class Visit>
void visit_widest(DType dtype, Visit&& visit) {
  if (dtype == f64) return visit(std::type_identity<double>{});
  if (dtype == i64) return visit(std::type_identity<std::int64_t>{});
  visit(std::type_identity<std::uint64_t>{});
}

/// Of samples: i32 in [low, high).
[[nodiscard]] SampleOperand index_operand(Shape shape, double low, double high);

// ---- Builders
// ---------------------------------------------------------------------------------------------------------

[[nodiscard]] Tensor make_gather(const Tensor& operand, const Tensor& indices, const GatherSpec& spec,
                                 IndexMode mode);
[[nodiscard]] Tangent make_gather(const Tangent& operand, const Tensor& indices, const GatherSpec& spec,
                                  IndexMode mode);
/// `op` is one of scatter, scatter_add, scatter_mul, scatter_min, scatter_max.
[[nodiscard]] Tensor make_scatter(const OpDef& op, const Tensor& operand, const Tensor& indices,
                                  const Tensor& updates, const GatherSpec& spec, IndexMode mode);
[[nodiscard]] Tangent make_scatter(const OpDef& op, const Tangent& operand, const Tensor& indices,
                                   const Tangent& updates, const GatherSpec& spec, IndexMode mode);
/// The gather x[..., indices[...], ...] along one axis where all other axes run along; indices has x's rank.
[[nodiscard]] GatherSpec along_axis(int rank, int axis);
[[nodiscard]] Tensor make_take_along(const Tensor& x, const Tensor& indices, int axis,
                                     IndexMode mode = IndexMode::in_bounds);
[[nodiscard]] Tangent make_take_along(const Tangent& t, const Tensor& indices, int axis,
                                      IndexMode mode = IndexMode::in_bounds);
/// 1, 2, 3, ... in row-major order, i64: names for elements that a gather's fill value 0 does not collide
/// with.
[[nodiscard]] Tensor element_numbers(const Shape& shape);

// ---- The scatters
// -------------------------------------------------------------------------------------------------------

/// The slots that the five scatters have in common.
[[nodiscard]] std::vector<OperandSpec> scatter_operands(DTypes dtypes);
[[nodiscard]] std::vector<AttrSpec> scatter_attributes();
[[nodiscard]] InferRule scatter_infer();
[[nodiscard]] BatchRule scatter_batch();
[[nodiscard]] ReferenceRule scatter_reference(loopir::ScatterCombiner combiner);
[[nodiscard]] LowerRule scatter_lower(loopir::ScatterCombiner combiner);
/// scatter_max and scatter_min. Of the documentation, shapes, gradient and errors are filled in.
[[nodiscard]] OpDef scatter_choice(std::string_view name, OpDoc doc, loopir::ScatterCombiner combiner);
[[nodiscard]] std::function<std::vector<Sample>()> scatter_samples();
[[nodiscard]] std::function<std::vector<Reject>()> scatter_rejects();

}  // namespace calx::ops
