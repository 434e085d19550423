// What the sugar over contractions shares.
#include "contraction/_sugar.h"

#include "calx/base/format.h"

namespace calx::detail {

std::vector<Tensor> promote_operands(std::string_view op, const std::vector<Operand>& operands,
                                     SourceLoc where) {
  const auto fail = [&](ErrorId id, std::string message, std::string hint) {
    raise({.id = id,
           .op = std::string(op),
           .message = std::move(message),
           .where = where,
           .hint = std::move(hint)});
  };
  std::optional<DType> common;
  for (const Operand& operand : operands) {
    if (!operand.is_tensor()) continue;
    if (!operand.tensor().defined()) {
      fail(ErrorId::undefined_tensor, "an operand is an undefined tensor",
           "a default-constructed Tensor holds nothing: assign one before use");
    }
    const DType dtype = operand.tensor().dtype();
    if (dtype.is_boolean()) {
      fail(ErrorId::dtype,
           format("an operand is {}, but booleans are not summed", operand.tensor().type().to_string()),
           "convert it first, for example with convert(x, f32)");
    }
    const std::optional<DType> joined = common ? promote(*common, dtype) : dtype;
    if (!joined) {
      fail(ErrorId::promotion, format("no dtype holds both {} and {}", common->name(), dtype.name()),
           "convert one of them first");
    }
    common = joined;
  }
  for (const Operand& operand : operands) {
    if (!operand.is_tensor() && common) common = promote_weak(*common, operand.weak_kind());
  }
  std::vector<Tensor> tensors;
  const LocationScope location(where);
  for (const Operand& operand : operands) {
    if (!operand.is_tensor()) {
      tensors.push_back(common ? operand.as_scalar(*common) : operand.as_tensor());
    } else {
      tensors.push_back(core::convert(operand.tensor(), *common));
    }
  }
  return tensors;
}

Tensor dot(const Tensor& lhs, const Tensor& rhs, const std::vector<std::int64_t>& lhs_batch,
           const std::vector<std::int64_t>& rhs_batch, const std::vector<std::int64_t>& lhs_contract,
           const std::vector<std::int64_t>& rhs_contract, std::optional<DType> accumulation,
           SourceLoc where) {
  static const OpDef& op = get_op("dot_general");
  Attrs attrs{{"lhs_batch", lhs_batch},
              {"rhs_batch", rhs_batch},
              {"lhs_contract", lhs_contract},
              {"rhs_contract", rhs_contract}};
  if (accumulation) attrs.set_value("accumulation", *accumulation);
  return apply_one(op, {lhs, rhs}, std::move(attrs), where);
}

}  // namespace calx::detail
