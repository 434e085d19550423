// Scalar: a cheap handle to an immutable expression over the elements of a loop's operands. What `lower` says
// a pointwise op computes, and what fusion composes. Every node has a dtype and means the function of
// scalar_math with its name, computed in the compute type of its operands' dtype and rounded once. Knows no
// tensors; equality is structural.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "calx/types/dtype.h"

// The functions of scalar_math as X(name): by arity, and whether the result has the operands' dtype or is
// boolean.
#define CALX_SCALAR_UNARY(X)                                                                              \
  X(neg)                                                                                                  \
  X(abs)                                                                                                  \
  X(sign)                                                                                                 \
  X(exp)                                                                                                  \
  X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sqrt) X(rsqrt) X(cbrt) X(sin) X(cos) X(tan) X(asin) \
      X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(erf) X(erfc) X(floor) X(ceil)  \
          X(trunc) X(round) X(round_half_away) X(bitwise_not)
#define CALX_SCALAR_UNARY_TEST(X) X(is_nan) X(is_inf) X(is_finite) X(logical_not)
#define CALX_SCALAR_BINARY(X)                                                                              \
  X(add)                                                                                                   \
  X(sub)                                                                                                   \
  X(mul)                                                                                                   \
  X(div)                                                                                                   \
  X(strong_mul) X(floor_divide) X(remainder) X(trunc_divide) X(fmod) X(pow) X(atan2) X(maximum) X(minimum) \
      X(bitwise_and) X(bitwise_or) X(bitwise_xor) X(shift_left) X(shift_right_logical)                     \
          X(shift_right_arithmetic)
#define CALX_SCALAR_BINARY_TEST(X) \
  X(equal)                         \
  X(not_equal) X(less) X(less_equal) X(greater) X(greater_equal) X(logical_and) X(logical_or) X(logical_xor)
#define CALX_SCALAR_TERNARY(X) X(clamp) X(fma)

namespace calx::loopir {

/// One element: a dtype and its bits in the low bytes, the others 0.
struct ScalarValue {
  DType dtype = f32;
  std::uint64_t bits = 0;

  template <class T>
  [[nodiscard]] static ScalarValue of(T value) {
    ScalarValue result{dtype_of<T>, 0};
    std::memcpy(&result.bits, &value, sizeof(T));
    return result;
  }
  /// The C++ value; T is the storage type of dtype.
  template <class T>
  [[nodiscard]] T as() const {
    CALX_ASSERT(dtype_of<T> == dtype);
    T value;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    return value;
  }
  [[nodiscard]] ScalarValue converted_to(DType other) const;
  friend bool operator==(const ScalarValue&, const ScalarValue&) = default;
  /// "f32(1.5)"; a NaN with its bits.
  [[nodiscard]] std::string to_string() const;
};

enum class ScalarFunction : std::uint8_t {
  operand,  // the element of an operand of the loop
  constant,
  index,    // the position along an axis of the loop, i64
  convert,  // convert_element to the node's dtype
  bitcast,  // the same bits as another dtype of the same size
  select,
#define CALX_X(name) name,
  CALX_SCALAR_UNARY(CALX_X) CALX_SCALAR_UNARY_TEST(CALX_X) CALX_SCALAR_BINARY(CALX_X)
      CALX_SCALAR_BINARY_TEST(CALX_X) CALX_SCALAR_TERNARY(CALX_X)
#undef CALX_X
};

[[nodiscard]] std::string_view name(ScalarFunction function);
/// Does the function have a meaning for operands of this dtype? (operand, constant, index: false.)
[[nodiscard]] bool takes(ScalarFunction function, DType dtype);

class Scalar {
 public:
  Scalar() = default;  // undefined

  /// The element of operand `position`, of the given dtype, at the loop's index.
  [[nodiscard]] static Scalar operand(int position, DType dtype);
  [[nodiscard]] static Scalar constant(ScalarValue value);
  /// `value` converted to dtype.
  template <class Number>
    requires std::is_arithmetic_v<Number>
  [[nodiscard]] static Scalar constant(Number value, DType dtype) {
    return constant(visit_dtype(
        dtype, [&]<class T>(std::type_identity<T>) { return ScalarValue::of(convert_element<T>(value)); }));
  }
  [[nodiscard]] static Scalar index(int axis);
  /// A node; the dtypes of its arguments are checked (an internal error). `dtype` is read by convert and
  /// bitcast only.
  [[nodiscard]] static Scalar apply(ScalarFunction function, std::vector<Scalar> arguments,
                                    DType dtype = f32);

