// Negative indices and modes.
#include "indexing/_take.h"

namespace calx::ops {

Tensor take_elements(const Call& c, const std::function<Addressing(const Tensor& x, int axis)>& address) {
  using namespace take_attrs;
  const Tensor& x = c[0];
  const int along = normalize_axis(c, c[axis], x.rank());
  const Dim& size = x.shape()[along];
  const Tensor indices = normalized_indices(c, c[1], size, c[mode]);
  const Addressing addressing = address(x, along);
  const Tensor taken = make_gather(x, indices, addressing.spec, index_mode(c[mode]));
  return with_fill(taken, indices, size, c[mode], c[fill_value], addressing.index_axes);
}

Tensor normalized_indices(const Call& c, const Tensor& given, const Dim& size, OutOfRange mode) {
  // An axis that i32 does not count needs wider indices.
  const bool wide = proven_less_equal(size, Dim(std::numeric_limits<std::int32_t>::max())) == Proof::no;
  const Tensor indices = wide ? core::convert(given, i64) : given;
  const Tensor count = core::expand(core::size(size, indices.dtype()), indices.shape(), {});
  const Tensor negative = core::compare(indices, core::zeros(indices.type()), Comparison::lt);
  const Tensor normalized = core::select(negative, core::add(indices, count), indices);
  return mode == OutOfRange::error ? core::checked_index(normalized, size, c.op().name, {}, true) : normalized;
}

IndexMode index_mode(OutOfRange mode) {
  switch (mode) {
    case OutOfRange::error:
      return IndexMode::in_bounds;
    case OutOfRange::clip:
      return IndexMode::clip;
    case OutOfRange::fill:
      return IndexMode::fill;
    case OutOfRange::wrap:
      return IndexMode::wrap;
  }
  raise_internal("unknown mode");
}

Tensor with_fill(const Tensor& taken, const Tensor& indices, const Dim& size, OutOfRange mode,
                 std::optional<double> fill_value, const std::vector<std::int64_t>& dims) {
  if (mode != OutOfRange::fill) return taken;
  const double value =
      fill_value.value_or(taken.dtype().is_floating() ? std::numeric_limits<double>::quiet_NaN() : 0.0);
  const Tensor count = core::expand(core::size(size, indices.dtype()), indices.shape(), {});
  const Tensor not_below = core::compare(indices, core::zeros(indices.type()), Comparison::ge);
  const Tensor not_above = core::compare(indices, count, Comparison::lt);
  const Tensor inside = core::select(not_below, not_above, not_below);
  return core::select(core::expand(inside, taken.shape(), dims), taken, core::full(taken.type(), value));
}

}  // namespace calx::ops
