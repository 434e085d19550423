// Array: a dtype, sizes and immutable bytes, row-major and contiguous: the value of a tensor. Cheap to copy (the bytes
// are shared); MutableArray is the same before it is published.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "calx/base/special_members.h"
#include "calx/types/type.h"

namespace calx {

/// Shared, 64-byte aligned bytes. Immutable once an Array holds them.
class Buffer {
 public:
  Buffer() = default;
  CALX_SPECIAL_MEMBERS(Buffer);
  [[nodiscard]] static Buffer uninitialized(std::size_t size_bytes, SourceLoc where = SourceLoc::current());
  /// Bytes owned by somebody else, kept alive by `owner` (a mapped file, a foreign array).
  [[nodiscard]] static Buffer adopt(std::shared_ptr<const void> owner, const std::byte* data, std::size_t size_bytes);

  [[nodiscard]] std::size_t size_bytes() const { return size_bytes_; }
  [[nodiscard]] const std::byte* data() const { return data_; }
  /// Writable only for the maker of an uninitialized buffer, before it is published.
  [[nodiscard]] std::byte* mutable_data() { return const_cast<std::byte*>(data_); }
  [[nodiscard]] bool is_sole_owner() const { return owner_.use_count() == 1; }

 private:
  std::shared_ptr<const void> owner_;
  const std::byte* data_ = nullptr;
  std::size_t size_bytes_ = 0;
};

class Array {
 public:
  Array() = default;
  CALX_SPECIAL_MEMBERS(Array);
  /// Raises `value` for a negative size, size_overflow, or reshape_count if the buffer is too small.
  Array(DType dtype, std::vector<std::int64_t> sizes, Buffer buffer, SourceLoc where = SourceLoc::current());
  /// Uninitialized contents; write through mutable_data() before sharing it. Raises `value` or size_overflow.
  [[nodiscard]] static Array uninitialized(DType dtype, std::vector<std::int64_t> sizes,
                                           SourceLoc where = SourceLoc::current());
  [[nodiscard]] static Array zeros(DType dtype, std::vector<std::int64_t> sizes, SourceLoc where = SourceLoc::current());
  template <class T>
  [[nodiscard]] static Array scalar(T value) {
    Array array = uninitialized(dtype_of<T>, {});
    array.mutable_data<T>()[0] = value;
    return array;
  }
  /// Row-major values. Raises reshape_count unless there are as many as the sizes say.
  template <class T>
  [[nodiscard]] static Array from(std::vector<std::int64_t> sizes, std::span<const T> values,
                                  SourceLoc where = SourceLoc::current()) {
    return copied<T>(std::move(sizes), values, where);
  }
  template <class T>
  [[nodiscard]] static Array from(std::vector<std::int64_t> sizes, const std::vector<T>& values,
                                  SourceLoc where = SourceLoc::current()) {
    return copied<T>(std::move(sizes), values, where);
  }

  [[nodiscard]] DType dtype() const { return dtype_; }
  [[nodiscard]] const std::vector<std::int64_t>& sizes() const { return sizes_; }
  [[nodiscard]] int rank() const { return static_cast<int>(sizes_.size()); }
  [[nodiscard]] std::int64_t num_elements() const { return num_elements_; }
  [[nodiscard]] std::size_t size_bytes() const {
    return static_cast<std::size_t>(num_elements_) * static_cast<std::size_t>(dtype_.size_bytes());
  }
  [[nodiscard]] Type type() const { return {dtype_, Shape::of(sizes_)}; }
  [[nodiscard]] const Buffer& buffer() const { return buffer_; }
  [[nodiscard]] bool defined() const { return buffer_.data() != nullptr; }

  /// The elements. T must be the C++ type of the dtype, else item_dtype is raised.
  template <class T>
  [[nodiscard]] const T* data(SourceLoc where = SourceLoc::current()) const {
    if (dtype_of<T> != dtype_) raise_read_as(dtype_of<T>, where);
    return reinterpret_cast<const T*>(buffer_.data());
  }
  template <class T>
  [[nodiscard]] T* mutable_data(SourceLoc where = SourceLoc::current()) {
    if (dtype_of<T> != dtype_) raise_read_as(dtype_of<T>, where);
    return reinterpret_cast<T*>(buffer_.mutable_data());
  }
  template <class T>
  [[nodiscard]] std::span<const T> values(SourceLoc where = SourceLoc::current()) const {
    return {data<T>(where), static_cast<std::size_t>(num_elements_)};
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return {buffer_.data(), size_bytes()}; }

  /// Same bytes under another shape with the same count; raises reshape_count.
  [[nodiscard]] Array with_sizes(std::vector<std::int64_t> sizes, SourceLoc where = SourceLoc::current()) const;
  /// Element i converted to double (for messages, tests and weak scalars).
  [[nodiscard]] double element_as_double(std::int64_t i) const;

  /// Same dtype, sizes and bit patterns (NaN payloads and the sign of zero included).
  friend bool operator==(const Array& a, const Array& b);
  [[nodiscard]] std::uint64_t hash() const;

 private:
  template <class T, class Values>
  [[nodiscard]] static Array copied(std::vector<std::int64_t> sizes, const Values& values, SourceLoc where) {
    Array array = uninitialized(dtype_of<T>, std::move(sizes), where);
    if (static_cast<std::int64_t>(values.size()) != array.num_elements()) array.raise_count(values.size(), where);
    T* to = array.mutable_data<T>();
    for (std::size_t i = 0; i < values.size(); ++i) to[i] = values[i];
    return array;
  }
  [[noreturn]] void raise_read_as(DType dtype, SourceLoc where) const;
  [[noreturn]] void raise_count(std::size_t given, SourceLoc where) const;

  DType dtype_ = f32;
  std::vector<std::int64_t> sizes_;
  std::int64_t num_elements_ = 0;
  Buffer buffer_;
};

/// Row-major strides in elements.
[[nodiscard]] std::vector<std::int64_t> row_major_strides(std::span<const std::int64_t> sizes);

}  // namespace calx
