#include "reduction/_extreme.h"

namespace calx::ops::reduction {
namespace {

Types infer_extreme(const Call& c) {
  const Axes reduced = normal_axes(c, c[axes]);
  if (!c[allow_empty]) require_elements(c, reduced);
  return Types(Type{c.dtype(0), without(c.shape(0), reduced)});
}

std::optional<Results> simplify_extreme(const Call& c) {
  const Axes reduced = normal_axes(c, c[axes]);
  // A NaN becomes the canonical one.
  if (reduced.empty() && !c.dtype(0).is_floating()) return Results(c[0]);
  // Of what repeats along all of the axes, with at least one element.
  const auto inner = producer(c[0]);
  static const OpDef& expand_op = get_op("expand");
  if (!inner || inner->op != &expand_op || c.dtype(0).is_floating()) return std::nullopt;
  const std::optional<std::int64_t> elements = count(c.shape(0), reduced).constant();
  if (!elements || *elements == 0 || inner->operands[0].shape() != without(c.shape(0), reduced))
    return std::nullopt;
  const AttrValue* dims = inner->attrs->find("dims");
  if (std::get<Axes>(*dims) != kept_axes(c.type(0).rank(), reduced)) return std::nullopt;
  return Results(inner->operands[0]);
}

/// Shares the tangent equally among the elements that equal the result.
Tangents share_among_ties(const Call& c, const Tangents& t) {
  if (t[0].is_zero()) return Tangents(Tangent::zero(c.result_type()));
  const Axes reduced = normal_axes(c, c[axes]);
  const Shape& shape = c.shape(0);
  if (reduced.empty()) return Tangents(t[0]);
  if (count(shape, reduced).constant() == 0) return Tangents(Tangent::zero(c.result_type()));
  const Tensor chosen = compare(c[0], spread_back(c.out(), shape, reduced), Comparison::eq);
  // Counted in a dtype that holds the count. Where the result is NaN nothing is chosen: 0 times 1/0 is 0.
  const DType wide = c.dtype(0).accumulation();
  const Tensor number = core::reduce_sum(indicator(chosen, wide), reduced);
  const Tangent sum = calx::reduce_sum(calx::select(chosen, t[0], Tangent::zero(t[0].type())), reduced);
  return Tangents(core::convert(1.0 / number, c.dtype(0)) * sum);
}

/// Raises for sizes that are known only now, unless `allow_empty`.
void require_elements_at_run_time(const ReferenceCall& call) {
  if (call[allow_empty] || ref::arrange_for_reduction(call[0], call[axes]).reduced != 0) return;
  raise({.id = ErrorId::empty_axis,
         .op = std::string(call.op().name),
         .message = "the axes that are reduced have no elements, and this op needs at least one",
         .where = call.where(),
         .facts = {{"x", call[0].type().to_string()}}});
}

}  // namespace

OpDef reduce_extreme(std::string_view name, OpDoc doc, loopir::Combiner combiner, ReferenceRule reference) {
  doc.shapes = "`x: f32[a,b]`, axes [1] -> `f32[a]`";
  doc.gradient = "shared equally among the elements that equal the result; 0 where it is NaN";
  doc.errors =
      "axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; no elements: CALX-E211";
  return {
      .name = name,
      .family = "reduction",
      .doc = doc,
      .operands = {{"x", DTypes::numeric}},
      .attrs = {axes, allow_empty},
      .form = Primitive{.infer = infer_extreme,
                        .jvp = share_among_ties,
                        .linear = NotLinear{},
                        .batch = batch_reduction(),
                        .simplify = simplify_extreme,
                        .reference =
                            [reduce = std::move(reference)](const ReferenceCall& c) {
                              require_elements_at_run_time(c);
                              return reduce(c);
                            },
                        .lower = select_lower(combiner)},
      .samples = samples(Draw::distinct, {{.operands = {{.shape = {2, 0}}},
                                           .attrs = {attr(axes, {1}), attr(allow_empty, true)}}}),
      .rejects =
          [] {
            std::vector<Reject> rejects = axis_rejects(f32, boolean);
            rejects.push_back({.operands = {{f32, {2, 0}}},
                               .attrs = {attr(axes, {1})},
                               .id = ErrorId::empty_axis,
                               .message = "no elements"});
            return rejects;
          },
  };
}

OpDef extreme(std::string_view name, OpDoc doc, std::string_view primitive) {
  doc.gradient = "shared equally among the elements that equal the result";
  doc.accuracy = "exact; NaN if any element is";
  return define({.name = name,
                 .doc = doc,
                 .dtypes = DTypes::numeric,
                 .value =
                     [primitive](const Call&, const Tensor& x, const Axes& reduced) {
                       return apply_one(get_op(primitive), {x},
                                        {attr(axes, reduced), attr(allow_empty, false)});
                     },
                 .computed = false,
                 .draw = Draw::distinct,
                 .rejects = {{.operands = {{f32, {0}}}, .id = ErrorId::empty_axis, .message = "no elements"}},
                 .numerics = {},
                 .empty_is_legal = false});
}

}  // namespace calx::ops::reduction
