// bind and substitute: sizes for symbols, with types inferred again.
#include "equations.h"

namespace calx {

Function substitute(const Function& f, const DimSubstitution& replacements) {
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
                     if (nested->defined()) attrs.set_value(entry.name, substitute(*nested, replacements));
                   } else if (const auto* several = std::get_if<std::vector<Function>>(&entry.value)) {
                     std::vector<Function> replaced;
                     for (const Function& one : *several) replaced.push_back(substitute(one, replacements));
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

Function bind(const Function& f, const Bindings& sizes) {
  DimSubstitution replacements;
  for (const auto& [name, size] : sizes) replacements.emplace(name, Dim(size));
  return substitute(f, replacements);
}

}  // namespace calx
