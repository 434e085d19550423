// Promotion, accumulation and names of dtypes.
#include "calx/types/dtype.h"

namespace calx {

std::optional<DType> DType::from_name(std::string_view name) {
  for (DType dtype : kAllDTypes) {
    if (dtype.name() == name) return dtype;
  }
  return std::nullopt;
}

DType DType::accumulation() const {
  switch (kind_) {
    case Kind::f16:
    case Kind::bf16: return f32;
    case Kind::boolean:
    case Kind::i8:
    case Kind::i16: return i32;
    case Kind::u8:
    case Kind::u16: return u32;
    default: return *this;
  }
}

std::optional<DType> promote(DType a, DType b) {
  if (a == b) return a;
  if (a.is_boolean()) return b;
  if (b.is_boolean()) return a;
  if (a.is_floating() && b.is_floating()) {
    if (a.size_bytes() == b.size_bytes()) return f32;  // f16 with bf16
    return a.size_bytes() > b.size_bytes() ? a : b;
  }
  if (a.is_floating()) return a;
  if (b.is_floating()) return b;
  if (a.is_signed() == b.is_signed()) return a.size_bytes() > b.size_bytes() ? a : b;
  const DType signed_side = a.is_signed() ? a : b;
  const DType unsigned_side = a.is_signed() ? b : a;
  if (signed_side.size_bytes() > unsigned_side.size_bytes()) return signed_side;
  switch (unsigned_side.size_bytes()) {
    case 1: return i16;
    case 2: return i32;
    case 4: return i64;
    default: return std::nullopt;
  }
}

DType promote_weak(DType strong, WeakKind weak) {
  switch (weak) {
    case WeakKind::boolean: return strong;
    case WeakKind::integer: return strong.is_boolean() ? i32 : strong;
    case WeakKind::floating: return strong.is_floating() ? strong : f32;
  }
  raise_internal("unknown weak kind");
}

}  // namespace calx
