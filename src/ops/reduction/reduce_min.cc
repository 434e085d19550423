#include "reduction/_support.h"

namespace calx::ops {

using namespace reduction;

OpDef reduce_min() {
  return {
      .name = "reduce_min",
      .family = "reduction",
      .doc = {.summary = "Smallest element over axes.",
              .math = "y[kept] = min over axes of x[kept, axes]",
              .shapes = "`x: f32[a,b]`, axes [1] -> `f32[a]`",
              .gradient = "shared equally among the elements that equal the result; 0 where it is NaN",
              .accuracy = "exact; NaN if any element is (the canonical one); with allow_empty an empty axis gives inf (the largest integer)",
              .errors = "axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; no elements: CALX-E211",
              .example = "reduce_min(tensor({{1, 2}, {4, 3}}), {0})  // f32[2] [1, 2]",
              .source = "numpy.min; jax.lax.reduce_min, with an error for an empty axis"},
      .operands = {{"x", DTypes::numeric}},
      .attrs = {axes, allow_empty},
      .form = Primitive{
          .infer = [](const Call& c) {
            const Axes reduced = normal_axes(c, c[axes]);
            if (!c[allow_empty]) require_elements(c, reduced);
            return Types(Type{c.dtype(0), without(c.shape(0), reduced)});
          },
          .jvp = share_among_ties(),
          .linear = NotLinear{},
          .batch = batch_reduction(),
          .simplify = [](const Call& c) -> std::optional<Results> {
            const Axes reduced = normal_axes(c, c[axes]);
            if (reduced.empty()) return Results(c[0]);
            // Of what repeats along all of the axes, with at least one element.
            const auto inner = producer(c[0]);
            static const OpDef& expand_op = get_op("expand");
            if (!inner || inner->op != &expand_op || c.dtype(0).is_floating()) return std::nullopt;
            const std::optional<std::int64_t> elements = count(c.shape(0), reduced).constant();
            if (!elements || *elements == 0 || inner->operands[0].shape() != without(c.shape(0), reduced)) return std::nullopt;
            const AttrValue* dims = inner->attrs->find("dims");
            if (std::get<Axes>(*dims) != kept_axes(c.type(0).rank(), reduced)) return std::nullopt;
            return Results(inner->operands[0]);
          },
          .reference = [reduce = select_reference<loopir::Min, DTypes::numeric>()](const ReferenceCall& c) {
            require_elements_at_run_time(c);
            return reduce(c);
          },
          .lower = select_lower(loopir::Combiner::min)},
      .samples = samples(Draw::distinct, {{.operands = {{.shape = {2, 0}}}, .attrs = {attr(axes, {1}), attr(allow_empty, true)}}}),
      .rejects = [] {
        std::vector<Reject> rejects = axis_rejects(f32, boolean);
        rejects.push_back({.operands = {{f32, {2, 0}}}, .attrs = {attr(axes, {1})}, .id = ErrorId::empty_axis, .message = "no elements"});
        return rejects;
      },
  };
}

}  // namespace calx::ops
