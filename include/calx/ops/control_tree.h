// Control flow and custom derivatives over trees: calx/ops/control.h, whose ops and errors these use, with carries, operands
// and results that are tensors or trees of tensors.
#pragma once

#include <optional>
#include <tuple>
#include <utility>

#include "calx/core/operand.h"
#include "calx/core/trace_tree.h"
#include "calx/ops/control.h"

namespace calx {

namespace detail {

/// The tensors as trees like the arguments; advances the span.
template <class... Args>
[[nodiscard]] std::tuple<Args...> take_arguments(const std::tuple<Args...>& like, std::span<const Tensor>& tensors,
                                                 SourceLoc where) {
  return std::apply([&](const Args&... one) { return std::tuple<Args...>{take_like(one, tensors, where)...}; }, like);
}

/// The leaves of `derivative` where those of `value` are floating; raises `tree` where the structures differ.
template <class T>
void append_floating(Tensors& tensors, const T& value, const T& derivative, std::string_view what, SourceLoc where) {
  tree::require_same_structure(value, derivative, "the value", what, where);
  const Tensors values = tree::leaves(value);
  const Tensors derivatives = tree::leaves(derivative);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].dtype().is_floating()) tensors.push_back(derivatives[i]);
  }
}

}  // namespace detail

/// body(carry, x) -> (carry, y), once for each entry of xs along axis 0; the last carry, and the ys stacked along axis 0.
/// An empty tuple stands for no xs (then `length` is needed) or no ys.
template <class Body, Tree Carry, Tree Xs>
[[nodiscard]] auto scan(Body body, const Carry& init, const Xs& xs, ScanOptions options = {}) {
  using Y = typename std::remove_cvref_t<std::invoke_result_t<Body&, const Carry&, const Xs&>>::second_type;
  std::optional<Y> like;
  const SourceLoc where = options.where;
  const auto flat = [&](std::span<const Tensor> tensors) -> Tensors {
    const Carry carry = detail::take_like(init, tensors, where);
    const Xs x = detail::take_like(xs, tensors, where);
    auto [next, y] = body(carry, x);
    tree::require_same_structure(init, Carry(next), "the first carry", "the body's carry", where);
    Tensors results = tree::leaves(next);
    for (Tensor& leaf : tree::leaves(y)) results.push_back(std::move(leaf));
    like.emplace(std::move(y));
    return results;
  };
  const ScanFlatResult result = scan_flat(flat, tree::leaves(init), tree::leaves(xs), std::move(options));
  return std::pair<Carry, Y>(tree::unflatten(init, result.carry, where), tree::unflatten(*std::move(like), result.ys, where));
}

/// on_true(args...) if the predicate, a bool[], holds, else on_false(args...); both return trees of one structure and type.
template <class OnTrue, class OnFalse, Tree... Args>
[[nodiscard]] auto cond(const Operand& predicate, OnTrue on_true, OnFalse on_false, const Args&... arguments) {
  const SourceLoc where = predicate.where();
  const std::tuple<Args...> args(arguments...);
  using R = std::remove_cvref_t<std::invoke_result_t<OnTrue&, const Args&...>>;
  static_assert(std::is_same_v<R, std::remove_cvref_t<std::invoke_result_t<OnFalse&, const Args&...>>>,
                "both branches of cond return the same type");
  std::optional<R> like;
  const auto flat = [&](auto& branch) {
    return [&](std::span<const Tensor> tensors) -> Tensors {
      R result = std::apply(branch, detail::take_arguments(args, tensors, where));
      if (like) tree::require_same_structure(*like, result, "one branch's result", "the other's", where);
      Tensors leaves = tree::leaves(result);
      like.emplace(std::move(result));
      return leaves;
    };
  };
  const Tensors results = cond_flat(predicate.as_tensor(), flat(on_true), flat(on_false), tree::leaves(args), where);
  return tree::unflatten(*std::move(like), results, where);
}

/// carry = body(carry) while condition(carry), a bool[].
template <class Condition, class Body, Tree Carry>
[[nodiscard]] Carry while_loop(Condition condition, Body body, const Carry& init, WhileOptions options = {}) {
  const SourceLoc where = options.where;
  const auto holds = [&](std::span<const Tensor> tensors) -> Tensors {
    return {condition(detail::take_like(init, tensors, where))};
  };
  const auto step = [&](std::span<const Tensor> tensors) -> Tensors {
    const Carry next = body(detail::take_like(init, tensors, where));
    tree::require_same_structure(init, next, "the first carry", "the body's carry", where);
    return tree::leaves(next);
  };
  return tree::unflatten(init, while_loop_flat(holds, step, tree::leaves(init), std::move(options)), where);
}

