// What reductions share: attribute keys, axes, and the way back to the operand's shape. The keys are the ones that the
// generated option structs are made of.
#pragma once

#include "_accumulation.h"
#include "_rules.h"

namespace calx::ops::reduction {

using Axes = std::vector<std::int64_t>;

// Of the primitives.
inline constinit const Attr<Axes> axes{"axes", required, "the axes that are reduced, in [-rank, rank)"};
inline constinit const Attr<bool> allow_empty{
    "allow_empty", false, "an empty axis gives the combiner's identity instead of an error"};
// Of what users call.
inline constinit const Attr<std::optional<Axes>> some_axes{"axes", std::optional<Axes>{},
                                                 "the axes that are reduced, in [-rank, rank); none: all"};
inline constinit const Attr<bool> keepdims{"keepdims", false, "keep the reduced axes with size 1"};
inline constinit const Attr<std::int64_t> axis{"axis", -1, "the axis, in [-rank, rank)"};

/// Normalised, increasing.
[[nodiscard]] Axes normal_axes(const Call& call, const Axes& wanted);
/// The same of `some_axes`: all axes where none are named.
[[nodiscard]] Axes chosen_axes(const Call& call);
/// The axes of [0, rank) that are not reduced.
[[nodiscard]] Axes kept_axes(int rank, const Axes& reduced);
[[nodiscard]] Shape without(const Shape& shape, const Axes& reduced);
[[nodiscard]] Shape with_ones(const Shape& shape, const Axes& reduced);
/// The product of the reduced sizes.
[[nodiscard]] Dim count(const Shape& shape, const Axes& reduced);

/// y, which has `shape` without `reduced`, spread over shape.
[[nodiscard]] Tensor spread_back(const Tensor& y, const Shape& shape, const Axes& reduced);
/// y with the reduced axes of size 1, if keepdims asks for it.
[[nodiscard]] Tensor finish(const Call& call, const Tensor& y, const Axes& reduced);

/// In which dtype an op computes: `accumulation`, checked, else the operand's own.
[[nodiscard]] DType computation(const Call& call);

[[nodiscard]] Tensor reduce_max(const Tensor& x, const Axes& reduced, bool empty_is_legal = false);
[[nodiscard]] Tensor reduce_min(const Tensor& x, const Axes& reduced, bool empty_is_legal = false);
/// Sum over the axes, divided by their size; 0 / 0 where that is 0. x has the computation's dtype.
[[nodiscard]] Tensor mean_of(const Tensor& x, const Axes& reduced);
/// The largest element, 0 where it is not finite (an axis of infinities, or none): what exponents are shifted by.
/// A constant for differentiation.
[[nodiscard]] Tensor shift_of(const Tensor& x, const Axes& reduced);

/// The deviations from the mean, divided by a power of two that keeps their squares in range.
struct Centered {
  Tensor scale;       // without the reduced axes; constant for differentiation
  Tensor deviations;  // (x - mean) / scale: exactly 0 where all elements are equal
};
/// `at_least` bounds the scale from below.
[[nodiscard]] Centered center(const Tensor& x, const Axes& reduced, double at_least = 0);
/// A power of two near the largest |x|, at least about `at_least`; without the reduced axes.
[[nodiscard]] Tensor scale_of(const Tensor& x, const Axes& reduced, double at_least = 0);
/// sqrt, with 0 for the derivatives of every order at 0.
[[nodiscard]] Tensor flat_sqrt(const Tensor& x);

// Primitive reductions in the dtype of `asked`, where it is given, or of the dtype's own accumulation.
// Elements are converted before and after, so that the loops exist for few dtypes; an empty axis gives the
// identity of the operand's own dtype, which is not that of a wider one.
template <class C>
[[nodiscard]] ReferenceRule reduction_reference(const Attr<std::optional<DType>>* asked = nullptr) {
  return [asked](const ReferenceCall& c) -> std::vector<Array> {
    const DType running = running_dtype(asked != nullptr ? c[*asked] : std::nullopt, c.dtype());
    const ref::ReducedView view = ref::arrange_for_reduction(ref::convert_array(c[0], running), c[axes]);
    if (view.reduced == 0) {
      Array out = c.result();
      ref::visit<DTypes::numeric>(c.dtype(), [&]<class T>(std::type_identity<T>) {
        std::fill_n(out.mutable_data<T>(), out.num_elements(),
                    static_cast<T>(C::template empty<ComputeType<T>>()));
      });
      return {std::move(out)};
    }
    Array out = Array::uninitialized(running, c.sizes());
    visit_running(running, [&]<class T>(std::type_identity<T>) {
      const T* from = view.data.template data<T>();
      T* to = out.mutable_data<T>();
      if (view.leading) {
        loopir::reduce_columns<T, C>(
            view.reduced, view.kept,
            [&](std::int64_t i, std::int64_t column) { return from[i * view.kept + column]; },
            [&](std::int64_t column, T value) { to[column] = value; });
        return;
      }
      for (std::int64_t row = 0; row < view.kept; ++row) {
        const T* values = from + row * view.reduced;
        to[row] = loopir::reduce<T, C>(view.reduced, [&](std::int64_t i) { return values[i]; });
      }
    });
    return {ref::convert_array(out, c.dtype())};
  };
}

/// The same of booleans.
template <class C>
[[nodiscard]] ReferenceRule logic_reference() {
  return [](const ReferenceCall& c) -> std::vector<Array> {
    const ref::ReducedView view = ref::arrange_for_reduction(c[0], c[axes]);
    Array out = c.result();
    const std::int64_t step = view.leading ? view.kept : 1;
    for (std::int64_t y = 0; y < view.kept; ++y) {
      const bool* values = view.data.data<bool>() + (view.leading ? y : y * view.reduced);
      out.mutable_data<bool>()[y] =
          loopir::reduce<bool, C>(view.reduced, [&](std::int64_t i) { return values[i * step]; });
    }
    return {std::move(out)};
  };
}

/// loopir's form of the same: an empty axis gives the identity of the operand's own dtype.
[[nodiscard]] LowerRule select_lower(loopir::Combiner combiner);

[[nodiscard]] InferRule infer_reduction();
/// Raises empty_axis if the element count is known to be 0.
void require_elements(const Call& call, const Axes& reduced);
[[nodiscard]] BatchRule batch_reduction();
/// x if no axis is reduced.
[[nodiscard]] SimplifyRule simplify_reduction();
/// Samples over `axes` for every kind of layout; `draw` for the values.
[[nodiscard]] std::function<std::vector<Sample>()> samples(Draw draw, std::vector<Sample> more = {});
[[nodiscard]] std::vector<Reject> axis_rejects(DType dtype, DType wrong);

/// Dtypes that nothing is accumulated in.
void append_accumulation_rejects(std::vector<Reject>& rejects, const Attrs& attrs);

// What users call.
struct Spec {
  std::string_view name;
  OpDoc doc;  // shapes and errors are filled in where empty
  DTypes dtypes = DTypes::floating;
  /// x as given; the result without the reduced axes.
  std::function<Tensor(const Call&, const Tensor& x, const Axes& reduced)> value;
  /// Where given, the tangent is the sum over axes of direction * tangent. For values that are computed on x
  /// divided by a scale: their decomposition's derivative would pass through scale * cotangent, which may over- or underflow.
  std::function<Tensor(const Call&, const Tensor& x, const Axes& reduced)> direction = {};
  /// x is converted to the computation dtype, the result back.
  bool computed = true;
  std::vector<AttrSpec> attrs = {};  // beside axes, keepdims and (where computed) accumulation
  Draw draw = Draw::normal;
  std::vector<Sample> more = {};
  std::vector<Reject> rejects = {};
  Numerics numerics = {.max_ulp_f32 = 8};
  bool empty_is_legal = true;
};
[[nodiscard]] OpDef define(Spec spec);

}  // namespace calx::ops::reduction
