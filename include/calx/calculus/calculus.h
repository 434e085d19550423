// Derivatives of C++ functions over trees: grad, value_and_grad, jvp, vjp, hvp, vmap, jacobian, nth_derivative, check_grads.
// Each takes a function and gives a function; they nest in any order. Differentiation is with respect to argument 0 unless
// another is named (`grad<1>(f)`). Inside another trace, tensors of that trace that f uses are constants for the inner
// derivative and variables for the outer one.
#pragma once

#include <utility>

#include "calx/calculus/functions.h"
#include "calx/core/core_ops.h"
#include "calx/core/trace_tree.h"
#include "calx/core/tree.h"

namespace calx {

namespace detail {

template <class R>
struct Applied {
  Function function;
  Tensors operands;          // captures, then the leaves of the arguments
  std::vector<bool> flags;   // of the operands: leaves of argument I
  R like;
};

template <class T>
void append_leaves(Tensors& operands, const T& argument) {
  if constexpr (Tree<T>) {
    for (Tensor& leaf : tree::leaves(argument)) operands.push_back(std::move(leaf));
  }
}

/// Traces f at args; flags the leaves of argument number I.
template <std::size_t I, class F, class... Args>
[[nodiscard]] auto trace_at(const F& f, SourceLoc where, const Args&... args) {
  static_assert(I < sizeof...(Args), "there is no such argument");
  auto traced = trace_tree(f, {}, where, args...);
  using R = decltype(traced.like);
  Applied<R> applied{std::move(traced.function), std::move(traced.captures), {}, std::move(traced.like)};
  std::size_t number = 0;
  const auto add = [&](const auto& argument) {
    append_leaves(applied.operands, argument);
    applied.flags.resize(applied.operands.size(), number == I);
    ++number;
  };
  applied.flags.resize(applied.operands.size(), false);
  (add(args), ...);
  return applied;
}

template <std::size_t I, class... Args>
[[nodiscard]] decltype(auto) pick(const Args&... args) {
  return std::get<I>(std::tie(args...));
}

}  // namespace detail

/// The value and the gradient of a function with one floating scalar result, as (value, gradient like argument I).
/// Errors: a result that is no floating scalar: CALX-E601; an argument leaf that is not floating: CALX-E602, naming its path.
template <std::size_t I = 0, class F>
[[nodiscard]] auto value_and_grad(F f, SourceLoc where = SourceLoc::current()) {
  return [f, where](const auto&... args) {
    auto applied = detail::trace_at<I>(f, where, args...);
    LocationScope location(where);
    const Tensors results = inline_function(value_and_grad(applied.function, applied.flags), applied.operands);
    std::span<const Tensor> rest(results);
    auto value = detail::take_like(applied.like, rest, where);
    auto gradient = detail::take_like(detail::pick<I>(args...), rest, where);
    return std::pair(std::move(value), std::move(gradient));
  };
}

/// The gradient alone: like argument I.
template <std::size_t I = 0, class F>
[[nodiscard]] auto grad(F f, SourceLoc where = SourceLoc::current()) {
  return [both = value_and_grad<I>(std::move(f), where)](const auto&... args) { return both(args...).second; };
}

/// (f(args), its tangent along `tangent`, which is like argument I): `jvp(f)(tangent, args...)`.
template <std::size_t I = 0, class F>
[[nodiscard]] auto jvp(F f, SourceLoc where = SourceLoc::current()) {
  return [f, where](const auto& tangent, const auto&... args) {
    auto applied = detail::trace_at<I>(f, where, args...);
    tree::require_same_structure(detail::pick<I>(args...), tangent, "the argument", "the tangent", where);
    LocationScope location(where);
    Tensors operands = applied.operands;
    detail::append_leaves(operands, tangent);
    const Tensors results = inline_function(jvp(applied.function, applied.flags), operands);
    std::span<const Tensor> rest(results);
    auto value = detail::take_like(applied.like, rest, where);
    auto moved = detail::take_like(applied.like, rest, where);
    return std::pair(std::move(value), std::move(moved));
  };
}

/// (f(args), the cotangent of argument I for `cotangent`, which is like f's result): `vjp(f)(cotangent, args...)`.
template <std::size_t I = 0, class F>
[[nodiscard]] auto vjp(F f, SourceLoc where = SourceLoc::current()) {
  return [f, where](const auto& cotangent, const auto&... args) {
    auto applied = detail::trace_at<I>(f, where, args...);
    tree::require_same_structure(applied.like, cotangent, "the result", "the cotangent", where);
    LocationScope location(where);
    Tensors operands = applied.operands;
    detail::append_leaves(operands, cotangent);
    const Tensors results = inline_function(vjp(applied.function, applied.flags), operands);
    std::span<const Tensor> rest(results);
    auto value = detail::take_like(applied.like, rest, where);
    auto pulled = detail::take_like(detail::pick<I>(args...), rest, where);
    return std::pair(std::move(value), std::move(pulled));
  };
}

/// The Hessian of a scalar function times a vector like argument I: `hvp(f)(vector, args...)`.
template <std::size_t I = 0, class F>
[[nodiscard]] auto hvp(F f, SourceLoc where = SourceLoc::current()) {
  return [f, where](const auto& vector, const auto&... args) {
    auto applied = detail::trace_at<I>(f, where, args...);
    tree::require_same_structure(detail::pick<I>(args...), vector, "the argument", "the vector", where);
    LocationScope location(where);
    Tensors operands = applied.operands;
    detail::append_leaves(operands, vector);
    const Tensors results = inline_function(hvp(applied.function, applied.flags), operands);
    std::span<const Tensor> rest(results);
    return detail::take_like(detail::pick<I>(args...), rest, where);
  };
}

/// The derivative of order n of a function of one scalar, or of each element of a pointwise function.
template <int n, class F>
[[nodiscard]] auto nth_derivative(F f, SourceLoc where = SourceLoc::current()) {
  static_assert(n >= 0);
  return [f, where](const Tensor& x) {
    auto applied = detail::trace_at<0>(f, where, x);
    LocationScope location(where);
    Tensors operands = applied.operands;
    operands.push_back(core::ones(x.type()));
    return inline_function(directional_derivative(applied.function, applied.flags, n), operands)[0];
  };
}

enum class JacobianMode { forward, reverse };

/// d result / d argument I for tensors: shape [result..., argument...].
template <std::size_t I = 0, class F>
[[nodiscard]] auto jacobian(F f, JacobianMode mode = JacobianMode::forward, SourceLoc where = SourceLoc::current()) {
  return [f, mode, where](const auto&... args) {
    auto applied = detail::trace_at<I>(f, where, args...);
    LocationScope location(where);
    const auto argument = static_cast<int>(std::find(applied.flags.begin(), applied.flags.end(), true) - applied.flags.begin());
    const Function derivative = mode == JacobianMode::forward ? jacobian_forward(applied.function, argument)
                                                              : jacobian_reverse(applied.function, argument);
    return inline_function(derivative, applied.operands)[0];
  };
}

/// d2 f / dx dx of a scalar function of one tensor: shape [argument..., argument...].
template <class F>
[[nodiscard]] auto hessian(F f, SourceLoc where = SourceLoc::current()) {
  return jacobian(grad(std::move(f), where), JacobianMode::forward, where);
}

struct VmapOptions {
  /// Batch axis of the leaves of each argument; nullopt: not batched. Empty: 0 for all.
  std::vector<std::optional<int>> in_axes = {};
  /// Batch axis of every result.
  int out_axis = 0;
};

/// f on every entry along a batch axis. Errors: batch sizes that differ or an axis out of range: CALX-E608.
template <class F>
[[nodiscard]] auto vmap(F f, VmapOptions options = {}, SourceLoc where = SourceLoc::current());

/// check_gradients for a function of trees, at args.
template <class F, class... Args>
GradientCheck check_grads(F f, int order, double tolerance, const Args&... args) {
  auto applied = detail::trace_at<0>(f, SourceLoc(), args...);
  std::vector<Array> values;
  for (const Tensor& operand : applied.operands) values.push_back(operand.value());
  return check_gradients(applied.function, values, order, tolerance);
}

// ---- vmap's implementation ------------------------------------------------------------------------------------------------

namespace detail {

/// The type of one lane; `size` is set by the first batched leaf and checked by the others.
[[nodiscard]] Type lane_type(const Type& type, std::optional<int> axis, std::optional<Dim>& size, SourceLoc where);
void check_in_axes(std::size_t given, std::size_t arguments, SourceLoc where);
[[noreturn]] void raise_nothing_batched(SourceLoc where);
/// Runs `body` on arguments of the lane types, in a trace, and maps the traced function over the operands.
[[nodiscard]] Tensors map_lanes(const TraceBody& body, const Tensors& operands, const std::vector<std::optional<int>>& axes,
                                int out_axis, SourceLoc where);

}  // namespace detail

template <class F>
auto vmap(F f, VmapOptions options, SourceLoc where) {
  return [f, options, where](const auto&... args) {
    detail::check_in_axes(options.in_axes.size(), sizeof...(args), where);
    Tensors operands;
    std::vector<std::optional<int>> axes;
    std::size_t number = 0;
    const auto add = [&](const auto& argument) {
      detail::append_leaves(operands, argument);
      axes.resize(operands.size(), options.in_axes.empty() ? std::optional<int>(0) : options.in_axes[number]);
      ++number;
    };
    (add(args), ...);
    using R = detail::TraceResult<F, std::remove_cvref_t<decltype(args)>...>;
    std::optional<R> like;
    const Tensors results = detail::map_lanes(
        [&](std::span<const Tensor> lanes) -> Tensors {
          std::tuple<detail::TraceArgumentOf<std::remove_cvref_t<decltype(args)>>...> values{
              detail::take_argument(args, lanes)...};
          like.emplace(std::apply(f, values));
          return tree::leaves(*like);
        },
        operands, axes, options.out_axis, where);
    return tree::unflatten(*std::move(like), results, where);
  };
}

}  // namespace calx