/// f, whose intermediate values are computed again for its derivative instead of being kept: `checkpoint(f)(args...)`.
template <class F>
[[nodiscard]] auto checkpoint(F f, SourceLoc where = SourceLoc::current()) {
  return [f, where](const auto&... args) {
    using R = std::remove_cvref_t<std::invoke_result_t<const F&, decltype(args)...>>;
    const std::tuple<std::remove_cvref_t<decltype(args)>...> like_args(args...);
    std::optional<R> like;
    const auto flat = [&](std::span<const Tensor> tensors) -> Tensors {
      like.emplace(std::apply(f, detail::take_arguments(like_args, tensors, where)));
      return tree::leaves(*like);
    };
    const Tensors results = checkpoint_flat(flat, tree::leaves(like_args), where);
    return tree::unflatten(*std::move(like), results, where);
  };
}

/// f with a forward-mode rule: rule(args..., tangents...) -> (f(args...), its tangent), trees like the arguments and like
/// f's result, linear in the tangents. Entries of tangents for leaves that are not floating are zeros, and those of the
/// result's tangent are ignored. f and rule may not use tensors of an enclosing trace: pass them as arguments.
template <class F, class Rule>
[[nodiscard]] auto custom_jvp(F f, Rule rule, SourceLoc where = SourceLoc::current()) {
  return [f, rule, where](const auto&... args) {
    using R = std::remove_cvref_t<std::invoke_result_t<const F&, decltype(args)...>>;
    const std::tuple<std::remove_cvref_t<decltype(args)>...> like_args(args...);
    std::optional<R> like;
    const auto value = [&](std::span<const Tensor> tensors) -> Tensors {
      like.emplace(std::apply(f, detail::take_arguments(like_args, tensors, where)));
      return tree::leaves(*like);
    };
    const auto both = [&](std::span<const Tensor> tensors) -> Tensors {
      auto values = detail::take_arguments(like_args, tensors, where);
      auto tangents = detail::take_derivatives(like_args, tensors);
      const std::pair<R, R> result = std::apply(rule, std::tuple_cat(std::move(values), std::move(tangents)));
      Tensors leaves = tree::leaves(result.first);
      detail::append_floating(leaves, result.first, result.second, "its tangent", where);
      return leaves;
    };
    const Tensors results = custom_jvp_flat(value, both, tree::leaves(like_args), where);
    return tree::unflatten(*std::move(like), results, where);
  };
}

/// f with a reverse-mode rule: forward(args...) -> (f(args...), residuals); backward(residuals, cotangent like f's result)
/// -> a tuple of one cotangent per argument, like it. Entries for leaves that are not floating are zeros, and ignored in
/// what backward returns. None of the three may use tensors of an enclosing trace: pass them as arguments.
template <class F, class Forward, class Backward>
[[nodiscard]] auto custom_vjp(F f, Forward forward, Backward backward, SourceLoc where = SourceLoc::current()) {
  return [f, forward, backward, where](const auto&... args) {
    using R = std::remove_cvref_t<std::invoke_result_t<const F&, decltype(args)...>>;
    using Residuals = typename std::remove_cvref_t<std::invoke_result_t<const Forward&, decltype(args)...>>::second_type;
    using LikeArgs = std::tuple<std::remove_cvref_t<decltype(args)>...>;
    const LikeArgs like_args(args...);
    std::optional<R> like;
    std::optional<Residuals> like_residuals;
    const auto value = [&](std::span<const Tensor> tensors) -> Tensors {
      like.emplace(std::apply(f, detail::take_arguments(like_args, tensors, where)));
      return tree::leaves(*like);
    };
    const auto value_and_residuals = [&](std::span<const Tensor> tensors) -> Tensors {
      std::pair<R, Residuals> result = std::apply(forward, detail::take_arguments(like_args, tensors, where));
      tree::require_same_structure(*like, result.first, "the function's result", "forward's", where);
      Tensors leaves = tree::leaves(result.first);
      for (Tensor& leaf : tree::leaves(result.second)) leaves.push_back(std::move(leaf));
      like_residuals.emplace(std::move(result.second));
      return leaves;
    };
    const auto cotangents = [&](std::span<const Tensor> tensors) -> Tensors {
      const Residuals residuals = detail::take_like(*like_residuals, tensors, where);
      const R cotangent = detail::take_derivatives(*like, tensors);
      const LikeArgs pulled(backward(residuals, cotangent));
      Tensors leaves;
      detail::append_floating(leaves, like_args, pulled, "its cotangent", where);
      return leaves;
    };
    const Tensors results = custom_vjp_flat(value, value_and_residuals, cotangents, tree::leaves(like_args), where);
    return tree::unflatten(*std::move(like), results, where);
  };
}

}  // namespace calx
