#include "reduction/_logic.h"

namespace calx::ops::reduction {

OpDef reduce_logic(std::string_view name, OpDoc doc, loopir::Combiner combiner, ReferenceRule reference) {
  doc.shapes = "`x: bool[a,b]`, axes [1] -> `bool[a]`";
  doc.gradient = "none: operands are boolean";
  doc.errors = "axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204";
  return {
      .name = name,
      .family = "reduction",
      .doc = doc,
      .operands = {{"x", DTypes::boolean}},
      .attrs = {axes},
      .form = Primitive{.infer = infer_reduction(),
                        .jvp = NoFloatOperand{},
                        .linear = NotLinear{},
                        .batch = batch_reduction(),
                        .simplify = simplify_reduction(),
                        .reference = std::move(reference),
                        .lower = lower::reduction(axes, combiner)},
      .samples = samples(Draw::normal, {{.operands = {{.shape = {2, 0}}}, .attrs = {attr(axes, {1})}}}),
      .rejects = [] { return axis_rejects(boolean, f32); },
  };
}

OpDef logic(std::string_view name, OpDoc doc, std::string_view primitive) {
  doc.gradient = "none: operands are boolean";
  return define({.name = name,
                 .doc = doc,
                 .dtypes = DTypes::boolean,
                 .value =
                     [primitive](const Call&, const Tensor& x, const Axes& reduced) {
                       return apply_one(get_op(primitive), {x}, {attr(axes, reduced)});
                     },
                 .computed = false,
                 .more = {{.operands = {{.shape = {2, 0}}}, .attrs = {attr(some_axes, Axes{1})}}},
                 .numerics = {}});
}

}  // namespace calx::ops::reduction
