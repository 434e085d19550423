// Substituting sizes in attributes and nested Functions: what `bind` and the interpreter share.
#pragma once

#include "calx/core/equation.h"

namespace calx {

using DimSubstitution = std::map<std::string, Dim, std::less<>>;

/// Every Dim in the attributes replaced; nested Functions too.
[[nodiscard]] Attrs substitute_sizes(const Attrs& attrs, const DimSubstitution& replacements);
/// Every Dim of a Function replaced: types, attributes, nested Functions, where clauses. Types are not inferred again.
[[nodiscard]] Function substitute_sizes(const Function& f, const DimSubstitution& replacements);
[[nodiscard]] Attrs bind_sizes(const Attrs& attrs, const Bindings& bindings);

}  // namespace calx
