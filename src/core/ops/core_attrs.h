// Attribute keys of the core ops, shared by their definitions and builders.
#pragma once

#include "calx/core/attributes.h"
#include "calx/core/core_ops.h"

namespace calx::core::attrs {

inline constinit const Attr<Array> value{"value", required, "the data"};
inline constinit const Attr<Dim> size_dim{"dim", required, "the size whose value is made"};
inline constinit const Attr<DType> size_dtype{"dtype", i64, "dtype of the result"};
inline constinit const Attr<std::vector<Dim>> shape{"shape", required, "sizes of the result"};
inline constinit const Attr<std::int64_t> iota_axis{"axis", std::int64_t{0}, "the axis along which values count, in [0, rank)"};
inline constinit const Attr<DType> iota_dtype{"dtype", i32, "dtype of the result"};
inline constinit const Attr<std::vector<std::int64_t>> expand_dims{
    "dims", std::vector<std::int64_t>{}, "axis of the result for each axis of x, strictly increasing"};
inline constinit const Attr<std::vector<std::int64_t>> axes{"axes", required, "the axes that are reduced, in [-rank, rank)"};
inline constinit const Attr<std::optional<DType>> accumulation{
    "accumulation", std::optional<DType>{}, "dtype of the running sum; none: the dtype's own (f32 for f16 and bf16)"};
inline constinit const Attr<std::vector<std::int64_t>> permutation{
    "permutation", required, "axis i of the result is axis permutation[i] of x"};
inline constinit const Attr<DType> convert_dtype{"dtype", required, "dtype of the result"};
inline constinit const Attr<Comparison> comparison{"comparison", required, "eq, ne, lt, le, gt or ge"};
inline constinit const Attr<Dim> checked_size{"size", required, "indices must lie in [0, size)"};
inline constinit const Attr<bool> checked_from_back{
    "from_back", false, "indices below 0 had `size` added already: errors tell the index as it was given"};
inline constinit const Attr<std::string> checked_caller{"caller", [] { return std::string("checked_index"); }, "the op in whose name errors are raised"};
inline constinit const Attr<Function> callee{"function", required, "the Function that is called"};

}  // namespace calx::core::attrs
