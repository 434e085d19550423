// Every op as a function. Written by tools/opgen from the op table (`make generate`); do not edit.
// Operands are tensors or C++ scalars: they are promoted and broadcast as the op says. What an op is, is told by its
// file below src/; here only its C++ face is declared.
// clang-format off
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "calx/core/operand.h"
#include "calx/core/core_ops.h"
#include "calx/core/tangent.h"
#include "calx/ops/contraction.h"
#include "calx/ops/control.h"
#include "calx/ops/control_tree.h"
#include "calx/ops/enums.h"
#include "calx/ops/operators.h"
#include "calx/ops/sugar.h"

namespace calx {

// ---- core ------------------------------------------------------------------------------------------------

/// Sum of two tensors.
///
///     y = lhs + rhs
///
/// Shapes: `lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`
/// Dtypes: `lhs` of any dtype, `rhs` of any dtype
/// Gradient: the cotangent to both
/// Accuracy: IEEE, rounded once; integers wrap; booleans: or
/// Errors: shapes that do not broadcast: CALX-E202; no common dtype: CALX-E103
/// Example: tensor({1, 2}) + 1.0  // f32[2] [2, 3]
/// Source: numpy.add
[[nodiscard]] Tensor add(const Operand& lhs, const Operand& rhs);

struct CheckedIndexOptions {
  /// indices below 0 had `size` added already: errors tell the index as it was given
  bool from_back = false;
  /// the op in whose name errors are raised
  std::string caller = "checked_index";
};
/// Passes indices through and fails at run time where one is out of range.
///
///     y = index where 0 <= index < size; elsewhere y is clipped, and the run fails where counts holds
///
/// Shapes: `index: i32[a]`, `counts: bool[a]` (absent: true everywhere) -> `i32[a]`
/// Dtypes: `index` i32 or i64, `counts` boolean
/// - `size` (required): indices must lie in [0, size)
/// - `from_back` (default false): indices below 0 had `size` added already: errors tell the index as it was
///   given
/// - `caller` (default "checked_index"): the op in whose name errors are raised
/// Gradient: none: indices are integers
/// Accuracy: exact
/// Errors: at run time, an index outside [0, size), with from_back [-size, size): CALX-E401 with position and
///   value, once the run is complete; of several the first in program order. Silent on masked lanes and in
///   branches not taken; another shape of `counts`: CALX-E202
/// Example: core::checked_index(tensor<std::int32_t>({0, 2}), 3)  // i32[2] [0, 2]
/// Source: the index checks of numpy.take(mode='raise')
[[nodiscard]] Tensor checked_index(const Operand& index, const Dim& size,
                                   const CheckedIndexOptions& options = {});
[[nodiscard]] Tensor checked_index(const Operand& index, const Operand& counts, const Dim& size,
                                   const CheckedIndexOptions& options = {});

/// Compares element by element.
///
///     y = lhs (comparison) rhs
///
/// Shapes: `lhs: f32[a]`, `rhs: f32[a]` -> `bool[a]`
/// Dtypes: `lhs` of any dtype, `rhs` of any dtype
/// - `comparison` (required): eq, ne, lt, le, gt or ge; one of eq, ne, lt, le, gt, ge
/// Gradient: none: the result is boolean
/// Accuracy: exact; every comparison with NaN is false, but ne is true; -0 equals +0
/// Errors: shapes that differ: CALX-E202; dtypes that differ: CALX-E102
/// Example: tensor({1, 2}) < 2.0  // bool[2] [true, false]
/// Source: IEEE 754 comparisons; numpy.less and its like
[[nodiscard]] Tensor compare(const Operand& lhs, const Operand& rhs, Comparison comparison);

/// Converts each element to another dtype.
///
///     y = dtype(x)
///
/// Shapes: `x: f32[a]` -> `dtype[a]`
/// Dtypes: `x` of any dtype
/// - `dtype` (required): dtype of the result
/// Gradient: between floating dtypes the cotangent, converted back; none from or to integers
/// Accuracy: floats round once, half to even; float to integer truncates toward zero, saturates, NaN gives 0;
///   integers wrap; to bool is x != 0
/// Errors: none
/// Example: core::convert(tensor({1.5, -2.5}), i32)  // i32[2] [1, -2]
/// Source: numpy.astype, with saturation
[[nodiscard]] Tensor convert(const Operand& x, DType dtype);

/// Quotient of two floating tensors.
///
///     y = lhs / rhs
///
/// Shapes: `lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`
/// Dtypes: `lhs` floating, `rhs` floating
/// Gradient: cotangent / rhs to lhs, -(lhs / rhs) / rhs times the cotangent to rhs
/// Accuracy: IEEE, rounded once
/// Errors: shapes that do not broadcast: CALX-E202; no common dtype: CALX-E103
/// Example: tensor({1, 2}) / 2.0  // f32[2] [0.5, 1]
/// Source: numpy.true_divide, for floating operands
[[nodiscard]] Tensor div(const Operand& lhs, const Operand& rhs);

struct ExpandOptions {
  /// axis of the result for each axis of x, strictly increasing
  std::vector<std::int64_t> dims = {};
};
/// Repeats a tensor along new axes.
///
///     y[i_0, ..., i_r] = x[i_dims[0], ..., i_dims[k]]
///
/// Shapes: `x: f32[b]`, shape [a,b], dims [1] -> `f32[a,b]`
/// Dtypes: `x` of any dtype
/// - `shape` (required): sizes of the result
/// - `dims` (default []): axis of the result for each axis of x, strictly increasing
/// Gradient: the sum of the cotangent over the axes that repeat
/// Accuracy: exact
/// Errors: dims not strictly increasing or outside the result: CALX-E203; a size that differs from x's:
///   CALX-E202
/// Example: core::expand(tensor({1, 2}), {2, 2}, {1})  // f32[2,2] [[1, 2], [1, 2]]
/// Source: StableHLO broadcast_in_dim without size-1 stretching (the binder reshapes first)
[[nodiscard]] Tensor expand(const Operand& x, const Shape& shape, const ExpandOptions& options = {});

struct IotaOptions {
  /// the axis along which values count, in [0, rank)
  std::int64_t axis = 0;
  /// dtype of the result
  DType dtype = i32;
};
/// Counts 0, 1, 2, ... along one axis and repeats along the others.
///
///     iota[i_0, ..., i_r] = i_axis
///
/// Shapes: -> `dtype[shape]`
/// - `shape` (required): sizes of the result
/// - `axis` (default 0): the axis along which values count, in [0, rank)
/// - `dtype` (default i32): dtype of the result
/// Gradient: none: it depends on nothing
/// Accuracy: exact where the dtype holds the integers; rounded once in floats
/// Errors: axis outside [0, rank): CALX-E203
/// Example: core::iota({3}, 0)  // i32[3] [0, 1, 2]
/// Source: StableHLO iota; jax.lax.broadcasted_iota
[[nodiscard]] Tensor iota(const Shape& shape, const IotaOptions& options = {},
                          SourceLoc where = SourceLoc::current());

/// Product of two tensors.
///
///     y = lhs * rhs
///
/// Shapes: `lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`
/// Dtypes: `lhs` of any dtype, `rhs` of any dtype
/// Gradient: rhs times the cotangent to lhs, lhs times it to rhs, by strong_mul: a cotangent or factor that
///   is 0 gives 0
/// Accuracy: IEEE, rounded once; integers wrap; booleans: and
/// Errors: shapes that do not broadcast: CALX-E202; no common dtype: CALX-E103
/// Example: tensor({1, 2}) * 3.0  // f32[2] [3, 6]
/// Source: numpy.multiply
[[nodiscard]] Tensor mul(const Operand& lhs, const Operand& rhs);

/// Negative of each element.
///
///     y = -x
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` numeric
/// Gradient: the negative of the cotangent
/// Accuracy: exact; integers wrap
/// Errors: a boolean operand: CALX-E101
/// Example: -tensor({1, -2})  // f32[2] [-1, 2]
/// Source: numpy.negative
[[nodiscard]] Tensor neg(const Operand& x);

struct ReduceSumOptions {
  /// dtype of the running sum; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Sum over axes, in the fixed summation order.
///
///     y[kept] = sum over axes of x[kept, axes]
///
/// Shapes: `x: f32[a,b]`, axes [1] -> `f32[a]`
/// Dtypes: `x` numeric
/// - `axes` (required): the axes that are reduced, in [-rank, rank)
/// - `accumulation` (default none): dtype of the running sum; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: the cotangent, expanded over the reduced axes
/// Accuracy: accumulated in `accumulation` (f32 for f16 and bf16, i32 or u32 for narrow integers), converted
///   to the operand's dtype once; integers wrap
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; an `accumulation` that
///   nothing is accumulated in or that does not hold the operand's values: CALX-E101
/// Example: core::reduce_sum(tensor({{1, 2}, {3, 4}}), {0})  // f32[2] [4, 6]
/// Source: jax.lax.reduce_sum; numpy.sum keeps no dims and does not widen the result here
[[nodiscard]] Tensor reduce_sum(const Operand& x, const std::vector<std::int64_t>& axes,
                                const ReduceSumOptions& options = {});

/// Chooses each element from one of two tensors.
///
///     y = on_true where predicate, else on_false
///
/// Shapes: `predicate: bool[a]`, `on_true: f32[a]`, `on_false: f32[a]` -> `f32[a]`
/// Dtypes: `predicate` boolean, `on_true` of any dtype, `on_false` of any dtype
/// Gradient: the cotangent where the operand was chosen, exactly 0 elsewhere
/// Accuracy: exact
/// Errors: shapes that differ: CALX-E202; dtypes that differ: CALX-E102
/// Example: select(tensor<bool>({true, false}), 1.0, tensor({5, 6}))  // f32[2] [1, 6]
/// Source: numpy.where; jax.lax.select
[[nodiscard]] Tensor select(const Operand& predicate, const Operand& on_true, const Operand& on_false);

struct SizeOptions {
  /// dtype of the result
  DType dtype = i64;
};
/// A scalar tensor that holds a size of the program's types.
///
///     size = dim
///
/// Shapes: -> `i64[]`, or the dtype asked for
/// - `dim` (required): the size whose value is made
/// - `dtype` (default i64): dtype of the result
/// Gradient: none: it depends on nothing
/// Accuracy: exact in integers; rounded once in floats
/// Errors: a size that an integer dtype does not hold: CALX-E210, at run time where it has symbols
/// Example: core::size(Dim::symbol("B"))  // i64[]
/// Source: StableHLO get_dimension_size, for any polynomial of sizes
[[nodiscard]] Tensor size(const Dim& dim, const SizeOptions& options = {},
                          SourceLoc where = SourceLoc::current());

/// Product in which a zero wins over infinity and NaN.
///
///     y = 0 (with the sign of the product) where lhs or rhs is 0, else lhs * rhs
///
/// Shapes: `lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`
/// Dtypes: `lhs` numeric, `rhs` numeric
/// Gradient: strong_mul(rhs, cotangent) to lhs, strong_mul(lhs, cotangent) to rhs
/// Accuracy: IEEE, rounded once; integers wrap
/// Errors: shapes that do not broadcast: CALX-E202; no common dtype: CALX-E103
/// Example: strong_mul(tensor({0, 2}), tensor({INFINITY, 3}))  // f32[2] [0, 6]
/// Source: the derivative rules of this project: an untaken branch contributes exactly 0
[[nodiscard]] Tensor strong_mul(const Operand& lhs, const Operand& rhs);

/// Difference of two tensors.
///
///     y = lhs - rhs
///
/// Shapes: `lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`
/// Dtypes: `lhs` numeric, `rhs` numeric
/// Gradient: the cotangent to lhs, its negative to rhs
/// Accuracy: IEEE, rounded once; integers wrap
/// Errors: shapes that do not broadcast: CALX-E202; no common dtype: CALX-E103
/// Example: tensor({1, 2}) - 1.0  // f32[2] [0, 1]
/// Source: numpy.subtract
[[nodiscard]] Tensor sub(const Operand& lhs, const Operand& rhs);

/// Permutes axes.
///
///     y[i_0, ..., i_r] = x[j] with j_permutation[k] = i_k
///
/// Shapes: `x: f32[a,b]`, permutation [1,0] -> `f32[b,a]`
/// Dtypes: `x` of any dtype
/// - `permutation` (required): axis i of the result is axis permutation[i] of x
/// Gradient: the cotangent under the inverse permutation
/// Accuracy: exact
/// Errors: not a permutation of the axes: CALX-E203 or CALX-E204
/// Example: core::transpose(tensor({{1, 2}, {3, 4}}), {1, 0})  // f32[2,2] [[1, 3], [2, 4]]
/// Source: numpy.transpose
[[nodiscard]] Tensor transpose(const Operand& x, const std::vector<std::int64_t>& permutation);

// ---- pointwise -------------------------------------------------------------------------------------------

/// Absolute value of each element.
///
///     y = |x|
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` numeric
/// Gradient: sign(x): 0 at 0
/// Accuracy: exact; the most negative integer is its own absolute value
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: abs(tensor({-2, 3}))  // f32[2] [2, 3]
/// Source: numpy.abs
[[nodiscard]] Tensor abs(const Operand& x);

// ---- reduction -------------------------------------------------------------------------------------------

struct AllOptions {
  /// the axes that are reduced, in [-rank, rank); none: all
  std::optional<std::vector<std::int64_t>> axes = {};
  /// keep the reduced axes with size 1
  bool keepdims = false;
};
/// Whether all elements over axes are true.
///
///     y = and over axes of x
///
/// Shapes: `x: f32[a,b]`, axes [1] -> `f32[a]`, or `f32[a,1]` with keepdims
/// Dtypes: `x` boolean
/// - `axes` (default none): the axes that are reduced, in [-rank, rank); none: all
/// - `keepdims` (default false): keep the reduced axes with size 1
/// Gradient: none: operands are boolean
/// Accuracy: exact; an empty axis gives true
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; another kind of dtype:
///   CALX-E101
/// Example: all(tensor<bool>({true, false}))  // bool[] false
/// Source: numpy.all, of booleans only
[[nodiscard]] Tensor all(const Operand& x, const AllOptions& options = {});

struct AnyOptions {
  /// the axes that are reduced, in [-rank, rank); none: all
  std::optional<std::vector<std::int64_t>> axes = {};
  /// keep the reduced axes with size 1
  bool keepdims = false;
};
/// Whether any elements over axes is true.
///
///     y = or over axes of x
///
/// Shapes: `x: f32[a,b]`, axes [1] -> `f32[a]`, or `f32[a,1]` with keepdims
/// Dtypes: `x` boolean
/// - `axes` (default none): the axes that are reduced, in [-rank, rank); none: all
/// - `keepdims` (default false): keep the reduced axes with size 1
/// Gradient: none: operands are boolean
/// Accuracy: exact; an empty axis gives false
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; another kind of dtype:
///   CALX-E101
/// Example: any(tensor<bool>({true, false}))  // bool[] true
/// Source: numpy.any, of booleans only
[[nodiscard]] Tensor any(const Operand& x, const AnyOptions& options = {});

struct ArgmaxOptions {
  /// the axis, in [-rank, rank); none: the row-major position among all elements
  std::optional<std::int64_t> axis = {};
  /// keep the reduced axes with size 1
  bool keepdims = false;
  /// dtype of the result: i32 or i64
  DType dtype = i32;
};
/// Position of the largest element along an axis.
///
///     y = the first i with x_i == max over axis of x
///
/// Shapes: `x: f32[a,b]`, axis 1 -> `i32[a]`, or `i32[a,1]` with keepdims
/// Dtypes: `x` of any dtype
/// - `axis` (default none): the axis, in [-rank, rank); none: the row-major position among all elements
/// - `keepdims` (default false): keep the reduced axes with size 1
/// - `dtype` (default i32): dtype of the result: i32 or i64
/// Gradient: none: the result is an integer
/// Accuracy: exact; the first NaN where there is one, the lowest position at ties
/// Errors: axis outside [-rank, rank): CALX-E203; an axis without elements: CALX-E211; a dtype that is not
///   i32 or i64: CALX-E301
/// Example: argmax(tensor({3, 1, 5}))  // i32[] 2
/// Source: numpy.argmax, whose result is i64
[[nodiscard]] Tensor argmax(const Operand& x, const ArgmaxOptions& options = {});

struct ArgminOptions {
  /// the axis, in [-rank, rank); none: the row-major position among all elements
  std::optional<std::int64_t> axis = {};
  /// keep the reduced axes with size 1
  bool keepdims = false;
  /// dtype of the result: i32 or i64
  DType dtype = i32;
};
/// Position of the smallest element along an axis.
///
///     y = the first i with x_i == min over axis of x
///
/// Shapes: `x: f32[a,b]`, axis 1 -> `i32[a]`, or `i32[a,1]` with keepdims
/// Dtypes: `x` of any dtype
/// - `axis` (default none): the axis, in [-rank, rank); none: the row-major position among all elements
/// - `keepdims` (default false): keep the reduced axes with size 1
/// - `dtype` (default i32): dtype of the result: i32 or i64
/// Gradient: none: the result is an integer
/// Accuracy: exact; the first NaN where there is one, the lowest position at ties
/// Errors: axis outside [-rank, rank): CALX-E203; an axis without elements: CALX-E211; a dtype that is not
///   i32 or i64: CALX-E301
/// Example: argmin(tensor({3, 1, 5}))  // i32[] 1
/// Source: numpy.argmin, whose result is i64
[[nodiscard]] Tensor argmin(const Operand& x, const ArgminOptions& options = {});

// ---- indexing --------------------------------------------------------------------------------------------

struct ArgsortOptions {
  /// the axis along which elements are sorted, in [-rank, rank)
  std::int64_t axis = -1;
  /// largest first; NaN is last in either order
  bool descending = false;
  /// dtype of the permutation, i32 or i64
  DType index_dtype = i32;
};
/// The stable permutation that sorts a tensor along an axis.
///
///     x[..., y[..., i, ...], ...] is sorted in i; equal elements keep their order
///
/// Shapes: `x: f32[a,b]` -> `i32[a,b]`
/// Dtypes: `x` of any dtype
/// - `axis` (default -1): the axis along which elements are sorted, in [-rank, rank)
/// - `descending` (default false): largest first; NaN is last in either order
/// - `index_dtype` (default i32): dtype of the permutation, i32 or i64
/// Gradient: none: the result is integer
/// Accuracy: exact; NaN is last in either order; -0 and +0 are equal
/// Errors: axis outside [-rank, rank): CALX-E203; an index dtype that is neither i32 nor i64: CALX-E301
/// Example: argsort(tensor({3, 1, 2}))  // i32[3] [1, 2, 0]
/// Source: numpy.argsort(kind='stable'); jax.numpy.argsort
[[nodiscard]] Tensor argsort(const Operand& x, const ArgsortOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

/// Angle of the point (rhs, lhs) in (-pi, pi].
///
///     y = atan2(lhs, rhs)
///
/// Shapes: `lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`
/// Dtypes: `lhs` floating, `rhs` floating
/// Gradient: rhs / (lhs^2 + rhs^2) to lhs, -lhs / (lhs^2 + rhs^2) to rhs, without overflow; 0 at (0, 0)
/// Accuracy: at most 1 ulp in f32; IEEE's values at zeros and infinities
/// Errors: an operand of another kind of dtype: CALX-E101; shapes that do not broadcast: CALX-E202; no common
///   dtype: CALX-E103
/// Example: atan2(tensor({0}), tensor({1}))  // f32[1] [0]
/// Source: numpy.arctan2
[[nodiscard]] Tensor atan2(const Operand& lhs, const Operand& rhs);

// ---- attention -------------------------------------------------------------------------------------------

struct AttentionOptions {
  /// axes of query, key, value and the result
  AttentionLayout layout = AttentionLayout::bhsd;
  /// query heads in layout bs_hd; 0 in the other layouts
  Dim num_heads = 0;
  /// factor of the scores; none: 1 / sqrt(features)
  std::optional<double> scale = {};
  /// a query attends no key after its own position
  bool causal = false;
  /// which positions are the same: counted from the start (top_left) or from the end (bottom_right);
  /// automatic: bottom_right, where there are at least as many keys as queries
  AttentionAlignment alignment = AttentionAlignment::automatic;
  /// how many keys before its own position a query attends; none: all
  std::optional<std::int64_t> window_left = {};
  /// how many keys after its own position a query attends; none: all
  std::optional<std::int64_t> window_right = {};
  /// scores become softcap * tanh(scores / softcap)
  std::optional<double> softcap = {};
  /// masked scores are -inf before the cap, so they weigh e^-softcap: for importing such graphs
  bool softcap_after_mask = false;
  /// `mask` is [batch, keys]
  bool mask_is_key_padding = false;
  /// what a floating `mask` means
  FloatMask float_mask = FloatMask::additive;
  /// NaN and inf reach only what attends them, at the cost of memory for queries * keys * features
  bool strict_mask = false;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Scaled dot-product attention with masks, bias, grouped heads and windows.
///
///     y[q] = sum over k of softmax over k of (cap(scale * query[q] . key[k]) + bias[q, k], where kept) *
///     value[k]
///
/// Shapes: `query: f32[b,h,q,d]`, `key: f32[b,g,k,d]`, `value: f32[b,g,k,e]` -> `f32[b,h,q,e]`; query head i
///   uses key and value head i / (h/g)
/// Dtypes: `query` floating, `key` floating, `value` floating, `mask` of any dtype (boolean: true keeps;
///   floating: see `float_mask`; broadcasts to [batch, heads, queries, keys]), `bias` floating (added to the
///   scores; -inf masks; broadcasts to [batch, heads, queries, keys])
/// - `layout` (default bhsd): axes of query, key, value and the result; one of bhsd, bshd, bs_hd
/// - `num_heads` (default 0): query heads in layout bs_hd; 0 in the other layouts; in [0, 1000000000000000]
/// - `scale` (default none): factor of the scores; none: 1 / sqrt(features)
/// - `causal` (default false): a query attends no key after its own position
/// - `alignment` (default automatic): which positions are the same: counted from the start (top_left) or from
///   the end (bottom_right); automatic: bottom_right, where there are at least as many keys as queries; one
///   of automatic, top_left, bottom_right
/// - `window_left` (default none): how many keys before its own position a query attends; none: all; in [0,
///   1000000000000000]
/// - `window_right` (default none): how many keys after its own position a query attends; none: all; in [0,
///   1000000000000000]
/// - `softcap` (default none): scores become softcap * tanh(scores / softcap)
/// - `softcap_after_mask` (default false): masked scores are -inf before the cap, so they weigh e^-softcap:
///   for importing such graphs
/// - `mask_is_key_padding` (default false): `mask` is [batch, keys]
/// - `float_mask` (default additive): what a floating `mask` means; one of additive, at_least_half
/// - `strict_mask` (default false): NaN and inf reach only what attends them, at the cost of memory for
///   queries * keys * features
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: that of the formula; 0 for masked pairs, and for everything in a row without keys; keys and
///   values are summed over the query heads that use them
/// Accuracy: computed in `accumulation` (f32 for f16 and bf16), converted once
/// Errors: features that differ: CALX-E207; ranks: CALX-E201; other sizes that do not fit: CALX-E202; dtypes
///   that differ: CALX-E102; a causal or windowed mask with more queries than keys and no `alignment`:
///   CALX-E301 (CALX-E208 where it cannot be decided)
/// Example: const Tensor x = reshape(tensor({1, 2}), {1, 1, 2, 1});
///   attention(x, x, x, {.causal = true, .scale = 0.0})  // f32[1,1,2,1] [[[[1], [1.5]]]]
/// Source: Vaswani et al. (2017), eq. 1; ONNX Attention-23, jax.nn.dot_product_attention; rows without a key
///   give 0
[[nodiscard]] Tensor attention(const Operand& query, const Operand& key, const Operand& value,
                               const AttentionOptions& options = {});
[[nodiscard]] Tensor attention(const Operand& query, const Operand& key, const Operand& value,
                               const Operand& mask, const AttentionOptions& options = {});
[[nodiscard]] Tensor attention(const Operand& query, const Operand& key, const Operand& value,
                               const Operand& mask, const Operand& bias,
                               const AttentionOptions& options = {});

// ---- window ----------------------------------------------------------------------------------------------

struct AvgPoolOptions {
  /// step between windows, per windowed axis; empty: all 1
  std::vector<std::int64_t> strides = {};
  /// padding before the first element, per windowed axis; negative removes; empty: none
  std::vector<Dim> padding_low = {};
  /// padding after the last element, per windowed axis; negative removes; empty: none
  std::vector<Dim> padding_high = {};
  /// distance of neighbours of x, per windowed axis; empty: all 1
  std::vector<std::int64_t> base_dilation = {};
  /// distance of neighbours of the window, per windowed axis; empty: all 1
  std::vector<std::int64_t> window_dilation = {};
  /// divide by the size of the window, padding and holes counted as zeros; false: by how many elements of x
  /// are in it
  bool count_include_pad = true;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// The mean of each window of the last axes.
///
///     y[n, o] = sum over e < window of x[n, o * strides + e * window_dilation - padding_low] / count
///
/// Shapes: `x: f32[n,c,h,w]`, window [p,q] -> `f32[n,c,floor((h-p)/strides)+1,floor((w-q)/strides)+1]`, sizes
///   at least 0
/// Dtypes: `x` floating
/// - `window` (required): size of the window along each of the last axes
/// - `strides` (default []): step between windows, per windowed axis; empty: all 1; in [1, 1000000000000000]
/// - `padding_low` (default []): padding before the first element, per windowed axis; negative removes;
///   empty: none
/// - `padding_high` (default []): padding after the last element, per windowed axis; negative removes; empty:
///   none
/// - `base_dilation` (default []): distance of neighbours of x, per windowed axis; empty: all 1; in [1,
///   1000000000000000]
/// - `window_dilation` (default []): distance of neighbours of the window, per windowed axis; empty: all 1;
///   in [1, 1000000000000000]
/// - `count_include_pad` (default true): divide by the size of the window, padding and holes counted as
///   zeros; false: by how many elements of x are in it
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: the cotangent / count to every element of the window; padding gets none; windows that overlap
///   add up
/// Accuracy: summed in the fixed order and divided in `accumulation` (f32 for f16 and bf16), converted once;
///   without count_include_pad a window that holds no element gives NaN, with derivative 0
/// Errors: more windowed axes than axes: CALX-E201; lists of unfit lengths; sizes, strides or dilations below
///   1: CALX-E301; another kind of dtype, or an `accumulation` that nothing is accumulated in: CALX-E101
/// Example: avg_pool(tensor({5, 3, 1, 2, 6}), {2})  // f32[4] [4, 2, 1.5, 4]
/// Source: torch.nn.functional.avg_pool2d and flax.linen.avg_pool, whose count_include_pad this is, without
///   ceil_mode; ONNX AveragePool has it off by default
[[nodiscard]] Tensor avg_pool(const Operand& x, const std::vector<Dim>& window,
                              const AvgPoolOptions& options = {});

// ---- random ----------------------------------------------------------------------------------------------

/// True with the probability given, else false.
///
///     y = u < probability, u uniform in [0, 1)
///
/// Shapes: `key: u64[]`, `probability: f32[a]` -> `bool[a]`
/// Dtypes: `key` a u64 key, `probability` floating
/// Gradient: none: the result is boolean
/// Accuracy: probabilities are compared with multiples of 2^-24 (2^-53 in f64): never true at 0, always at 1
/// Errors: a key that is no scalar: CALX-E201
/// Example: bernoulli(scalar<std::uint64_t>(0), tensor({0, 1}))  // bool[2] [false, true]
/// Source: jax.random.bernoulli, with Philox instead of Threefry
[[nodiscard]] Tensor bernoulli(const Operand& key, const Operand& probability);

// ---- pointwise -------------------------------------------------------------------------------------------

/// Smallest integer not below each element.
///
///     y = ceil(x)
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: none: 0 everywhere
/// Accuracy: exact
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: ceil(tensor({1.5, -1.5}))  // f32[2] [2, -1]
/// Source: numpy.ceil
[[nodiscard]] Tensor ceil(const Operand& x);

/// Limits each element to an interval.
///
///     y = minimum(maximum(x, lo), hi)
///
/// Shapes: `x: f32[a]`, `lo: f32[a]`, `hi: f32[a]` -> `f32[a]`
/// Dtypes: `x` numeric, `lo` numeric, `hi` numeric
/// Gradient: to x 1 where lo <= x <= hi, to lo where x < lo, to hi where x > hi, all to x at a tie; all to hi
///   where lo > hi
/// Accuracy: exact; NaN if any operand is (the canonical one); hi where lo > hi
/// Errors: an operand of another kind of dtype: CALX-E101; shapes that do not broadcast: CALX-E202; no common
///   dtype: CALX-E103
/// Example: clamp(tensor({-1, 0.5, 2}), 0.0, 1.0)  // f32[3] [0, 0.5, 1]
/// Source: numpy.clip
[[nodiscard]] Tensor clamp(const Operand& x, const Operand& lo, const Operand& hi);

// ---- shape -----------------------------------------------------------------------------------------------

struct ConcatOptions {
  /// the axis along which operands follow, in [-rank, rank)
  std::int64_t axis = 0;
};
/// Puts tensors one after the other along an axis.
///
///     y[..., offset_k + i, ...] = x_k[..., i, ...], offset_k = sum of the sizes before k
///
/// Shapes: `x: f32[a,b]`, `f32[a,c]`, axis 1 -> `f32[a,b+c]`
/// Dtypes: `x` of any dtype
/// - `axis` (default 0): the axis along which operands follow, in [-rank, rank)
/// Gradient: to each operand its part of the cotangent
/// Accuracy: exact
/// Errors: no operand: CALX-E304; ranks that differ: CALX-E201; another size that differs: CALX-E202; dtypes
///   that differ: CALX-E102; axis outside [-rank, rank): CALX-E203
/// Example: concat({tensor({1, 2}), tensor({3})})  // f32[3] [1, 2, 3]
/// Source: StableHLO concatenate; numpy.concatenate
[[nodiscard]] Tensor concat(const std::vector<Tensor>& x, const ConcatOptions& options = {},
                            SourceLoc where = SourceLoc::current());
[[nodiscard]] Tangent concat(const std::vector<Tangent>& x, const ConcatOptions& options = {});

// ---- contraction -----------------------------------------------------------------------------------------

struct ConvGeneralOptions {
  /// steps between windows; empty: 1 on every axis
  std::vector<std::int64_t> strides = {};
  /// zeros before each spatial axis of lhs, negative to crop; empty: 0
  std::vector<Dim> padding_low = {};
  /// zeros after each spatial axis of lhs, negative to crop; empty: 0
  std::vector<Dim> padding_high = {};
  /// distance between elements of lhs, zeros between them; empty: 1
  std::vector<std::int64_t> lhs_dilation = {};
  /// distance between elements of the kernel; empty: 1
  std::vector<std::int64_t> rhs_dilation = {};
  /// groups of channels that do not mix
  Dim feature_groups = 1;
  /// groups of the batch, each with its own output channels
  Dim batch_groups = 1;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Convolution (without turning the kernel round) over any number of spatial axes.
///
///     y[n, o, p] = sum over c, k of lhs[n, c, (p * stride + k * rhs_dilation - low) / lhs_dilation] * rhs[o,
///     c, k], where the division is exact and inside
///
/// Shapes: `lhs: f32[n,c,h,w]`, `rhs: f32[o,c/feature_groups,kh,kw]` -> `f32[n/batch_groups,o,oh,ow]` with oh
///   = floor(((h-1)*lhs_dilation + low + high - (kh-1)*rhs_dilation - 1) / stride) + 1, at least 0
/// Dtypes: `lhs` numeric, `rhs` numeric
/// - `strides` (default []): steps between windows; empty: 1 on every axis; in [1, 1000000000000000]
/// - `padding_low` (default []): zeros before each spatial axis of lhs, negative to crop; empty: 0
/// - `padding_high` (default []): zeros after each spatial axis of lhs, negative to crop; empty: 0
/// - `lhs_dilation` (default []): distance between elements of lhs, zeros between them; empty: 1; in [1,
///   1000000000000000]
/// - `rhs_dilation` (default []): distance between elements of the kernel; empty: 1; in [1, 1000000000000000]
/// - `feature_groups` (default 1): groups of channels that do not mix; in [0, 1000000000000000]
/// - `batch_groups` (default 1): groups of the batch, each with its own output channels; in [0,
///   1000000000000000]
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: for lhs the convolution of the cotangent with the kernel turned round, for rhs that of lhs with
///   the cotangent, strides and dilations exchanged
/// Accuracy: fused multiply-adds over (channel, kernel position) in the fixed order, in `accumulation` (f32
///   for f16 and bf16, i32 or u32 for narrow integers), converted once; padding contributes nothing, even
///   where the kernel is inf or NaN
/// Errors: channels that do not fit: CALX-E207; ranks: CALX-E201; lists of another length, strides or
///   dilations below 1, sizes that groups do not divide: CALX-E301; an `accumulation` that cannot hold the
///   sums: CALX-E101
/// Example: conv_general(reshape(tensor({1, 2, 3}), {1, 1, 3}), reshape(tensor({1, 10}), {1, 1, 2}))  //
///   f32[1,1,2] [[[21, 32]]]
/// Source: StableHLO convolution, jax.lax.conv_general_dilated with NCHW, OIHW; differs where lhs has size 0
///   and lhs_dilation > 1: (0-1)*dilation+1 counts there too
[[nodiscard]] Tensor conv_general(const Operand& lhs, const Operand& rhs,
                                  const ConvGeneralOptions& options = {});
[[nodiscard]] Tangent conv_general(const Tangent& lhs, const Tensor& rhs,
                                   const ConvGeneralOptions& options = {});
[[nodiscard]] Tangent conv_general(const Tensor& lhs, const Tangent& rhs,
                                   const ConvGeneralOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

/// Cosine of each element, in radians.
///
///     y = cos(x)
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: -sin(x)
/// Accuracy: at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: cos(tensor({0}))  // f32[1] [1]
/// Source: numpy.cos
[[nodiscard]] Tensor cos(const Operand& x);

// ---- indexing --------------------------------------------------------------------------------------------

struct CummaxOptions {
  /// the axis along which elements are combined, in [-rank, rank)
  std::int64_t axis = -1;
  /// leave element i itself out of result i
  bool exclusive = false;
  /// from the last element to the first
  bool reverse = false;
};
/// The largest element so far along an axis.
///
///     y_i = max(x_0, ..., x_i); exclusive: max(x_0, ..., x_{i-1}), of nothing -inf, or the lowest integer;
///     reverse: from the last element
///
/// Shapes: `x: f32[a,b]`, axis 1 -> `f32[a,b]`
/// Dtypes: `x` numeric
/// - `axis` (default -1): the axis along which elements are combined, in [-rank, rank)
/// - `exclusive` (default false): leave element i itself out of result i
/// - `reverse` (default false): from the last element to the first
/// Gradient: all of it to the chosen element; of tied ones to that with the lowest index, of NaNs to the
///   first
/// Accuracy: exact; a NaN stays
/// Errors: axis outside [-rank, rank): CALX-E203
/// Example: cummax(tensor({2, 1, 3}))  // f32[3] [2, 2, 3]
/// Source: numpy.maximum.accumulate; jax.lax.cummax, whose gradient shares ties
[[nodiscard]] Tensor cummax(const Operand& x, const CummaxOptions& options = {});

struct CumminOptions {
  /// the axis along which elements are combined, in [-rank, rank)
  std::int64_t axis = -1;
  /// leave element i itself out of result i
  bool exclusive = false;
  /// from the last element to the first
  bool reverse = false;
};
/// The smallest element so far along an axis.
///
///     y_i = min(x_0, ..., x_i); exclusive: min(x_0, ..., x_{i-1}), of nothing inf, or the largest integer;
///     reverse: from the last element
///
/// Shapes: `x: f32[a,b]`, axis 1 -> `f32[a,b]`
/// Dtypes: `x` numeric
/// - `axis` (default -1): the axis along which elements are combined, in [-rank, rank)
/// - `exclusive` (default false): leave element i itself out of result i
/// - `reverse` (default false): from the last element to the first
/// Gradient: all of it to the chosen element; of tied ones to that with the lowest index, of NaNs to the
///   first
/// Accuracy: exact; a NaN stays
/// Errors: axis outside [-rank, rank): CALX-E203
/// Example: cummin(tensor({2, 1, 3}))  // f32[3] [2, 1, 1]
/// Source: numpy.minimum.accumulate; jax.lax.cummin, whose gradient shares ties
[[nodiscard]] Tensor cummin(const Operand& x, const CumminOptions& options = {});

struct CumprodOptions {
  /// the axis along which elements are combined, in [-rank, rank)
  std::int64_t axis = -1;
  /// leave element i itself out of result i
  bool exclusive = false;
  /// from the last element to the first
  bool reverse = false;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Running products along an axis.
///
///     y_i = x_0 * ... * x_i; exclusive: y_i = x_0 * ... * x_{i-1}; reverse: from the last element
///
/// Shapes: `x: f32[a,b]`, axis 1 -> `f32[a,b]`
/// Dtypes: `x` numeric
/// - `axis` (default -1): the axis along which elements are combined, in [-rank, rank)
/// - `exclusive` (default false): leave element i itself out of result i
/// - `reverse` (default false): from the last element to the first
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: dy_i = x_i dy_{i-1} + y_{i-1} dx_i, a linear_recurrence: exact products, no division, also where
///   x has zeros
/// Accuracy: multiplied in `accumulation` (f32 for f16 and bf16, i32 or u32 for narrow integers), each result
///   converted once; integers wrap
/// Errors: axis outside [-rank, rank): CALX-E203; an accumulation type that does not hold the dtype:
///   CALX-E101
/// Example: cumprod(tensor({1, 2, 3}))  // f32[3] [1, 2, 6]
/// Source: numpy.cumprod; jax.lax.cumprod
[[nodiscard]] Tensor cumprod(const Operand& x, const CumprodOptions& options = {});

struct CumsumOptions {
  /// the axis along which elements are combined, in [-rank, rank)
  std::int64_t axis = -1;
  /// leave element i itself out of result i
  bool exclusive = false;
  /// from the last element to the first
  bool reverse = false;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Running sums along an axis.
///
///     y_i = x_0 + ... + x_i; exclusive: y_i = x_0 + ... + x_{i-1}; reverse: from the last element
///
/// Shapes: `x: f32[a,b]`, axis 1 -> `f32[a,b]`
/// Dtypes: `x` numeric
/// - `axis` (default -1): the axis along which elements are combined, in [-rank, rank)
/// - `exclusive` (default false): leave element i itself out of result i
/// - `reverse` (default false): from the last element to the first
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: the running sum of the cotangent in the other direction
/// Accuracy: accumulated in `accumulation` (f32 for f16 and bf16, i32 or u32 for narrow integers), each
///   result converted once; integers wrap
/// Errors: axis outside [-rank, rank): CALX-E203; an accumulation type that does not hold the dtype:
///   CALX-E101
/// Example: cumsum(tensor({1, 2, 3}))  // f32[3] [1, 3, 6]
/// Source: numpy.cumsum, which flattens by default; jax.lax.cumsum
[[nodiscard]] Tensor cumsum(const Operand& x, const CumsumOptions& options = {});
[[nodiscard]] Tangent cumsum(const Tangent& x, const CumsumOptions& options = {});

// ---- contraction -----------------------------------------------------------------------------------------

struct DotGeneralOptions {
  /// axes of lhs that pair with rhs_batch and stay
  std::vector<std::int64_t> lhs_batch = {};
  /// axes of rhs that pair with lhs_batch and stay
  std::vector<std::int64_t> rhs_batch = {};
  /// axes of lhs that pair with rhs_contract and are summed over
  std::vector<std::int64_t> lhs_contract = {};
  /// axes of rhs that pair with lhs_contract and are summed over
  std::vector<std::int64_t> rhs_contract = {};
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Sums products over paired axes of two tensors; other paired axes are batch axes.
///
///     y[b, i, j] = sum over k of lhs[b, i, k] * rhs[b, j, k], for any order of the axes
///
/// Shapes: `lhs: f32[b,m,k]`, `rhs: f32[b,k,n]` -> `f32[b,m,n]`: batch axes, the other axes of lhs, those of
///   rhs
/// Dtypes: `lhs` numeric, `rhs` numeric
/// - `lhs_batch` (default []): axes of lhs that pair with rhs_batch and stay
/// - `rhs_batch` (default []): axes of rhs that pair with lhs_batch and stay
/// - `lhs_contract` (default []): axes of lhs that pair with rhs_contract and are summed over
/// - `rhs_contract` (default []): axes of rhs that pair with lhs_contract and are summed over
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: dot_general of the cotangent and the other operand; products are IEEE's, so 0 times inf is NaN
/// Accuracy: fused multiply-adds in the fixed order, in `accumulation` (f32 for f16 and bf16, i32 or u32 for
///   narrow integers), converted to the operands' dtype once; integers wrap
/// Errors: contracted sizes that differ: CALX-E207; batch sizes that differ: CALX-E202; an axis outside an
///   operand: CALX-E203; an axis named twice: CALX-E204; lists of unequal length: CALX-E301; an
///   `accumulation` that cannot hold the sums: CALX-E101
/// Example: dot_general(tensor({{1, 2}, {3, 4}}), tensor({10, 1}), {.lhs_contract = {1}, .rhs_contract =
///   {0}})  // f32[2] [12, 34]
/// Source: StableHLO dot_general; jax.lax.dot_general with preferred_element_type as `accumulation`, the
///   result in the operands' dtype
[[nodiscard]] Tensor dot_general(const Operand& lhs, const Operand& rhs,
                                 const DotGeneralOptions& options = {});
[[nodiscard]] Tangent dot_general(const Tangent& lhs, const Tensor& rhs,
                                  const DotGeneralOptions& options = {});
[[nodiscard]] Tangent dot_general(const Tensor& lhs, const Tangent& rhs,
                                  const DotGeneralOptions& options = {});

// ---- indexing --------------------------------------------------------------------------------------------

/// A box of a tensor whose start is data; it is moved so that it lies inside.
///
///     y[i] = x[clamp(start, 0, size - sizes) + i]
///
/// Shapes: `x: f32[a,b]`, `start: i32[2]`, sizes [c,d] -> `f32[c,d]`
/// Dtypes: `x` of any dtype, `start` i32 or i64
/// - `sizes` (required): size of the box along each axis
/// Gradient: the cotangent where it was read, 0 elsewhere
/// Accuracy: exact
/// Errors: start that is not one index per axis: CALX-E202; a box larger than x: CALX-E301
/// Example: dynamic_slice(tensor({1, 2, 3, 4}), tensor<std::int32_t>({9}), {2})  // f32[2] [3, 4]
/// Source: StableHLO dynamic_slice; jax.lax.dynamic_slice, where negative starts count from the back (here
///   they clamp)
[[nodiscard]] Tensor dynamic_slice(const Operand& x, const Operand& start, const std::vector<Dim>& sizes);

/// Replaces a box of a tensor; its start is data and is moved so that the box lies inside.
///
///     y = x, but y[clamp(start, 0, size - size of update) + i] = update[i]
///
/// Shapes: `x: f32[a,b]`, `update: f32[c,d]`, `start: i32[2]` -> `f32[a,b]`
/// Dtypes: `x` of any dtype, `update` of any dtype, `start` i32 or i64
/// Gradient: to update the cotangent in the box; to x the cotangent elsewhere, 0 in the box
/// Accuracy: exact
/// Errors: start that is not one index per axis: CALX-E202; ranks that differ: CALX-E201; an update larger
///   than x: CALX-E301; dtypes that differ: CALX-E102
/// Example: dynamic_update_slice(tensor({1, 2, 3}), tensor({8, 9}), tensor<std::int32_t>({5}))  // f32[3] [1,
///   8, 9]
/// Source: StableHLO dynamic_update_slice; jax.lax.dynamic_update_slice, where negative starts count from the
///   back (here they clamp)
[[nodiscard]] Tensor dynamic_update_slice(const Operand& x, const Operand& update, const Operand& start);

// ---- pointwise -------------------------------------------------------------------------------------------

struct EluOptions {
  /// minus the limit at minus infinity
  double alpha = 1;
};
/// Exponential linear unit.
///
///     y = x where x > 0, else alpha * (e^x - 1)
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// - `alpha` (default 1): minus the limit at minus infinity
/// Gradient: 1 where x > 0, else alpha * e^x: alpha at 0
/// Accuracy: computed in f32 for f16 and bf16, rounded once at the end
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: elu(tensor({0, 2}))  // f32[2] [0, 2]
/// Source: Clevert et al. (2016), eq. 15; jax.nn.elu
[[nodiscard]] Tensor elu(const Operand& x, const EluOptions& options = {});

/// Gauss error function of each element.
///
///     y = 2/sqrt(pi) * integral from 0 to x of exp(-u^2) du
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: 2/sqrt(pi) * exp(-x^2)
/// Accuracy: at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: erf(tensor({0}))  // f32[1] [0]
/// Source: DLMF 7.2.1
[[nodiscard]] Tensor erf(const Operand& x);

/// 1 - erf(x) of each element, accurate where erf is near 1.
///
///     y = 2/sqrt(pi) * integral from x to infinity of exp(-u^2) du
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: -2/sqrt(pi) * exp(-x^2)
/// Accuracy: at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: erfc(tensor({0}))  // f32[1] [1]
/// Source: DLMF 7.2.2
[[nodiscard]] Tensor erfc(const Operand& x);

/// Exponential of each element.
///
///     y = e^x
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: y
/// Accuracy: at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: exp(tensor({0}))  // f32[1] [1]
/// Source: numpy.exp
[[nodiscard]] Tensor exp(const Operand& x);

/// exp(x) - 1 of each element, exact near 0.
///
///     y = e^x - 1
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: exp(x)
/// Accuracy: at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: expm1(tensor({0}))  // f32[1] [0]
/// Source: numpy.expm1
[[nodiscard]] Tensor expm1(const Operand& x);

/// Largest integer not above each element.
///
///     y = floor(x)
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: none: 0 everywhere
/// Accuracy: exact
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: floor(tensor({1.5, -1.5}))  // f32[2] [1, -2]
/// Source: numpy.floor
[[nodiscard]] Tensor floor(const Operand& x);

/// Quotient rounded toward minus infinity.
///
///     y = floor(lhs / rhs)
///
/// Shapes: `lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`
/// Dtypes: `lhs` numeric, `rhs` numeric
/// Gradient: none: 0 everywhere
/// Accuracy: floats as NumPy, in agreement with remainder; integers: x / 0 is 0, the most negative / -1 is
///   itself, nothing traps
/// Errors: an operand of another kind of dtype: CALX-E101; shapes that do not broadcast: CALX-E202; no common
///   dtype: CALX-E103
/// Example: floor_divide(tensor<std::int32_t>({7, -7}), 2)  // i32[2] [3, -4]
/// Source: numpy.floor_divide
[[nodiscard]] Tensor floor_divide(const Operand& lhs, const Operand& rhs);

/// Largest power of two not above the absolute value of each element.
///
///     y = 2^floor(log2(|x|)); 1 where x is 0, infinite or NaN; at least the smallest normal number
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: none: 0 everywhere, so that dividing by the result and multiplying by it again changes no
///   derivative
/// Accuracy: exact; f16 and bf16 have the smallest normal number of f32 as bound, so that of f16 is 2^-24
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: floor_to_power_of_two(tensor({5, -0.3, 0}))  // f32[3] [4, 0.25, 1]
/// Source: the scale of overflow-free norms: Blue (1978), as in LAPACK's nrm2
[[nodiscard]] Tensor floor_to_power_of_two(const Operand& x);

// ---- random ----------------------------------------------------------------------------------------------

struct FoldInOptions {
  /// word 2 of the counter; 1 is fold_in itself, 2 split, 3 normal
  std::int64_t stream = 1;
};
/// A new key from a key and an integer.
///
///     y = words 0 and 1 of Philox4x32-10(counter = (data, stream, 0), key)
///
/// Shapes: `key: u64[a]`, `data: i32[a]` -> `u64[a]`
/// Dtypes: `key` a u64 key, `data` an integer
/// - `stream` (default 1): word 2 of the counter; 1 is fold_in itself, 2 split, 3 normal; in [1, 4294967295]
/// Gradient: none: keys are integers
/// Accuracy: the same bits on every backend; key 0 gives 0xf08d6eaa844515e1 for data 0, 0xd9c77dedca7cf69e
///   for data 1
/// Errors: shapes that do not broadcast: CALX-E202
/// Example: fold_in(scalar<std::uint64_t>(0), 1)  // u64[]
/// Source: jax.random.fold_in, with Philox instead of Threefry
[[nodiscard]] Tensor fold_in(const Operand& key, const Operand& data, const FoldInOptions& options = {});

// ---- indexing --------------------------------------------------------------------------------------------

struct GatherOptions {
  /// axes of the result that run over a slice, increasing
  std::vector<std::int64_t> offset_dims = {};
  /// axes of the operand that the result lacks (slice size 1), increasing
  std::vector<std::int64_t> collapsed_slice_dims = {};
  /// axes of the operand that run along with axes of the indices, increasing
  std::vector<std::int64_t> operand_batching_dims = {};
  /// the axes of the indices that operand_batching_dims run along with
  std::vector<std::int64_t> start_indices_batching_dims = {};
  /// axis of the operand for each entry of an index vector
  std::vector<std::int64_t> start_index_map = {};
  /// what becomes of slices that are not wholly inside the operand
  IndexMode mode = IndexMode::clip;
};
/// Reads slices of a tensor at positions given by indices.
///
///     y[b, o] = operand[start(b) + o], start(b)[start_index_map[k]] = indices[b, k]; collapsed axes have no
///     o, batching axes run along with b
///
/// Shapes: `operand: f32[v,d]`, `indices: i32[n]`, offset_dims [1], collapsed_slice_dims [0], start_index_map
///   [0], index_vector_dim 1, slice_sizes [1,d] -> `f32[n,d]`
/// Dtypes: `operand` of any dtype, `indices` i32 or i64
/// - `index_vector_dim` (required): the axis of the indices that holds index vectors; their rank: each index
///   is a scalar
/// - `slice_sizes` (required): size of the slice along each axis of the operand
/// - `offset_dims` (default []): axes of the result that run over a slice, increasing
/// - `collapsed_slice_dims` (default []): axes of the operand that the result lacks (slice size 1),
///   increasing
/// - `operand_batching_dims` (default []): axes of the operand that run along with axes of the indices,
///   increasing
/// - `start_indices_batching_dims` (default []): the axes of the indices that operand_batching_dims run along
///   with
/// - `start_index_map` (default []): axis of the operand for each entry of an index vector
/// - `mode` (default clip): what becomes of slices that are not wholly inside the operand; one of in_bounds,
///   clip, fill, wrap
/// Gradient: to operand: scatter_add of the cotangent into zeros, exactly as `mode` read it: clip adds to the
///   clipped element, fill drops
/// Accuracy: exact
/// Errors: axes out of range, named twice or out of order: CALX-E203, CALX-E204; lists of unfit lengths:
///   CALX-E201; a slice larger than the operand: CALX-E301; batching axes of different sizes: CALX-E202.
///   Indices are never errors here: `mode` clip moves the slice inside, fill gives 0, wrap counts modulo the
///   size, in_bounds promises that none is outside
/// Example: gather(tensor({10, 20, 30}), tensor<std::int32_t>({2, 5}), 1, {1}, {.collapsed_slice_dims = {0},
///   .start_index_map = {0}})  // f32[2] [30, 30]
/// Source: StableHLO gather (mode clip); jax.lax.gather for the other modes, with fill value 0
[[nodiscard]] Tensor gather(const Operand& operand, const Operand& indices, std::int64_t index_vector_dim,
                            const std::vector<Dim>& slice_sizes, const GatherOptions& options = {});
[[nodiscard]] Tangent gather(const Tangent& operand, const Tensor& indices, std::int64_t index_vector_dim,
                             const std::vector<Dim>& slice_sizes, const GatherOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

struct GeluOptions {
  /// none or tanh
  GeluApproximation approximate = GeluApproximation::none;
};
/// Gaussian error linear unit.
///
///     y = x * (1 + erf(x / sqrt(2))) / 2; approximate tanh: x * (1 + tanh(sqrt(2/pi) * (x + 0.044715 *
///     x^3))) / 2
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// - `approximate` (default none): none or tanh; one of none, tanh
/// Gradient: that of the formula; 0 at minus infinity
/// Accuracy: computed in f32 for f16 and bf16, rounded once at the end
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: gelu(tensor({0}))  // f32[1] [0]
/// Source: Hendrycks and Gimpel (2016); jax.nn.gelu, whose default is the approximation
[[nodiscard]] Tensor gelu(const Operand& x, const GeluOptions& options = {});

/// Piecewise linear form of sigmoid.
///
///     y = 0 where x <= -3, 1 where x >= 3, else (x + 3) / 6
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: 1/6 where -3 < x < 3, else 0
/// Accuracy: computed in f32 for f16 and bf16, rounded once at the end
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: hardsigmoid(tensor({-4, 0, 4}))  // f32[3] [0, 0.5, 1]
/// Source: Howard et al. (2019); torch.nn.Hardsigmoid
[[nodiscard]] Tensor hardsigmoid(const Operand& x);

/// Piecewise quadratic form of x * sigmoid(x).
///
///     y = 0 where x <= -3, x where x >= 3, else x * (x + 3) / 6
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: 0 where x <= -3, 1 where x >= 3, else (2 * x + 3) / 6
/// Accuracy: computed in f32 for f16 and bf16, rounded once at the end
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: hardswish(tensor({-4, 0, 4}))  // f32[3] [0, 0, 4]
/// Source: Howard et al. (2019); jax.nn.hard_swish, up to the slope at 3
[[nodiscard]] Tensor hardswish(const Operand& x);

/// True where an element is neither infinite nor NaN.
///
///     y = |x| < inf
///
/// Shapes: `x: f32[a]` -> `bool[a]`
/// Dtypes: `x` floating
/// Gradient: none: the result is boolean
/// Accuracy: exact
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: is_finite(tensor({1, INFINITY}))  // bool[2] [true, false]
/// Source: numpy.isfinite
[[nodiscard]] Tensor is_finite(const Operand& x);

/// True where an element is infinite.
///
///     y = |x| == inf
///
/// Shapes: `x: f32[a]` -> `bool[a]`
/// Dtypes: `x` floating
/// Gradient: none: the result is boolean
/// Accuracy: exact
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: is_inf(tensor({1, -INFINITY}))  // bool[2] [false, true]
/// Source: numpy.isinf
[[nodiscard]] Tensor is_inf(const Operand& x);

/// True where an element is NaN.
///
///     y = x != x
///
/// Shapes: `x: f32[a]` -> `bool[a]`
/// Dtypes: `x` floating
/// Gradient: none: the result is boolean
/// Accuracy: exact
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: is_nan(tensor({1, NAN}))  // bool[2] [false, true]
/// Source: numpy.isnan
[[nodiscard]] Tensor is_nan(const Operand& x);

// ---- norm ------------------------------------------------------------------------------------------------

struct LayerNormOptions {
  /// the axes that are normalised over together, in [-rank, rank)
  std::vector<std::int64_t> axes = {-1};
  /// what is added to the mean square before its root
  double eps = 1e-05;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Shifts and scales to mean 0 and variance 1 over axes, then applies a scale and a bias.
///
///     y = (x - mean(x)) / sqrt(var(x) + eps) * scale + bias
///
/// Shapes: `x: f32[a,b]`, `scale: f32[b]`, `bias: f32[b]`, axes [-1] -> `f32[a,b]`; scale and bias may be
///   absent
/// Dtypes: `x` floating, `scale` floating, `bias` floating
/// - `axes` (default [-1]): the axes that are normalised over together, in [-rank, rank)
/// - `eps` (default 1e-05): what is added to the mean square before its root; at least 0
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: that of the formula, at every order; NaN (0 / 0) where eps = 0 and all elements are equal
/// Accuracy: two passes on values divided by a power of two, so that squares neither overflow nor vanish, in
///   `accumulation` (f32 for f16 and bf16), rounded once; 0 before the bias where all elements are equal
/// Errors: an axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; `scale` or `bias`
///   without the sizes of the normalised axes: CALX-E201, CALX-E202; eps below 0: CALX-E301; an integer
///   operand: CALX-E101
/// Example: layer_norm(tensor({1, 3}), {.eps = 0})  // f32[2] [-1, 1]
/// Source: Ba et al. (2016), eq. 4; torch.nn.LayerNorm
[[nodiscard]] Tensor layer_norm(const Operand& x, const LayerNormOptions& options = {});
[[nodiscard]] Tensor layer_norm(const Operand& x, const Operand& scale, const LayerNormOptions& options = {});
[[nodiscard]] Tensor layer_norm(const Operand& x, const Operand& scale, const Operand& bias,
                                const LayerNormOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

struct LeakyReluOptions {
  /// the slope below 0
  double negative_slope = 0.01;
};
/// Elements from 0 on, a multiple of the others.
///
///     y = x where x >= 0, else negative_slope * x
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// - `negative_slope` (default 0.01): the slope below 0
/// Gradient: 1 where x >= 0, else negative_slope
/// Accuracy: computed in f32 for f16 and bf16, rounded once at the end
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: leaky_relu(tensor({-1, 2}), {.negative_slope = 0.5})  // f32[2] [-0.5, 2]
/// Source: jax.nn.leaky_relu
[[nodiscard]] Tensor leaky_relu(const Operand& x, const LeakyReluOptions& options = {});

// ---- reduction -------------------------------------------------------------------------------------------

struct LinearRecurrenceOptions {
  /// the axis, in [-rank, rank)
  std::int64_t axis = -1;
  /// run from the last element to the first
  bool reverse = false;
  /// element i uses the factor of the element before it instead of its own
  bool shifted = false;
  /// the result at element i is that before it, 0 at the first
  bool exclusive = false;
};
/// Running states of a linear recurrence along an axis.
///
///     s_i = factors_i * s_{i-1} + terms_i with s_{-1} = 0 (shifted: factors_{i-1}); y_i = s_i (exclusive:
///     s_{i-1})
///
/// Shapes: `factors: f32[a,n]`, `terms: f32[a,n]` -> `f32[a,n]`
/// Dtypes: `factors` floating, `terms` floating
/// - `axis` (default -1): the axis, in [-rank, rank)
/// - `reverse` (default false): run from the last element to the first
/// - `shifted` (default false): element i uses the factor of the element before it instead of its own
/// - `exclusive` (default false): the result at element i is that before it, 0 at the first
/// Gradient: linear recurrences again, at every order; no division, so exact where factors are 0
/// Accuracy: each product (in which a zero wins over infinity and NaN) and sum rounded once, in f32 for f16
///   and bf16; the states rounded once at the end
/// Errors: axis outside [-rank, rank): CALX-E203; shapes that differ: CALX-E202; another kind of dtype:
///   CALX-E101
/// Example: linear_recurrence(tensor({1, 2, 3}), tensor({1, 1, 1}))  // f32[3] [1, 3, 10]
/// Source: Blelloch (1990), section 1.4; cumulative products, discounted sums and state-space layers are of
///   this form
[[nodiscard]] Tensor linear_recurrence(const Operand& factors, const Operand& terms,
                                       const LinearRecurrenceOptions& options = {});
[[nodiscard]] Tangent linear_recurrence(const Tensor& factors, const Tangent& terms,
                                        const LinearRecurrenceOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

/// Natural logarithm of each element.
///
///     y = log(x)
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: 1 / x; +inf at 0, cut where the cotangent is 0
/// Accuracy: at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once; -inf at 0, NaN below
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: log(tensor({1}))  // f32[1] [0]
/// Source: numpy.log
[[nodiscard]] Tensor log(const Operand& x);

/// log(1 + x) of each element, exact near 0.
///
///     y = log(1 + x)
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: 1 / (1 + x)
/// Accuracy: at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once; -inf at -1, NaN below
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: log1p(tensor({0}))  // f32[1] [0]
/// Source: numpy.log1p
[[nodiscard]] Tensor log1p(const Operand& x);

/// log(sigmoid(x)) of each element, without overflow or cancellation.
///
///     y = -softplus(-x)
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: sigmoid(-x)
/// Accuracy: computed in f32 for f16 and bf16, rounded once at the end
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: log_sigmoid(tensor({-100}))  // f32[1] [-100]
/// Source: jax.nn.log_sigmoid
[[nodiscard]] Tensor log_sigmoid(const Operand& x);

// ---- reduction -------------------------------------------------------------------------------------------

struct LogSoftmaxOptions {
  /// the axis, in [-rank, rank)
  std::int64_t axis = -1;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Logarithm of softmax along an axis, without overflow.
///
///     y = x - log(sum along axis of e^x)
///
/// Shapes: `x: f32[a,b]` -> `f32[a,b]`
/// Dtypes: `x` floating
/// - `axis` (default -1): the axis, in [-rank, rank)
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: ct - e^y * sum along axis of ct; 0 in a row that is all -inf
/// Accuracy: computed in `accumulation` (f32 for f16 and bf16) after subtracting the largest element, rounded
///   once; a row that is all -inf gives -inf
/// Errors: axis outside [-rank, rank), rank 0 included: CALX-E203; another kind of dtype: CALX-E101
/// Example: log_softmax(tensor({0, 0}))  // f32[2] [-0.6931472, -0.6931472]
/// Source: jax.nn.log_softmax; numerics as in Blanchard, Higham and Higham (2021)
[[nodiscard]] Tensor log_softmax(const Operand& x, const LogSoftmaxOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

/// Logical and of two boolean tensors.
///
///     y = lhs and rhs
///
/// Shapes: `lhs: bool[a]`, `rhs: bool[a]` -> `bool[a]`
/// Dtypes: `lhs` boolean, `rhs` boolean
/// Gradient: none: operands are boolean
/// Accuracy: exact
/// Errors: an operand of another kind of dtype: CALX-E101; shapes that do not broadcast: CALX-E202; no common
///   dtype: CALX-E103
/// Example: logical_and(tensor<bool>({true, false}), tensor<bool>({true, true}))  // bool[2] [true, false]
/// Source: numpy.logical_and, of booleans only
[[nodiscard]] Tensor logical_and(const Operand& lhs, const Operand& rhs);

/// True where an element is false.
///
///     y = not x
///
/// Shapes: `x: f32[a]` -> `bool[a]`
/// Dtypes: `x` boolean
/// Gradient: none: operands are boolean
/// Accuracy: exact
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: logical_not(tensor<bool>({true, false}))  // bool[2] [false, true]
/// Source: numpy.logical_not, of booleans only
[[nodiscard]] Tensor logical_not(const Operand& x);

/// Logical or of two boolean tensors.
///
///     y = lhs or rhs
///
/// Shapes: `lhs: bool[a]`, `rhs: bool[a]` -> `bool[a]`
/// Dtypes: `lhs` boolean, `rhs` boolean
/// Gradient: none: operands are boolean
/// Accuracy: exact
/// Errors: an operand of another kind of dtype: CALX-E101; shapes that do not broadcast: CALX-E202; no common
///   dtype: CALX-E103
/// Example: logical_or(tensor<bool>({true, false}), tensor<bool>({true, true}))  // bool[2] [true, true]
/// Source: numpy.logical_or, of booleans only
[[nodiscard]] Tensor logical_or(const Operand& lhs, const Operand& rhs);

/// Exclusive or of two boolean tensors.
///
///     y = lhs != rhs
///
/// Shapes: `lhs: bool[a]`, `rhs: bool[a]` -> `bool[a]`
/// Dtypes: `lhs` boolean, `rhs` boolean
/// Gradient: none: operands are boolean
/// Accuracy: exact
/// Errors: an operand of another kind of dtype: CALX-E101; shapes that do not broadcast: CALX-E202; no common
///   dtype: CALX-E103
/// Example: logical_xor(tensor<bool>({true, false}), tensor<bool>({true, true}))  // bool[2] [false, true]
/// Source: numpy.logical_xor, of booleans only
[[nodiscard]] Tensor logical_xor(const Operand& lhs, const Operand& rhs);

// ---- reduction -------------------------------------------------------------------------------------------

struct LogsumexpOptions {
  /// the axes that are reduced, in [-rank, rank); none: all
  std::optional<std::vector<std::int64_t>> axes = {};
  /// keep the reduced axes with size 1
  bool keepdims = false;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Logarithm of the sum of exponentials over axes, without overflow.
///
///     y = log(sum over axes of e^x)
///
/// Shapes: `x: f32[a,b]`, axes [1] -> `f32[a]`, or `f32[a,1]` with keepdims
/// Dtypes: `x` floating
/// - `axes` (default none): the axes that are reduced, in [-rank, rank); none: all
/// - `keepdims` (default false): keep the reduced axes with size 1
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: e^(x - y); 0 where every element is -inf
/// Accuracy: computed in `accumulation` (f32 for f16 and bf16), in the fixed summation order, rounded once;
///   an empty axis and one of -inf alone give -inf
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; another kind of dtype:
///   CALX-E101
/// Example: logsumexp(tensor({1000, 1000}))  // f32[] 1000.6931
/// Source: scipy.special.logsumexp
[[nodiscard]] Tensor logsumexp(const Operand& x, const LogsumexpOptions& options = {});

struct MaxOptions {
  /// the axes that are reduced, in [-rank, rank); none: all
  std::optional<std::vector<std::int64_t>> axes = {};
  /// keep the reduced axes with size 1
  bool keepdims = false;
};
/// Largest element over axes.
///
///     y = max over axes of x
///
/// Shapes: `x: f32[a,b]`, axes [1] -> `f32[a]`, or `f32[a,1]` with keepdims
/// Dtypes: `x` numeric
/// - `axes` (default none): the axes that are reduced, in [-rank, rank); none: all
/// - `keepdims` (default false): keep the reduced axes with size 1
/// Gradient: shared equally among the elements that equal the result
/// Accuracy: exact; NaN if any element is
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; an axis without elements:
///   CALX-E211; another kind of dtype: CALX-E101
/// Example: max(tensor({{1, 2}, {4, 3}}))  // f32[] 4
/// Source: numpy.max; the tie rule is jax.numpy's
[[nodiscard]] Tensor max(const Operand& x, const MaxOptions& options = {});

// ---- window ----------------------------------------------------------------------------------------------

struct MaxPoolOptions {
  /// step between windows, per windowed axis; empty: all 1
  std::vector<std::int64_t> strides = {};
  /// padding before the first element, per windowed axis; negative removes; empty: none
  std::vector<Dim> padding_low = {};
  /// padding after the last element, per windowed axis; negative removes; empty: none
  std::vector<Dim> padding_high = {};
  /// distance of neighbours of x, per windowed axis; empty: all 1
  std::vector<std::int64_t> base_dilation = {};
  /// distance of neighbours of the window, per windowed axis; empty: all 1
  std::vector<std::int64_t> window_dilation = {};
};
/// The largest element of each window of the last axes.
///
///     y[n, o] = max of x[n, o * strides + e * window_dilation - padding_low] over e < window
///
/// Shapes: `x: f32[n,c,h,w]`, window [p,q] -> `f32[n,c,floor((h-p)/strides)+1,floor((w-q)/strides)+1]`, sizes
///   at least 0
/// Dtypes: `x` numeric
/// - `window` (required): size of the window along each of the last axes
/// - `strides` (default []): step between windows, per windowed axis; empty: all 1; in [1, 1000000000000000]
/// - `padding_low` (default []): padding before the first element, per windowed axis; negative removes;
///   empty: none
/// - `padding_high` (default []): padding after the last element, per windowed axis; negative removes; empty:
///   none
/// - `base_dilation` (default []): distance of neighbours of x, per windowed axis; empty: all 1; in [1,
///   1000000000000000]
/// - `window_dilation` (default []): distance of neighbours of the window, per windowed axis; empty: all 1;
///   in [1, 1000000000000000]
/// Gradient: all of it to the selected element, the first in row-major order on ties; padding gets none;
///   windows that overlap add up
/// Accuracy: exact; NaN wins; padding and holes never win: a window without elements gives -inf, or the
///   lowest integer
/// Errors: more windowed axes than axes: CALX-E201; lists of unfit lengths; sizes, strides or dilations below
///   1: CALX-E301
/// Example: max_pool(tensor({5, 3, 1, 2, 5}), {2})  // f32[4] [5, 3, 2, 5]
/// Source: torch.nn.functional.max_pool2d without ceil_mode; ONNX MaxPool; StableHLO reduce_window with
///   maximum, but the gradient goes to one element; the windows are those of reduce_window
[[nodiscard]] Tensor max_pool(const Operand& x, const std::vector<Dim>& window,
                              const MaxPoolOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

/// Larger of two tensors, element by element.
///
///     y = lhs where lhs > rhs, else rhs
///
/// Shapes: `lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`
/// Dtypes: `lhs` numeric, `rhs` numeric
/// Gradient: 1 to the chosen operand, 0 to the other; 1/2 to each at a tie
/// Accuracy: exact; NaN if either operand is (the canonical one); -0 is less than +0
/// Errors: an operand of another kind of dtype: CALX-E101; shapes that do not broadcast: CALX-E202; no common
///   dtype: CALX-E103
/// Example: maximum(tensor({1, 5}), 2.0)  // f32[2] [2, 5]
/// Source: numpy.maximum; the tie rule is jax.lax's
[[nodiscard]] Tensor maximum(const Operand& lhs, const Operand& rhs);

// ---- reduction -------------------------------------------------------------------------------------------

struct MeanOptions {
  /// the axes that are reduced, in [-rank, rank); none: all
  std::optional<std::vector<std::int64_t>> axes = {};
  /// keep the reduced axes with size 1
  bool keepdims = false;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Mean over axes.
///
///     y = sum over axes of x / number of elements
///
/// Shapes: `x: f32[a,b]`, axes [1] -> `f32[a]`, or `f32[a,1]` with keepdims
/// Dtypes: `x` floating
/// - `axes` (default none): the axes that are reduced, in [-rank, rank); none: all
/// - `keepdims` (default false): keep the reduced axes with size 1
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: the cotangent divided by the number of elements
/// Accuracy: computed in `accumulation` (f32 for f16 and bf16), in the fixed summation order, rounded once;
///   an empty axis gives NaN
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; another kind of dtype:
///   CALX-E101
/// Example: mean(tensor({1, 2, 6}))  // f32[] 3
/// Source: numpy.mean, of floats only
[[nodiscard]] Tensor mean(const Operand& x, const MeanOptions& options = {});

struct MinOptions {
  /// the axes that are reduced, in [-rank, rank); none: all
  std::optional<std::vector<std::int64_t>> axes = {};
  /// keep the reduced axes with size 1
  bool keepdims = false;
};
/// Smallest element over axes.
///
///     y = min over axes of x
///
/// Shapes: `x: f32[a,b]`, axes [1] -> `f32[a]`, or `f32[a,1]` with keepdims
/// Dtypes: `x` numeric
/// - `axes` (default none): the axes that are reduced, in [-rank, rank); none: all
/// - `keepdims` (default false): keep the reduced axes with size 1
/// Gradient: shared equally among the elements that equal the result
/// Accuracy: exact; NaN if any element is
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; an axis without elements:
///   CALX-E211; another kind of dtype: CALX-E101
/// Example: min(tensor({{1, 2}, {4, 3}}))  // f32[] 1
/// Source: numpy.min; the tie rule is jax.numpy's
[[nodiscard]] Tensor min(const Operand& x, const MinOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

/// Smaller of two tensors, element by element.
///
///     y = lhs where lhs < rhs, else rhs
///
/// Shapes: `lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`
/// Dtypes: `lhs` numeric, `rhs` numeric
/// Gradient: 1 to the chosen operand, 0 to the other; 1/2 to each at a tie
/// Accuracy: exact; NaN if either operand is (the canonical one); -0 is less than +0
/// Errors: an operand of another kind of dtype: CALX-E101; shapes that do not broadcast: CALX-E202; no common
///   dtype: CALX-E103
/// Example: minimum(tensor({1, 5}), 2.0)  // f32[2] [1, 2]
/// Source: numpy.minimum; the tie rule is jax.lax's
[[nodiscard]] Tensor minimum(const Operand& lhs, const Operand& rhs);

// ---- reduction -------------------------------------------------------------------------------------------

struct NormOptions {
  /// the axes that are reduced, in [-rank, rank); none: all
  std::optional<std::vector<std::int64_t>> axes = {};
  /// keep the reduced axes with size 1
  bool keepdims = false;
  /// the order p; inf for the largest absolute value
  double ord = 2;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// p-norm over axes, as of one vector.
///
///     y = (sum over axes of |x|^p)^(1/p); p = inf: max |x|
///
/// Shapes: `x: f32[a,b]`, axes [1] -> `f32[a]`, or `f32[a,1]` with keepdims
/// Dtypes: `x` floating
/// - `axes` (default none): the axes that are reduced, in [-rank, rank); none: all
/// - `keepdims` (default false): keep the reduced axes with size 1
/// - `ord` (default 2): the order p; inf for the largest absolute value; at least 1
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: sign(x) * (|x| / y)^(p - 1); 0 at every order where y is 0; p = inf: shared equally among ties
/// Accuracy: on values divided by a power of two, so that powers neither overflow nor vanish, in
///   `accumulation` (f32 for f16 and bf16), rounded once; an empty axis gives 0
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; another kind of dtype:
///   CALX-E101
/// Example: norm(tensor({3, 4}))  // f32[] 5
/// Source: numpy.linalg.norm of a flattened operand; Blue (1978)
[[nodiscard]] Tensor norm(const Operand& x, const NormOptions& options = {});

// ---- random ----------------------------------------------------------------------------------------------

struct NormalOptions {
  /// dtype of the result, floating
  DType dtype = f32;
};
/// Standard normal numbers.
///
///     y = sqrt(-2 log(1 - u)) cos(2 pi v), u and v uniform under the keys fold_in(key, 0) and fold_in(key,
///     1) in stream 3
///
/// Shapes: `key: u64[a]`, shape [b] -> `f32[a,b]`
/// Dtypes: `key` a u64 key
/// - `shape` (required): sizes of what is drawn under each key
/// - `dtype` (default f32): dtype of the result, floating
/// Gradient: none: nothing floating goes in
/// Accuracy: computed in f32 (f64 for f64) with the accuracy of log, sqrt and cos; |y| < 5.78 in f32
/// Errors: a dtype that is not floating: CALX-E301
/// Example: normal(scalar<std::uint64_t>(0), {2})  // f32[2]
/// Source: Box and Muller (1958); jax.random.normal, which inverts erf
[[nodiscard]] Tensor normal(const Operand& key, const Shape& shape, const NormalOptions& options = {});

// ---- indexing --------------------------------------------------------------------------------------------

struct OneHotOptions {
  /// where the result gets the new axis, in [-rank - 1, rank]
  std::int64_t axis = -1;
  /// dtype of the result
  DType dtype = f32;
};
/// 1 at the class that an index names, 0 at the others.
///
///     y[..., c] = 1 where index == c, else 0
///
/// Shapes: `index: i32[a]`, num_classes c -> `f32[a,c]`
/// Dtypes: `index` i32 or i64
/// - `num_classes` (required): size of the new axis; indices must lie in [0, num_classes)
/// - `axis` (default -1): where the result gets the new axis, in [-rank - 1, rank]
/// - `dtype` (default f32): dtype of the result
/// Gradient: none: indices are integers
/// Accuracy: exact
/// Errors: at run time, an index outside [0, num_classes): CALX-E401; an axis outside [-rank - 1, rank]:
///   CALX-E203; indices that are not i32 or i64: CALX-E101
/// Example: one_hot(tensor<std::int32_t>({2}), 3)  // f32[1,3] [[0, 0, 1]]
/// Source: jax.nn.one_hot, which gives zeros for an index that is no class
[[nodiscard]] Tensor one_hot(const Operand& index, const Dim& num_classes, const OneHotOptions& options = {});

// ---- shape -----------------------------------------------------------------------------------------------

struct PadOptions {
  /// elements added between two neighbours, per axis; empty: all 0
  std::vector<std::int64_t> interior = {};
};
/// Adds copies of a value before, after and between the elements along each axis.
///
///     y[low + i * (interior + 1)] = x[i], y = value elsewhere; negative low and high remove elements
///
/// Shapes: `x: f32[n]`, `value: f32[]` -> `f32[low + n + max(n - 1, 0) * interior + high]`
/// Dtypes: `x` of any dtype, `value` of any dtype
/// - `low` (required): elements added before the first, per axis; negative: removed
/// - `high` (required): elements added after the last, per axis; negative: removed
/// - `interior` (default []): elements added between two neighbours, per axis; empty: all 0; at least 0
/// Gradient: to x the cotangent where x went; to value the sum of the rest
/// Accuracy: exact
/// Errors: a list whose length is not the rank: CALX-E201; a negative result size or interior: CALX-E301;
///   value of another dtype: CALX-E102, of another rank: CALX-E201
/// Example: pad(tensor({1, 2}), 0.0, {1}, {0}, {.interior = {1}})  // f32[4] [0, 1, 0, 2]
/// Source: StableHLO pad, with symbolic paddings
[[nodiscard]] Tensor pad(const Operand& x, const Operand& value, const std::vector<Dim>& low,
                         const std::vector<Dim>& high, const PadOptions& options = {});
[[nodiscard]] Tangent pad(const Tangent& x, const Tangent& value, const std::vector<Dim>& low,
                          const std::vector<Dim>& high, const PadOptions& options = {});

// ---- random ----------------------------------------------------------------------------------------------

struct PermutationOptions {
  /// dtype of the result, i32 or i64
  DType index_dtype = i32;
};
/// The integers below a size in random order.
///
///     y = argsort of 64 random bits per integer, stable
///
/// Shapes: `key: u64[a]` -> `i32[a,size]`
/// Dtypes: `key` a u64 key
/// - `size` (required): how many integers; at least 0
/// - `index_dtype` (default i32): dtype of the result, i32 or i64
/// Gradient: none: the result is integer
/// Accuracy: the same order on every backend; orders are equally likely up to 2^-64 per pair
/// Errors: a negative size, or an index dtype that is neither i32 nor i64: CALX-E301
/// Example: permutation(scalar<std::uint64_t>(0), 3)  // i32[3]
/// Source: jax.random.permutation of an integer
[[nodiscard]] Tensor permutation(const Operand& key, const Dim& size, const PermutationOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

/// Power of two tensors, element by element.
///
///     y = lhs ^ rhs
///
/// Shapes: `lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`
/// Dtypes: `lhs` numeric, `rhs` numeric
/// Gradient: rhs * lhs^(rhs - 1) to lhs (0 where rhs is 0), y * log(lhs) to rhs (0 where lhs is 0 and rhs >=
///   0)
/// Accuracy: at most 1 ulp in f32; integers wrap, and a negative exponent gives the power rounded toward zero
/// Errors: an operand of another kind of dtype: CALX-E101; shapes that do not broadcast: CALX-E202; no common
///   dtype: CALX-E103
/// Example: pow(tensor({2, 3}), 2.0)  // f32[2] [4, 9]
/// Source: numpy.power; C's pow for floats
[[nodiscard]] Tensor pow(const Operand& lhs, const Operand& rhs);

// ---- reduction -------------------------------------------------------------------------------------------

struct ProdOptions {
  /// the axes that are reduced, in [-rank, rank); none: all
  std::optional<std::vector<std::int64_t>> axes = {};
  /// keep the reduced axes with size 1
  bool keepdims = false;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Product over axes.
///
///     y = product over axes of x
///
/// Shapes: `x: f32[a,b]`, axes [1] -> `f32[a]`, or `f32[a,1]` with keepdims
/// Dtypes: `x` numeric
/// - `axes` (default none): the axes that are reduced, in [-rank, rank); none: all
/// - `keepdims` (default false): keep the reduced axes with size 1
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: the product of the other elements, without division: exact where elements are 0
/// Accuracy: accumulated in `accumulation` (f32 for f16 and bf16, i32 or u32 for narrow integers) in the
///   fixed summation order, rounded once; integers wrap; an empty axis gives 1
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; another kind of dtype:
///   CALX-E101
/// Example: prod(tensor({{1, 2}, {3, 4}}))  // f32[] 24
/// Source: numpy.prod, whose result of narrow integers is wider
[[nodiscard]] Tensor prod(const Operand& x, const ProdOptions& options = {});

// ---- random ----------------------------------------------------------------------------------------------

struct RandomBitsOptions {
  /// dtype of the result: u8, u16, u32 or u64
  DType dtype = u32;
};
/// Uniformly random bits under each key.
///
///     y[k, i] = the low bits of Philox4x32-10(counter = (i, 0), key = key[k]), i counted row-major in
///     `shape`; output word 0 is the low half of 64 bits, word 1 the high half
///
/// Shapes: `key: u64[a]`, shape [b] -> `u32[a,b]`
/// Dtypes: `key` a u64 key
/// - `shape` (required): sizes of what is drawn under each key
/// - `dtype` (default u32): dtype of the result: u8, u16, u32 or u64
/// Gradient: none: keys and bits are integers
/// Accuracy: the same bits on every backend and number of threads; key 0, element 0, u32: 0x6627e8d5
/// Errors: a dtype that is not unsigned: CALX-E301
/// Example: random_bits(scalar<std::uint64_t>(0), {1})  // u32[1] [1713891541]
/// Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (SC 2011)
[[nodiscard]] Tensor random_bits(const Operand& key, const Shape& shape,
                                 const RandomBitsOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

/// 1 / x of each element.
///
///     y = 1 / x
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: -y / x
/// Accuracy: IEEE, rounded once
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: reciprocal(tensor({4}))  // f32[1] [0.25]
/// Source: numpy.reciprocal, of floats only
[[nodiscard]] Tensor reciprocal(const Operand& x);

// ---- reduction -------------------------------------------------------------------------------------------

/// Whether all elements over axes are true.
///
///     y[kept] = and over axes of x[kept, axes]
///
/// Shapes: `x: bool[a,b]`, axes [1] -> `bool[a]`
/// Dtypes: `x` boolean
/// - `axes` (required): the axes that are reduced, in [-rank, rank)
/// Gradient: none: operands are boolean
/// Accuracy: exact; an empty axis gives true
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204
/// Example: reduce_and(tensor<bool>({true, false}), {0})  // bool[] false
/// Source: jax.lax.reduce_and, of booleans
[[nodiscard]] Tensor reduce_and(const Operand& x, const std::vector<std::int64_t>& axes);

struct ReduceMaxOptions {
  /// an empty axis gives the combiner's identity instead of an error
  bool allow_empty = false;
};
/// Largest element over axes.
///
///     y[kept] = max over axes of x[kept, axes]
///
/// Shapes: `x: f32[a,b]`, axes [1] -> `f32[a]`
/// Dtypes: `x` numeric
/// - `axes` (required): the axes that are reduced, in [-rank, rank)
/// - `allow_empty` (default false): an empty axis gives the combiner's identity instead of an error
/// Gradient: shared equally among the elements that equal the result; 0 where it is NaN
/// Accuracy: exact; NaN if any element is (the canonical one); with allow_empty an empty axis gives -inf (the
///   lowest integer)
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; no elements: CALX-E211
/// Example: reduce_max(tensor({{1, 2}, {4, 3}}), {0})  // f32[2] [4, 3]
/// Source: numpy.max; jax.lax.reduce_max, with an error for an empty axis
[[nodiscard]] Tensor reduce_max(const Operand& x, const std::vector<std::int64_t>& axes,
                                const ReduceMaxOptions& options = {});

struct ReduceMinOptions {
  /// an empty axis gives the combiner's identity instead of an error
  bool allow_empty = false;
};
/// Smallest element over axes.
///
///     y[kept] = min over axes of x[kept, axes]
///
/// Shapes: `x: f32[a,b]`, axes [1] -> `f32[a]`
/// Dtypes: `x` numeric
/// - `axes` (required): the axes that are reduced, in [-rank, rank)
/// - `allow_empty` (default false): an empty axis gives the combiner's identity instead of an error
/// Gradient: shared equally among the elements that equal the result; 0 where it is NaN
/// Accuracy: exact; NaN if any element is (the canonical one); with allow_empty an empty axis gives inf (the
///   largest integer)
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; no elements: CALX-E211
/// Example: reduce_min(tensor({{1, 2}, {4, 3}}), {0})  // f32[2] [1, 2]
/// Source: numpy.min; jax.lax.reduce_min, with an error for an empty axis
[[nodiscard]] Tensor reduce_min(const Operand& x, const std::vector<std::int64_t>& axes,
                                const ReduceMinOptions& options = {});

/// Whether any elements over axes is true.
///
///     y[kept] = or over axes of x[kept, axes]
///
/// Shapes: `x: bool[a,b]`, axes [1] -> `bool[a]`
/// Dtypes: `x` boolean
/// - `axes` (required): the axes that are reduced, in [-rank, rank)
/// Gradient: none: operands are boolean
/// Accuracy: exact; an empty axis gives false
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204
/// Example: reduce_or(tensor<bool>({true, false}), {0})  // bool[] true
/// Source: jax.lax.reduce_or, of booleans
[[nodiscard]] Tensor reduce_or(const Operand& x, const std::vector<std::int64_t>& axes);

struct ReduceProdOptions {
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Product over axes, in the fixed order of reductions.
///
///     y[kept] = product over axes of x[kept, axes]
///
/// Shapes: `x: f32[a,b]`, axes [1] -> `f32[a]`
/// Dtypes: `x` numeric
/// - `axes` (required): the axes that are reduced, in [-rank, rank)
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: the product of the elements before times that of the elements after, without division: exact
///   where elements are 0, at every order
/// Accuracy: accumulated in `accumulation` (f32 for f16 and bf16, i32 or u32 for narrow integers), converted
///   to the operand's dtype once; integers wrap; an empty axis gives 1
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204
/// Example: reduce_prod(tensor({2, 3, 4}), {0})  // f32[] 24
/// Source: jax.lax.reduce_prod
[[nodiscard]] Tensor reduce_prod(const Operand& x, const std::vector<std::int64_t>& axes,
                                 const ReduceProdOptions& options = {});

// ---- window ----------------------------------------------------------------------------------------------

struct ReduceWindowOptions {
  /// step between windows, per windowed axis; empty: all 1
  std::vector<std::int64_t> strides = {};
  /// padding before the first element, per windowed axis; negative removes; empty: none
  std::vector<Dim> padding_low = {};
  /// padding after the last element, per windowed axis; negative removes; empty: none
  std::vector<Dim> padding_high = {};
  /// distance of neighbours of x, per windowed axis; empty: all 1
  std::vector<std::int64_t> base_dilation = {};
  /// distance of neighbours of the window, per windowed axis; empty: all 1
  std::vector<std::int64_t> window_dilation = {};
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Sums over windows that move over the last axes.
///
///     y[p] = sum over k of x[(p * stride + k * window_dilation - low) / base_dilation], where the division
///     is exact and inside
///
/// Shapes: `x: f32[a,h]` -> `f32[a,oh]` with oh = floor(((h-1)*base_dilation + low + high -
///   (window-1)*window_dilation - 1) / stride) + 1, at least 0
/// Dtypes: `x` numeric
/// - `window` (required): size of the window along each of the last axes
/// - `strides` (default []): step between windows, per windowed axis; empty: all 1; in [1, 1000000000000000]
/// - `padding_low` (default []): padding before the first element, per windowed axis; negative removes;
///   empty: none
/// - `padding_high` (default []): padding after the last element, per windowed axis; negative removes; empty:
///   none
/// - `base_dilation` (default []): distance of neighbours of x, per windowed axis; empty: all 1; in [1,
///   1000000000000000]
/// - `window_dilation` (default []): distance of neighbours of the window, per windowed axis; empty: all 1;
///   in [1, 1000000000000000]
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: the window sums of the cotangent, strides and base dilations exchanged
/// Accuracy: summed in the fixed order in `accumulation` (f32 for f16 and bf16, i32 or u32 for narrow
///   integers), converted once; a window wholly outside gives +0
/// Errors: more windowed axes than axes: CALX-E201; lists of unfit lengths; sizes below 0, strides or
///   dilations below 1: CALX-E301; an `accumulation` that cannot hold the sums: CALX-E101
/// Example: reduce_window(tensor({1, 2, 3}), {2})  // f32[2] [3, 5]
/// Source: StableHLO reduce_window and jax.lax.reduce_window with addition, windows over the last axes; as in
///   conv_general, (0-1)*dilation+1 counts for empty axes
[[nodiscard]] Tensor reduce_window(const Operand& x, const std::vector<Dim>& window,
                                   const ReduceWindowOptions& options = {});
[[nodiscard]] Tangent reduce_window(const Tangent& x, const std::vector<Dim>& window,
                                    const ReduceWindowOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

/// Elements above 0, 0 for the others.
///
///     y = x where x > 0, else 0
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` numeric
/// Gradient: 1 where x > 0 or x is NaN, else 0: 0 at 0
/// Accuracy: exact; NaN stays NaN
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: relu(tensor({-1, 2}))  // f32[2] [0, 2]
/// Source: jax.nn.relu
[[nodiscard]] Tensor relu(const Operand& x);

/// Elements limited to [0, 6].
///
///     y = minimum(maximum(x, 0), 6)
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` numeric
/// Gradient: 1 where 0 < x < 6, else 0: 0 at 0 and at 6
/// Accuracy: exact; NaN stays NaN
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: relu6(tensor({-1, 2, 7}))  // f32[3] [0, 2, 6]
/// Source: jax.nn.relu6
[[nodiscard]] Tensor relu6(const Operand& x);

/// Remainder of floor_divide; it has the sign of rhs.
///
///     y = lhs - floor_divide(lhs, rhs) * rhs
///
/// Shapes: `lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`
/// Dtypes: `lhs` numeric, `rhs` numeric
/// Gradient: 1 to lhs, -floor_divide(lhs, rhs) to rhs
/// Accuracy: exact for floats up to one rounding; integers: x % 0 is 0, the most negative % -1 is 0, nothing
///   traps
/// Errors: an operand of another kind of dtype: CALX-E101; shapes that do not broadcast: CALX-E202; no common
///   dtype: CALX-E103
/// Example: remainder(tensor<std::int32_t>({7, -7}), 3)  // i32[2] [1, 2]
/// Source: numpy.remainder
[[nodiscard]] Tensor remainder(const Operand& lhs, const Operand& rhs);

// ---- shape -----------------------------------------------------------------------------------------------

/// Turns round the order of elements along axes.
///
///     y[..., i, ...] = x[..., n - 1 - i, ...]
///
/// Shapes: `x: f32[a,b]` -> `f32[a,b]`
/// Dtypes: `x` of any dtype
/// - `axes` (required): the axes that are reversed, in [-rank, rank)
/// Gradient: the cotangent, reversed along the same axes
/// Accuracy: exact
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204
/// Example: reverse(tensor({1, 2, 3}), {0})  // f32[3] [3, 2, 1]
/// Source: StableHLO reverse; numpy.flip
[[nodiscard]] Tensor reverse(const Operand& x, const std::vector<std::int64_t>& axes);
[[nodiscard]] Tangent reverse(const Tangent& x, const std::vector<std::int64_t>& axes);

// ---- norm ------------------------------------------------------------------------------------------------

struct RmsNormOptions {
  /// the axes that are normalised over together, in [-rank, rank)
  std::vector<std::int64_t> axes = {-1};
  /// what is added to the mean square before its root
  double eps = 1e-05;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Scales to mean square 1 over axes, then applies a scale.
///
///     y = x / sqrt(mean(x^2) + eps) * scale
///
/// Shapes: `x: f32[a,b]`, `scale: f32[b]`, axes [-1] -> `f32[a,b]`; scale may be absent
/// Dtypes: `x` floating, `scale` floating
/// - `axes` (default [-1]): the axes that are normalised over together, in [-rank, rank)
/// - `eps` (default 1e-05): what is added to the mean square before its root; at least 0
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: that of the formula, at every order
/// Accuracy: on values divided by a power of two, so that squares neither overflow nor vanish, in
///   `accumulation` (f32 for f16 and bf16), rounded once
/// Errors: an axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; `scale` without the
///   sizes of the normalised axes: CALX-E201, CALX-E202; eps below 0: CALX-E301; an integer operand:
///   CALX-E101
/// Example: rms_norm(tensor({3, -3}), {.eps = 0})  // f32[2] [1, -1]
/// Source: Zhang and Sennrich (2019), eq. 4; torch.nn.RMSNorm
[[nodiscard]] Tensor rms_norm(const Operand& x, const RmsNormOptions& options = {});
[[nodiscard]] Tensor rms_norm(const Operand& x, const Operand& scale, const RmsNormOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

/// Nearest integer of each element, halves to even.
///
///     y = round(x)
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: none: 0 everywhere
/// Accuracy: exact
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: round(tensor({0.5, 1.5}))  // f32[2] [0, 2]
/// Source: numpy.round; IEEE 754 roundToIntegralTiesToEven
[[nodiscard]] Tensor round(const Operand& x);

/// Reciprocal of the square root of each element.
///
///     y = 1 / sqrt(x)
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: -0.5 * y / x
/// Accuracy: at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once; +inf at 0, NaN below
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: rsqrt(tensor({4}))  // f32[1] [0.5]
/// Source: jax.lax.rsqrt
[[nodiscard]] Tensor rsqrt(const Operand& x);

// ---- indexing --------------------------------------------------------------------------------------------

struct ScatterOptions {
  /// axes of the updates that run over a slice, increasing
  std::vector<std::int64_t> update_window_dims = {};
  /// axes of the operand that the updates lack (slice size 1), increasing
  std::vector<std::int64_t> inserted_window_dims = {};
  /// axes of the operand that run along with axes of the indices, increasing
  std::vector<std::int64_t> operand_batching_dims = {};
  /// the axes of the indices that operand_batching_dims run along with
  std::vector<std::int64_t> scatter_indices_batching_dims = {};
  /// axis of the operand for each entry of an index vector
  std::vector<std::int64_t> scatter_dims_to_operand_dims = {};
  /// what becomes of slices that are not wholly inside the operand
  IndexMode mode = IndexMode::clip;
};
/// Writes slices at positions given by indices; the last update of an element wins.
///
///     y[start(b) + o] = updates[b, o], y = operand elsewhere; starts and axes as in gather
///
/// Shapes: `operand: f32[v,d]`, `indices: i32[n]`, `updates: f32[n,d]`, update_window_dims [1],
///   inserted_window_dims [0], scatter_dims_to_operand_dims [0], index_vector_dim 1 -> `f32[v,d]`
/// Dtypes: `operand` of any dtype, `indices` i32 or i64, `updates` of any dtype
/// - `index_vector_dim` (required): the axis of the indices that holds index vectors; their rank: each index
///   is a scalar
/// - `update_window_dims` (default []): axes of the updates that run over a slice, increasing
/// - `inserted_window_dims` (default []): axes of the operand that the updates lack (slice size 1),
///   increasing
/// - `operand_batching_dims` (default []): axes of the operand that run along with axes of the indices,
///   increasing
/// - `scatter_indices_batching_dims` (default []): the axes of the indices that operand_batching_dims run
///   along with
/// - `scatter_dims_to_operand_dims` (default []): axis of the operand for each entry of an index vector
/// - `mode` (default clip): what becomes of slices that are not wholly inside the operand; one of in_bounds,
///   clip, fill, wrap
/// Gradient: to operand the cotangent where nothing was written; to updates the cotangent of their element
///   where they are its last update, else 0
/// Accuracy: exact
/// Errors: as gather; updates of another shape than the indices address: CALX-E202, of another dtype:
///   CALX-E102
/// Example: scatter(tensor({1, 2, 3}), tensor<std::int32_t>({0, 0}), tensor({7, 8}), 1,
///   {.inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0}})  // f32[3] [8, 2, 3]
/// Source: StableHLO scatter with a body that returns the update, made deterministic; mode fill drops, as
///   StableHLO does; jax.lax.scatter
[[nodiscard]] Tensor scatter(const Operand& operand, const Operand& indices, const Operand& updates,
                             std::int64_t index_vector_dim, const ScatterOptions& options = {});
[[nodiscard]] Tangent scatter(const Tangent& operand, const Tensor& indices, const Tangent& updates,
                              std::int64_t index_vector_dim, const ScatterOptions& options = {});

struct ScatterAddOptions {
  /// axes of the updates that run over a slice, increasing
  std::vector<std::int64_t> update_window_dims = {};
  /// axes of the operand that the updates lack (slice size 1), increasing
  std::vector<std::int64_t> inserted_window_dims = {};
  /// axes of the operand that run along with axes of the indices, increasing
  std::vector<std::int64_t> operand_batching_dims = {};
  /// the axes of the indices that operand_batching_dims run along with
  std::vector<std::int64_t> scatter_indices_batching_dims = {};
  /// axis of the operand for each entry of an index vector
  std::vector<std::int64_t> scatter_dims_to_operand_dims = {};
  /// what becomes of slices that are not wholly inside the operand
  IndexMode mode = IndexMode::clip;
};
/// Adds slices at positions given by indices; every update counts, in the order of indices.
///
///     y[p] = operand[p] + sum of updates[b, o] over start(b) + o = p; starts and axes as in gather
///
/// Shapes: `operand: f32[v,d]`, `indices: i32[n]`, `updates: f32[n,d]`, update_window_dims [1],
///   inserted_window_dims [0], scatter_dims_to_operand_dims [0], index_vector_dim 1 -> `f32[v,d]`
/// Dtypes: `operand` numeric, `indices` i32 or i64, `updates` numeric
/// - `index_vector_dim` (required): the axis of the indices that holds index vectors; their rank: each index
///   is a scalar
/// - `update_window_dims` (default []): axes of the updates that run over a slice, increasing
/// - `inserted_window_dims` (default []): axes of the operand that the updates lack (slice size 1),
///   increasing
/// - `operand_batching_dims` (default []): axes of the operand that run along with axes of the indices,
///   increasing
/// - `scatter_indices_batching_dims` (default []): the axes of the indices that operand_batching_dims run
///   along with
/// - `scatter_dims_to_operand_dims` (default []): axis of the operand for each entry of an index vector
/// - `mode` (default clip): what becomes of slices that are not wholly inside the operand; one of in_bounds,
///   clip, fill, wrap
/// Gradient: to operand the cotangent; to updates the gather of the cotangent in the same mode (fill: 0)
/// Accuracy: added one after the other in the order of indices, in the accumulation type of the dtype (f32
///   for f16 and bf16), converted once; the same bits on any number of threads
/// Errors: as gather; updates of another shape than the indices address: CALX-E202, of another dtype:
///   CALX-E102
/// Example: scatter_add(tensor({1, 2, 3}), tensor<std::int32_t>({0, 0}), tensor({7, 8}), 1,
///   {.inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0}})  // f32[3] [16, 2, 3]
/// Source: StableHLO scatter with a body that adds; numpy.add.at; jax.lax.scatter_add
[[nodiscard]] Tensor scatter_add(const Operand& operand, const Operand& indices, const Operand& updates,
                                 std::int64_t index_vector_dim, const ScatterAddOptions& options = {});
[[nodiscard]] Tangent scatter_add(const Tangent& operand, const Tensor& indices, const Tangent& updates,
                                  std::int64_t index_vector_dim, const ScatterAddOptions& options = {});

struct ScatterMaxOptions {
  /// axes of the updates that run over a slice, increasing
  std::vector<std::int64_t> update_window_dims = {};
  /// axes of the operand that the updates lack (slice size 1), increasing
  std::vector<std::int64_t> inserted_window_dims = {};
  /// axes of the operand that run along with axes of the indices, increasing
  std::vector<std::int64_t> operand_batching_dims = {};
  /// the axes of the indices that operand_batching_dims run along with
  std::vector<std::int64_t> scatter_indices_batching_dims = {};
  /// axis of the operand for each entry of an index vector
  std::vector<std::int64_t> scatter_dims_to_operand_dims = {};
  /// what becomes of slices that are not wholly inside the operand
  IndexMode mode = IndexMode::clip;
};
/// Keeps the largest of an element and its updates, at positions given by indices.
///
///     y[p] = max of operand[p] and all updates[b, o] with start(b) + o = p; starts and axes as in gather
///
/// Shapes: `operand: f32[v,d]`, `indices: i32[n]`, `updates: f32[n,d]`, update_window_dims [1],
///   inserted_window_dims [0], scatter_dims_to_operand_dims [0], index_vector_dim 1 -> `f32[v,d]`
/// Dtypes: `operand` numeric, `indices` i32 or i64, `updates` numeric
/// - `index_vector_dim` (required): the axis of the indices that holds index vectors; their rank: each index
///   is a scalar
/// - `update_window_dims` (default []): axes of the updates that run over a slice, increasing
/// - `inserted_window_dims` (default []): axes of the operand that the updates lack (slice size 1),
///   increasing
/// - `operand_batching_dims` (default []): axes of the operand that run along with axes of the indices,
///   increasing
/// - `scatter_indices_batching_dims` (default []): the axes of the indices that operand_batching_dims run
///   along with
/// - `scatter_dims_to_operand_dims` (default []): axis of the operand for each entry of an index vector
/// - `mode` (default clip): what becomes of slices that are not wholly inside the operand; one of in_bounds,
///   clip, fill, wrap
/// Gradient: shared equally among the entries that equal the result; the operand's own entry counts as one.
///   Where the result is NaN: 0
/// Accuracy: exact; NaN wins, of zeros the positive one
/// Errors: as gather; updates of another shape than the indices address: CALX-E202, of another dtype:
///   CALX-E102
/// Example: scatter_max(tensor({1, 2, 3}), tensor<std::int32_t>({0, 0}), tensor({7, 8}), 1,
///   {.inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0}})  // f32[3] [8, 2, 3]
/// Source: StableHLO scatter with a body that takes the max; jax.lax.scatter_max
[[nodiscard]] Tensor scatter_max(const Operand& operand, const Operand& indices, const Operand& updates,
                                 std::int64_t index_vector_dim, const ScatterMaxOptions& options = {});

struct ScatterMinOptions {
  /// axes of the updates that run over a slice, increasing
  std::vector<std::int64_t> update_window_dims = {};
  /// axes of the operand that the updates lack (slice size 1), increasing
  std::vector<std::int64_t> inserted_window_dims = {};
  /// axes of the operand that run along with axes of the indices, increasing
  std::vector<std::int64_t> operand_batching_dims = {};
  /// the axes of the indices that operand_batching_dims run along with
  std::vector<std::int64_t> scatter_indices_batching_dims = {};
  /// axis of the operand for each entry of an index vector
  std::vector<std::int64_t> scatter_dims_to_operand_dims = {};
  /// what becomes of slices that are not wholly inside the operand
  IndexMode mode = IndexMode::clip;
};
/// Keeps the smallest of an element and its updates, at positions given by indices.
///
///     y[p] = min of operand[p] and all updates[b, o] with start(b) + o = p; starts and axes as in gather
///
/// Shapes: `operand: f32[v,d]`, `indices: i32[n]`, `updates: f32[n,d]`, update_window_dims [1],
///   inserted_window_dims [0], scatter_dims_to_operand_dims [0], index_vector_dim 1 -> `f32[v,d]`
/// Dtypes: `operand` numeric, `indices` i32 or i64, `updates` numeric
/// - `index_vector_dim` (required): the axis of the indices that holds index vectors; their rank: each index
///   is a scalar
/// - `update_window_dims` (default []): axes of the updates that run over a slice, increasing
/// - `inserted_window_dims` (default []): axes of the operand that the updates lack (slice size 1),
///   increasing
/// - `operand_batching_dims` (default []): axes of the operand that run along with axes of the indices,
///   increasing
/// - `scatter_indices_batching_dims` (default []): the axes of the indices that operand_batching_dims run
///   along with
/// - `scatter_dims_to_operand_dims` (default []): axis of the operand for each entry of an index vector
/// - `mode` (default clip): what becomes of slices that are not wholly inside the operand; one of in_bounds,
///   clip, fill, wrap
/// Gradient: shared equally among the entries that equal the result; the operand's own entry counts as one.
///   Where the result is NaN: 0
/// Accuracy: exact; NaN wins, of zeros the negative one
/// Errors: as gather; updates of another shape than the indices address: CALX-E202, of another dtype:
///   CALX-E102
/// Example: scatter_min(tensor({1, 2, 3}), tensor<std::int32_t>({0, 0}), tensor({0, -1}), 1,
///   {.inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0}})  // f32[3] [-1, 2, 3]
/// Source: StableHLO scatter with a body that takes the min; jax.lax.scatter_min
[[nodiscard]] Tensor scatter_min(const Operand& operand, const Operand& indices, const Operand& updates,
                                 std::int64_t index_vector_dim, const ScatterMinOptions& options = {});

struct ScatterMulOptions {
  /// axes of the updates that run over a slice, increasing
  std::vector<std::int64_t> update_window_dims = {};
  /// axes of the operand that the updates lack (slice size 1), increasing
  std::vector<std::int64_t> inserted_window_dims = {};
  /// axes of the operand that run along with axes of the indices, increasing
  std::vector<std::int64_t> operand_batching_dims = {};
  /// the axes of the indices that operand_batching_dims run along with
  std::vector<std::int64_t> scatter_indices_batching_dims = {};
  /// axis of the operand for each entry of an index vector
  std::vector<std::int64_t> scatter_dims_to_operand_dims = {};
  /// what becomes of slices that are not wholly inside the operand
  IndexMode mode = IndexMode::clip;
};
/// Multiplies elements at positions given by indices; every update counts, in the order of indices.
///
///     y[p] = operand[p] * product of updates[b, o] over start(b) + o = p; starts and axes as in gather
///
/// Shapes: `operand: f32[v,d]`, `indices: i32[n]`, `updates: f32[n,d]`, update_window_dims [1],
///   inserted_window_dims [0], scatter_dims_to_operand_dims [0], index_vector_dim 1 -> `f32[v,d]`
/// Dtypes: `operand` numeric, `indices` i32 or i64, `updates` numeric
/// - `index_vector_dim` (required): the axis of the indices that holds index vectors; their rank: each index
///   is a scalar
/// - `update_window_dims` (default []): axes of the updates that run over a slice, increasing
/// - `inserted_window_dims` (default []): axes of the operand that the updates lack (slice size 1),
///   increasing
/// - `operand_batching_dims` (default []): axes of the operand that run along with axes of the indices,
///   increasing
/// - `scatter_indices_batching_dims` (default []): the axes of the indices that operand_batching_dims run
///   along with
/// - `scatter_dims_to_operand_dims` (default []): axis of the operand for each entry of an index vector
/// - `mode` (default clip): what becomes of slices that are not wholly inside the operand; one of in_bounds,
///   clip, fill, wrap
/// Gradient: to operand the cotangent times the product of the updates; to an update that times operand and
///   the other updates of its element: exact products, no division
/// Accuracy: multiplied one after the other in the order of indices, in the accumulation type of the dtype
///   (f32 for f16 and bf16), converted once
/// Errors: as gather; updates of another shape than the indices address: CALX-E202, of another dtype:
///   CALX-E102
/// Example: scatter_mul(tensor({1, 2, 3}), tensor<std::int32_t>({1, 1}), tensor({7, 8}), 1,
///   {.inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0}})  // f32[3] [1, 112, 3]
/// Source: StableHLO scatter with a body that multiplies; jax.lax.scatter_mul, which does not differentiate
///   duplicates
[[nodiscard]] Tensor scatter_mul(const Operand& operand, const Operand& indices, const Operand& updates,
                                 std::int64_t index_vector_dim, const ScatterMulOptions& options = {});
[[nodiscard]] Tangent scatter_mul(const Tangent& operand, const Tensor& indices, const Tensor& updates,
                                  std::int64_t index_vector_dim, const ScatterMulOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

/// Scaled exponential linear unit.
///
///     y = s * (x where x > 0, else a * (e^x - 1)), s = 1.0507009873554805, a = 1.6732632423543772
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: s where x > 0, else s * a * e^x: s * a at 0
/// Accuracy: computed in f32 for f16 and bf16, rounded once at the end
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: selu(tensor({0}))  // f32[1] [0]
/// Source: Klambauer et al. (2017); jax.nn.selu
[[nodiscard]] Tensor selu(const Operand& x);

/// Logistic function of each element.
///
///     y = 1 / (1 + exp(-x))
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: y * sigmoid(-x): accurate at both ends, where 1 - y would round to 0 or 1
/// Accuracy: at most 2 ulp in f32; f16 and bf16 are computed in f32 and rounded once
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: sigmoid(tensor({0}))  // f32[1] [0.5]
/// Source: jax.nn.sigmoid; scipy.special.expit
[[nodiscard]] Tensor sigmoid(const Operand& x);

/// Sign of each element: -1, 0 or 1.
///
///     y = -1 where x < 0, 1 where x > 0, else x
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` numeric
/// Gradient: none: 0 everywhere
/// Accuracy: exact; a zero keeps its sign, NaN stays NaN
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: sign(tensor({-2, 0, 3}))  // f32[3] [-1, 0, 1]
/// Source: numpy.sign
[[nodiscard]] Tensor sign(const Operand& x);

/// x * sigmoid(x) of each element, also called swish.
///
///     y = x * sigmoid(x)
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: sigmoid(x) * (1 + x * sigmoid(-x)); 0 at minus infinity
/// Accuracy: computed in f32 for f16 and bf16, rounded once at the end
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: silu(tensor({0}))  // f32[1] [0]
/// Source: Elfwing et al. (2017); jax.nn.silu
[[nodiscard]] Tensor silu(const Operand& x);

/// Sine of each element, in radians.
///
///     y = sin(x)
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: cos(x)
/// Accuracy: at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: sin(tensor({0}))  // f32[1] [0]
/// Source: numpy.sin
[[nodiscard]] Tensor sin(const Operand& x);

// ---- shape -----------------------------------------------------------------------------------------------

struct SliceOptions {
  /// step between positions taken, per axis; empty: all 1
  std::vector<std::int64_t> stride = {};
};
/// A box of a tensor: along each axis every stride-th position from start to before limit.
///
///     y[i] = x[start + i * stride]
///
/// Shapes: `x: f32[a]` -> `f32[ceil((limit - start) / stride)]`
/// Dtypes: `x` of any dtype
/// - `start` (required): first position taken, per axis
/// - `limit` (required): the position before which taking stops, per axis
/// - `stride` (default []): step between positions taken, per axis; empty: all 1; at least 1
/// Gradient: the cotangent in the box, 0 elsewhere
/// Accuracy: exact
/// Errors: not 0 <= start <= limit <= size, or a stride below 1: CALX-E301; a list whose length is not the
///   rank: CALX-E201
/// Example: slice(tensor({1, 2, 3, 4}), {1}, {4}, {.stride = {2}})  // f32[2] [2, 4]
/// Source: StableHLO slice, with symbolic bounds; numpy's x[start:limit:stride] without negative values
[[nodiscard]] Tensor slice(const Operand& x, const std::vector<Dim>& start, const std::vector<Dim>& limit,
                           const SliceOptions& options = {});
[[nodiscard]] Tangent slice(const Tangent& x, const std::vector<Dim>& start, const std::vector<Dim>& limit,
                            const SliceOptions& options = {});

// ---- reduction -------------------------------------------------------------------------------------------

struct SoftmaxOptions {
  /// the axis, in [-rank, rank)
  std::int64_t axis = -1;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Exponentials along an axis, divided by their sum, without overflow.
///
///     y = e^x / sum along axis of e^x
///
/// Shapes: `x: f32[a,b]` -> `f32[a,b]`
/// Dtypes: `x` floating
/// - `axis` (default -1): the axis, in [-rank, rank)
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: y * (ct - sum along axis of y * ct); 0 in a row that is all -inf
/// Accuracy: computed in `accumulation` (f32 for f16 and bf16) after subtracting the largest element, rounded
///   once; a row that is all -inf gives 0
/// Errors: axis outside [-rank, rank), rank 0 included: CALX-E203; another kind of dtype: CALX-E101
/// Example: softmax(tensor({0, 0}))  // f32[2] [0.5, 0.5]
/// Source: jax.nn.softmax; numerics as in Blanchard, Higham and Higham (2021)
[[nodiscard]] Tensor softmax(const Operand& x, const SoftmaxOptions& options = {});

// ---- loss ------------------------------------------------------------------------------------------------

struct SoftmaxCrossEntropyOptions {
  /// the axis, in [-rank, rank)
  std::int64_t axis = -1;
  /// rows with this label add nothing; none: every row counts
  std::optional<std::int64_t> ignore_index = {};
  /// share of the target that is spread evenly over all classes
  double label_smoothing = 0;
  /// none, sum, or mean weighted by the targets' weights
  LossReduction reduction = LossReduction::mean;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Cross entropy between the softmax of logits and labels, which are classes or probabilities.
///
///     row loss = -sum over classes c of w_c * t_c * log_softmax(logits)_c, where t = (1 - label_smoothing) *
///     target + label_smoothing / classes; mean: sum of row losses / sum of w_c * target_c
///
/// Shapes: `logits: f32[n,c]`, `labels: i32[n]` or `f32[n,c]`, `class_weights: f32[c]` (may be absent) ->
///   `f32[]`, or `f32[n]` with reduction none
/// Dtypes: `logits` floating, `labels` of any dtype, `class_weights` floating
/// - `axis` (default -1): the axis, in [-rank, rank)
/// - `ignore_index` (default none): rows with this label add nothing; none: every row counts
/// - `label_smoothing` (default 0): share of the target that is spread evenly over all classes; in [0, 1]
/// - `reduction` (default mean): none, sum, or mean weighted by the targets' weights; one of none, sum, mean
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: w * (softmax(logits) - t) to logits, divided as the mean is; -w * log_softmax(logits) to
///   probabilities; exactly 0 in rows that are ignored
/// Accuracy: computed in `accumulation` (f32 for f16 and bf16) from a stable log_softmax, rounded once; 0 if
///   all rows are ignored
/// Errors: at run time, a label that is no class and not ignored: CALX-E401; labels of another shape:
///   CALX-E201, CALX-E202; another kind of dtype: CALX-E101; label_smoothing outside [0, 1]: CALX-E301
/// Example: softmax_cross_entropy(tensor({{0, 0}}), tensor<std::int32_t>({1}))  // f32[] 0.6931472
/// Source: torch.nn.CrossEntropyLoss, whose mean over probabilities divides by the number of rows; Szegedy et
///   al. (2016), section 7
[[nodiscard]] Tensor softmax_cross_entropy(const Operand& logits, const Operand& labels,
                                           const SoftmaxCrossEntropyOptions& options = {});
[[nodiscard]] Tensor softmax_cross_entropy(const Operand& logits, const Operand& labels,
                                           const Operand& class_weights,
                                           const SoftmaxCrossEntropyOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

/// log(1 + exp(x)) of each element, without overflow or cancellation.
///
///     y = maximum(x, 0) + log1p(exp(-|x|))
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: sigmoid(x)
/// Accuracy: at most 2 ulp in f32; f16 and bf16 are computed in f32 and rounded once
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: softplus(tensor({100}))  // f32[1] [100]
/// Source: jax.nn.softplus
[[nodiscard]] Tensor softplus(const Operand& x);

// ---- indexing --------------------------------------------------------------------------------------------

struct SortOptions {
  /// the axis along which elements are sorted, in [-rank, rank)
  std::int64_t axis = -1;
  /// operands that are compared, the first ones, one after the other
  std::int64_t num_keys = 1;
  /// largest first; NaN is last in either order
  bool descending = false;
  /// dtype of the permutation, i32 or i64
  DType index_dtype = i32;
};
/// Sorts tensors together along an axis, stably, by the first num_keys of them; also gives the permutation.
///
///     y_k[..., i, ...] = x_k[..., p[..., i, ...], ...], p the stable order of (x_0, ..., x_{num_keys-1})
///
/// Shapes: `x: f32[a,b]`, `i32[a,b]`, ... -> the same types, then `i32[a,b]`
/// Dtypes: `x` of any dtype
/// - `axis` (default -1): the axis along which elements are sorted, in [-rank, rank)
/// - `num_keys` (default 1): operands that are compared, the first ones, one after the other; at least 1
/// - `descending` (default false): largest first; NaN is last in either order
/// - `index_dtype` (default i32): dtype of the permutation, i32 or i64
/// Gradient: to each floating operand its cotangent, scattered along the permutation: ties keep the order of
///   their indices; none through the permutation
/// Accuracy: exact; NaN is last in either order; -0 and +0 are equal
/// Errors: no operand or fewer than num_keys: CALX-E304; shapes that differ: CALX-E202; axis outside [-rank,
///   rank): CALX-E203; an index dtype that is neither i32 nor i64: CALX-E301
/// Example: sort({tensor({3, 1, 2})})  // f32[3] [1, 2, 3], i32[3] [1, 2, 0]
/// Source: jax.lax.sort with num_keys and is_stable; StableHLO sort; numpy.argsort(kind='stable')
[[nodiscard]] Tensors sort(const std::vector<Tensor>& x, const SortOptions& options = {},
                           SourceLoc where = SourceLoc::current());

// ---- random ----------------------------------------------------------------------------------------------

struct SplitOptions {
  /// how many keys
  Dim num = 2;
};
/// Several new keys from a key.
///
///     y[k, i] = fold_in of key[k] and i in stream 2: words 0 and 1 of Philox4x32-10(counter = (i, 2, 0),
///     key[k])
///
/// Shapes: `key: u64[a]` -> `u64[a,num]`
/// Dtypes: `key` a u64 key
/// - `num` (default 2): how many keys; at least 0
/// Gradient: none: keys are integers
/// Accuracy: the same bits on every backend, whatever num; key 0 gives 0xb68267590661d677,
///   0x2299a39078130eff, ...
/// Errors: a negative num: CALX-E301
/// Example: split(scalar<std::uint64_t>(0), {.num = 3})  // u64[3]
/// Source: jax.random.split, with Philox instead of Threefry
[[nodiscard]] Tensor split(const Operand& key, const SplitOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

/// Square root of each element.
///
///     y = sqrt(x)
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: 0.5 / y; +inf at 0, and -inf at -0, since sqrt(-0) = -0 (IEEE 754); cut where the cotangent is 0
/// Accuracy: IEEE, rounded once; NaN below 0
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: sqrt(tensor({4}))  // f32[1] [2]
/// Source: numpy.sqrt; IEEE 754 squareRoot
[[nodiscard]] Tensor sqrt(const Operand& x);

/// Square of each element.
///
///     y = x * x
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` numeric
/// Gradient: 2 * x
/// Accuracy: rounded once; integers wrap
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: square(tensor({3}))  // f32[1] [9]
/// Source: numpy.square
[[nodiscard]] Tensor square(const Operand& x);

// ---- reduction -------------------------------------------------------------------------------------------

struct StdOptions {
  /// the axes that are reduced, in [-rank, rank); none: all
  std::optional<std::vector<std::int64_t>> axes = {};
  /// keep the reduced axes with size 1
  bool keepdims = false;
  /// what is subtracted from the number of elements in the divisor
  std::int64_t ddof = 0;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Standard deviation over axes.
///
///     y = sqrt(sum over axes of (x - mean(x))^2 / (number of elements - ddof))
///
/// Shapes: `x: f32[a,b]`, axes [1] -> `f32[a]`, or `f32[a,1]` with keepdims
/// Dtypes: `x` floating
/// - `axes` (default none): the axes that are reduced, in [-rank, rank); none: all
/// - `keepdims` (default false): keep the reduced axes with size 1
/// - `ddof` (default 0): what is subtracted from the number of elements in the divisor; in [0, 1000000000]
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: (x - mean(x)) / (y * (number of elements - ddof)); 0 at every order where y is 0
/// Accuracy: two passes on values divided by a power of two, so that squares neither overflow nor vanish, in
///   `accumulation` (f32 for f16 and bf16), rounded once; inf or NaN where the divisor is 0
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; another kind of dtype:
///   CALX-E101
/// Example: std(tensor({1, 3}))  // f32[] 1
/// Source: numpy.std
[[nodiscard]] Tensor std(const Operand& x, const StdOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

/// The operand, as a constant for differentiation.
///
///     y = x
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` of any dtype
/// Gradient: none: 0 everywhere, at every order
/// Accuracy: exact
/// Errors: none
/// Example: stop_gradient(tensor({1, 2}))  // f32[2] [1, 2]
/// Source: jax.lax.stop_gradient
[[nodiscard]] Tensor stop_gradient(const Operand& x);

// ---- reduction -------------------------------------------------------------------------------------------

struct SumOptions {
  /// the axes that are reduced, in [-rank, rank); none: all
  std::optional<std::vector<std::int64_t>> axes = {};
  /// keep the reduced axes with size 1
  bool keepdims = false;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Sum over axes.
///
///     y = sum over axes of x
///
/// Shapes: `x: f32[a,b]`, axes [1] -> `f32[a]`, or `f32[a,1]` with keepdims
/// Dtypes: `x` numeric
/// - `axes` (default none): the axes that are reduced, in [-rank, rank); none: all
/// - `keepdims` (default false): keep the reduced axes with size 1
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: the cotangent, repeated over the axes
/// Accuracy: accumulated in `accumulation` (f32 for f16 and bf16, i32 or u32 for narrow integers) in the
///   fixed summation order, rounded once; integers wrap; an empty axis gives 0
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; another kind of dtype:
///   CALX-E101
/// Example: sum(tensor({{1, 2}, {3, 4}}))  // f32[] 10
/// Source: numpy.sum, whose result of narrow integers is wider
[[nodiscard]] Tensor sum(const Operand& x, const SumOptions& options = {});

// ---- indexing --------------------------------------------------------------------------------------------

struct TakeOptions {
  /// the axis of x that indices address, in [-rank, rank)
  std::int64_t axis = 0;
  /// what an index outside [-size, size) does
  OutOfRange mode = OutOfRange::error;
  /// what mode fill reads outside; none: NaN, 0 where the dtype has none
  std::optional<double> fill_value = {};
};
/// Takes the slices of a tensor at indices along an axis.
///
///     y[a, i, b] = x[a, indices[i], b]; negative indices count from the back
///
/// Shapes: `x: f32[a,n,b]`, `indices: i32[k,l]`, axis 1 -> `f32[a,k,l,b]`
/// Dtypes: `x` of any dtype, `indices` i32 or i64
/// - `axis` (default 0): the axis of x that indices address, in [-rank, rank)
/// - `mode` (default error): what an index outside [-size, size) does; one of error, clip, fill, wrap
/// - `fill_value` (default none): what mode fill reads outside; none: NaN, 0 where the dtype has none
/// Gradient: the cotangents of each slice, added in the order of indices, exactly as the mode read it: clip
///   adds to the clipped slice, fill drops
/// Accuracy: exact
/// Errors: axis outside [-rank, rank): CALX-E203; at run time in mode error, an index outside [-size, size):
///   CALX-E401
/// Example: take(tensor({10, 20, 30}), tensor<std::int32_t>({2, -3}))  // f32[2] [30, 10]
/// Source: numpy.take, which flattens by default; jax.numpy.take, which fills by default
[[nodiscard]] Tensor take(const Operand& x, const Operand& indices, const TakeOptions& options = {});

struct TakeAlongAxisOptions {
  /// the axis of x that indices address, in [-rank, rank)
  std::int64_t axis = 0;
  /// what an index outside [-size, size) does
  OutOfRange mode = OutOfRange::error;
  /// what mode fill reads outside; none: NaN, 0 where the dtype has none
  std::optional<double> fill_value = {};
};
/// Takes elements of a tensor at indices along an axis; the other axes run along.
///
///     y[a, i, b] = x[a, indices[a, i, b], b]; negative indices count from the back
///
/// Shapes: `x: f32[a,n,b]`, `indices: i32[a,k,b]`, axis 1 -> `f32[a,k,b]`
/// Dtypes: `x` of any dtype, `indices` i32 or i64
/// - `axis` (default 0): the axis of x that indices address, in [-rank, rank)
/// - `mode` (default error): what an index outside [-size, size) does; one of error, clip, fill, wrap
/// - `fill_value` (default none): what mode fill reads outside; none: NaN, 0 where the dtype has none
/// Gradient: each cotangent added to the element that was read, exactly as the mode read it: clip adds to the
///   clipped element, fill drops
/// Accuracy: exact
/// Errors: ranks that differ: CALX-E201; sizes of other axes that differ: CALX-E202; axis outside [-rank,
///   rank): CALX-E203; at run time in mode error, an index outside [-size, size): CALX-E401
/// Example: take_along_axis(tensor({{1, 2}, {3, 4}}), tensor<std::int32_t>({1, 0}, {2, 1}), {.axis = 1})  //
///   f32[2,1] [[2], [3]]
/// Source: numpy.take_along_axis without broadcasting; torch.gather
[[nodiscard]] Tensor take_along_axis(const Operand& x, const Operand& indices,
                                     const TakeAlongAxisOptions& options = {});

// ---- pointwise -------------------------------------------------------------------------------------------

/// Tangent of each element, in radians.
///
///     y = tan(x)
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: 1 + y^2
/// Accuracy: at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: tan(tensor({0}))  // f32[1] [0]
/// Source: numpy.tan
[[nodiscard]] Tensor tan(const Operand& x);

/// Hyperbolic tangent of each element.
///
///     y = (exp(x) - exp(-x)) / (exp(x) + exp(-x))
///
/// Shapes: `x: f32[a]` -> `f32[a]`
/// Dtypes: `x` floating
/// Gradient: (1 - y) * (1 + y), to the absolute accuracy of y: 0 where y rounds to 1 or -1
/// Accuracy: at most 1 ulp in f32; f16 and bf16 are computed in f32 and rounded once
/// Errors: an operand of another kind of dtype: CALX-E101
/// Example: tanh(tensor({0}))  // f32[1] [0]
/// Source: numpy.tanh; DLMF 4.28.4
[[nodiscard]] Tensor tanh(const Operand& x);

// ---- indexing --------------------------------------------------------------------------------------------

struct TopKOptions {
  /// the axis along which elements are chosen, in [-rank, rank)
  std::int64_t axis = -1;
  /// the smallest elements, in increasing order
  bool smallest = false;
  /// dtype of the indices, i32 or i64
  DType index_dtype = i32;
};
struct TopKResult {
  Tensor values = {};
  Tensor indices = {};
};
/// The k largest elements along an axis, largest first, and where they are.
///
///     values_i = x[indices_i], the i-th of the descending stable order
///
/// Shapes: `x: f32[a,b]` -> `values: f32[a,k]`, `indices: i32[a,k]`
/// Dtypes: `x` numeric
/// - `k` (required): how many elements; at least 0
/// - `axis` (default -1): the axis along which elements are chosen, in [-rank, rank)
/// - `smallest` (default false): the smallest elements, in increasing order
/// - `index_dtype` (default i32): dtype of the indices, i32 or i64
/// Gradient: the cotangent of each value to the element that was chosen; of tied ones the lowest index
/// Accuracy: exact; NaN comes after all numbers
/// Errors: k larger than the axis: CALX-E301; axis outside [-rank, rank): CALX-E203
/// Example: top_k(tensor({3, 1, 2}), 2).values  // f32[2] [3, 2]
/// Source: jax.lax.top_k, where NaN comes first; torch.topk
[[nodiscard]] TopKResult top_k(const Operand& x, const Dim& k, const TopKOptions& options = {});

// ---- random ----------------------------------------------------------------------------------------------

struct UniformOptions {
  /// dtype of the result, floating
  DType dtype = f32;
  /// the smallest number
  double low = 0;
  /// the bound that is not reached
  double high = 1;
};
/// Uniformly distributed numbers in [low, high).
///
///     y = low + (high - low) * u, u = the highest p bits of random_bits / 2^p, p = 53, 24, 11, 8 for f64,
///     f32, f16, bf16; what rounds up to high becomes low
///
/// Shapes: `key: u64[a]`, shape [b] -> `f32[a,b]`
/// Dtypes: `key` a u64 key
/// - `shape` (required): sizes of what is drawn under each key
/// - `dtype` (default f32): dtype of the result, floating
/// - `low` (default 0): the smallest number
/// - `high` (default 1): the bound that is not reached
/// Gradient: none: nothing floating goes in
/// Accuracy: the same bits on every backend
/// Errors: a dtype that is not floating, or low not below high: CALX-E301
/// Example: uniform(scalar<std::uint64_t>(0), {2}, {.low = -1.0})  // f32[2]
/// Source: jax.random.uniform, with Philox instead of Threefry
[[nodiscard]] Tensor uniform(const Operand& key, const Shape& shape, const UniformOptions& options = {});

// ---- reduction -------------------------------------------------------------------------------------------

struct VarOptions {
  /// the axes that are reduced, in [-rank, rank); none: all
  std::optional<std::vector<std::int64_t>> axes = {};
  /// keep the reduced axes with size 1
  bool keepdims = false;
  /// what is subtracted from the number of elements in the divisor
  std::int64_t ddof = 0;
  /// dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
  std::optional<DType> accumulation = {};
};
/// Variance over axes.
///
///     y = sum over axes of (x - mean(x))^2 / (number of elements - ddof)
///
/// Shapes: `x: f32[a,b]`, axes [1] -> `f32[a]`, or `f32[a,1]` with keepdims
/// Dtypes: `x` floating
/// - `axes` (default none): the axes that are reduced, in [-rank, rank); none: all
/// - `keepdims` (default false): keep the reduced axes with size 1
/// - `ddof` (default 0): what is subtracted from the number of elements in the divisor; in [0, 1000000000]
/// - `accumulation` (default none): dtype of the computation; none: the dtype's own (f32 for f16 and bf16)
/// Gradient: 2 * (x - mean(x)) / (number of elements - ddof)
/// Accuracy: two passes on values divided by a power of two, in `accumulation` (f32 for f16 and bf16),
///   rounded once; exactly 0 where all elements are equal; inf or NaN where the divisor is 0
/// Errors: axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; another kind of dtype:
///   CALX-E101
/// Example: var(tensor({1, 3}))  // f32[] 1
/// Source: numpy.var
[[nodiscard]] Tensor var(const Operand& x, const VarOptions& options = {});

// ---- window ----------------------------------------------------------------------------------------------

struct WindowArgmaxOptions {
  /// step between windows, per windowed axis; empty: all 1
  std::vector<std::int64_t> strides = {};
  /// padding before the first element, per windowed axis; negative removes; empty: none
  std::vector<Dim> padding_low = {};
  /// padding after the last element, per windowed axis; negative removes; empty: none
  std::vector<Dim> padding_high = {};
  /// distance of neighbours of x, per windowed axis; empty: all 1
  std::vector<std::int64_t> base_dilation = {};
  /// distance of neighbours of the window, per windowed axis; empty: all 1
  std::vector<std::int64_t> window_dilation = {};
  /// dtype of the positions, i32 or i64; none: i32 unless they are known not to fit
  std::optional<DType> index_dtype = {};
};
/// The position of the largest element of each window, counted row-major in the plane of the last axes.
///
///     y[n, o] = the first p in row-major order with x[n, p] = max of x[n, o * strides + e * window_dilation
///     - padding_low] over e < window; padding and holes never win; -1 for a window without elements
///
/// Shapes: `x: f32[b,h,w]`, window [p,q] -> `i32[b,floor((h-p)/strides)+1,floor((w-q)/strides)+1]`, sizes at
///   least 0
/// Dtypes: `x` numeric
/// - `window` (required): size of the window along each of the last axes
/// - `strides` (default []): step between windows, per windowed axis; empty: all 1; in [1, 1000000000000000]
/// - `padding_low` (default []): padding before the first element, per windowed axis; negative removes;
///   empty: none
/// - `padding_high` (default []): padding after the last element, per windowed axis; negative removes; empty:
///   none
/// - `base_dilation` (default []): distance of neighbours of x, per windowed axis; empty: all 1; in [1,
///   1000000000000000]
/// - `window_dilation` (default []): distance of neighbours of the window, per windowed axis; empty: all 1;
///   in [1, 1000000000000000]
/// - `index_dtype` (default none): dtype of the positions, i32 or i64; none: i32 unless they are known not to
///   fit
/// Gradient: none: the result is piecewise constant
/// Accuracy: exact; the first NaN of a window is its largest element
/// Errors: more windowed axes than axes: CALX-E201; lists of unfit lengths; sizes, strides or dilations below
///   1; an `index_dtype` that is neither i32 nor i64: CALX-E301
/// Example: window_argmax(tensor({5, 3, 1, 2, 5}), {2})  // i32[4] [0, 1, 3, 4]
/// Source: the indices of torch.nn.functional.max_pool2d(return_indices=True), with the windows of
///   reduce_window
[[nodiscard]] Tensor window_argmax(const Operand& x, const std::vector<Dim>& window,
                                   const WindowArgmaxOptions& options = {});

}  // namespace calx
