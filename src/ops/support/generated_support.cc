#include "generated_support.h"

namespace calx::detail {

Tensors bind_list(const OpDef& op, std::initializer_list<Operand> operands, Attrs attrs, SourceLoc where) {
  return calx::bind(op, std::span<const Operand>(operands.begin(), operands.size()), std::move(attrs), where);
}

Tensors bind_list(const OpDef& op, std::initializer_list<Operand> operands, const Tensors& variadic, Attrs attrs,
                  SourceLoc where) {
  std::vector<Operand> all(operands);
  if (!where.known() && !all.empty()) where = all.front().where();
  all.insert(all.end(), variadic.begin(), variadic.end());
  return calx::bind(op, std::span<const Operand>(all), std::move(attrs), where);
}

Tangents apply_linear(const OpDef& op, std::vector<LinearOperand> operands, Attrs attrs) {
  bool all_zero = true;
  std::vector<Type> types;
  for (const LinearOperand& operand : operands) {
    const auto* tangent = std::get_if<Tangent>(&operand);
    types.push_back(tangent != nullptr ? tangent->type() : std::get<Tensor>(operand).type());
    all_zero = all_zero && (tangent == nullptr || tangent->is_zero());
  }
  Tangents results;
  if (all_zero) {
    for (Type& type : infer_types(op, types, attrs, {})) results.push_back(Tangent::zero(std::move(type)));
    return results;
  }
  Tensors tensors;
  for (const LinearOperand& operand : operands) {
    const auto* tangent = std::get_if<Tangent>(&operand);
    tensors.push_back(tangent != nullptr ? tangent->instantiate() : std::get<Tensor>(operand));
  }
  for (Tensor& result : apply(op, std::move(tensors), std::move(attrs))) results.emplace_back(std::move(result));
  return results;
}

}  // namespace calx::detail
