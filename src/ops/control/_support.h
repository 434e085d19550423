// What the region ops share: attribute keys, partitions of operands, tracing of bodies whose arguments are the tensors of
// several groups.
#pragma once

#include "calx/core/core_ops.h"
#include "calx/core/lower.h"
#include "calx/core/match.h"
#include "calx/core/reference.h"
#include "calx/core/samples.h"
#include "calx/core/trace.h"
#include "calx/transforms/rules.h"

namespace calx::ops {

namespace keys {
inline constinit const Attr<Function> body{"body", required, "the Function that is run"};
inline constinit const Attr<std::int64_t> num_captures{"num_captures", std::int64_t{0},
                                             "operands that every step sees unchanged, first", 0, 1e9};
}  // namespace keys

/// Arguments made of types, named x0, x1, ...
[[nodiscard]] std::vector<Argument> arguments_of(const std::vector<Type>& types);
/// Raises undefined_tensor, in the name of `op`.
[[nodiscard]] std::vector<Type> types_of(std::span<const Tensor> tensors, std::string_view op = {}, SourceLoc where = {});
[[nodiscard]] std::vector<bool> non_zero(const Tangents& tangents);
/// The tensors of the tangents that are not symbolic zeros.
[[nodiscard]] Tensors present(const Tangents& tangents);
[[nodiscard]] Tangents zeros_like(std::span<const Type> types);
template <class T>
void append(std::vector<T>& to, std::span<const T> more) {
  to.insert(to.end(), more.begin(), more.end());
}
inline void append(Tensors& to, const Tensors& more) { to.insert(to.end(), more.begin(), more.end()); }
/// Spreads the tangents that a jvp gives for every floating result over all results; zeros where !depends.
[[nodiscard]] Tangents spread_tangents(std::span<const Type> result_types, std::span<const Tensor> of_floating,
                                       const std::vector<bool>& depends);
/// a and b, of lanes; not a.
[[nodiscard]] Tensor mask_and(const Tensor& a, const Tensor& b);
[[nodiscard]] Tensor mask_not(const Tensor& a);
/// Does any lane count? bool[].
[[nodiscard]] Tensor any_lane(const Tensor& mask);
/// mask[size] spread over the shape of `like`, whose axis 0 is the batch axis.
[[nodiscard]] Tensor spread_mask(const Tensor& mask, const Tensor& like);
[[nodiscard]] Tensor with_batch(const Batched& value, const Dim& size);

/// f with every argument batched and, if `masked`, the lane mask as argument number `position`.
[[nodiscard]] Function vmap_with_lanes(const Function& f, const Dim& size, bool masked, std::size_t position);

/// Every operand of a batch rule with the batch axis, and the lane mask as one more if there is one: what the
/// Functions of vmap_with_lanes take.
[[nodiscard]] Tensors lane_operands(const BatchCall& c);
[[nodiscard]] std::vector<Batched> all_batched(const Tensors& results);
/// Runs the Function in attribute `key` on the operands.
[[nodiscard]] ReferenceRule run_function(const Attr<Function>& key);

/// A simple body for samples: `text` names it.
[[nodiscard]] Function sample_function(std::string name, std::vector<Type> arguments, const TraceBody& body);

}  // namespace calx::ops
