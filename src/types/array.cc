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

std::size_t checked_bytes(DType dtype, std::span<const std::int64_t> sizes, SourceLoc where) {
  for (std::int64_t size : sizes) {
    if (size >= 0) continue;
    raise({.id = ErrorId::value,
           .message = format("{}[{}] has a negative size", dtype.name(), join(sizes, ",")),
           .where = where});
  }
  const auto count = checked_product(sizes);
  const auto bytes = count ? checked_mul(*count, dtype.size_bytes()) : std::nullopt;
  if (!bytes) {
    raise({.id = ErrorId::size_overflow,
           .message = format("{}[{}] has more bytes than 63 bits count", dtype.name(), join(sizes, ",")),
           .where = where});
  }
  return static_cast<std::size_t>(*bytes);
}

}  // namespace

CALX_DEFINE_SPECIAL_MEMBERS(Buffer, Buffer);
CALX_DEFINE_SPECIAL_MEMBERS(Array, Array);

Buffer Buffer::uninitialized(std::size_t size_bytes, SourceLoc where) {
  Buffer buffer;
  // One byte at least, so that an empty buffer is still a defined one.
  void* data = ::operator new(size_bytes == 0 ? 1 : size_bytes, std::align_val_t(kAlignment), std::nothrow);
  if (data == nullptr) {
    raise({.id = ErrorId::size_overflow, .message = format("out of memory: {} bytes", size_bytes), .where = where});
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

Array::Array(DType dtype, std::vector<std::int64_t> sizes, Buffer buffer, SourceLoc where)
    : dtype_(dtype), sizes_(std::move(sizes)), buffer_(std::move(buffer)) {
  const std::size_t needed = checked_bytes(dtype_, sizes_, where);
  num_elements_ = *checked_product(sizes_);
  if (buffer_.size_bytes() < needed) {
    raise({.id = ErrorId::reshape_count,
           .message = format("a buffer of {} bytes does not hold {}, which takes {}", buffer_.size_bytes(), type().to_string(),
                             needed),
           .where = where,
           .facts = {{"type", type().to_string()}}});
  }
}

Array Array::uninitialized(DType dtype, std::vector<std::int64_t> sizes, SourceLoc where) {
  const std::size_t bytes = checked_bytes(dtype, sizes, where);
  return Array(dtype, std::move(sizes), Buffer::uninitialized(bytes, where));
}

Array Array::zeros(DType dtype, std::vector<std::int64_t> sizes, SourceLoc where) {
  Array array = uninitialized(dtype, std::move(sizes), where);
  std::memset(array.buffer_.mutable_data(), 0, array.size_bytes());
  return array;
}

Array Array::with_sizes(std::vector<std::int64_t> sizes, SourceLoc where) const {
  // Counted first: a larger shape is a matter of counts, not of buffers.
  if (checked_bytes(dtype_, sizes, where) != size_bytes()) {
    raise({.id = ErrorId::reshape_count,
           .message = format("{} has {} elements, the sizes [{}] have {}", type().to_string(), num_elements_, join(sizes, ","),
                             *checked_product(sizes)),
           .where = where,
           .facts = {{"type", type().to_string()}}});
  }
  return Array(dtype_, std::move(sizes), buffer_, where);
}

void Array::raise_read_as(DType dtype, SourceLoc where) const {
  raise({.id = ErrorId::item_dtype,
         .message = format("an array of type {} was read as {}", type().to_string(), dtype.name()),
         .where = where,
         .hint = "read it as its own dtype",
         .facts = {{"array", type().to_string()}, {"read as", std::string(dtype.name())}}});
}

void Array::raise_count(std::size_t given, SourceLoc where) const {
  raise({.id = ErrorId::reshape_count,
         .message = format("{} values do not fill {}, which has {} elements", given, type().to_string(), num_elements_),
         .where = where,
         .facts = {{"values", format("{}", given)}, {"type", type().to_string()}}});
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
