// Short forms with which the rules of op files are written: applications whose operands fit exactly, and
// arithmetic with numbers. Nothing is promoted or broadcast here. Each op is looked up once.
#pragma once

#include "calx/core/core_ops.h"
#include "calx/core/lower.h"
#include "calx/core/match.h"
#include "calx/core/reference.h"
#include "calx/core/samples.h"
#include "calx/loopir/scalar_math.h"

namespace calx::ops {

namespace math = loopir::math;

namespace rule {

#define CALX_RULE_UNARY(Name)                         \
  [[nodiscard]] inline Tensor Name(const Tensor& x) { \
    static const OpDef& op = get_op(#Name);           \
    return apply_one(op, {x});                        \
  }
#define CALX_RULE_BINARY(Name)                                             \
  [[nodiscard]] inline Tensor Name(const Tensor& lhs, const Tensor& rhs) { \
    static const OpDef& op = get_op(#Name);                                \
    return apply_one(op, {lhs, rhs});                                      \
  }
CALX_RULE_UNARY(abs)
CALX_RULE_UNARY(cos)
CALX_RULE_UNARY(erfc)
CALX_RULE_UNARY(exp)
CALX_RULE_UNARY(expm1)
CALX_RULE_UNARY(floor_to_power_of_two)
CALX_RULE_UNARY(is_finite)
CALX_RULE_UNARY(is_nan)
CALX_RULE_UNARY(log)
CALX_RULE_UNARY(logical_not)
CALX_RULE_UNARY(rsqrt)
CALX_RULE_UNARY(sigmoid)
CALX_RULE_UNARY(sign)
CALX_RULE_UNARY(sin)
CALX_RULE_UNARY(softplus)
CALX_RULE_UNARY(sqrt)
CALX_RULE_UNARY(stop_gradient)
CALX_RULE_UNARY(tanh)
CALX_RULE_BINARY(floor_divide)
CALX_RULE_BINARY(logical_and)
CALX_RULE_BINARY(logical_or)
CALX_RULE_BINARY(maximum)
CALX_RULE_BINARY(minimum)
CALX_RULE_BINARY(pow)
#undef CALX_RULE_UNARY
#undef CALX_RULE_BINARY

[[nodiscard]] inline Tensor operator+(const Tensor& a, const Tensor& b) { return core::add(a, b); }
[[nodiscard]] inline Tensor operator-(const Tensor& a, const Tensor& b) { return core::sub(a, b); }
[[nodiscard]] inline Tensor operator*(const Tensor& a, const Tensor& b) { return core::mul(a, b); }
[[nodiscard]] inline Tensor operator/(const Tensor& a, const Tensor& b) { return core::div(a, b); }
[[nodiscard]] inline Tensor operator-(const Tensor& a) { return core::neg(a); }
[[nodiscard]] inline Tensor operator+(const Tensor& a, double b) {
  return core::add(a, core::full(a.type(), b));
}
[[nodiscard]] inline Tensor operator-(const Tensor& a, double b) {
  return core::sub(a, core::full(a.type(), b));
}
[[nodiscard]] inline Tensor operator-(double a, const Tensor& b) {
  return core::sub(core::full(b.type(), a), b);
}
[[nodiscard]] inline Tensor operator*(double a, const Tensor& b) {
  return core::mul(core::full(b.type(), a), b);
}
[[nodiscard]] inline Tensor operator/(double a, const Tensor& b) {
  return core::div(core::full(b.type(), a), b);
}

[[nodiscard]] inline Tensor compare(const Tensor& a, const Tensor& b, Comparison comparison) {
  return core::compare(a, b, comparison);
}
[[nodiscard]] inline Tensor compare(const Tensor& a, double b, Comparison comparison) {
  return core::compare(a, core::full(a.type(), b), comparison);
}
[[nodiscard]] inline Tensor select(const Tensor& predicate, const Tensor& on_true, const Tensor& on_false) {
  return core::select(predicate, on_true, on_false);
}
[[nodiscard]] inline Tensor select(const Tensor& predicate, double on_true, const Tensor& on_false) {
  return core::select(predicate, core::full(on_false.type(), on_true), on_false);
}
[[nodiscard]] inline Tensor select(const Tensor& predicate, const Tensor& on_true, double on_false) {
  return core::select(predicate, on_true, core::full(on_true.type(), on_false));
}
/// 1 where the predicate holds, else 0.
[[nodiscard]] inline Tensor indicator(const Tensor& predicate, DType dtype) {
  return core::convert(predicate, dtype);
}
/// The scalar spread over a shape.
[[nodiscard]] inline Tensor spread(const Tensor& scalar, const Shape& shape) {
  return core::expand(scalar, shape, {});
}

}  // namespace rule

using namespace rule;

}  // namespace calx::ops
