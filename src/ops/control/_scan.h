// The rules of scan. Operands and body arguments: captures, carries, xs (slices in the body). Results: carries, ys.
#pragma once

#include "control/_support.h"

namespace calx::ops {

namespace keys {
inline constinit const Attr<std::int64_t> num_carry{"num_carry", std::int64_t{0}, "operands that are carried, after the captures", 0, 1e9};
inline constinit const Attr<Dim> length{"length", required, "the number of steps", 0, 9e15};
inline constinit const Attr<bool> reverse{"reverse", false, "runs from the last slice to the first; ys stay in the order of xs"};
}  // namespace keys

[[nodiscard]] Types infer_scan(const Call& c);
[[nodiscard]] RegionDerivative scan_jvp(const Call& c, const Tangents& t);
[[nodiscard]] RegionDerivative scan_linearize(const Call& c, const Tangents& t);
[[nodiscard]] Tangents scan_transpose(const Call& c, const std::vector<bool>& linear, const Tangents& ct);
[[nodiscard]] std::vector<Batched> scan_batch(const BatchCall& c);
[[nodiscard]] std::optional<Results> scan_prune(const Call& c, const std::vector<bool>& used);
[[nodiscard]] std::vector<Array> scan_reference(const ReferenceCall& c);

}  // namespace calx::ops
