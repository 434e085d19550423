#include "pointwise/_support.h"

namespace calx::ops {

OpDef logical_xor() {
  return pointwise::binary<DTypes::boolean>(
      {.name = "logical_xor",
       .doc = {.summary = "Exclusive or of two boolean tensors.",
               .math = "y = lhs != rhs",
               .gradient = "none: operands are boolean",
               .accuracy = "exact",
               .example = "logical_xor(tensor<bool>({true, false}), tensor<bool>({true, true}))  // bool[2] "
                          "[false, true]",
               .source = "numpy.logical_xor, of booleans only"},
       .jvp = NoFloatOperand{},
       .simplify = [](const Call& c) -> std::optional<Results> {
         for (int i : {0, 1}) {
           if (uniform_constant(c[i]) == 0.0) return Results(c[1 - i]);
         }
         return std::nullopt;
       },
       .numerics = {},
       .to_boolean = true},
      [](auto a, auto b) { return math::logical_xor(a, b); }, loopir::ScalarFunction::logical_xor);
}

}  // namespace calx::ops
