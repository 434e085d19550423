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
  [[nodiscard]] static Buffer uninitialized(std::size_t size_bytes);
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
  Array(DType dtype, std::vector<std::int64_t> sizes, Buffer buffer);
  /// Uninitialized contents; write through mutable_data() before sharing it.
  [[nodiscard]] static Array uninitialized(DType dtype, std::vector<std::int64_t> sizes);
  [[nodiscard]] static Array zeros(DType dtype, std::vector<std::int64_t> sizes);
  template <class T>
  [[nodiscard]] static Array scalar(T value) {
    Array array = uninitialized(dtype_of<T>, {});
    array.mutable_data<T>()[0] = value;
    return array;
  }
  template <class T>
  [[nodiscard]] static Array from(std::vector<std::int64_t> sizes, std::span<const T> values) {
    Array array = uninitialized(dtype_of<T>, std::move(sizes));
    CALX_ASSERT(static_cast<std::int64_t>(values.size()) == array.num_elements());
    for (std::size_t i = 0; i < values.size(); ++i) array.mutable_data<T>()[i] = values[i];
    return array;
  }
  template <class T>
  [[nodiscard]] static Array from(std::vector<std::int64_t> sizes, const std::vector<T>& values) {
    Array array = uninitialized(dtype_of<T>, std::move(sizes));
    CALX_ASSERT(static_cast<std::int64_t>(values.size()) == array.num_elements());
    for (std::size_t i = 0; i < values.size(); ++i) array.mutable_data<T>()[i] = values[i];
    return array;
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

  template <class T>
  [[nodiscard]] const T* data() const {
    CALX_ASSERT(dtype_of<T> == dtype_);
    return reinterpret_cast<const T*>(buffer_.data());
  }
  template <class T>
  [[nodiscard]] T* mutable_data() {
    CALX_ASSERT(dtype_of<T> == dtype_);
    return reinterpret_cast<T*>(buffer_.mutable_data());
  }
  template <class T>
  [[nodiscard]] std::span<const T> values() const {
    return {data<T>(), static_cast<std::size_t>(num_elements_)};
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return {buffer_.data(), size_bytes()}; }

  /// Same bytes under another shape with the same count.
  [[nodiscard]] Array with_sizes(std::vector<std::int64_t> sizes) const;
  /// Element i converted to double (for messages, tests and weak scalars).
  [[nodiscard]] double element_as_double(std::int64_t i) const;

  /// Same dtype, sizes and bit patterns (NaN payloads and the sign of zero included).
  friend bool operator==(const Array& a, const Array& b);
  [[nodiscard]] std::uint64_t hash() const;

 private:
  DType dtype_ = f32;
  std::vector<std::int64_t> sizes_;
  std::int64_t num_elements_ = 0;
  Buffer buffer_;
};

/// Row-major strides in elements.
[[nodiscard]] std::vector<std::int64_t> row_major_strides(std::span<const std::int64_t> sizes);

}  // namespace calx
