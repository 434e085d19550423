#include "reduction/_support.h"

#include <algorithm>
#include <cmath>

#include "calx/core/trace.h"

namespace calx::ops::reduction {

Axes normal_axes(const Call& call, const Axes& wanted) {
  const std::vector<int> normal = normalize_axes(call, wanted, call.type(0).rank());
  return {normal.begin(), normal.end()};
}

Axes chosen_axes(const Call& call) {
  if (const std::optional<Axes> wanted = call[some_axes]) return normal_axes(call, *wanted);
  return kept_axes(call.type(0).rank(), {});
}

Axes kept_axes(int rank, const Axes& reduced) {
  Axes kept;
  for (int axis = 0; axis < rank; ++axis) {
    if (std::find(reduced.begin(), reduced.end(), axis) == reduced.end()) kept.push_back(axis);
  }
  return kept;
}

Shape without(const Shape& shape, const Axes& reduced) {
  std::vector<Dim> dims;
  for (std::int64_t axis : kept_axes(shape.rank(), reduced)) dims.push_back(shape[static_cast<int>(axis)]);
  return Shape(std::move(dims));
}

Shape with_ones(const Shape& shape, const Axes& reduced) {
  Shape result = shape;
  for (std::int64_t axis : reduced) result = result.with_axis(static_cast<int>(axis), 1);
  return result;
}

Dim count(const Shape& shape, const Axes& reduced) {
  Dim product = 1;
  for (std::int64_t axis : reduced) product = product * shape[static_cast<int>(axis)];
  return product;
}

Tensor spread_back(const Tensor& y, const Shape& shape, const Axes& reduced) {
  return core::expand(y, shape, kept_axes(shape.rank(), reduced));
}

Tensor finish(const Call& call, const Tensor& y, const Axes& reduced) {
  return call[keepdims] ? core::reshape(y, with_ones(call.shape(0), reduced)) : y;
}

DType computation(const Call& call) {
  check_accumulation(call);
  return running_dtype(call[accumulation], call.dtype(0));
}

Tensor reduce_max(const Tensor& x, const Axes& reduced, bool empty_is_legal) {
  static const OpDef& op = get_op("reduce_max");
  return apply_one(op, {x}, {attr(axes, reduced), attr(allow_empty, empty_is_legal)});
}

Tensor reduce_min(const Tensor& x, const Axes& reduced, bool empty_is_legal) {
  static const OpDef& op = get_op("reduce_min");
  return apply_one(op, {x}, {attr(axes, reduced), attr(allow_empty, empty_is_legal)});
}

Tensor mean_of(const Tensor& x, const Axes& reduced) {
  const Tensor sum = core::reduce_sum(x, reduced);
  return sum / spread(core::size(count(x.shape(), reduced), x.dtype()), sum.shape());
}

Tensor shift_of(const Tensor& x, const Axes& reduced) {
  const Tensor largest = reduce_max(x, reduced, true);
  return stop_gradient(select(is_finite(largest), largest, 0));
}

Tensor scale_of(const Tensor& x, const Axes& reduced, double at_least) {
  Tensor largest = reduce_max(abs(stop_gradient(x)), reduced, true);
  // An empty axis gives -inf, whose power of two is 1.
  if (at_least > 0) largest = maximum(largest, core::full(largest.type(), at_least));
  return floor_to_power_of_two(largest);
}

Centered center(const Tensor& x, const Axes& reduced, double at_least) {
  const Tensor scale = scale_of(x, reduced, at_least);
  const Tensor scaled = x / spread_back(scale, x.shape(), reduced);
  // Shifting by one of the elements first makes the mean of equal elements exact.
  const Tensor shifted = scaled - spread_back(shift_of(scaled, reduced), x.shape(), reduced);
  return {scale, shifted - spread_back(mean_of(shifted, reduced), x.shape(), reduced)};
}

Tensor flat_sqrt(const Tensor& x) {
  const Tensor flat = compare(x, 0, Comparison::eq);
  return select(flat, 0, sqrt(select(flat, 1, x)));
}

LowerRule select_lower(loopir::Combiner combiner) {
  return [combiner](const Call& c) -> loopir::Lowered {
    const DType own = c.dtype(0);
    return loopir::Reduction{.sizes = c.shape(0).sizes(),
                             .axes = normalize_axes(c, c[axes], c.type(0).rank()),
                             .element = loopir::Scalar::operand(0, own),
                             .combiner = combiner,
                             .accumulation = own.is_floating() ? own.accumulation() : own};
  };
}

InferRule infer_reduction() {
  return [](const Call& c) {
    return Types(Type{c.dtype(0), without(c.shape(0), normal_axes(c, c[axes]))});
  };
}

void require_elements(const Call& call, const Axes& reduced) {
  if (count(call.shape(0), reduced).constant() == 0) {
    call.fail(ErrorId::empty_axis, "the axes that are reduced have no elements, and this op needs at least one");
  }
}

BatchRule batch_reduction() {
  return [](const BatchCall& c) -> std::vector<Batched> {
    Axes shifted = normal_axes(c.call, c.call[axes]);
    for (std::int64_t& axis : shifted) ++axis;
    return {{apply_one(c.call.op(), {c.tensor(0)}, c.call.attrs().with(axes, shifted), c.call.where()), true}};
  };
}

SimplifyRule simplify_reduction() {
  return [](const Call& c) -> std::optional<Results> {
    if (!c[axes].empty()) return std::nullopt;
    return Results(c[0]);
  };
}

std::function<std::vector<Sample>()> samples(Draw draw, std::vector<Sample> more) {
  return [draw, more = std::move(more)] {
    std::vector<Sample> result = {
        {.operands = {{.shape = {5}, .draw = draw}}, .attrs = {attr(axes, {0})}},
        {.operands = {{.shape = {2, 3}, .draw = draw}}, .attrs = {attr(axes, {-1})}},
        {.operands = {{.shape = {3, 3}, .draw = draw}}, .attrs = {attr(axes, {0})}},
        {.operands = {{.shape = {2, 3, 4}, .draw = draw}}, .attrs = {attr(axes, {0, 2})}},
        {.operands = {{.shape = {0, 2}, .draw = draw}}, .attrs = {attr(axes, {1})}},
        {.operands = {{.shape = {2, 3}, .draw = draw}}, .attrs = {attr(axes, {})}},
        {.operands = {{}}, .attrs = {attr(axes, {})}}};
    result.insert(result.end(), more.begin(), more.end());
    return result;
  };
}

std::vector<Reject> axis_rejects(DType dtype, DType wrong) {
  return {{.operands = {{dtype, {3}}}, .attrs = {attr(axes, {1})}, .id = ErrorId::axis, .message = "`axes` is 1"},
          {.operands = {{dtype, {3}}}, .attrs = {attr(axes, {0, -1})}, .id = ErrorId::duplicate_axis, .message = "twice"},
          {.operands = {{wrong, {3}}}, .attrs = {attr(axes, {0})}, .id = ErrorId::dtype, .message = "`x`"}};
}

void append_accumulation_rejects(std::vector<Reject>& rejects, const Attrs& attrs) {
  for (const auto& [own, asked] : {std::pair(f32, f16), std::pair(f16, f16), std::pair(bf16, bf16)}) {
    rejects.push_back({.operands = {{own, {3}}},
                       .attrs = attrs.with(accumulation, asked),
                       .id = ErrorId::dtype,
                       .message = asked == f16 ? "`accumulation` f16" : "`accumulation` bf16"});
  }
}

namespace {

slot::composite_jvp along(std::function<Tensor(const Call&, const Tensor&, const Axes&)> direction) {
  if (!direction) return Derived{};
  return [direction = std::move(direction)](const Call& c, const Tangents& t) -> Tangents {
    const Axes reduced = chosen_axes(c);
    const DType wide = computation(c);
    const Tensor x = core::convert(c[0], wide);
    // A program of its own, which is differentiated by its equations: most of them only keep it in range.
    const Function program =
        trace_flat({{"x", x.type()}}, [&](std::span<const Tensor> values) { return Tensors{direction(c, values[0], reduced)}; },
                   {.name = "direction", .result_names = {"slope"}, .closed = true})
            .function;
    const Tensor factor = core::call(program, {x})[0];
    const Tangent moved = convert(reduce_sum(factor * convert(t[0], wide), reduced), c.dtype(0));
    return c[keepdims] ? reshape(moved, with_ones(c.shape(0), reduced)) : moved;
  };
}

}  // namespace

OpDef define(Spec spec) {
  OpDoc doc = spec.doc;
  if (doc.shapes.empty()) doc.shapes = "`x: f32[a,b]`, axes [1] -> `f32[a]`, or `f32[a,1]` with keepdims";
  if (doc.errors.empty()) {
    doc.errors = spec.empty_is_legal
                     ? "axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; another kind of dtype: CALX-E101"
                     : "axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; an axis without elements: "
                       "CALX-E211; another kind of dtype: CALX-E101";
  }
  std::vector<AttrSpec> attrs = {some_axes, keepdims};
  attrs.insert(attrs.end(), spec.attrs.begin(), spec.attrs.end());
  if (spec.computed) attrs.emplace_back(accumulation);
  const bool accumulates = std::any_of(attrs.begin(), attrs.end(),
                                       [](const AttrSpec& each) { return each.name == accumulation.name; });
  const DTypes dtypes = spec.dtypes;
  return {
      .name = spec.name,
      .family = "reduction",
      .doc = doc,
      .operands = {{"x", dtypes}},
      .attrs = std::move(attrs),
      .form = Composite{.infer = Derived{},
                        .decompose = [value = std::move(spec.value), computed = spec.computed, accumulates,
                                      empty_is_legal = spec.empty_is_legal](const Call& c) -> Results {
                          const Axes reduced = chosen_axes(c);
                          if (!empty_is_legal) require_elements(c, reduced);
                          if (accumulates) check_accumulation(c);
                          if (!computed) return finish(c, value(c, c[0], reduced), reduced);
                          const DType wide = computation(c);
                          return finish(c, core::convert(value(c, core::convert(c[0], wide), reduced), c.dtype(0)), reduced);
                        },
                        .jvp = along(std::move(spec.direction)),
                        .batch = Derived{},
                        .simplify = NoIdentity{},
                        .reference = Derived{},
                        .lower = Derived{}},
      .numerics = spec.numerics,
      .samples =
          [draw = spec.draw, computed = spec.computed, more = std::move(spec.more)] {
            std::vector<Sample> samples = {
                {.operands = {{.shape = {5}, .draw = draw}}},
                {.operands = {{.shape = {2, 3}, .draw = draw}}, .attrs = {attr(some_axes, Axes{-1})}},
                {.operands = {{.shape = {3, 3}, .draw = draw}}, .attrs = {attr(some_axes, Axes{0}), attr(keepdims, true)}},
                {.operands = {{.shape = {2, 3, 4}, .draw = draw}}, .attrs = {attr(some_axes, Axes{0, 2})}},
                {.operands = {{.shape = {0, 2}, .draw = draw}}, .attrs = {attr(some_axes, Axes{1}), attr(keepdims, true)}},
                {.operands = {{.shape = {2, 3}, .draw = draw}}, .attrs = {attr(keepdims, true)}}};
            if (computed) {
              samples.push_back({.operands = {{.shape = {4}, .dtype = f32, .draw = draw}}, .attrs = {attr(accumulation, f64)}});
            }
            samples.insert(samples.end(), more.begin(), more.end());
            return samples;
          },
      .rejects =
          [dtypes, accumulates, more = std::move(spec.rejects)] {
            const DType right = dtypes == DTypes::boolean ? boolean : f32;
            const DType wrong = dtypes == DTypes::boolean ? f32 : boolean;
            std::vector<Reject> rejects = {
                {.operands = {{right, {3}}}, .attrs = {attr(some_axes, Axes{1})}, .id = ErrorId::axis, .message = "`axes` is 1"},
                {.operands = {{right, {3}}},
                 .attrs = {attr(some_axes, Axes{0, -1})},
                 .id = ErrorId::duplicate_axis,
                 .message = "twice"}};
            if (dtypes != DTypes::any) {
              rejects.push_back({.operands = {{wrong, {3}}}, .id = ErrorId::dtype, .message = "`x`"});
            }
            if (accumulates) append_accumulation_rejects(rejects, {});
            rejects.insert(rejects.end(), more.begin(), more.end());
            return rejects;
          },
  };
}

}  // namespace calx::ops::reduction
