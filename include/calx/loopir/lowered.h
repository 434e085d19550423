// Lowered: what a primitive op *is*, for sizes that are bound: the currency between ops, loopir's interpreter
// and codegen, which decide by these alternatives and never by an op's name. Plain data. Sizes are int64;
// axes are non-negative.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "calx/loopir/scalar.h"
#include "calx/loopir/summation.h"

namespace calx::loopir {

using Sizes = std::vector<std::int64_t>;
using Axes = std::vector<int>;

/// Element i of result r is results[r], evaluated with operand(k) = element i of operand k and index(a) = i's
/// coordinates. All operands and results have `sizes`.
struct Pointwise {
  Sizes sizes = {};
  std::vector<Scalar> results = {};
};

/// Element i of the result is the operand's element number offset + sum over a of i[a] * strides[a], counted
/// in row-major order. Reshape, transpose, expand, slice and reverse are views; strides may be 0 or negative.
struct View {
  int operand = 0;
  Sizes sizes = {};
  std::int64_t offset = 0;
  std::vector<std::int64_t> strides = {};
};

/// (constant + sum over a of i[a] * coefficients[a]) / divisor, in bounds iff the division is exact and the
/// quotient lies in [0, size of the axis).
struct AffineIndex {
  std::int64_t constant = 0;
  std::vector<std::int64_t> coefficients = {};  // one per axis of the result
  std::int64_t divisor = 1;                     // > 0
};

struct GuardedRead {
  int operand = 0;
  std::vector<AffineIndex> index = {};  // one per axis of the operand
};

/// Element i of the result is the first of `reads` whose every index is in bounds, else `fill`, an expression
/// over rank-0 operands. pad (interior padding included) and concat.
struct Guarded {
  Sizes sizes = {};
  std::vector<GuardedRead> reads = {};
  Scalar fill = {};
};

/// reduce() over `axes` of `element` (as in Pointwise, over the index space `sizes`), converted to
/// `accumulation`, the result converted to the result's dtype. The result has sizes without axes (or with
/// size 1 there).
struct Reduction {
  Sizes sizes = {};
  Axes axes = {};  // increasing
  Scalar element = {};
  Combiner combiner = Combiner::sum;
  DType accumulation = f32;
};

/// What becomes of a slice that is not wholly inside the operand.
enum class IndexMode : std::uint8_t {
  in_bounds,  // promised not to occur; the interpreter clips
  clip,       // the start is clamped to [0, size - slice size]
  fill,       // gather gives the fill value for the whole slice, scatter drops it
  wrap,       // each coordinate is taken modulo the size
};

/// StableHLO's gather, whose names and meanings these are. A position of `indices` without index_vector_dim
/// (which equals the rank of indices where the index vector is a scalar) is a start; result axes not in
/// offset_dims run over starts.
struct GatherDimensions {
  Axes offset_dims = {};
  Axes collapsed_slice_dims = {};
  Axes operand_batching_dims = {};
  Axes start_indices_batching_dims = {};
  Axes start_index_map = {};
  int index_vector_dim = 0;
  Sizes slice_sizes = {};
  friend bool operator==(const GatherDimensions&, const GatherDimensions&) = default;
};

/// Operands: operand, indices, then those of `fill`, an expression over rank-0 operands (used in mode fill
/// only).
struct Gather {
  GatherDimensions dimensions = {};
  IndexMode mode = IndexMode::clip;
  Scalar fill = {};
};

enum class ScatterCombiner : std::uint8_t { set, add, mul, min, max };

/// Operands: operand, indices, updates. `dimensions` are those of the gather that would read, from the
/// operand's shape, a result of updates' shape: element u of updates is combined into the element that this
/// gather would read at u. Starts are taken in row-major order, within a start the slice in row-major order;
/// with `set` the last wins. Combined in `accumulation`, converted at the end.
struct Scatter {
  GatherDimensions dimensions = {};
  IndexMode mode = IndexMode::clip;
  ScatterCombiner combiner = ScatterCombiner::set;
  DType accumulation = f32;
};

/// cumulative() along an axis of operand 0, in `accumulation`.
struct Cumulative {
  Sizes sizes = {};
  int axis = 0;
  Combiner combiner = Combiner::sum;
  DType accumulation = f32;
  bool exclusive = false;
  bool reverse = false;
};

// --- Kernels: typed descriptors that a backend takes or declines. ---

/// dot() over the contracted axes (row-major in the order listed). The result's axes: batch, then lhs's other
/// axes in order, then rhs's.
struct Contraction {
  Axes lhs_batch = {};
  Axes rhs_batch = {};
  Axes lhs_contract = {};
  Axes rhs_contract = {};
  DType accumulation = f32;
};

/// Windows over the last axes of an operand, as many as `sizes` has; leading axes are batch. Vectors of one
/// length. n elements that are d apart span (n - 1) * d + 1, for n = 0 as well.
struct Window {
  Sizes sizes = {};
  Sizes strides = {};
  std::vector<std::int64_t> padding_low = {};  // may be negative: crops
  std::vector<std::int64_t> padding_high = {};
  Sizes base_dilation = {};
  Sizes dilation = {};

