// Random programs over f64 tensors: chains of ops of the table, drawn with their samples, whose operands
// depend on earlier values of the program. Bodies of region ops are extended by random ops as well, so
// regions nest. Invariant: a program depends on its seed only, and its values stay bounded, so derivatives of
// order three are finite.
#pragma once

#include <string>
#include <vector>

#include "calx/core/equation.h"

namespace calx {

struct RandomProgram {
  Function function;             // arguments and results are f64
  std::vector<std::string> ops;  // drawn, in order
};

[[nodiscard]] RandomProgram make_random_program(std::uint64_t seed);

}  // namespace calx
