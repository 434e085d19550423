// What random ops share: attribute keys and builders. Every number is a pure function of a key and a
// position.
#pragma once

#include "calx/core/core_ops.h"
#include "calx/core/lower.h"
#include "calx/core/match.h"
#include "calx/core/reference.h"
#include "calx/core/samples.h"
#include "calx/loopir/philox.h"

namespace calx::ops {

namespace random_attrs {
inline constinit const Attr<std::vector<Dim>> shape{"shape", required, "sizes of what is drawn under each key"};
inline constinit const Attr<DType> dtype{"dtype", f32, "dtype of the result, floating"};
}  // namespace random_attrs

/// Word 2 of Philox's counter. random_bits has 0, so what is derived from a key never meets the bits drawn
/// under it.
enum class KeyStream : std::int64_t { fold_in = 1, split = 2, normal = 3 };

[[nodiscard]] Tensor make_random_bits(const Tensor& key, const std::vector<Dim>& shape, DType dtype);
/// A key for each element of `data`, which has the shape of `key`.
[[nodiscard]] Tensor make_fold_in(const Tensor& key, const Tensor& data, KeyStream stream);
/// Multiples of 2^-p in [0, 1), p the number of significant bits of `dtype`.
[[nodiscard]] Tensor unit_interval(const Tensor& key, const std::vector<Dim>& shape, DType dtype);
/// Raises unless the attribute `dtype` is floating.
void require_floating(const Call& c);

}  // namespace calx::ops
