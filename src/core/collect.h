// From nodes to Functions. Private to core.
#pragma once

#include <span>

#include "calx/core/equation.h"
#include "calx/core/tensor.h"
#include "calx/core/trace.h"

namespace calx::detail {

/// Collects what `results` depend on into a Function. Nodes of `scope` become equations; constants are embedded; nodes
/// of other open scopes become captures; nodes of closed scopes raise leaked_tensor.
Traced collect(std::uint64_t scope, const std::vector<Argument>& arguments, std::span<const Tensor> argument_tensors,
               std::span<const Tensor> results, const TraceOptions& options);

/// Evaluates eager nodes (scope 0, not evaluated) and stores the values of every node that is referenced from outside
/// the pending graph. The caller holds the evaluation lock.
void evaluate_pending(std::span<const Tensor> tensors);

}  // namespace calx::detail
