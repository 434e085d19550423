// What the sugar over contractions shares.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "calx/core/core_ops.h"

namespace calx::detail {

/// The operands in their common dtype; raises undefined_tensor or promotion, and dtype for booleans.
[[nodiscard]] std::vector<Tensor> promote_operands(std::string_view op, const std::vector<Operand>& operands,
                                                   SourceLoc where);

/// dot_general by its attributes.
[[nodiscard]] Tensor dot(const Tensor& lhs, const Tensor& rhs, const std::vector<std::int64_t>& lhs_batch,
                         const std::vector<std::int64_t>& rhs_batch,
                         const std::vector<std::int64_t>& lhs_contract,
                         const std::vector<std::int64_t>& rhs_contract, std::optional<DType> accumulation,
                         SourceLoc where);

}  // namespace calx::detail
