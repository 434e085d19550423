#include "calx/ops/operators.h"

#include "calx/ops.h"

namespace calx {

Tensor operator+(const Operand& lhs, const Operand& rhs) { return add(lhs, rhs); }
Tensor operator-(const Operand& lhs, const Operand& rhs) { return sub(lhs, rhs); }
Tensor operator*(const Operand& lhs, const Operand& rhs) { return mul(lhs, rhs); }
Tensor operator/(const Operand& lhs, const Operand& rhs) { return div(lhs, rhs); }
Tensor operator-(const Operand& x) { return neg(x); }

Tensor operator<(const Operand& lhs, const Operand& rhs) { return compare(lhs, rhs, Comparison::lt); }
Tensor operator<=(const Operand& lhs, const Operand& rhs) { return compare(lhs, rhs, Comparison::le); }
Tensor operator>(const Operand& lhs, const Operand& rhs) { return compare(lhs, rhs, Comparison::gt); }
Tensor operator>=(const Operand& lhs, const Operand& rhs) { return compare(lhs, rhs, Comparison::ge); }
Tensor equal(const Operand& lhs, const Operand& rhs) { return compare(lhs, rhs, Comparison::eq); }
Tensor not_equal(const Operand& lhs, const Operand& rhs) { return compare(lhs, rhs, Comparison::ne); }

}  // namespace calx
