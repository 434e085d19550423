// Exact points: derivatives where calculus has no single answer (ties, kinks, zeros, infinities, NaN), as
// the conventions say. Finite differences cannot judge there, so each row gives the tangent.
#pragma once

#include <string_view>
#include <vector>

#include "calx/core/op_def.h"

namespace calx::laws {

struct ExactPoint {
  std::string_view op;
  Attrs attrs = {};
  std::vector<Array> operands;
  std::vector<Array> directions;  // of the floating operands
  Array tangent;                  // of the one result
};
[[nodiscard]] const std::vector<ExactPoint>& exact_points();

}  // namespace calx::laws
