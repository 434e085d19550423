#include "reduction/_support.h"

namespace calx::ops {

using namespace reduction;

OpDef reduce_or() {
  return {
      .name = "reduce_or",
      .family = "reduction",
      .doc = {.summary = "Whether any elements over axes is true.",
              .math = "y[kept] = or over axes of x[kept, axes]",
              .shapes = "`x: bool[a,b]`, axes [1] -> `bool[a]`",
              .gradient = "none: operands are boolean",
              .accuracy = "exact; an empty axis gives false",
              .errors = "axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204",
              .example = "reduce_or(tensor<bool>({true, false}), {0})  // bool[] true",
              .source = "jax.lax.reduce_or, of booleans"},
      .operands = {{"x", DTypes::boolean}},
      .attrs = {axes},
      .form = Primitive{.infer = infer_reduction(),
                        .jvp = NoFloatOperand{},
                        .linear = NotLinear{},
                        .batch = batch_reduction(),
                        .simplify = simplify_reduction(),
                        .reference = select_reference<loopir::Or, DTypes::boolean>(),
                        .lower = lower::reduction(axes, loopir::Combiner::bitwise_or)},
      .samples = samples(Draw::normal, {{.operands = {{.shape = {2, 0}}}, .attrs = {attr(axes, {1})}}}),
      .rejects = [] { return axis_rejects(boolean, f32); },
  };
}

}  // namespace calx::ops
