// Helpers for references: loops over elements with one dispatch per op, generic over the computation type. f16 and bf16
// are computed in f32 and rounded once.
#pragma once

#include "calx/core/op_def.h"

namespace calx::ref {

[[nodiscard]] constexpr bool accepts_statically(DTypes set, DType dtype) {
  switch (set) {
    case DTypes::any: return true;
    case DTypes::floating: return dtype.is_floating();
    case DTypes::integer: return dtype.is_integer();
    case DTypes::numeric: return !dtype.is_boolean();
    case DTypes::boolean: return dtype.is_boolean();
    case DTypes::index: return dtype == i32 || dtype == i64;
    case DTypes::u64_key: return dtype == u64;
    case DTypes::bits: return !dtype.is_floating();
  }
  return false;
}

/// visit_dtype over the dtypes of `set`; others are an internal error and instantiate nothing.
template <DTypes set, class Visit>
void visit(DType dtype, Visit&& visit_one) {
  visit_dtype(dtype, [&]<class T>(std::type_identity<T> id) {
    if constexpr (accepts_statically(set, dtype_of<T>)) {
      visit_one(id);
    } else {
      raise_internal("a reference was called with a dtype that its op does not take");
    }
  });
}

namespace detail {

template <class To, class R>
[[nodiscard]] constexpr To store(R value) {
  if constexpr (std::is_same_v<To, R>) {
    return value;
  } else {
    return static_cast<To>(value);
  }
}

template <class T>
[[nodiscard]] constexpr ComputeType<T> load(T value) {
  return static_cast<ComputeType<T>>(value);
}

}  // namespace detail

/// result[i] = fn(operands[i]...) for one to three operands of one dtype of `set`. fn returns the computation type, or
/// bool where the result is boolean.
template <DTypes set, class Fn>
[[nodiscard]] ReferenceRule pointwise(Fn fn) {
  return [fn](const ReferenceCall& c) -> std::vector<Array> {
    Array out = c.result();
    const std::int64_t n = out.num_elements();
    visit<set>(c[0].dtype(), [&]<class T>(std::type_identity<T>) {
      using C = ComputeType<T>;
      const T* __restrict a = c[0].data<T>();
      const auto run = [&](auto element) {
        using R = decltype(element(std::int64_t{0}));
        using Out = std::conditional_t<std::is_same_v<R, bool>, bool, T>;
        Out* __restrict to = out.mutable_data<Out>();
        for (std::int64_t i = 0; i < n; ++i) to[i] = detail::store<Out>(element(i));
      };
      if constexpr (std::is_invocable_v<Fn, C>) {
        run([&](std::int64_t i) { return fn(detail::load(a[i])); });
      } else if constexpr (std::is_invocable_v<Fn, C, C>) {
        const T* __restrict b = c[1].data<T>();
        run([&](std::int64_t i) { return fn(detail::load(a[i]), detail::load(b[i])); });
      } else {
        const T* __restrict b = c[1].data<T>();
        const T* __restrict d = c[2].data<T>();
        run([&](std::int64_t i) { return fn(detail::load(a[i]), detail::load(b[i]), detail::load(d[i])); });
      }
    });
    return {std::move(out)};
  };
}

/// Reduction over attribute `axes` with combiner C of loopir, in `accumulation` (none: the dtype's own).
template <class C, DTypes set>
[[nodiscard]] ReferenceRule reduction(const Attr<std::vector<std::int64_t>>& axes,
                                      const Attr<std::optional<DType>>& accumulation);

/// A new array of `sizes` whose element at index x is source element `offset` + sum of x[k] * strides[k].
[[nodiscard]] Array copy_strided(const Array& source, std::vector<std::int64_t> sizes, std::int64_t offset,
                                 std::span<const std::int64_t> strides);

/// Steps a multi-index through `sizes` in row-major order; false after the last.
[[nodiscard]] inline bool next_index(std::span<std::int64_t> index, std::span<const std::int64_t> sizes) {
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    if (++index[axis] < sizes[axis]) return true;
    index[axis] = 0;
  }
  return false;
}

/// `x` with `axes` moved to the end, in order; and how many elements they have.
struct ReducedView {
  Array data;              // contiguous: [kept..., reduced...], or [reduced..., kept...] if `leading`
  bool leading = false;
  std::int64_t kept = 1;
  std::int64_t reduced = 1;
};
[[nodiscard]] ReducedView arrange_for_reduction(const Array& x, const std::vector<std::int64_t>& axes);

/// Every element converted as the `convert` op does.
[[nodiscard]] Array convert_array(const Array& x, DType dtype);

template <class C, DTypes set>
ReferenceRule reduction(const Attr<std::vector<std::int64_t>>& axes, const Attr<std::optional<DType>>& accumulation) {
  return [&axes, &accumulation](const ReferenceCall& c) -> std::vector<Array> {
    const DType running = c[accumulation].value_or(c[0].dtype().accumulation());
    // Converted before and after, so that the loops exist once per accumulation type and not per pair of types.
    const ReducedView view = arrange_for_reduction(convert_array(c[0], running), c[axes]);
    Array out = Array::uninitialized(running, c.sizes());
    visit<set>(running, [&]<class A>(std::type_identity<A>) {
      if constexpr (std::is_same_v<A, ComputeType<A>>) {
        const A* from = view.data.template data<A>();
        A* to = out.mutable_data<A>();
        if (view.leading) {
          loopir::reduce_columns<A, C>(
              view.reduced, view.kept,
              [&](std::int64_t i, std::int64_t column) { return from[i * view.kept + column]; },
              [&](std::int64_t column, A value) { to[column] = value; });
        } else {
          for (std::int64_t row = 0; row < view.kept; ++row) {
            const A* values = from + row * view.reduced;
            to[row] = loopir::reduce<A, C>(view.reduced, [&](std::int64_t i) { return values[i]; });
          }
        }
      } else {
        raise_internal("sums are not accumulated in 16-bit floats");
      }
    });
    return {convert_array(out, c.dtype())};
  };
}

}  // namespace calx::ref
