// What the generated functions share. Knows how operands and attributes reach the binder, and nothing of any op.
#pragma once

#include <initializer_list>
#include <string_view>
#include <variant>
#include <vector>

#include "calx/core/bind.h"
#include "calx/core/tangent.h"

namespace calx::detail {

/// One attribute. `name` has static storage.
template <class T>
[[nodiscard]] Attrs::Entry entry(std::string_view name, const T& value) {
  return {name, AttrTraits<T>::store(value)};
}

/// Binds operands, then those of a variadic one.
[[nodiscard]] Tensors bind_list(const OpDef& op, std::initializer_list<Operand> operands, Attrs attrs,
                                SourceLoc where = {});
[[nodiscard]] Tensors bind_list(const OpDef& op, std::initializer_list<Operand> operands, const Tensors& variadic,
                                Attrs attrs, SourceLoc where);

/// An operand of an op that is applied to the tangents of one linear group: a tangent of the group, or a value.
using LinearOperand = std::variant<Tensor, Tangent>;

/// The op on the tangents: symbolic zeros if all of them are; otherwise zeros among them become tensors.
[[nodiscard]] Tangents apply_linear(const OpDef& op, std::vector<LinearOperand> operands, Attrs attrs);
template <class T>
[[nodiscard]] Tangents apply_linear(const OpDef& op, std::vector<LinearOperand> operands, const std::vector<T>& variadic,
                                    Attrs attrs) {
  operands.insert(operands.end(), variadic.begin(), variadic.end());
  return apply_linear(op, std::move(operands), std::move(attrs));
}

}  // namespace calx::detail
