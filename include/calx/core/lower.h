// Helpers for the `lower` slot of op definitions: from an op's static types and attributes to loopir's description.
#pragma once

#include "calx/core/op_def.h"

namespace calx::lower {

/// result[i] = fn(operands[i]...), where fn takes one loopir::Scalar per operand.
template <class Fn>
[[nodiscard]] LowerRule pointwise(Fn fn) {
  return [fn](const Call& c) -> loopir::Lowered {
    const auto operand = [&](int i) { return loopir::Scalar::operand(i, c.dtype(i)); };
    loopir::Scalar result;
    using S = loopir::Scalar;
    if constexpr (std::is_invocable_v<Fn, S>) {
      result = fn(operand(0));
    } else if constexpr (std::is_invocable_v<Fn, S, S>) {
      result = fn(operand(0), operand(1));
    } else {
      result = fn(operand(0), operand(1), operand(2));
    }
    return loopir::Pointwise{c.shape(0).sizes(), {std::move(result)}};
  };
}

/// A view of operand 0 of given result sizes.
[[nodiscard]] inline loopir::Lowered view(std::vector<std::int64_t> sizes, std::int64_t offset,
                                          std::vector<std::int64_t> strides) {
  return loopir::View{0, std::move(sizes), offset, std::move(strides)};
}

/// The reduction of operand 0 over the axes in attribute `axes`.
[[nodiscard]] LowerRule reduction(const Attr<std::vector<std::int64_t>>& axes, loopir::Combiner combiner,
                                  const Attr<std::optional<DType>>* accumulation = nullptr);

}  // namespace calx::lower
