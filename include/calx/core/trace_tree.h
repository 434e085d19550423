// Tracing C++ functions of trees. Argument i is named `arg<i>` unless a name is given; a leaf inside it is named by its
// path below that (`arg0.hidden.weight`). Results are named `out`, `out.0`, `out.hidden.weight` by the same rule.
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "calx/core/core_ops.h"
#include "calx/core/trace.h"
#include "calx/core/tree.h"

namespace calx {

/// A size as a user writes it in a signature: a number, a Dim, or its text (`"B"`, `"2*T+1"`).
class SizeSpec {
 public:
  template <std::integral T>
  SizeSpec(T value) : dim_(static_cast<std::int64_t>(value)) {}
  SizeSpec(Dim dim) : dim_(std::move(dim)) {}
  /// Raises `parse` if the text is no size.
  SizeSpec(const char* text, const std::source_location& where = std::source_location::current());
  [[nodiscard]] const Dim& dim() const { return dim_; }

 private:
  Dim dim_;
};

/// The type of an argument: spec(f32, {"B", 784}) is f32[B,784].
[[nodiscard]] Type spec(DType dtype, std::initializer_list<SizeSpec> sizes);

struct TraceTreeOptions {
  /// One per argument of the C++ function; empty: arg0, arg1, ...
  std::vector<std::string> names = {};
  /// Name of the Function.
  std::string name = "f";
  /// Name of the result, or root of the results' names.
  std::string result = "out";
  /// Dims that callers must make >= 0.
  std::vector<Dim> where = {};
};

/// A traced function of trees: the Function, and what its results look like.
template <class R>
struct TracedTree {
  /// Its arguments are the captures (`captured0`, ...), then the leaves of the C++ arguments.
  Function function;
  Tensors captures;
  /// The value that f returned; its leaves belong to the finished trace, only its structure may be used.
  R like;
};

namespace detail {

/// What f is given for an example: trees are rebuilt, a Type becomes a Tensor, anything else is handed through.
template <class T>
struct TraceArgument {
  using type = T;
};
template <>
struct TraceArgument<Type> {
  using type = Tensor;
};
template <class T>
using TraceArgumentOf = typename TraceArgument<std::remove_cvref_t<T>>::type;

[[nodiscard]] std::string argument_name(const TraceTreeOptions& options, std::size_t i);
/// Raises arity or value unless there are no names or `count` different ones.
void check_names(const TraceTreeOptions& options, std::size_t count, SourceLoc where);
/// Adds a leaf; raises undefined_tensor, naming its path.
void add_argument(std::vector<Argument>& arguments, const std::string& path, const Tensor& leaf, SourceLoc where);

template <class T>
void add_arguments(std::vector<Argument>& arguments, const std::string& name, const T& example, SourceLoc where) {
  if constexpr (std::is_same_v<T, Type>) {
    arguments.push_back({name, example});
  } else if constexpr (Tree<T>) {
    tree::for_each(
        example, [&](const std::string& path, const Tensor& leaf) { add_argument(arguments, path, leaf, where); }, name);
  }
}

/// The example with its leaves taken from the front of `tensors`.
template <class T>
TraceArgumentOf<T> take_argument(const T& example, std::span<const Tensor>& tensors) {
  const auto take = [&] {
    const Tensor tensor = tensors.front();
    tensors = tensors.subspan(1);
    return tensor;
  };
  if constexpr (std::is_same_v<T, Type>) {
    return take();
  } else if constexpr (Tree<T>) {
    T copy = example;
    tree::for_each(copy, [&](const std::string&, Tensor& leaf) { leaf = take(); });
    return copy;
  } else {
    return example;
  }
}

template <class F, class... Args>
using TraceResult = std::remove_cvref_t<std::invoke_result_t<F&, TraceArgumentOf<Args>&...>>;

}  // namespace detail

/// Traces f on arguments like the examples: a tensor or tree of tensors (only types are used), a Type, or a value that is
/// no tree, which f is given as it is. f may use tensors of enclosing traces.
template <class F, class... Args>
[[nodiscard]] TracedTree<detail::TraceResult<F, Args...>> trace_tree(F&& f, const TraceTreeOptions& options, SourceLoc where,
                                                                     const Args&... examples) {
  using R = detail::TraceResult<F, Args...>;
  static_assert(Tree<R>, "a traced function returns a tensor or a tree of tensors");
  detail::check_names(options, sizeof...(Args), where);
  std::vector<Argument> arguments;
  [[maybe_unused]] std::size_t i = 0;
  (detail::add_arguments(arguments, detail::argument_name(options, i++), examples, where), ...);
  std::optional<R> like;
  TraceOptions flat{.name = options.name, .where = options.where};
  std::vector<std::string> result_names;
  Traced traced = trace_flat(
      arguments,
      [&](std::span<const Tensor> tensors) -> Tensors {
        // Braces: left to right.
        std::tuple<detail::TraceArgumentOf<Args>...> values{detail::take_argument(examples, tensors)...};
        like.emplace(std::apply(f, values));
        result_names = tree::paths(*like, options.result);
        return tree::leaves(*like);
      },
      std::move(flat));
  return {traced.function.with_result_names(result_names), std::move(traced.captures), *std::move(like)};
}

namespace detail {
/// The first tensors as a tree like `like`; advances the span.
template <class T>
[[nodiscard]] T take_like(const T& like, std::span<const Tensor>& tensors, SourceLoc where) {
  const std::size_t count = tree::leaves(like).size();
  T result = tree::unflatten(like, tensors.first(count), where);
  tensors = tensors.subspan(count);
  return result;
}

/// As take_like for derivatives, which only the floating leaves have: the others are zeros of their types.
template <class T>
[[nodiscard]] T take_derivatives(T like, std::span<const Tensor>& tensors) {
  tree::for_each(like, [&](const std::string&, Tensor& leaf) {
    if (!leaf.dtype().is_floating()) {
      leaf = core::zeros(leaf.type());
      return;
    }
    leaf = tensors.front();
    tensors = tensors.subspan(1);
  });
  return like;
}

/// Raises leaked_tensor if there are captures: nobody would pass them.
void require_closed(const Tensors& captures, const std::string& name);
}  // namespace detail

/// The Function of a C++ function: trace(f, x, w), or trace(f, {.names = {"x", "w"}}, x, w). See trace_tree.
template <class F, class... Args>
[[nodiscard]] Function trace(F&& f, const TraceTreeOptions& options, const Args&... examples) {
  auto traced = trace_tree(f, options, SourceLoc(), examples...);
  detail::require_closed(traced.captures, options.name);
  return std::move(traced.function);
}
template <class F, class... Args>
  requires(!(std::is_same_v<Args, TraceTreeOptions> || ...))
[[nodiscard]] Function trace(F&& f, const Args&... examples) {
  return trace(f, TraceTreeOptions{}, examples...);
}

}  // namespace calx
