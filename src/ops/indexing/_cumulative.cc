// The slots of cumulative ops.
#include "indexing/_cumulative.h"

#include <limits>

#include "calx/base/format.h"

namespace calx::ops {

Lines::Lines(const std::vector<std::int64_t>& sizes, std::int64_t axis) {
  const auto rank = static_cast<std::int64_t>(sizes.size());
  if (axis < 0) axis += rank;
  for (std::int64_t a = 0; a < rank; ++a) {
    const std::int64_t count = sizes[static_cast<std::size_t>(a)];
    (a < axis ? outer : a == axis ? size : inner) *= count;
  }
}

InferRule cumulative_infer(bool accumulates) {
  return [accumulates](const Call& c) {
    static_cast<void>(normalize_axis(c, c[cumulative_attrs::axis], c.type(0).rank()));
    if (accumulates) check_accumulation(c);
    return Types(c.type(0));
  };
}

BatchRule cumulative_batch() {
  return [](const BatchCall& c) -> std::vector<Batched> {
    const std::int64_t moved = normalize_axis(c.call, c.call[cumulative_attrs::axis], c.call.type(0).rank()) + 1;
    return {{apply_one(c.call.op(), {c.tensor(0)}, c.call.attrs().with(cumulative_attrs::axis, moved), c.call.where()), true}};
  };
}

SimplifyRule cumulative_simplify() {
  return [](const Call& c) -> std::optional<Results> {
    if (c[cumulative_attrs::exclusive] || c.shape(0)[normalize_axis(c, c[cumulative_attrs::axis], c.type(0).rank())] != Dim(1))
      return std::nullopt;
    return Results(c[0]);
  };
}

DType running_dtype(const Attrs& attrs, DType dtype, bool accumulates) {
  if (!accumulates) return dtype.is_floating() ? dtype.accumulation() : dtype;
  return running_dtype(attrs[accumulation], dtype);
}

namespace {

template <class T, class C>
void run_lines(const Array& x, Array& out, const Lines& lines, loopir::CumulativeOptions options) {
  const T* from = x.data<T>();
  T* to = out.mutable_data<T>();
  for (std::int64_t o = 0; o < lines.outer; ++o) {
    for (std::int64_t n = 0; n < lines.inner; ++n) {
      const std::int64_t base = o * lines.size * lines.inner + n;
      loopir::cumulative<T, C>(
          lines.size, [&](std::int64_t i) { return from[base + i * lines.inner]; },
          [&](std::int64_t i, T value) { to[base + i * lines.inner] = value; }, options);
    }
  }
}

template <class C, bool accumulates>
ReferenceRule cumulative_reference_with() {
  return [](const ReferenceCall& c) -> std::vector<Array> {
    const DType running = running_dtype(c.attrs(), c.dtype(), accumulates);
    // Converted before and after, so that the loops exist once per accumulation type.
    const Array x = ref::convert_array(c[0], running);
    Array out = Array::uninitialized(running, c.sizes());
    const Lines lines(c[0].sizes(), c[cumulative_attrs::axis]);
    const auto run = [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_same_v<T, ComputeType<T>>) {
        run_lines<T, C>(x, out, lines, {c[cumulative_attrs::exclusive], c[cumulative_attrs::reversed]});
      } else {
        raise_internal("nothing is accumulated in 16-bit floats");
      }
    };
    if constexpr (accumulates) {
      visit_running(running, run);
    } else {
      ref::visit<DTypes::numeric>(running, run);
    }
    return {ref::convert_array(out, c.dtype())};
  };
}

}  // namespace

ReferenceRule cumulative_reference(loopir::Combiner combiner) {
  switch (combiner) {
    case loopir::Combiner::sum:
      return cumulative_reference_with<loopir::Sum, true>();
    case loopir::Combiner::prod:
      return cumulative_reference_with<loopir::Prod, true>();
    case loopir::Combiner::max:
      return cumulative_reference_with<loopir::Max, false>();
    case loopir::Combiner::min:
      return cumulative_reference_with<loopir::Min, false>();
    default:
      raise_internal("no cumulative op has this combiner");
  }
}

LowerRule cumulative_lower(loopir::Combiner combiner, bool accumulates) {
  return [combiner, accumulates](const Call& c) -> loopir::Lowered {
    return loopir::Cumulative{c.shape(0).sizes(), normalize_axis(c, c[cumulative_attrs::axis], c.type(0).rank()),
                              combiner,           running_dtype(c.attrs(), c.dtype(0), accumulates),
                              c[cumulative_attrs::exclusive],       c[cumulative_attrs::reversed]};
  };
}

std::function<std::vector<Sample>()> cumulative_samples(bool accumulates, Draw draw) {
  return [accumulates, draw] {
    const auto x = [&](Shape shape) { return SampleOperand{.shape = std::move(shape), .draw = draw}; };
    std::vector<Sample> samples{
        {.operands = {x({5})}},
        {.operands = {x({2, 3})}, .attrs = {attr(cumulative_attrs::axis, 0), attr(cumulative_attrs::reversed, true)}},
        {.operands = {x({3, 3})}, .attrs = {attr(cumulative_attrs::axis, -1), attr(cumulative_attrs::exclusive, true)}},
        {.operands = {x({2, 4, 2})}, .attrs = {attr(cumulative_attrs::axis, 1), attr(cumulative_attrs::exclusive, true), attr(cumulative_attrs::reversed, true)}},
        {.operands = {x({1})}},
        {.operands = {x({2, 0})}, .attrs = {attr(cumulative_attrs::exclusive, true)}}};
    if (accumulates) {
      samples.push_back(
          {.operands = {{.shape = {4}, .dtype = f16, .draw = draw}}, .attrs = {attr(accumulation, f64)}});
      samples.push_back(
          {.operands = {{.shape = {40}, .dtype = f32, .draw = draw}}, .attrs = {attr(accumulation, f64)}});
    }
    return samples;
  };
}

