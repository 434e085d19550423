// Short forms for the samples and rejected samples of op definitions.
#pragma once

#include "calx/core/op_def.h"

namespace calx {

/// One sample per shape, with `count` operands of that shape.
[[nodiscard]] std::function<std::vector<Sample>()> shapes(std::vector<Shape> shapes, int count = 1,
                                                          Draw draw = Draw::normal);
/// The shapes that every pointwise op is tried on: rank 0, size 0, size 1, several.
[[nodiscard]] std::function<std::vector<Sample>()> pointwise_samples(int count = 1, Draw draw = Draw::normal);

}  // namespace calx
