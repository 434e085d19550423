#include "pointwise/_support.h"

namespace calx::ops {

OpDef logical_not() {
  return pointwise::unary<DTypes::boolean>(
      {.name = "logical_not",
       .doc = {.summary = "True where an element is false.",
               .math = "y = not x",
               .gradient = "none: operands are boolean",
               .accuracy = "exact",
               .example = "logical_not(tensor<bool>({true, false}))  // bool[2] [false, true]",
               .source = "numpy.logical_not, of booleans only"},
       .jvp = NoFloatOperand{},
       .simplify = [](const Call& c) -> std::optional<Results> {
         if (const auto inner = producer(c[0]); inner && inner->op == &c.op())
           return Results(inner->operands[0]);
         return std::nullopt;
       },
       .numerics = {},
       .to_boolean = true},
      [](auto x) { return math::logical_not(x); }, loopir::ScalarFunction::logical_not);
}

}  // namespace calx::ops
