// Pointwise ops that come in twos and threes: maximum and minimum, is_finite, is_inf and is_nan.
#pragma once

#include "pointwise/_support.h"

namespace calx::ops::pointwise {

/// An op that chooses one of two operands: the one that is `beats` (gt or lt) the other, both at a tie. The
/// gradient's documentation is filled in.
[[nodiscard]] Spec choice(std::string_view name, OpDoc doc, Comparison beats);

/// An op that says of what kind a floating number is. Gradient and accuracy are filled in.
[[nodiscard]] OpDef classifier(std::string_view name, OpDoc doc, ReferenceRule reference,
                               loopir::ScalarFunction function);

}  // namespace calx::ops::pointwise
