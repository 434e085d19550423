// Transforms: Function -> Function. They know the core ops and the rules in OpDef, no other op by name. All compose in any
// order and depth; region ops are treated by their own rules.
//
// Names. The tangent of argument `x` is the argument `x.t`; the cotangent of result `r` is the argument `r.ct`; the
// cotangent of argument `x` is the result `x.ct`; the tangent of result `r` is the result `r.t`. Where a name is taken,
// the smallest number from 2 on that makes it new is appended (`x.t2`).
//
// Errors name the place of the equation that they concern; without one, `where`.
#pragma once

#include <optional>
#include <vector>

#include "calx/core/equation.h"
#include "calx/core/substitute.h"

namespace calx {

/// Forward mode. Arguments: f's, then a tangent for each i with differentiated[i] (floating arguments only, else
/// grad_integer). Results: f's, then a tangent for each floating result, zeros made where it does not depend.
[[nodiscard]] Function jvp(const Function& f, const std::vector<bool>& differentiated, SourceLoc where = SourceLoc::current());

struct Linearized {
  /// f's arguments -> f's results, then residuals.
  Function forward;
  /// residuals, then tangents of the differentiated arguments -> tangents of the floating results. Linear in the tangents.
  Function linear;
  int num_residuals = 0;
};
[[nodiscard]] Linearized linearize(const Function& f, const std::vector<bool>& differentiated,
                                   SourceLoc where = SourceLoc::current());

/// The linear transpose with respect to the arguments i with linear[i]. Arguments: the others, then a cotangent for each
/// floating result. Results: a cotangent for each linear argument. Raises not_linear if f is not linear in them.
[[nodiscard]] Function transpose(const Function& f, const std::vector<bool>& linear, SourceLoc where = SourceLoc::current());

/// Reverse mode. Arguments: f's, then a cotangent for each floating result. Results: f's, then a cotangent for each
/// differentiated argument.
[[nodiscard]] Function vjp(const Function& f, const std::vector<bool>& differentiated, SourceLoc where = SourceLoc::current());

/// f on a batch: argument i has its batch axis at in_axes[i] (nullopt: not batched), result i at out_axes[i] (empty: all 0).
/// `mask` adds a last argument `lanes: bool[size]`: lanes whose results count.
[[nodiscard]] Function vmap(const Function& f, const std::vector<std::optional<int>>& in_axes, const Dim& size,
                            const std::vector<int>& out_axes = {}, bool mask = false, SourceLoc where = SourceLoc::current());

/// Sizes for symbols; the types are inferred again. Symbols that are not named stay.
[[nodiscard]] Function bind(const Function& f, const Bindings& sizes, SourceLoc where = SourceLoc::current());
/// Dims for symbols (H -> 8*h).
[[nodiscard]] Function substitute(const Function& f, const DimSubstitution& replacements,
                                  SourceLoc where = SourceLoc::current());

}  // namespace calx
