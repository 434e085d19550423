// Tensor: a cheap handle to one result of an immutable node. A node is a constant with data, an argument of a function
// being traced, or an op applied to tensors. Nothing mutates; reading a value evaluates what is pending, once.
#pragma once

#include <memory>
#include <span>
#include <string>
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
  explicit Tensor(Array value);

  [[nodiscard]] bool defined() const { return node_ != nullptr; }
  [[nodiscard]] const Type& type() const;
  [[nodiscard]] DType dtype() const { return type().dtype; }
  [[nodiscard]] const Shape& shape() const { return type().shape; }
  [[nodiscard]] int rank() const { return type().rank(); }
  [[nodiscard]] const Dim& dim(int axis) const;  // negative axes count from the back
  /// True iff reading the value would raise: it belongs to a function being traced.
  [[nodiscard]] bool is_traced() const;

  /// The value. Evaluates what is pending; raises traced_read or leaked_tensor.
  [[nodiscard]] Array value(SourceLoc where = SourceLoc::current()) const;
  /// The value of a tensor with one element. T must be the C++ type of its dtype.
  template <class T>
  [[nodiscard]] T item(SourceLoc where = SourceLoc::current()) const {
    check_read(dtype_of<T>, true, where);
    return value(where).template data<T>()[0];
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

/// `tensor({{1, 2}, {3, 4}})` is f32[2,2]; `tensor<std::int32_t>({1, 2})` is i32[2]; rank 0 to 3.
template <class T = float>
[[nodiscard]] Tensor tensor(std::initializer_list<std::type_identity_t<T>> values) {
  return Tensor(Array::from<T>({static_cast<std::int64_t>(values.size())}, std::vector<T>(values)));
}
namespace detail {
[[noreturn]] void raise_ragged(SourceLoc where);
}
template <class T = float>
[[nodiscard]] Tensor tensor(std::initializer_list<std::initializer_list<std::type_identity_t<T>>> rows,
                            SourceLoc where = SourceLoc::current()) {
  std::vector<T> values;
  const std::size_t columns = rows.size() == 0 ? 0 : rows.begin()->size();
  for (const auto& row : rows) {
    if (row.size() != columns) detail::raise_ragged(where);
    values.insert(values.end(), row.begin(), row.end());
  }
  return Tensor(Array::from<T>({static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(columns)}, values));
}
/// From a flat, row-major vector; raises reshape_count if the counts differ.
template <class T>
[[nodiscard]] Tensor tensor(const std::vector<T>& values, std::vector<std::int64_t> sizes,
                            SourceLoc where = SourceLoc::current());
/// f32[], i32[], ... of one value.
template <class T>
[[nodiscard]] Tensor scalar(T value) {
  return Tensor(Array::scalar<T>(value));
}

namespace detail {
void check_count(std::size_t count, const std::vector<std::int64_t>& sizes, SourceLoc where);
}
template <class T>
Tensor tensor(const std::vector<T>& values, std::vector<std::int64_t> sizes, SourceLoc where) {
  detail::check_count(values.size(), sizes, where);
  return Tensor(Array::from<T>(std::move(sizes), values));
}

/// Evaluates several tensors in one run (each later read is free).
void evaluate(std::span<const Tensor> tensors, SourceLoc where = SourceLoc::current());

/// Values for people: `f32[2,2] [[1, 2], [3, 4]]`, long axes elided.
[[nodiscard]] std::string to_string(const Tensor& tensor);

}  // namespace calx
