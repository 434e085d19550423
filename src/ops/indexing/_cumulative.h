// What cumulative ops share: attribute keys, and the slots that depend on the combiner alone.
#pragma once

#include "_accumulation.h"
#include "calx/loopir/summation.h"
#include "indexing/_support.h"

namespace calx::ops {

namespace cumulative_attrs {
inline constinit const Attr<std::int64_t> axis{"axis", std::int64_t{-1},
                                     "the axis along which elements are combined, in [-rank, rank)"};
inline constinit const Attr<bool> exclusive{"exclusive", false, "leave element i itself out of result i"};
inline constinit const Attr<bool> reversed{"reverse", false, "from the last element to the first"};
}  // namespace cumulative_attrs

/// Lines along an axis: element i of line (o, n) is at (o * size + i) * inner + n.
struct Lines {
  std::int64_t outer = 1;
  std::int64_t size = 1;
  std::int64_t inner = 1;
  Lines(const std::vector<std::int64_t>& sizes, std::int64_t axis);
};

/// The type of operand 0; checks axis and rank, and `accumulation` where the op has it.
[[nodiscard]] InferRule cumulative_infer(bool accumulates);
[[nodiscard]] BatchRule cumulative_batch();
/// The dtype of the running value: `accumulation` or what the dtype is accumulated in.
[[nodiscard]] DType running_dtype(const Attrs& attrs, DType dtype, bool accumulates);
/// One element along the axis, and it counts: x itself.
[[nodiscard]] SimplifyRule cumulative_simplify();
[[nodiscard]] ReferenceRule cumulative_reference(loopir::Combiner combiner);
[[nodiscard]] LowerRule cumulative_lower(loopir::Combiner combiner, bool accumulates);
[[nodiscard]] std::function<std::vector<Sample>()> cumulative_samples(bool accumulates,
                                                                      Draw draw = Draw::normal);
[[nodiscard]] std::function<std::vector<Reject>()> cumulative_rejects(bool accumulates);
/// cummax and cummin: an element replaces the one before iff it `beats` it. Of the documentation, shapes,
/// gradient, accuracy and errors are filled in.
[[nodiscard]] OpDef cumulative_choice(std::string_view name, OpDoc doc, loopir::Combiner combiner,
                                      Comparison beats);

[[nodiscard]] Tensor make_cumulative(const OpDef& op, const Tensor& x, int axis, bool exclusive,
                                     bool reverse);
[[nodiscard]] Tensor make_linear_recurrence(const Tensor& coefficient, const Tensor& b, int axis,
                                            bool reverse);
[[nodiscard]] Tangent make_linear_recurrence(const Tensor& coefficient, const Tangent& b, int axis,
                                             bool reverse);

}  // namespace calx::ops
