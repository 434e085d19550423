// Substituting sizes.
#include "calx/core/substitute.h"

#include "calx/core/op_def.h"

namespace calx {

Attrs substitute_sizes(const Attrs& attrs, const DimSubstitution& replacements) {
  Attrs result = attrs;
  for (const Attrs::Entry& entry : attrs.entries()) {
    if (const auto* dim = std::get_if<Dim>(&entry.value)) {
      if (!dim->is_constant()) result.set_value(entry.name, dim->substitute(replacements));
    } else if (const auto* dims = std::get_if<std::vector<Dim>>(&entry.value)) {
      std::vector<Dim> replaced;
      for (const Dim& one : *dims) replaced.push_back(one.substitute(replacements));
      result.set_value(entry.name, std::move(replaced));
    } else if (const auto* f = std::get_if<Function>(&entry.value)) {
      if (f->defined()) result.set_value(entry.name, substitute_sizes(*f, replacements));
    } else if (const auto* fs = std::get_if<std::vector<Function>>(&entry.value)) {
      std::vector<Function> replaced;
      for (const Function& one : *fs) replaced.push_back(substitute_sizes(one, replacements));
      result.set_value(entry.name, std::move(replaced));
    }
  }
  return result;
}

Function substitute_sizes(const Function& f, const DimSubstitution& replacements) {
  FunctionBuilder builder(f.name());
  for (const Argument& argument : f.arguments()) {
    builder.add_argument(argument.name, argument.type.substitute(replacements));
  }
  for (const Equation& equation : f.equations()) {
    std::vector<Type> types;
    for (std::uint32_t i = 0; i < equation.num_results; ++i) {
      types.push_back(f.type(equation.first_result + i).substitute(replacements));
    }
    builder.add_equation(*equation.op, equation.operands, substitute_sizes(equation.attrs, replacements),
                         std::move(types), equation.where);
  }
  for (const Result& result : f.results()) builder.add_result(result.name, result.value);
  for (const Dim& dim : f.where()) builder.add_where(dim.substitute(replacements));
  builder.set_donations(f.donations());
  return builder.finish();
}

Attrs bind_sizes(const Attrs& attrs, const Bindings& bindings) {
  DimSubstitution replacements;
  for (const auto& [name, size] : bindings) replacements.emplace(name, Dim(size));
  return substitute_sizes(attrs, replacements);
}

}  // namespace calx
