// Builders of the random ops.
#include "random/_support.h"

#include <cmath>

#include "calx/base/format.h"

namespace calx::ops {

Tensor make_random_bits(const Tensor& key, const std::vector<Dim>& shape, DType dtype) {
  return apply_one(get_op("random_bits"), {key},
                   {attr(random_attrs::shape, shape), attr(random_attrs::dtype, dtype)});
}

Tensor make_fold_in(const Tensor& key, const Tensor& data, KeyStream stream) {
  Attrs attrs;
  attrs.set_value("stream", static_cast<std::int64_t>(stream));
  return apply_one(get_op("fold_in"), {key, data}, std::move(attrs));
}

namespace {

Tensor scaled(const Tensor& x, double factor) { return core::mul(x, core::full(x.type(), factor)); }

/// The integer part of the positive x.
Tensor truncated(const Tensor& x) { return core::convert(core::convert(x, u32), x.dtype()); }

/// The `keep` highest of the `width` bits in `low` and `high` halves, as a multiple of 2^-keep. Each step is
/// exact.
Tensor from_halves(const Tensor& bits, DType half, DType real, int half_width, int keep) {
  const Tensor low = core::convert(bits, half);
  const Tensor high = core::sub(bits, core::convert(low, bits.dtype()));
  const Tensor head = scaled(core::convert(high, real), std::ldexp(1.0, -2 * half_width));
  const Tensor tail = truncated(scaled(core::convert(low, real), std::ldexp(1.0, keep - 2 * half_width)));
  return core::add(head, scaled(tail, std::ldexp(1.0, -keep)));
}

}  // namespace

Tensor unit_interval(const Tensor& key, const std::vector<Dim>& shape, DType dtype) {
  if (dtype == f64) return from_halves(make_random_bits(key, shape, u64), u32, f64, 32, 53);
  if (dtype == f32) return from_halves(make_random_bits(key, shape, u32), u16, f32, 16, 24);
  const int keep = dtype == f16 ? 11 : 8;
  const Tensor bits = core::convert(make_random_bits(key, shape, u16), f32);
  return core::convert(scaled(truncated(scaled(bits, std::ldexp(1.0, keep - 16))), std::ldexp(1.0, -keep)),
                       dtype);
}

void require_floating(const Call& c) {
  if (!c[random_attrs::dtype].is_floating()) {
    c.fail(ErrorId::attribute, format("`dtype` is {}, not floating", c[random_attrs::dtype].name()));
  }
}

}  // namespace calx::ops
