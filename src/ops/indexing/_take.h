// What the index ops that people call share: negative indices and the four modes, spelled out with gather and
// checked_index.
#pragma once

#include "indexing/_support.h"

namespace calx::ops {

namespace take_attrs {
inline constinit const Attr<std::int64_t> axis{"axis", std::int64_t{0},
                                     "the axis of x that indices address, in [-rank, rank)"};
inline constinit const Attr<OutOfRange> mode{"mode", OutOfRange::error, "what an index outside [-size, size) does"};
inline constinit const Attr<std::optional<double>> fill_value{
    "fill_value", std::optional<double>{},
    "what mode fill reads outside; none: NaN, 0 where the dtype has none"};
}  // namespace take_attrs

/// Reads x = c[0] at indices c[1] along `axis`, as `mode` says. `spec` is of the gather at normalized
/// indices, whose axes are `index_axes` of the result.
struct Addressing {
  GatherSpec spec;
  std::vector<std::int64_t> index_axes;
};
[[nodiscard]] Tensor take_elements(const Call& c,
                                   const std::function<Addressing(const Tensor& x, int axis)>& address);
/// Indices with those below 0 counted from the back, once, in i64 where i32 does not count the axis; in mode error checked at run time, in the name of c's op.
[[nodiscard]] Tensor normalized_indices(const Call& c, const Tensor& indices, const Dim& size, OutOfRange mode);
/// The mode of the gather or scatter at normalized indices.
[[nodiscard]] IndexMode index_mode(OutOfRange mode);
/// `taken` with the fill value where mode is fill and the (normalized) index, whose axes are `dims` of the
/// result, is outside.
[[nodiscard]] Tensor with_fill(const Tensor& taken, const Tensor& indices, const Dim& size, OutOfRange mode,
                               std::optional<double> fill_value, const std::vector<std::int64_t>& dims);

}  // namespace calx::ops
