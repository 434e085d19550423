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
  [[nodiscard]] const Type& type() const;
  [[nodiscard]] DType dtype() const { return type().dtype; }
  [[nodiscard]] const Shape& shape() const { return type().shape; }
  [[nodiscard]] int rank() const { return type().rank(); }
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

/// What may be written where an element of type T is wanted: all but a fraction for an integer. That an integer fits is
/// checked when it is there.
template <class U, class T>
concept ElementFor =
    (std::is_arithmetic_v<U> || std::is_same_v<ComputeType<U>, float>) && (dtype_of<T>.is_floating() || std::is_integral_v<U>);

template <class T, class U>
[[nodiscard]] constexpr bool fits(U value) {
  if constexpr (std::is_same_v<T, bool>) {
    return +value == 0 || +value == 1;
  } else if constexpr (std::is_integral_v<T>) {
    return std::in_range<T>(+value);
  } else {
    return true;
  }
}

[[noreturn]] void raise_element(std::int64_t value, bool is_unsigned, DType dtype, SourceLoc where);

/// A number or a list of such: what stands between the brackets of `tensor({...})`. One type for every rank, since lists of
/// different depths could not be told apart by overloading: `{{9}}` is a list of numbers, too.
/// Refers to its parts, so it does not outlive the call it is written in.
template <class T>
class NestedList {
 public:
  template <class U>
    requires ElementFor<U, T>
  NestedList(U value, const std::source_location& where = std::source_location::current()) : number_(true) {
    if constexpr (std::is_integral_v<U>) {
      if (!fits<T>(value)) raise_element(static_cast<std::int64_t>(value), std::is_unsigned_v<U>, dtype_of<T>, where);
    }
    value_ = convert_element<T>(value);
  }
  NestedList(std::initializer_list<NestedList> parts) : parts_(parts.begin(), parts.size()) {}

  [[nodiscard]] bool is_number() const { return number_; }
  [[nodiscard]] T value() const { return value_; }
  [[nodiscard]] std::span<const NestedList> parts() const { return parts_; }

 private:
  bool number_ = false;
  T value_{};
  std::span<const NestedList> parts_;
};

[[noreturn]] void raise_ragged(SourceLoc where);
void check_count(std::size_t count, const std::vector<std::int64_t>& sizes, SourceLoc where);

/// Appends the elements; raises `value` unless each list has the length, and each entry the depth, that `sizes` says.
template <class T>
void append_elements(std::vector<T>& elements, const NestedList<T>& list, std::span<const std::int64_t> sizes,
                     SourceLoc where) {
  if (list.is_number() != sizes.empty()) raise_ragged(where);
  if (sizes.empty()) return elements.push_back(list.value());
  if (list.parts().size() != static_cast<std::size_t>(sizes[0])) raise_ragged(where);
  for (const NestedList<T>& part : list.parts()) append_elements(elements, part, sizes.subspan(1), where);
}

}  // namespace detail

/// `tensor({{1, 2}, {3, 4}})` is f32[2,2]; `tensor<std::int32_t>({1, 2})` is i32[2], `tensor<double>({{9}})` f64[1,1],
/// `tensor({})` f32[0], `tensor(5)` f32[]: nested lists of any depth. Numbers become T as in arithmetic; an integer that T
/// cannot hold raises `value`, as do rows that differ in length.
template <class T = float>
[[nodiscard]] Tensor tensor(const detail::NestedList<std::type_identity_t<T>>& values, SourceLoc where = SourceLoc::current()) {
  std::vector<std::int64_t> sizes;
  for (const auto* list = &values; !list->is_number(); list = list->parts().data()) {
    sizes.push_back(static_cast<std::int64_t>(list->parts().size()));
    if (list->parts().empty()) break;
  }
  std::vector<T> elements;
  detail::append_elements<T>(elements, values, sizes, where);
  return Tensor(Array::from<T>(std::move(sizes), elements, where));
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
[[nodiscard]] std::string to_string(const Tensor& tensor);

}  // namespace calx
