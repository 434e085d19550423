// What the rules of region ops, and callers inside a trace, need of the transforms: the same steps on tensors of the current
// trace.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "calx/core/op_def.h"
#include "calx/transforms/transforms.h"

namespace calx {

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
