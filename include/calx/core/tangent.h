// Tangent: a tensor that is linear in the direction of differentiation, possibly a symbolic zero. It has only linear
// operators, so that a rule which is not linear in its tangents does not compile. Cotangents use the same type.
#pragma once

#include <vector>

#include "calx/core/tensor.h"

namespace calx {

class Tangent {
 public:
  /// The zero of a type; it costs nothing until it must be a tensor.
  [[nodiscard]] static Tangent zero(Type type) { return Tangent(std::move(type)); }
  explicit Tangent(Tensor tensor) : type_(tensor.type()), tensor_(std::move(tensor)) {}

  [[nodiscard]] bool is_zero() const { return !tensor_.defined(); }
  [[nodiscard]] const Type& type() const { return type_; }
  /// The tensor; zeros are made (an expand of a constant) where it is a symbolic zero.
  [[nodiscard]] Tensor instantiate() const;
  /// The tensor, undefined for a symbolic zero.
  [[nodiscard]] const Tensor& tensor() const { return tensor_; }

  friend Tangent operator+(const Tangent& a, const Tangent& b);
  friend Tangent operator-(const Tangent& a, const Tangent& b);
  friend Tangent operator-(const Tangent& a);
  Tangent& operator+=(const Tangent& b) { return *this = *this + b; }

 private:
  explicit Tangent(Type type) : type_(std::move(type)) {}
  Type type_;
  Tensor tensor_;
};

/// Value times tangent: strong_mul, so that a tangent (or factor) that is 0 wins over inf and NaN.
[[nodiscard]] Tangent operator*(const Tensor& factor, const Tangent& t);
[[nodiscard]] Tangent operator*(const Tangent& t, const Tensor& factor);
[[nodiscard]] Tangent operator*(double factor, const Tangent& t);
/// strong_mul(1/divisor, t).
[[nodiscard]] Tangent operator/(const Tangent& t, const Tensor& divisor);

// The linear core ops on tangents (the others are generated into ops.h).
[[nodiscard]] Tangent select(const Tensor& predicate, const Tangent& on_true, const Tangent& on_false);
[[nodiscard]] Tangent expand(const Tangent& t, const Shape& shape, const std::vector<std::int64_t>& dims);
[[nodiscard]] Tangent reshape(const Tangent& t, const Shape& shape);
[[nodiscard]] Tangent transpose(const Tangent& t, const std::vector<std::int64_t>& permutation);
[[nodiscard]] Tangent reduce_sum(const Tangent& t, const std::vector<std::int64_t>& axes);
[[nodiscard]] Tangent convert(const Tangent& t, DType dtype);

/// One per operand or result, in order. A rule for one result may return a single Tangent.
class Tangents : public std::vector<Tangent> {
 public:
  Tangents() = default;
  CALX_SPECIAL_MEMBERS(Tangents);
  using std::vector<Tangent>::vector;
  Tangents(std::initializer_list<Tangent> tangents);
  Tangents(Tangent t);
};

}  // namespace calx