  [[nodiscard]] bool defined() const { return node_ != nullptr; }
  [[nodiscard]] ScalarFunction function() const;
  [[nodiscard]] DType dtype() const;
  [[nodiscard]] std::span<const Scalar> arguments() const;
  /// Of an operand: its number. Of an index: its axis.
  [[nodiscard]] int position() const;
  [[nodiscard]] ScalarValue value() const;  // of a constant
  [[nodiscard]] bool is_constant() const { return function() == ScalarFunction::constant; }
  /// The same node in memory, which implies equality.
  [[nodiscard]] bool is_same_node(const Scalar& other) const { return node_ == other.node_; }
  [[nodiscard]] const void* id() const { return node_.get(); }

  friend bool operator==(const Scalar& a, const Scalar& b);
  [[nodiscard]] std::uint64_t hash() const;
  /// "%0 = exp($0); div(%0, add(%0, f32(1)))": nodes that occur twice and long ones are named, so the length
  /// is linear.
  [[nodiscard]] std::string to_string() const;

 private:
  struct Node;
  explicit Scalar(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};

namespace scalar {

#define CALX_X(name) \
  [[nodiscard]] inline Scalar name(Scalar x) { return Scalar::apply(ScalarFunction::name, {std::move(x)}); }
CALX_SCALAR_UNARY(CALX_X)
CALX_SCALAR_UNARY_TEST(CALX_X)
#undef CALX_X
#define CALX_X(name)                                                          \
  [[nodiscard]] inline Scalar name(Scalar a, Scalar b) {                      \
    return Scalar::apply(ScalarFunction::name, {std::move(a), std::move(b)}); \
  }
CALX_SCALAR_BINARY(CALX_X)
CALX_SCALAR_BINARY_TEST(CALX_X)
#undef CALX_X
[[nodiscard]] inline Scalar clamp(Scalar x, Scalar lo, Scalar hi) {
  return Scalar::apply(ScalarFunction::clamp, {std::move(x), std::move(lo), std::move(hi)});
}
[[nodiscard]] inline Scalar fma(Scalar a, Scalar b, Scalar c) {
  return Scalar::apply(ScalarFunction::fma, {std::move(a), std::move(b), std::move(c)});
}
[[nodiscard]] inline Scalar select(Scalar condition, Scalar on_true, Scalar on_false) {
  return Scalar::apply(ScalarFunction::select,
                       {std::move(condition), std::move(on_true), std::move(on_false)});
}
[[nodiscard]] inline Scalar convert(Scalar x, DType dtype) {
  return Scalar::apply(ScalarFunction::convert, {std::move(x)}, dtype);
}
[[nodiscard]] inline Scalar bitcast(Scalar x, DType dtype) {
  return Scalar::apply(ScalarFunction::bitcast, {std::move(x)}, dtype);
}

}  // namespace scalar

[[nodiscard]] inline Scalar operator+(Scalar a, Scalar b) { return scalar::add(std::move(a), std::move(b)); }
[[nodiscard]] inline Scalar operator-(Scalar a, Scalar b) { return scalar::sub(std::move(a), std::move(b)); }
[[nodiscard]] inline Scalar operator*(Scalar a, Scalar b) { return scalar::mul(std::move(a), std::move(b)); }
[[nodiscard]] inline Scalar operator/(Scalar a, Scalar b) { return scalar::div(std::move(a), std::move(b)); }
[[nodiscard]] inline Scalar operator-(Scalar a) { return scalar::neg(std::move(a)); }

/// Evaluates expressions many times: shared nodes once per evaluation, no recursion.
class ScalarProgram {
 public:
  explicit ScalarProgram(std::span<const Scalar> results);

  /// Values of the results in order, valid until the next call. operands[i] has the dtype of operand i.
  [[nodiscard]] std::span<const ScalarValue> run(std::span<const ScalarValue> operands,
                                                 std::span<const std::int64_t> index);

 private:
  struct Step {
    ScalarFunction function;
    DType dtype;
    DType argument_dtype;
    int position;
    int arguments[3];
  };
  std::vector<Step> steps_;
  std::vector<int> result_steps_;
  std::vector<ScalarValue> values_;  // of every step; constants stay
  std::vector<ScalarValue> results_;
};

/// The value of one expression, once.
[[nodiscard]] ScalarValue evaluate(const Scalar& expression, std::span<const ScalarValue> operands,
                                   std::span<const std::int64_t> index = {});

/// The value of a function of constants; `dtype` as in Scalar::apply.
[[nodiscard]] ScalarValue apply_function(ScalarFunction function, std::span<const ScalarValue> arguments,
                                         DType dtype = f32);

/// An equal expression, perhaps smaller: constants are folded, and identities applied that hold for every
/// value (up to the payload of NaNs): x * 1 and x + -0, never x + 0.
[[nodiscard]] Scalar simplify(const Scalar& expression);

}  // namespace calx::loopir

template <>
struct std::hash<calx::loopir::Scalar> {
  std::size_t operator()(const calx::loopir::Scalar& scalar) const noexcept { return scalar.hash(); }
};
