// What var and std share.
#pragma once

#include "reduction/_support.h"

namespace calx::ops::reduction {

inline constinit const Attr<std::int64_t> ddof{"ddof", std::int64_t{0}, "what is subtracted from the number of elements in the divisor", 0,
                                     1e9};

/// The number of elements less ddof, at least 0, in every element of `shape`.
[[nodiscard]] inline Tensor divisor(const Call& c, const Tensor& x, const Axes& reduced, const Shape& shape) {
  return spread(core::size(max(count(x.shape(), reduced) - Dim(c[ddof]), 0), x.dtype()), shape);
}

/// The deviations divided by a power of two, and the mean of their squares.
struct Deviations {
  Centered centered;
  Tensor divisor;
  Tensor mean_square;
};
[[nodiscard]] inline Deviations deviations(const Call& c, const Tensor& x, const Axes& reduced) {
  const Centered centered = center(x, reduced);
  const Tensor sum = core::reduce_sum(centered.deviations * centered.deviations, reduced);
  const Tensor by = divisor(c, x, reduced, sum.shape());
  return {centered, by, sum / by};
}

}  // namespace calx::ops::reduction
