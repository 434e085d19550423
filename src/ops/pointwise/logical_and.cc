#include "pointwise/_support.h"

namespace calx::ops {

OpDef logical_and() {
  return pointwise::binary<DTypes::boolean>(
      {.name = "logical_and",
       .doc = {.summary = "Logical and of two boolean tensors.",
               .math = "y = lhs and rhs",
               .gradient = "none: operands are boolean",
               .accuracy = "exact",
               .example = "logical_and(tensor<bool>({true, false}), tensor<bool>({true, true}))  // bool[2] "
                          "[true, false]",
               .source = "numpy.logical_and, of booleans only"},
       .jvp = NoFloatOperand{},
       .simplify = [](const Call& c) -> std::optional<Results> {
         if (is_same(c[0], c[1])) return Results(c[0]);
         for (int i : {0, 1}) {
           const std::optional<double> known = uniform_constant(c[i]);
           if (known) return Results(*known == 1 ? c[1 - i] : c[i]);
         }
         return std::nullopt;
       },
       .numerics = {},
       .to_boolean = true},
      [](auto a, auto b) { return math::logical_and(a, b); }, loopir::ScalarFunction::logical_and);
}

}  // namespace calx::ops
