// Buffers and arrays.
#include "calx/types/array.h"

#include <cstring>
#include <new>

#include "calx/base/checked.h"
#include "calx/base/format.h"
#include "calx/base/hash.h"

namespace calx {
namespace {

constexpr std::size_t kAlignment = 64;

std::size_t checked_bytes(DType dtype, std::span<const std::int64_t> sizes) {
  for (std::int64_t size : sizes) {
    if (size < 0) raise({.id = ErrorId::value, .message = format("{}[{}] has a negative size", dtype.name(), join(sizes, ","))});
  }
  const auto count = checked_product(sizes);
  const auto bytes = count ? checked_mul(*count, dtype.size_bytes()) : std::nullopt;
  if (!bytes) {
    raise({.id = ErrorId::size_overflow,
           .message = format("{}[{}] has more bytes than 63 bits count", dtype.name(), join(sizes, ","))});
  }
  return static_cast<std::size_t>(*bytes);
}

}  // namespace

CALX_DEFINE_SPECIAL_MEMBERS(Buffer, Buffer);
CALX_DEFINE_SPECIAL_MEMBERS(Array, Array);

Buffer Buffer::uninitialized(std::size_t size_bytes) {
  Buffer buffer;
  // One byte at least, so that an empty buffer is still a defined one.
  void* data = ::operator new(size_bytes == 0 ? 1 : size_bytes, std::align_val_t(kAlignment), std::nothrow);
  if (data == nullptr) {
    raise({.id = ErrorId::size_overflow, .message = format("out of memory: {} bytes", size_bytes)});
  }
  buffer.owner_ = std::shared_ptr<const void>(
      data, [](const void* p) { ::operator delete(const_cast<void*>(p), std::align_val_t(kAlignment)); });
  buffer.data_ = static_cast<const std::byte*>(data);
  buffer.size_bytes_ = size_bytes;
  return buffer;
}

Buffer Buffer::adopt(std::shared_ptr<const void> owner, const std::byte* data, std::size_t size_bytes) {
  Buffer buffer;
  buffer.owner_ = std::move(owner);
  buffer.data_ = data;
  buffer.size_bytes_ = size_bytes;
  return buffer;
}

Array::Array(DType dtype, std::vector<std::int64_t> sizes, Buffer buffer)
    : dtype_(dtype), sizes_(std::move(sizes)), buffer_(std::move(buffer)) {
  CALX_ASSERT(buffer_.size_bytes() >= checked_bytes(dtype_, sizes_));
  num_elements_ = *checked_product(sizes_);
}

Array Array::uninitialized(DType dtype, std::vector<std::int64_t> sizes) {
  const std::size_t bytes = checked_bytes(dtype, sizes);
  return Array(dtype, std::move(sizes), Buffer::uninitialized(bytes));
}

Array Array::zeros(DType dtype, std::vector<std::int64_t> sizes) {
  Array array = uninitialized(dtype, std::move(sizes));
  std::memset(array.buffer_.mutable_data(), 0, array.size_bytes());
  return array;
}

Array Array::with_sizes(std::vector<std::int64_t> sizes) const {
  Array result(dtype_, std::move(sizes), buffer_);
  CALX_ASSERT(result.num_elements() == num_elements_);
  return result;
}

double Array::element_as_double(std::int64_t i) const {
  return visit_dtype(dtype_, [&]<class T>(std::type_identity<T>) {
    return static_cast<double>(static_cast<ComputeType<T>>(data<T>()[i]));
  });
}

bool operator==(const Array& a, const Array& b) {
  return a.dtype_ == b.dtype_ && a.sizes_ == b.sizes_ &&
         (a.size_bytes() == 0 || std::memcmp(a.buffer_.data(), b.buffer_.data(), a.size_bytes()) == 0);
}

std::uint64_t Array::hash() const {
  std::uint64_t state = hash_mix(static_cast<std::uint64_t>(dtype_.kind()), sizes_.size());
  for (std::int64_t size : sizes_) state = hash_mix(state, static_cast<std::uint64_t>(size));
  return hash_bytes(bytes(), state);
}

std::vector<std::int64_t> row_major_strides(std::span<const std::int64_t> sizes) {
  std::vector<std::int64_t> strides(sizes.size());
  std::int64_t stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= sizes[i];
  }
  return strides;
}

}  // namespace calx
