// Control flow and custom derivatives, on flat lists of tensors. Bodies are traced; tensors of the enclosing trace that
// they use become explicit operands. The forms for trees are in calx/ops/control_tree.h.
#pragma once

#include <functional>
#include <optional>

#include "calx/core/operand.h"
#include "calx/core/trace.h"

namespace calx {

using FlatBody = std::function<Tensors(std::span<const Tensor>)>;

struct ScanOptions {
  /// Runs from the last element to the first; ys stay in the order of xs.
  bool reverse = false;
  /// Needed where there are no xs.
  std::optional<Dim> length = {};
  SourceLoc where = SourceLoc::current();
};
struct ScanFlatResult {
  Tensors carry;
  Tensors ys;
};
/// body(carry..., x...) -> (carry..., y...). xs are cut along axis 0; ys are stacked along it.
/// Errors: a body that changes the type of a carry: CALX-E605; xs of different lengths: CALX-E202.
[[nodiscard]] ScanFlatResult scan_flat(const FlatBody& body, const Tensors& init, const Tensors& xs,
                                       ScanOptions options = {});

/// One of two branches, both with the same result types.
[[nodiscard]] Tensors cond_flat(const Tensor& predicate, const FlatBody& on_true, const FlatBody& on_false,
                                const Tensors& operands, SourceLoc where = SourceLoc::current());

struct WhileOptions {
  /// The loop stops after so many steps even where the condition still holds. Needed for reverse mode.
  std::optional<Dim> max_steps = {};
  SourceLoc where = SourceLoc::current();
};
/// carry = body(carry) while cond(carry).
[[nodiscard]] Tensors while_loop_flat(const FlatBody& condition, const FlatBody& body, const Tensors& init,
                                      WhileOptions options = {});

/// f(operands), whose intermediate values are computed again for its derivative instead of being kept.
[[nodiscard]] Tensors checkpoint_flat(const FlatBody& f, const Tensors& operands,
                                      SourceLoc where = SourceLoc::current());

/// f with a forward-mode rule of the user's: rule(x..., t...) -> (y..., tangent of y...), linear in the tangents t of the
/// floating operands. Neither may use tensors of an enclosing trace: pass them as operands.
[[nodiscard]] Tensors custom_jvp_flat(const FlatBody& f, const FlatBody& rule, const Tensors& operands,
                                      SourceLoc where = SourceLoc::current());

/// f with a reverse-mode rule of the user's: forward(x...) -> (y..., residual...); backward(residual..., ct of floating
/// y...) -> ct of the floating x.... Differentiated forward, backward is transposed: it must be linear in the cotangents
/// then (CALX-E603 if not); reverse mode over it always works. None may use tensors of an enclosing trace.
[[nodiscard]] Tensors custom_vjp_flat(const FlatBody& f, const FlatBody& forward, const FlatBody& backward,
                                      const Tensors& operands, SourceLoc where = SourceLoc::current());

}  // namespace calx