  /// A window with strides and dilations 1 and no padding.
  [[nodiscard]] static Window of(Sizes sizes);
  /// Extent along axis a of what windows over `operand_size` elements give; 0 where no window fits.
  [[nodiscard]] std::int64_t output_size(std::size_t axis, std::int64_t operand_size) const;
  /// The operand's coordinate that window element `element` of output `output` reads; nullopt in padding and
  /// holes.
  [[nodiscard]] std::optional<std::int64_t> operand_index(std::size_t axis, std::int64_t output,
                                                          std::int64_t element,
                                                          std::int64_t operand_size) const;
};

/// lhs [n, c, spatial...], rhs [o, c / feature_groups, spatial...] -> [n / batch_groups, o, spatial...]; no
/// flip of the kernel. window.sizes are rhs's spatial sizes, base_dilation is lhs_dilation, dilation is
/// rhs_dilation. Output channel o belongs to group g = o / (number of outputs / groups): with feature groups
/// it reads the g-th part of the channels, with batch groups the g-th part of the batch. Order: dot() over
/// (input channel, kernel position row-major).
struct Convolution {
  Window window = {};
  std::int64_t feature_groups = 1;
  std::int64_t batch_groups = 1;
  DType accumulation = f32;
};

/// reduce() over the elements of each window in row-major order; positions outside the operand are the
/// identity, and a window that is wholly outside gives the combiner's empty value.
struct WindowReduce {
  Window window = {};
  Combiner combiner = Combiner::sum;
  DType accumulation = f32;
};

/// The row-major position, within the operand's windowed axes, of the largest (smallest) element of each
/// window: the first on ties, the first NaN where there is one, -1 where the window is wholly outside the
/// operand.
struct WindowArgReduce {
  Window window = {};
  bool smallest = false;
};

/// Sorts along an axis all operands by the first num_keys of them, lexicographically and stably. NaN is last
/// in either direction; -0 and +0 are equal. Results: the sorted operands; one more, of integer dtype, is the
/// permutation (result k was at position perm[k]).
struct Sort {
  int axis = 0;
  int num_keys = 1;
  bool descending = false;
};

/// Operand 0: keys, u64[batch...]. Result: an unsigned integer dtype of sizes [batch..., rest...]; the
/// element is random_bits(key of its batch position, row-major position within rest).
struct RandomBits {};

using Kernel = std::variant<Contraction, Convolution, WindowReduce, WindowArgReduce, Sort, RandomBits>;

/// Holds nested programs; scheduled by codegen as control flow.
struct Region {};
/// A library call, known by the backend only.
struct Opaque {};

using Lowered =
    std::variant<Pointwise, View, Guarded, Reduction, Gather, Scatter, Cumulative, Kernel, Region, Opaque>;

}  // namespace calx::loopir
