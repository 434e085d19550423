// Derivatives of C++ functions over trees: grad, value_and_grad, jvp, vjp, hvp, vmap, jacobian, nth_derivative, check_grads.
// Each takes a function and gives a function; they nest in any order. Differentiation is with respect to argument 0 unless
// another is named (`grad<1>(f)`). Inside another trace, tensors of that trace that f uses are constants for the inner
// derivative and variables for the outer one. Errors name the line that made the derivative (`grad(f)`), or, where one
// concerns an op of f, that op's.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "calx/calculus/functions.h"
#include "calx/core/core_ops.h"
#include "calx/core/trace_tree.h"
#include "calx/core/tree.h"

namespace calx {

namespace detail {

/// Raises tree, dtype_mismatch, shape_mismatch or dim_unknown, naming the path, unless `other` has the structure of `tree`
/// and each of its leaves the type of the leaf there. Leaves that are not floating have no derivative: theirs may be anything.
void require_same_types(std::span<const std::string> paths, const Tensors& leaves, const Tensors& others, std::string_view op,
                        std::string_view what, std::string_view what_other, SourceLoc where);

template <class T>
void require_like(const T& tree, const T& other, std::string_view op, std::string_view what, std::string_view what_other,
                  SourceLoc where) {
  tree::require_same_structure(tree, other, what, what_other, where);
  require_same_types(tree::paths(tree), tree::leaves(tree), tree::leaves(other), op, what, what_other, where);
}

/// A function traced at its arguments.
struct TracedCall {
  Function function;
  Tensors operands;         // captures, then the leaves of the arguments
  std::vector<bool> flags;  // of the operands: leaves of argument I
};

template <class R>
struct Applied : TracedCall {
  R like;
};

/// A transform of Functions, differentiating where the flags are set.
using Transform = Function(const Function& f, const std::vector<bool>& flags, SourceLoc where);
/// Results of the transformed function at the call's operands and `more`. Errors without a place of their own are at `where`.
[[nodiscard]] Tensors call_transformed(Transform* transform, const TracedCall& call, Tensors more, SourceLoc where);
[[nodiscard]] Tensor call_directional(const TracedCall& call, int order, const Type& type, SourceLoc where);
[[nodiscard]] Tensors call_jacobians(const TracedCall& call, bool forward, SourceLoc where);
[[nodiscard]] GradientCheck check_call(const TracedCall& call, int order, double tolerance, SourceLoc where);
/// The leaves that have derivatives, as jvp's and vjp's of a Function take and give them: those where `like` is floating.
[[nodiscard]] Tensors differentiable(const Tensors& like, const Tensors& leaves);

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
  static_assert((!std::is_same_v<Args, Type> && ...), "derivatives are taken at tensors: a Type holds none");
  static_assert(Tree<std::tuple_element_t<I, std::tuple<Args...>>>, "the argument to differentiate is no tree of tensors");
  auto traced = trace_tree(f, {}, where, args...);
  using R = decltype(traced.like);
  Applied<R> applied{{std::move(traced.function), std::move(traced.captures), {}}, std::move(traced.like)};
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
    const Tensors results = detail::call_transformed(&value_and_grad, applied, {}, where);
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

/// (f(args), its tangent along `tangent`, which is like argument I): `jvp(f)(tangent, args...)`. Leaves of the result that are
/// not floating have the tangent 0. Errors: a tangent of another structure: CALX-E504, dtype: CALX-E102, shape: CALX-E202.
template <std::size_t I = 0, class F>
[[nodiscard]] auto jvp(F f, SourceLoc where = SourceLoc::current()) {
  return [f, where](const auto& tangent, const auto&... args) {
    auto applied = detail::trace_at<I>(f, where, args...);
    detail::require_like(detail::pick<I>(args...), tangent, "jvp", "the argument", "the tangent", where);
    const Tensors results = detail::call_transformed(&jvp, applied, tree::leaves(tangent), where);
    std::span<const Tensor> rest(results);
    auto value = detail::take_like(applied.like, rest, where);
    auto moved = detail::take_derivatives(applied.like, rest);
    return std::pair(std::move(value), std::move(moved));
  };
}

/// (f(args), the cotangent of argument I for `cotangent`, which is like f's result): `vjp(f)(cotangent, args...)`. Leaves of
/// the cotangent where f's result is not floating are not looked at. Errors: as jvp's.
template <std::size_t I = 0, class F>
[[nodiscard]] auto vjp(F f, SourceLoc where = SourceLoc::current()) {
  return [f, where](const auto& cotangent, const auto&... args) {
    auto applied = detail::trace_at<I>(f, where, args...);
    detail::require_like(applied.like, cotangent, "vjp", "the result", "the cotangent", where);
    const Tensors seeds = detail::differentiable(tree::leaves(applied.like), tree::leaves(cotangent));
    const Tensors results = detail::call_transformed(&vjp, applied, seeds, where);
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
    detail::require_like(detail::pick<I>(args...), vector, "hvp", "the argument", "the vector", where);
    const Tensors results = detail::call_transformed(&hvp, applied, tree::leaves(vector), where);
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
    static_assert(std::is_same_v<decltype(applied.like), Tensor>, "nth_derivative is of functions of a tensor to a tensor");
    return detail::call_directional(applied, n, x.type(), where);
  };
}

enum class JacobianMode { forward, reverse };

/// d result / d argument I of a function whose result is a tensor: for a tensor, of shape [result..., argument...]; for a tree,
/// a tree like it of the Jacobians with respect to each leaf. Errors: a result or a leaf that is not floating: CALX-E602.
template <std::size_t I = 0, class F>
[[nodiscard]] auto jacobian(F f, JacobianMode mode = JacobianMode::forward, SourceLoc where = SourceLoc::current()) {
  return [f, mode, where](const auto&... args) {
    auto applied = detail::trace_at<I>(f, where, args...);
    static_assert(std::is_same_v<decltype(applied.like), Tensor>, "the Jacobian is of functions whose result is one tensor");
    return tree::unflatten(detail::pick<I>(args...), detail::call_jacobians(applied, mode == JacobianMode::forward, where), where);
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

/// f on every entry along a batch axis. Errors: batch sizes that differ, an axis out of range, or nothing that is batched:
/// CALX-E608.
template <class F>
[[nodiscard]] auto vmap(F f, VmapOptions options = {}, SourceLoc where = SourceLoc::current());

/// A number with the line of the user's code that passed it.
struct LocatedNumber {
  LocatedNumber(double number, const std::source_location& location = std::source_location::current())
      : value(number), where(location) {}
  double value;
  SourceLoc where;
};

/// check_gradients for a function of trees, at args.
template <class F, class... Args>
GradientCheck check_grads(F f, int order, LocatedNumber tolerance, const Args&... args) {
  const SourceLoc where = tolerance.where;
  return detail::check_call(detail::trace_at<0>(f, where, args...), order, tolerance.value, where);
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
    static_assert((!std::is_same_v<std::remove_cvref_t<decltype(args)>, Type> && ...), "vmap maps tensors: a Type holds none");
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
    const auto lane = [&](std::span<const Tensor> lanes) -> Tensors {
      std::tuple<detail::TraceArgumentOf<std::remove_cvref_t<decltype(args)>>...> values{
          detail::take_argument(args, lanes)...};
      like.emplace(std::apply(f, values));
      return tree::leaves(*like);
    };
    const Tensors results = detail::map_lanes(lane, operands, axes, options.out_axis, where);
    return tree::unflatten(*std::move(like), results, where);
  };
}

}  // namespace calx
