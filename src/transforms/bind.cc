// bind and substitute: sizes for symbols, with types inferred again.
#include <algorithm>

#include "calx/base/format.h"
#include "equations.h"

namespace calx {
namespace {

/// A name that f does not have is a slip of the caller's: it would change nothing.
void require_symbols(const Function& f, const DimSubstitution& replacements, std::string_view op) {
  detail::require_defined(f, op);
  const std::vector<std::string> symbols = free_symbols(f);
  for (const auto& [name, dim] : replacements) {
    if (std::find(symbols.begin(), symbols.end(), name) == symbols.end()) {
      raise({.id = ErrorId::dim_unbound,
             .op = std::string(op),
             .message = format("`{}` has no size `{}`", f.name(), name),
             .hint = symbols.empty() ? "all its sizes are numbers" : format("its sizes are {}", join(symbols, ", ")),
             .facts = {{"symbol", name}, {"function", f.name()}}});
    }
    if (proven_less_equal(Dim(0), dim) == Proof::no) {
      raise({.id = ErrorId::dim_binding,
             .op = std::string(op),
             .message = format("the size `{}` of `{}` cannot be {}: sizes are not negative", name, f.name(), dim.to_string()),
             .facts = {{"symbol", name}, {"size", dim.to_string()}}});
    }
  }
  for (const Dim& dim : f.where()) {
    if (proven_less_equal(Dim(0), dim.substitute(replacements)) != Proof::no) continue;
    raise({.id = ErrorId::dim_binding,
           .op = std::string(op),
           .message = format("the sizes violate {} >= 0, which `{}` requires", dim.to_string(), f.name()),
           .facts = {{"where", dim.to_string()}}});
  }
}

Function substituted(const Function& f, const DimSubstitution& replacements) {
  std::vector<Argument> arguments;
  for (const Argument& argument : f.arguments()) {
    arguments.push_back({argument.name, argument.type.substitute(replacements)});
  }
  std::vector<Dim> where;
  for (const Dim& dim : f.where()) where.push_back(dim.substitute(replacements));
  return trace_flat(
             arguments,
             [&](std::span<const Tensor> given) -> Tensors {
               Tensors values(f.num_values());
               std::copy(given.begin(), given.end(), values.begin());
               for (const Equation& equation : f.equations()) {
                 Attrs attrs = equation.attrs;
                 for (const Attrs::Entry& entry : equation.attrs.entries()) {
                   // Nested Functions are inferred again as well.
                   if (const auto* nested = std::get_if<Function>(&entry.value)) {
                     if (nested->defined()) attrs.set_value(entry.name, substituted(*nested, replacements));
                   } else if (const auto* several = std::get_if<std::vector<Function>>(&entry.value)) {
                     std::vector<Function> replaced;
                     for (const Function& one : *several) replaced.push_back(substituted(one, replacements));
                     attrs.set_value(entry.name, std::move(replaced));
                   }
                 }
                 attrs = substitute_sizes(attrs, replacements);
                 detail::store_results(
                     equation,
                     apply(*equation.op, detail::operands_of(equation, values), std::move(attrs), equation.where),
                     values);
               }
               Tensors results;
               for (const Result& result : f.results()) results.push_back(values[result.value]);
               return results;
             },
             {.name = f.name(), .result_names = detail::result_names(f), .where = std::move(where), .closed = true})
      .function.with_donations(f.donations());
}

}  // namespace

Function substitute(const Function& f, const DimSubstitution& replacements, SourceLoc where) try {
  require_symbols(f, replacements, "substitute");
  return substituted(f, replacements);
} catch (const Error& error) {
  detail::raise_at(error, where);
}

Function bind(const Function& f, const Bindings& sizes, SourceLoc where) try {
  DimSubstitution replacements;
  for (const auto& [name, size] : sizes) replacements.emplace(name, Dim(size));
  require_symbols(f, replacements, "bind");
  return substituted(f, replacements);
} catch (const Error& error) {
  detail::raise_at(error, where);
}

}  // namespace calx
