// Paths of trees, and errors about trees.
#include "calx/core/tree.h"

#include <algorithm>

#include "calx/base/format.h"

namespace calx::detail {
namespace {

std::string quoted(const std::string& path) { return path.empty() ? "the tensor itself" : format("`{}`", path); }

}  // namespace

TreePath::Level::Level(TreePath& path, std::string_view name) : path_(path), length_(path.text_.size()) {
  if (length_ > 0) path.text_ += '.';
  path.text_ += name;
}

TreePath::Level::Level(TreePath& path, std::size_t index) : Level(path, std::to_string(index)) {}

void raise_trees_differ(std::span<const std::string> a, std::span<const std::string> b, std::string_view what_a,
                        std::string_view what_b, SourceLoc where) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  // The leaf that one has and the other lacks; of two that differ at one place, the one the other has nowhere.
  const bool b_lacks = in_a != a.end() && (in_b == b.end() || std::find(b.begin(), b.end(), *in_a) == b.end());
  const std::string path = b_lacks ? *in_a : *in_b;
  raise({.id = ErrorId::tree,
         .message = format("{} has a leaf {} that {} has not", b_lacks ? what_a : what_b, quoted(path),
                           b_lacks ? what_b : what_a),
         .where = where,
         .facts = {{"path", path},
                   {std::string(what_a), format("{} leaves", a.size())},
                   {std::string(what_b), format("{} leaves", b.size())}}});
}

void raise_leaf_count(std::size_t given, std::span<const std::string> paths, SourceLoc where) {
  Facts facts = {{"given", format("{}", given)}, {"leaves", format("{}", paths.size())}};
  std::string message = format("a tree of {} leaves was given {} tensors", paths.size(), given);
  if (given < paths.size()) {
    message += format(": none for {}", quoted(paths[given]));
    facts.emplace_back("path", paths[given]);
  }
  raise({.id = ErrorId::tree, .message = std::move(message), .where = where, .facts = std::move(facts)});
}

}  // namespace calx::detail
