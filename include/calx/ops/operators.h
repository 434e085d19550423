// Operators on tensors and C++ scalars, and comparisons by name. Each carries the line of its left operand into errors.
// There is no operator==: it would be mistaken for a test of equality; `equal` and `not_equal` compare elements.
#pragma once

#include "calx/core/operand.h"

namespace calx {

[[nodiscard]] Tensor operator+(const Operand& lhs, const Operand& rhs);
[[nodiscard]] Tensor operator-(const Operand& lhs, const Operand& rhs);
[[nodiscard]] Tensor operator*(const Operand& lhs, const Operand& rhs);
[[nodiscard]] Tensor operator/(const Operand& lhs, const Operand& rhs);
[[nodiscard]] Tensor operator-(const Operand& x);

/// bool tensors; operands are promoted and broadcast as in arithmetic.
[[nodiscard]] Tensor operator<(const Operand& lhs, const Operand& rhs);
[[nodiscard]] Tensor operator<=(const Operand& lhs, const Operand& rhs);
[[nodiscard]] Tensor operator>(const Operand& lhs, const Operand& rhs);
[[nodiscard]] Tensor operator>=(const Operand& lhs, const Operand& rhs);
[[nodiscard]] Tensor equal(const Operand& lhs, const Operand& rhs);
[[nodiscard]] Tensor not_equal(const Operand& lhs, const Operand& rhs);

}  // namespace calx
