// The parts of attention's decomposition: operands by head, which keys each query may attend, and the two
// contractions. Shapes here have five axes: batch, key/value head, query heads of it, query, key (or
// feature).
#pragma once

#include "calx/core/core_ops.h"

namespace calx::ops::attention_parts {

/// Operands in one layout, in the dtype of the computation.
struct Heads {
  Tensor query;  // [b, kv heads, group, q, d]
  Tensor key;    // [b, kv heads, k, d]
  Tensor value;  // [b, kv heads, k, e]
  [[nodiscard]] const Dim& batch() const { return query.shape()[0]; }
  [[nodiscard]] const Dim& kv_heads() const { return query.shape()[1]; }
  [[nodiscard]] const Dim& group() const { return query.shape()[2]; }
  [[nodiscard]] const Dim& num_queries() const { return query.shape()[3]; }
  [[nodiscard]] const Dim& num_keys() const { return key.shape()[2]; }
  [[nodiscard]] Shape scores() const { return {batch(), kv_heads(), group(), num_queries(), num_keys()}; }
};

/// x, which broadcasts to [b, heads, q, k], spread over the scores' shape; raises shape_mismatch.
[[nodiscard]] Tensor spread_over_scores(const Call& c, const Tensor& x, std::string_view name,
                                        const Heads& heads);

/// The conjunction, where either may be undefined: everything is kept.
[[nodiscard]] Tensor both(const Tensor& a, const Tensor& b);

/// bool[q, k]: key j is kept for query i iff -left <= j - i - offset <= right; undefined where nothing is
/// asked.
[[nodiscard]] Tensor band(const Dim& num_queries, const Dim& num_keys, std::optional<std::int64_t> left,
                          std::optional<std::int64_t> right, const Dim& offset);

/// Rows that no kept pair needs become 0: then what they hold, NaN included, reaches no result and no
/// gradient.
[[nodiscard]] Heads without_unused_rows(const Heads& heads, const Tensor& keep);

/// query times key, summed over features. `elementwise` multiplies and sums without a contraction, so that
/// pairs which are selected away afterwards get exactly zero gradients.
[[nodiscard]] Tensor score(const Heads& heads, bool elementwise);
/// weights times value, summed over keys; with `elementwise` pairs that are not kept are left out one by one.
[[nodiscard]] Tensor mix(const Tensor& weights, const Heads& heads, const Tensor& keep, bool elementwise);

}  // namespace calx::ops::attention_parts
