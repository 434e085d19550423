// The table of transforms that the command knows. Each takes the text after the colon.
#include "apply.h"

#include <charconv>
#include <functional>
#include <set>
#include <vector>

#include "calx/base/format.h"
#include "calx/calculus/functions.h"
#include "calx/passes/passes.h"
#include "calx/transforms/rules.h"

namespace calx::tool {
namespace {

[[noreturn]] void fail(std::string_view specification, std::string message, std::string hint = {}) {
  raise({.id = ErrorId::value,
         .op = format("--apply {}", specification),
         .message = std::move(message),
         .hint = std::move(hint)});
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// What a transform is given: the Function, and the specification with the part after the colon.
struct Request {
  const Function& f;
  std::string_view specification;
  std::string_view rest;

  [[nodiscard]] std::size_t argument(std::string_view name) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < f.arguments().size(); ++i) {
      if (f.arguments()[i].name == name) return i;
      names.push_back(f.arguments()[i].name);
    }
    fail(specification, format("`{}` has no argument `{}`", f.name(), name),
         names.empty() ? "it has no arguments" : format("its arguments are {}", calx::join(names, ", ")));
  }

  /// The named arguments; without names all floating ones.
  [[nodiscard]] std::vector<bool> arguments() const {
    std::vector<bool> chosen(f.arguments().size(), false);
    for (std::string_view name : split(rest, ',')) chosen[argument(name)] = true;
    if (rest.empty()) {
      for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = f.arguments()[i].type.dtype.is_floating();
    }
    return chosen;
  }

  void require_no_arguments() const {
    if (!rest.empty()) fail(specification, "it takes no names");
  }
};

std::int64_t integer(const Request& request, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail(request.specification, format("`{}` is no integer", text));
  return value;
}

Function batched(const Request& request) {
  const Function& f = request.f;
  std::vector<std::optional<int>> axes(f.arguments().size());
  for (std::string_view part : split(request.rest, ',')) {
    const std::size_t at = part.rfind('@');
    const std::int64_t axis = at == std::string_view::npos ? 0 : integer(request, part.substr(at + 1));
    const std::size_t index = request.argument(part.substr(0, at));
    const int rank = f.arguments()[index].type.rank() + 1;
    if (axis < 0 || axis >= rank) {
      fail(request.specification,
           format("axis {} of `{}` is outside [0, {})", axis, part.substr(0, at), rank));
    }
    axes[index] = static_cast<int>(axis);
  }
  if (request.rest.empty()) axes.assign(axes.size(), 0);
  return vmap(f, axes, Dim::symbol(fresh_name("N", free_symbols(f))), {}, false, {});
}

Function with_sizes(const Request& request) {
  DimSubstitution replacements;
  const std::vector<std::string> known = free_symbols(request.f);
  for (std::string_view part : split(request.rest, ',')) {
    const std::size_t equals = part.find('=');
    const std::optional<Dim> size =
        equals == std::string_view::npos ? std::nullopt : parse_dim(part.substr(equals + 1));
    if (!size) fail(request.specification, format("`{}` is not of the form symbol=size", part));
    const std::string_view symbol = part.substr(0, equals);
    if (std::find(known.begin(), known.end(), symbol) == known.end()) {
      fail(request.specification, format("`{}` has no size `{}`", request.f.name(), symbol),
           known.empty() ? "all of its sizes are numbers"
                         : format("its sizes are {}", calx::join(known, ", ")));
    }
    replacements.emplace(symbol, *size);
  }
  return substitute(request.f, replacements, {});
}

struct Entry {
  std::string_view name;
  std::string_view usage;
  std::string_view effect;
  std::function<Function(const Request&)> run;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> table = {
      {"grad", "grad[:x,w]", "gradients of the first result; results x.ct, w.ct",
       [](const Request& r) { return grad(r.f, r.arguments(), {}); }},
      {"value_and_grad", "value_and_grad[:x,w]", "the results, then the gradients",
       [](const Request& r) { return value_and_grad(r.f, r.arguments(), {}); }},
      {"jvp", "jvp[:x,w]", "forward mode: new arguments x.t, w.t; new results out.t",
       [](const Request& r) { return jvp(r.f, r.arguments(), {}); }},
      {"vjp", "vjp[:x,w]", "reverse mode: new arguments out.ct; new results x.ct, w.ct",
       [](const Request& r) { return vjp(r.f, r.arguments(), {}); }},
      {"hvp", "hvp[:x,w]", "the Hessian times a vector x.t, w.t", [](const Request& r) { return hvp(r.f, r.arguments(), {}); }},
      {"linearize", "linearize[:x,w]", "the forward part of the linearization: results, then residuals",
       [](const Request& r) { return linearize(r.f, r.arguments(), {}).forward; }},
      {"linear", "linear[:x,w]", "its linear part: residuals and tangents to tangents",
       [](const Request& r) { return linearize(r.f, r.arguments(), {}).linear; }},
      {"transpose", "transpose:x,w", "the linear transpose: arguments out.ct, results x.ct, w.ct",
       [](const Request& r) {
         if (r.rest.empty()) fail(r.specification, "name the arguments that it is linear in");
         return transpose(r.f, r.arguments(), {});
       }},
      {"vmap", "vmap[:x@0,w@1]", "a batch: axis 0 (or the one named) of the arguments named, or of all, and of every result",
       batched},
      {"bind", "bind:H=3,W=2*w", "sizes for symbols", with_sizes},
      {"optimize", "optimize", "every pass, in the order of the pipeline",
       [](const Request& r) {
         r.require_no_arguments();
         return optimize(r.f, {});
       }},
  };
  return table;
}

}  // namespace

Function apply_transform(const Function& f, std::string_view specification) {
  const std::size_t colon = specification.find(':');
  const std::string_view name = specification.substr(0, colon);
  const Request request{f, specification,
                        colon == std::string_view::npos ? "" : specification.substr(colon + 1)};
  std::vector<std::string_view> names;
  for (const Entry& entry : entries()) {
    if (entry.name == name) return entry.run(request);
    names.push_back(entry.name);
  }
  for (const Pass& pass : default_pipeline()) {
    if (pass.name == name) {
      request.require_no_arguments();
      return pass(f, {});
    }
    if (std::find(names.begin(), names.end(), pass.name) == names.end()) names.push_back(pass.name);
  }
  fail(specification, format("there is no transform `{}`", name),
       format("there are {}", calx::join(names, ", ")));
}

std::string describe_transforms() {
  std::string text;
  for (const Entry& entry : entries()) text += format("  {:<28}{}\n", entry.usage, entry.effect);
  std::set<std::string_view> passes;
  for (const Pass& pass : default_pipeline()) passes.insert(pass.name);
  for (std::string_view name : passes) text += format("  {:<28}this pass alone\n", name);
  return text;
}

}  // namespace calx::tool
