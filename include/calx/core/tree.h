// Tree: a value that holds tensors at its leaves. A Tensor is one; so are vectors, arrays, pairs, tuples, optionals and
// string-keyed maps of trees, and any struct that lists its fields with CALX_TREE. Leaves have paths (`hidden.weight`,
// `layers.0.bias`) that name arguments, checkpoints and errors. The order of leaves is that of fields, elements and keys.
#pragma once

#include <array>
#include <concepts>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "calx/base/function_ref.h"
#include "calx/core/tensor.h"

// ---- CALX_TREE ---------------------------------------------------------------------------------------------------------

#define CALX_TREE_PARENTHESES ()
#define CALX_TREE_RESCAN(...) CALX_TREE_RESCAN_8(CALX_TREE_RESCAN_8(CALX_TREE_RESCAN_8(CALX_TREE_RESCAN_8(__VA_ARGS__))))
#define CALX_TREE_RESCAN_8(...) CALX_TREE_RESCAN_2(CALX_TREE_RESCAN_2(CALX_TREE_RESCAN_2(CALX_TREE_RESCAN_2(__VA_ARGS__))))
#define CALX_TREE_RESCAN_2(...) CALX_TREE_RESCAN_1(CALX_TREE_RESCAN_1(__VA_ARGS__))
#define CALX_TREE_RESCAN_1(...) __VA_ARGS__
#define CALX_TREE_FIELD(field, ...)     \
  calx_visit(#field, calx_tree.field); \
  __VA_OPT__(CALX_TREE_NEXT_FIELD CALX_TREE_PARENTHESES(__VA_ARGS__))
#define CALX_TREE_NEXT_FIELD() CALX_TREE_FIELD

/// Makes a struct a tree: `CALX_TREE(Mlp, hidden, out)` after its definition, in its namespace. The fields (up to 32)
/// are public and are trees themselves; fields that are not listed are copied wherever a like-structured value is made.
#define CALX_TREE(Type, ...)                                                                                         \
  template <class CalxTree, class CalxVisit>                                                                         \
    requires std::same_as<std::remove_const_t<CalxTree>, Type>                                                       \
  void calx_visit_fields([[maybe_unused]] CalxTree& calx_tree, [[maybe_unused]] CalxVisit&& calx_visit) {            \
    __VA_OPT__(CALX_TREE_RESCAN(CALX_TREE_FIELD(__VA_ARGS__)))                                                       \
  }                                                                                                                  \
  static_assert(true, "a semicolon follows CALX_TREE")

namespace calx {

// ---- Which types are trees -------------------------------------------------------------------------------------------

namespace detail {

struct IgnoreField {
  template <class T>
  void operator()(const char*, T&) const {}
};

template <class T>
concept HasTreeFields = requires(T& tree) { calx_visit_fields(tree, IgnoreField{}); };

enum class TreeKind { none, leaf, fields, elements, tuple, map, optional };

template <class T>
struct TreeKindOf {
  static constexpr TreeKind value = HasTreeFields<T> ? TreeKind::fields : TreeKind::none;
};
template <>
struct TreeKindOf<Tensor> {
  static constexpr TreeKind value = TreeKind::leaf;
};
template <class T, class A>
struct TreeKindOf<std::vector<T, A>> {
  static constexpr TreeKind value = TreeKindOf<T>::value == TreeKind::none ? TreeKind::none : TreeKind::elements;
};
template <class T, std::size_t n>
struct TreeKindOf<std::array<T, n>> {
  static constexpr TreeKind value = TreeKindOf<T>::value == TreeKind::none ? TreeKind::none : TreeKind::elements;
};
template <class T, class C, class A>
struct TreeKindOf<std::map<std::string, T, C, A>> {
  static constexpr TreeKind value = TreeKindOf<T>::value == TreeKind::none ? TreeKind::none : TreeKind::map;
};
template <class T>
struct TreeKindOf<std::optional<T>> {
  static constexpr TreeKind value = TreeKindOf<T>::value == TreeKind::none ? TreeKind::none : TreeKind::optional;
};
template <class... T>
struct TreeKindOf<std::tuple<T...>> {
  static constexpr TreeKind value =
      ((TreeKindOf<T>::value != TreeKind::none) && ...) ? TreeKind::tuple : TreeKind::none;
};
template <class A, class B>
struct TreeKindOf<std::pair<A, B>> : TreeKindOf<std::tuple<A, B>> {};

}  // namespace detail

template <class T>
concept Tree = detail::TreeKindOf<std::remove_cvref_t<T>>::value != detail::TreeKind::none;

// ---- Visiting --------------------------------------------------------------------------------------------------------

namespace detail {

/// The path of the node being visited: grows and shrinks in place.
class TreePath {
 public:
  explicit TreePath(std::string root) : text_(std::move(root)) {}
  [[nodiscard]] const std::string& text() const { return text_; }

  /// One level down, for as long as it lives.
  class Level {
   public:
    Level(TreePath& path, std::string_view name);
    Level(TreePath& path, std::size_t index);
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { path_.text_.resize(length_); }

   private:
    TreePath& path_;
    std::size_t length_;
  };

 private:
  std::string text_;
};

template <class T>
using LeafOf = std::conditional_t<std::is_const_v<T>, const Tensor, Tensor>;

template <class T>
void visit_tree(T& tree, TreePath& path, FunctionRef<void(const std::string&, LeafOf<T>&)> visit) {
  constexpr TreeKind kind = TreeKindOf<std::remove_const_t<T>>::value;
  static_assert(kind != TreeKind::none,
                "this type is no tree: list its fields with CALX_TREE(Type, field, ...), and only fields that hold tensors");
  if constexpr (kind == TreeKind::leaf) {
    visit(path.text(), tree);
  } else if constexpr (kind == TreeKind::fields) {
    calx_visit_fields(tree, [&](const char* name, auto& field) {
      const TreePath::Level level(path, name);
      visit_tree(field, path, visit);
    });
  } else if constexpr (kind == TreeKind::elements) {
    std::size_t i = 0;
    for (auto& element : tree) {
      const TreePath::Level level(path, i++);
      visit_tree(element, path, visit);
    }
  } else if constexpr (kind == TreeKind::map) {
    for (auto& [key, element] : tree) {
      const TreePath::Level level(path, key);
      visit_tree(element, path, visit);
    }
  } else if constexpr (kind == TreeKind::optional) {
    if (tree) visit_tree(*tree, path, visit);
  } else if constexpr (kind == TreeKind::tuple) {
    std::size_t i = 0;
    const auto visit_element = [&](auto& element) {
      const TreePath::Level level(path, i++);
      visit_tree(element, path, visit);
    };
    std::apply([&](auto&... elements) { (visit_element(elements), ...); }, tree);
  }
}

/// Raises `tree`, naming the first path at which the lists differ.
[[noreturn]] void raise_trees_differ(std::span<const std::string> a, std::span<const std::string> b, std::string_view what_a,
                                     std::string_view what_b, SourceLoc where);
[[noreturn]] void raise_leaf_count(std::size_t given, std::span<const std::string> paths, SourceLoc where);

}  // namespace detail

namespace tree {

/// Calls visit(path, tensor) for every leaf, in order; the tensor is a reference into the tree. Paths start with `root`.
template <class T>
  requires Tree<T>
void for_each(T&& tree, FunctionRef<void(const std::string& path, detail::LeafOf<std::remove_reference_t<T>>& leaf)> visit,
              std::string root = {}) {
  detail::TreePath path(std::move(root));
  detail::visit_tree(tree, path, visit);
}

[[nodiscard]] Tensors leaves(const Tree auto& tree) {
  Tensors result;
  for_each(tree, [&](const std::string&, const Tensor& leaf) { result.push_back(leaf); });
  return result;
}

/// `hidden.weight`, `layers.0.bias`: one per leaf, in order; with `root`, `root.hidden.weight`.
[[nodiscard]] std::vector<std::string> paths(const Tree auto& tree, std::string root = {}) {
  std::vector<std::string> result;
  for_each(tree, [&](const std::string& path, const Tensor&) { result.push_back(path); }, std::move(root));
  return result;
}

/// A copy of `like` with other leaves; what is no leaf is copied. Raises `tree` unless there is one tensor per leaf.
template <Tree T>
[[nodiscard]] T unflatten(T like, std::span<const Tensor> leaves, SourceLoc where = SourceLoc::current()) {
  std::size_t next = 0;
  for_each(like, [&](const std::string&, Tensor& leaf) {
    if (next < leaves.size()) leaf = leaves[next];
    ++next;
  });
  if (next != leaves.size()) detail::raise_leaf_count(leaves.size(), paths(like), where);
  return like;
}

/// Raises `tree`, naming the first differing path, unless both have the same leaf paths. Shapes and dtypes may differ.
template <Tree T>
void require_same_structure(const T& a, const T& b, std::string_view what_a = "the first tree",
                            std::string_view what_b = "the second tree", SourceLoc where = SourceLoc::current()) {
  const std::vector<std::string> paths_a = paths(a);
  const std::vector<std::string> paths_b = paths(b);
  if (paths_a != paths_b) detail::raise_trees_differ(paths_a, paths_b, what_a, what_b, where);
}

/// f(leaf of tree, leaf of each other, ...) at every leaf, in a copy of `tree`. Raises `tree` where structures differ.
template <class F, Tree T, std::same_as<T>... Others>
[[nodiscard]] T map(F f, const T& tree, const Others&... others) {
  (require_same_structure(tree, others), ...);
  const std::array<Tensors, sizeof...(Others)> lists = {leaves(others)...};
  T result = tree;
  std::size_t next = 0;
  for_each(result, [&](const std::string&, Tensor& leaf) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      leaf = f(std::as_const(leaf), std::as_const(lists[i][next])...);
    }(std::index_sequence_for<Others...>{});
    ++next;
  });
  return result;
}

}  // namespace tree
}  // namespace calx