std::function<std::vector<Reject>()> cumulative_rejects(bool accumulates) {
  return [accumulates] {
    std::vector<Reject> rejects{
        {.operands = {{f32, {3}}}, .attrs = {attr(cumulative_attrs::axis, 1)}, .id = ErrorId::axis, .message = "`axis` is 1"},
        {.operands = {{f32, {}}}, .id = ErrorId::axis, .message = "of rank 0"},
        {.operands = {{boolean, {3}}}, .id = ErrorId::dtype, .message = "`x` bool[3]"}};
    if (accumulates) {
      for (DType own : {f16, f32}) {
        rejects.push_back({.operands = {{own, {3}}},
                           .attrs = {attr(accumulation, f16)},
                           .id = ErrorId::dtype,
                           .message = "`accumulation` f16"});
      }
    }
    return rejects;
  };
}

Tensor make_cumulative(const OpDef& op, const Tensor& x, int along, bool is_exclusive, bool reverse) {
  return apply_one(op, {x}, {attr(cumulative_attrs::axis, along), attr(cumulative_attrs::exclusive, is_exclusive), attr(cumulative_attrs::reversed, reverse)});
}

Tensor make_linear_recurrence(const Tensor& coefficient, const Tensor& b, int along, bool reverse) {
  return apply_one(get_op("linear_recurrence"), {coefficient, b},
                   {attr(cumulative_attrs::axis, along), attr(cumulative_attrs::reversed, reverse)});
}

Tangent make_linear_recurrence(const Tensor& coefficient, const Tangent& b, int along, bool reverse) {
  if (b.is_zero()) return b;
  return Tangent(make_linear_recurrence(coefficient, b.tensor(), along, reverse));
}

namespace {

/// The tangent of the element that was chosen, the lowest index on ties, the first NaN.
Tangents choice_jvp(const Call& c, const Tangents& t, Comparison beats) {
  const int along = normalize_axis(c, c[cumulative_attrs::axis], c.type(0).rank());
  const bool reverse = c[cumulative_attrs::reversed];
  const Tensor& x = c[0];
  // An element is chosen when it is met iff it beats all that were met before; the choice stays until the
  // next one.
  const Tensor before = make_cumulative(c.op(), x, along, true, reverse);
  const Tensor position = core::iota(x.shape(), along, i64);
  Tensor chosen;
  if (reverse) {
    // Met later is a lower index, which a tie prefers: equal elements beat, and so does every NaN.
    const Tensor not_worse =
        core::compare(x, before, beats == Comparison::gt ? Comparison::ge : Comparison::le);
    const Tensor beaten = core::select(not_worse, not_worse, core::compare(x, x, Comparison::ne));
    const Tensor none =
        core::expand(Tensor(Array::scalar(std::numeric_limits<std::int64_t>::max())), x.shape(), {});
    chosen = make_cumulative(get_op("cummin"), core::select(beaten, position, none), along, false, true);
  } else {
    // Only the first of several NaNs beats. Where nothing has yet, the choice is the first element.
    const Tensor worse = core::compare(x, before, beats == Comparison::gt ? Comparison::le : Comparison::ge);
    const Tensor none = core::zeros(position.type());
    const Tensor unless_worse = core::select(worse, none, position);
    const Tensor is_number = core::compare(before, before, Comparison::eq);
    chosen =
        make_cumulative(get_op("cummax"), core::select(is_number, unless_worse, none), along, false, false);
  }
  const Tangent inclusive = make_take_along(t[0], chosen, along);
  return Tangents(c[cumulative_attrs::exclusive] ? make_shift(inclusive, along, reverse ? -1 : 1) : inclusive);
}

}  // namespace

OpDef cumulative_choice(std::string_view name, OpDoc doc, loopir::Combiner combiner, Comparison beats) {
  doc.shapes = "`x: f32[a,b]`, axis 1 -> `f32[a,b]`";
  doc.gradient =
      "all of it to the chosen element; of tied ones to that with the lowest index, of NaNs to the first";
  doc.accuracy = "exact; a NaN stays";
  doc.errors = "axis outside [-rank, rank): CALX-E203";
  return {
      .name = name,
      .family = "indexing",
      .doc = doc,
      .operands = {{"x", DTypes::numeric}},
      .attrs = {cumulative_attrs::axis, cumulative_attrs::exclusive, cumulative_attrs::reversed},
      .form = Primitive{.infer = cumulative_infer(false),
                        .jvp = [beats](const Call& c, const Tangents& t) { return choice_jvp(c, t, beats); },
                        .linear = NotLinear{},
                        .batch = cumulative_batch(),
                        .simplify = cumulative_simplify(),
                        .reference = cumulative_reference(combiner),
                        .lower = cumulative_lower(combiner, false)},
      .samples = cumulative_samples(false, Draw::distinct),
      .rejects = cumulative_rejects(false)};
}

}  // namespace calx::ops
