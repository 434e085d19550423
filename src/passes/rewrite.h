// What passes share: a new Function made from an old one equation by equation, and the walk into nested Functions.
// Invariant: the new Function has the old one's interface (name, arguments, results, where clauses, donations).
#pragma once

#include <string_view>
#include <unordered_map>

#include "calx/core/equation.h"
#include "calx/core/op_def.h"

namespace calx::detail {

class Rewriter {
 public:
  explicit Rewriter(const Function& f);

  /// The new value that stands for an old one.
  [[nodiscard]] ValueId operator[](ValueId old) const { return map_[old]; }
  void set(ValueId old, ValueId now) { map_[old] = now; }
  [[nodiscard]] const Type& type(ValueId now) const { return builder_.type(now); }

  /// Copies an equation of the old Function, with other attributes.
  void keep(const Equation& equation, const Attrs& attrs);
  /// Puts g's equations in place of `equation`; its result i becomes g's result r[i], unless r[i] is negative.
  void splice(const Equation& equation, const Function& g, const std::vector<int>& r);
  ValueId add(const OpDef& op, std::vector<ValueId> operands, Attrs attrs, std::vector<Type> types, SourceLoc where) {
    return builder_.add_equation(op, std::move(operands), std::move(attrs), std::move(types), where);
  }
  [[nodiscard]] Function finish();

 private:
  const Function& old_;
  FunctionBuilder builder_;
  std::vector<ValueId> map_;
};

/// A pass applied to Functions nested in attributes: to each distinct one once.
class NestedPass {
 public:
  using Step = std::function<Function(const Function&, NestedPass&)>;
  explicit NestedPass(Step step) : step_(std::move(step)) {}

  Function operator()(const Function& f);
  /// The same for callers of the pass: f may be undefined, and errors without a place are at `where`.
  Function run(const Function& f, std::string_view pass, SourceLoc where);
  /// Attributes with the pass applied to their Functions; nullopt if that changes nothing.
  [[nodiscard]] std::optional<Attrs> changed(const Attrs& attrs);

 private:
  struct Hash {
    std::size_t operator()(const Function& f) const { return f.hash(); }
  };
  Step step_;
  std::unordered_map<Function, Function, Hash> done_;
};

/// Equations of this op hold constants.
[[nodiscard]] const OpDef& constant_op();
[[nodiscard]] Array constant_array(const Equation& constant);
[[nodiscard]] Attrs constant_attrs(Array value);
/// Of the op that expands a scalar to a shape.
[[nodiscard]] Attrs expand_attrs(const Shape& shape);

/// Types of an equation's operands and results.
[[nodiscard]] std::vector<Type> operand_types(const Function& f, const Equation& equation);
[[nodiscard]] std::vector<Type> result_types(const Function& f, const Equation& equation);

}  // namespace calx::detail
