// Tensor: a cheap handle to one result of an immutable node. A node is a constant with data, an argument of a function
// being traced, or an op applied to tensors. Nothing mutates; reading a value evaluates what is pending, once.
#pragma once

#include <concepts>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "calx/base/source_location.h"
#include "calx/base/special_members.h"
#include "calx/types/array.h"

namespace calx {

namespace detail {
struct Node;
}

class Tensor {
 public:
  Tensor() = default;  // undefined: using it raises undefined_tensor
  CALX_SPECIAL_MEMBERS(Tensor);
  /// A constant. Data is shared, not copied.
  explicit Tensor(Array value, SourceLoc where = SourceLoc::current());

  [[nodiscard]] bool defined() const { return node_ != nullptr; }
  [[nodiscard]] const Type& type(SourceLoc where = SourceLoc::current()) const;
  [[nodiscard]] DType dtype(SourceLoc where = SourceLoc::current()) const { return type(where).dtype; }
  [[nodiscard]] const Shape& shape(SourceLoc where = SourceLoc::current()) const { return type(where).shape; }
  [[nodiscard]] int rank(SourceLoc where = SourceLoc::current()) const { return type(where).rank(); }
  /// Negative axes count from the back; raises `axis`.
  [[nodiscard]] const Dim& dim(int axis, SourceLoc where = SourceLoc::current()) const;
  /// True iff reading the value would raise: it belongs to a function being traced.
  [[nodiscard]] bool is_traced() const;

  /// The value. Evaluates what is pending; raises traced_read or leaked_tensor.
  [[nodiscard]] Array value(SourceLoc where = SourceLoc::current()) const;
  /// The value of a tensor with one element. T must be the C++ type of its dtype.
  template <class T>
  [[nodiscard]] T item(SourceLoc where = SourceLoc::current()) const {
    check_read(dtype_of<T>, true, where);
    return value(where).template data<T>(where)[0];
  }
  /// All elements, row-major. T must be the C++ type of its dtype.
  template <class T>
  [[nodiscard]] std::vector<T> to_vector(SourceLoc where = SourceLoc::current()) const {
    check_read(dtype_of<T>, false, where);
    const Array array = value(where);
    return {array.values<T>().begin(), array.values<T>().end()};
  }

  // For the transforms and the tracer.
  Tensor(std::shared_ptr<detail::Node> node, int result) : node_(std::move(node)), result_(result) {}
  [[nodiscard]] const std::shared_ptr<detail::Node>& node() const { return node_; }
  [[nodiscard]] std::shared_ptr<detail::Node>& mutable_node() { return node_; }
  [[nodiscard]] int result() const { return result_; }
  /// Same node and result: the same value for certain.
  [[nodiscard]] friend bool is_same(const Tensor& a, const Tensor& b) {
    return a.node_ == b.node_ && a.result_ == b.result_;
  }

 private:
  void check_read(DType dtype, bool one_element, SourceLoc where) const;

  std::shared_ptr<detail::Node> node_;
  int result_ = 0;
};

using Tensors = std::vector<Tensor>;

namespace detail {

/// A number or a list of such: what stands between the brackets of `tensor({...})`. One type for every depth, since lists of
/// different depths could not be told apart by overloading: `{{9}}` is a list of numbers, too. Where elements are integers, no
/// number with a fraction is one. Refers to its parts, so it does not outlive the call it is written in.
template <bool integers>
class NestedList {
 public:
  enum class Kind : std::uint8_t { list, real, signed_integer, unsigned_integer };

  template <class U>
    requires std::is_integral_v<U> || (!integers && (std::is_arithmetic_v<U> || std::is_same_v<ComputeType<U>, float>))
  NestedList(U number) {
    if constexpr (!std::is_integral_v<U>) {
      kind_ = Kind::real;
      real_ = static_cast<double>(static_cast<ComputeType<U>>(number));
    } else if constexpr (std::is_signed_v<U>) {
      kind_ = Kind::signed_integer;
      signed_ = number;
    } else {
      kind_ = Kind::unsigned_integer;
      unsigned_ = number;
    }
  }
  NestedList(std::initializer_list<NestedList> parts) : count_(parts.size()), kind_(Kind::list) { parts_ = parts.begin(); }

  [[nodiscard]] Kind kind() const { return kind_; }
  /// Calls visit(number), as the widest type of its kind.
  template <class Visit>
  decltype(auto) visit_number(Visit&& visit) const {
    return kind_ == Kind::real ? visit(real_) : kind_ == Kind::signed_integer ? visit(signed_) : visit(unsigned_);
  }
  [[nodiscard]] std::span<const NestedList> parts() const { return {parts_, count_}; }

 private:
  union {
    double real_;
    std::int64_t signed_;
    std::uint64_t unsigned_;
    const NestedList* parts_;
  };
  std::size_t count_ = 0;
  Kind kind_;
};

template <class T>
using NestedListOf = NestedList<!dtype_of<T>.is_floating()>;

[[nodiscard]] Tensor tensor_of(const NestedList<true>& list, DType dtype, SourceLoc where);
[[nodiscard]] Tensor tensor_of(const NestedList<false>& list, DType dtype, SourceLoc where);

void check_count(std::size_t count, const std::vector<std::int64_t>& sizes, SourceLoc where);

}  // namespace detail

/// `tensor({{1, 2}, {3, 4}})` is f32[2,2]; `tensor<std::int32_t>({1, 2})` is i32[2], `tensor<double>({{9}})` f64[1,1],
/// `tensor({})` f32[0], `tensor(5)` f32[]: nested lists of any depth. Numbers become T as in arithmetic; an integer that T
/// cannot hold raises `value`, as do rows that differ in length.
template <class T = float>
[[nodiscard]] Tensor tensor(const detail::NestedListOf<T>& values, SourceLoc where = SourceLoc::current()) {
  return detail::tensor_of(values, dtype_of<T>, where);
}
/// From a list that has a name.
template <class T = float, std::same_as<std::initializer_list<T>> List>
[[nodiscard]] Tensor tensor(const List& values, SourceLoc where = SourceLoc::current()) {
  return Tensor(Array::from<T>({static_cast<std::int64_t>(values.size())}, std::vector<T>(values), where));
}
/// From a flat, row-major vector; raises reshape_count if the counts differ.
template <class T>
[[nodiscard]] Tensor tensor(const std::vector<T>& values, std::vector<std::int64_t> sizes,
                            SourceLoc where = SourceLoc::current()) {
  detail::check_count(values.size(), sizes, where);
  return Tensor(Array::from<T>(std::move(sizes), values, where));
}
/// f32[], i32[], ... of one value.
template <class T>
[[nodiscard]] Tensor scalar(T value) {
  return Tensor(Array::scalar<T>(value));
}

/// Evaluates several tensors in one run (each later read is free).
void evaluate(std::span<const Tensor> tensors, SourceLoc where = SourceLoc::current());

/// Values for people: `f32[2,2] [[1, 2], [3, 4]]`, long axes elided.
[[nodiscard]] std::string to_string(const Tensor& tensor, SourceLoc where = SourceLoc::current());

}  // namespace calx
