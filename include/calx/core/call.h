// Call: one application of an op, as the op's rules see it. Which parts are filled depends on the rule: types and
// attributes always; operand tensors in jvp, transpose (non-linear operands), batch, simplify and decompose; results
// where the rule may read them.
#pragma once

#include <span>
#include <string>

#include "calx/core/attributes.h"
#include "calx/core/tangent.h"
#include "calx/core/tensor.h"

namespace calx {

struct OpDef;

class Call {
 public:
  Call(const OpDef& op, std::span<const Type> types, const Attrs& attrs, SourceLoc where)
      : op_(&op), types_(types), attrs_(&attrs), where_(where) {}
  Call(const OpDef& op, std::span<const Tensor> operands, std::span<const Type> types, const Attrs& attrs,
       SourceLoc where, std::span<const Tensor> results = {}, std::span<const Type> result_types = {})
      : op_(&op), operands_(operands), types_(types), attrs_(&attrs), where_(where), results_(results),
        result_types_(result_types) {}

  [[nodiscard]] const OpDef& op() const { return *op_; }
  [[nodiscard]] int size() const { return static_cast<int>(types_.size()); }
  /// Operand i; an internal error where the rule may not read it (a linear operand in its own transpose).
  [[nodiscard]] const Tensor& operator[](int i) const {
    CALX_ASSERT(i < static_cast<int>(operands_.size()) && operands_[static_cast<std::size_t>(i)].defined());
    return operands_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] bool has(int i) const {
    return i < static_cast<int>(operands_.size()) && operands_[static_cast<std::size_t>(i)].defined();
  }
  [[nodiscard]] std::span<const Tensor> operands() const { return operands_; }
  [[nodiscard]] const Type& type(int i) const { return types_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const Shape& shape(int i) const { return type(i).shape; }
  [[nodiscard]] DType dtype(int i) const { return type(i).dtype; }
  [[nodiscard]] std::span<const Type> types() const { return types_; }

  template <class T>
  [[nodiscard]] T operator[](const Attr<T>& key) const {
    return (*attrs_)[key];
  }
  [[nodiscard]] const Attrs& attrs() const { return *attrs_; }

  [[nodiscard]] const Tensor& out(int i = 0) const {
    CALX_ASSERT(i < static_cast<int>(results_.size()));
    return results_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] std::span<const Tensor> results() const { return results_; }
  [[nodiscard]] const Type& result_type(int i = 0) const { return result_types_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] std::span<const Type> result_types() const { return result_types_; }

  [[nodiscard]] SourceLoc where() const { return where_; }
  /// Name of operand i, as declared (`lhs`, `x`), with an index where it is variadic.
  [[nodiscard]] std::string operand_name(int i) const;
  /// Raises a user's error about this application: op, place and all operands with their types are added as facts.
  [[noreturn]] void fail(ErrorId id, std::string message, std::string hint = {}) const;

 private:
  const OpDef* op_;
  std::span<const Tensor> operands_ = {};
  std::span<const Type> types_;
  const Attrs* attrs_;
  SourceLoc where_;
  std::span<const Tensor> results_ = {};
  std::span<const Type> result_types_ = {};
};

}  // namespace calx
