// softmax and log_softmax: alike but for what they make of the shifted operand.
#pragma once

#include "reduction/_support.h"

namespace calx::ops::reduction {

struct Exponentials {
  Tensor shifted;  // x minus its largest element along the axis
  Tensor powers;   // e^shifted
  Tensor sum;      // of the powers, without the axis; 1 in a row that is all -inf
  Tensor no_mass;  // is the row all -inf?
};

/// Of the documentation, shapes and errors are filled in. `value` has x's shape.
[[nodiscard]] OpDef normalized(
    std::string_view name, OpDoc doc,
    std::function<Tensor(const Exponentials&, const std::function<Tensor(const Tensor&)>& spread)> value);

}  // namespace calx::ops::reduction
