// Names, checks and errors of tracing over trees.
#include "calx/core/trace_tree.h"

#include <algorithm>

#include "calx/base/format.h"

namespace calx {

SizeSpec::SizeSpec(const char* text, const std::source_location& where) {
  std::optional<Dim> dim = parse_dim(text);
  if (!dim) {
    raise({.id = ErrorId::parse,
           .op = "spec",
           .message = format("\"{}\" is no size", text),
           .where = where,
           .hint = "a size is a number, a symbol like \"B\", or an expression like \"2*T+1\"",
           .facts = {{"text", text}}});
  }
  dim_ = *std::move(dim);
}

Type spec(DType dtype, std::initializer_list<SizeSpec> sizes) {
  std::vector<Dim> dims;
  dims.reserve(sizes.size());
  for (const SizeSpec& size : sizes) dims.push_back(size.dim());
  return {dtype, Shape(std::move(dims))};
}

namespace detail {

std::string argument_name(const TraceTreeOptions& options, std::size_t i) {
  return options.names.empty() ? format("arg{}", i) : options.names[i];
}

void check_names(const TraceTreeOptions& options, std::size_t count, SourceLoc where) {
  if (options.names.empty()) return;
  if (options.names.size() != count) {
    raise({.id = ErrorId::arity,
           .op = options.name,
           .message = format("{} names were given for {} arguments", options.names.size(), count),
           .where = where});
  }
  std::vector<std::string> sorted = options.names;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    raise({.id = ErrorId::value,
           .op = options.name,
           .message = format("two arguments are named `{}`", *twice),
           .where = where,
           .facts = {{"name", *twice}}});
  }
}

void add_argument(std::vector<Argument>& arguments, const std::string& path, const Tensor& leaf, SourceLoc where) {
  if (!leaf.defined()) {
    raise({.id = ErrorId::undefined_tensor,
           .message = format("`{}` is an undefined tensor", path),
           .where = where,
           .hint = "assign it before use, or make the field a std::optional<Tensor> that may be absent",
           .facts = {{"path", path}}});
  }
  arguments.push_back({path, leaf.type()});
}

void require_closed(const Tensors& captures, const std::string& name) {
  if (captures.empty()) return;
  raise({.id = ErrorId::leaked_tensor,
         .op = name,
         .message = format("the function uses a tensor ({}) of an enclosing trace", captures.front().type().to_string()),
         .hint = "pass it as an argument",
         .facts = {{"type", captures.front().type().to_string()}}});
}

}  // namespace detail
}  // namespace calx
