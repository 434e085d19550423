// Transforms: Function -> Function. They know the core ops and the rules in OpDef, no other op by name. All compose in any
// order and depth; region ops are treated by their own rules.
//
// Names. The tangent of argument `x` is the argument `x.t`; the cotangent of result `r` is the argument `r.ct`; the
// cotangent of argument `x` is the result `x.ct`; the tangent of result `r` is the result `r.t`. Where a name is taken,
// the smallest number from 2 on that makes it new is appended (`x.t2`).
#pragma once

#include <optional>
#include <vector>

#include "calx/core/equation.h"
#include "calx/core/op_def.h"
#include "calx/core/substitute.h"

namespace calx {

/// Forward mode. Arguments: f's, then a tangent for each i with differentiated[i] (floating arguments only, else
/// grad_integer). Results: f's, then a tangent for each floating result, zeros made where it does not depend.
[[nodiscard]] Function jvp(const Function& f, const std::vector<bool>& differentiated);

struct Linearized {
  /// f's arguments -> f's results, then residuals.
  Function forward;
  /// residuals, then tangents of the differentiated arguments -> tangents of the floating results. Linear in the tangents.
  Function linear;
  int num_residuals = 0;
};
[[nodiscard]] Linearized linearize(const Function& f, const std::vector<bool>& differentiated);

/// The linear transpose with respect to the arguments i with linear[i]. Arguments: the others, then a cotangent for each
/// floating result. Results: a cotangent for each linear argument. Raises not_linear if f is not linear in them.
[[nodiscard]] Function transpose(const Function& f, const std::vector<bool>& linear);

/// Reverse mode. Arguments: f's, then a cotangent for each floating result. Results: f's, then a cotangent for each
/// differentiated argument.
[[nodiscard]] Function vjp(const Function& f, const std::vector<bool>& differentiated);

/// f on a batch: argument i has its batch axis at in_axes[i] (nullopt: not batched), result i at out_axes[i] (empty: all 0).
/// `mask` adds a last argument `lanes: bool[size]`: lanes whose results count.
[[nodiscard]] Function vmap(const Function& f, const std::vector<std::optional<int>>& in_axes, const Dim& size,
                            const std::vector<int>& out_axes = {}, bool mask = false);

/// Sizes for symbols; the types are inferred again. Symbols that are not named stay.
[[nodiscard]] Function bind(const Function& f, const Bindings& sizes);
/// Dims for symbols (H -> 8*h).
[[nodiscard]] Function substitute(const Function& f, const DimSubstitution& replacements);

// ---- For the rules of region ops, and for callers inside a trace --------------------------------------------------------

/// Which floating results of f depend on the arguments that have tangents: what a loop's fixpoint iterates.
[[nodiscard]] std::vector<bool> depends_on(const Function& f, const std::vector<bool>& arguments);

struct Duals {
  Tensors primals;
  Tangents tangents;
};
/// Pushes tangents through f's equations in the current trace. With `linearize`, what does not depend on the tangents and
/// what is linear in them come from separate equations (region ops are split).
[[nodiscard]] Duals push_forward(const Function& f, std::span<const Tensor> primals, std::span<const Tangent> tangents,
                                 bool linearize = false);

/// The linear part alone, in a form that can be transposed: arguments as jvp's; results the tangents of the floating
/// results. Equations of f on which they depend are repeated in it.
[[nodiscard]] Function tangents_of(const Function& f, const std::vector<bool>& differentiated);

/// In the current trace: cotangents of the linear arguments of f (see transpose). `arguments` holds tensors for the others,
/// undefined tensors at the linear ones. One entry per argument; zeros for the non-linear.
[[nodiscard]] Tangents pull_back(const Function& f, std::span<const Tensor> arguments, const std::vector<bool>& linear,
                                 std::span<const Tangent> cotangents);

/// In the current trace: f on batched operands, each with its batch axis at 0 where batched. `mask` may be undefined.
[[nodiscard]] std::vector<Batched> map_batch(const Function& f, std::span<const Batched> arguments, const Dim& size,
                                             const Tensor& mask);

/// Which results of f are batched when these arguments are.
[[nodiscard]] std::vector<bool> batched_results(const Function& f, const std::vector<bool>& batched, const Dim& size,
                                                bool mask);

/// Which arguments the results i with used[i] depend on.
[[nodiscard]] std::vector<bool> used_arguments(const Function& f, const std::vector<bool>& used);

/// The names rule of this header.
[[nodiscard]] std::string fresh_name(const std::string& wanted, const std::vector<std::string>& taken);

/// f restricted to the results i with keep[i], unreachable equations dropped; arguments stay.
[[nodiscard]] Function keep_results(const Function& f, const std::vector<bool>& keep);

}  // namespace calx
