#include "pointwise/_support.h"

namespace calx::ops {

OpDef logical_or() {
  return pointwise::binary<DTypes::boolean>(
      {.name = "logical_or",
       .doc = {.summary = "Logical or of two boolean tensors.",
               .math = "y = lhs or rhs",
               .gradient = "none: operands are boolean",
               .accuracy = "exact",
               .example = "logical_or(tensor<bool>({true, false}), tensor<bool>({true, true}))  // bool[2] "
                          "[true, true]",
               .source = "numpy.logical_or, of booleans only"},
       .jvp = NoFloatOperand{},
       .simplify = [](const Call& c) -> std::optional<Results> {
         if (is_same(c[0], c[1])) return Results(c[0]);
         for (int i : {0, 1}) {
           const std::optional<double> known = uniform_constant(c[i]);
           if (known) return Results(*known == 0 ? c[1 - i] : c[i]);
         }
         return std::nullopt;
       },
       .numerics = {},
       .to_boolean = true},
      [](auto a, auto b) { return math::logical_or(a, b); }, loopir::ScalarFunction::logical_or);
}

}  // namespace calx::ops
