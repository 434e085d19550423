// Making nodes: the one place where an op application enters the graph. Private to core.
#pragma once

#include <span>

#include "calx/core/attributes.h"
#include "calx/core/tensor.h"

namespace calx::detail {

[[nodiscard]] std::uint64_t next_serial();

/// Raises undefined_tensor.
void require_defined(const OpDef& op, std::span<const Tensor> operands, SourceLoc where);

/// A node with known result types, in the current trace or eager. Raises leaked_tensor for operands of finished traces.
[[nodiscard]] Tensors make_node(const OpDef& op, Tensors operands, Attrs attrs, std::vector<Type> result_types,
                                SourceLoc where);

}  // namespace calx::detail
