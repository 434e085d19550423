// What the transforms share when they walk a Function's equations. Private to transforms.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "calx/base/located.h"
#include "calx/core/bind.h"
#include "calx/core/core_ops.h"
#include "calx/core/trace.h"
#include "calx/transforms/checks.h"
#include "calx/transforms/rules.h"

namespace calx::detail {

/// An equation of `f` with what its rules need to see, kept alive for the rule's duration.
struct EquationView {
  EquationView(const Function& f, const Equation& equation, Tensors operand_tensors)
      : op(*equation.op), attrs(equation.attrs), where(equation.where), operands(std::move(operand_tensors)) {
    for (ValueId operand : equation.operands) types.push_back(f.type(operand));
    for (std::uint32_t i = 0; i < equation.num_results; ++i) result_types.push_back(f.type(equation.first_result + i));
  }
  [[nodiscard]] Call call(std::span<const Tensor> results = {}) const {
    return Call(op, operands, types, attrs, where, results, result_types);
  }

  const OpDef& op;
  const Attrs& attrs;
  SourceLoc where;
  Tensors operands;
  std::vector<Type> types;
  std::vector<Type> result_types;
};

[[nodiscard]] inline Tensors operands_of(const Equation& equation, const Tensors& values) {
  Tensors operands;
  operands.reserve(equation.operands.size());
  for (ValueId operand : equation.operands) operands.push_back(values[operand]);
  return operands;
}

/// Replays one equation of f with the types it has there.
[[nodiscard]] inline Tensors replay_in(const Function& f, const Equation& equation, Tensors operands) {
  return replay(equation, std::move(operands), std::span(&f.type(equation.first_result), equation.num_results));
}

inline void store_results(const Equation& equation, Tensors results, Tensors& values) {
  CALX_ASSERT(results.size() == equation.num_results, std::string(equation.op->name));
  for (std::uint32_t i = 0; i < equation.num_results; ++i) values[equation.first_result + i] = std::move(results[i]);
}

[[noreturn]] inline void raise_no_rule(const EquationView& view, std::string_view transform, std::string_view missing) {
  raise({.id = ErrorId::no_rule,
         .op = std::string(view.op.name),
         .message = std::string("has no rule for ") + std::string(transform) + ": " + std::string(missing),
         .where = view.where});
}

inline const OpDef& call_op() {
  static const OpDef& op = get_op("call");
  return op;
}

[[nodiscard]] inline Function callee(const Attrs& attrs) { return std::get<Function>(*attrs.find("function")); }

/// The names that are taken, kept for asking often.
class TakenNames {
 public:
  explicit TakenNames(const std::vector<std::string>& taken) : taken_(taken.begin(), taken.end()) {}
  /// As fresh_name; the name is taken from then on.
  [[nodiscard]] std::string take(const std::string& wanted);

 private:
  std::unordered_set<std::string> taken_;
};

/// Names of f's arguments; of its results.
[[nodiscard]] std::vector<std::string> argument_names(const Function& f);
[[nodiscard]] std::vector<std::string> result_names(const Function& f);

/// For each i with flags[i]: base[i] + suffix, made new against `taken`, which grows.
[[nodiscard]] std::vector<std::string> derived_names(const std::vector<std::string>& base, const std::vector<bool>& flags,
                                                     std::string_view suffix, std::vector<std::string>& taken);
/// Which results are floating.
[[nodiscard]] std::vector<bool> floating_results(const Function& f);

/// jvp with the tangents' part linear and separate (region ops split): arguments x, t; results y, then tangents of the
/// floating results.
[[nodiscard]] Function split_jvp(const Function& f, const std::vector<bool>& differentiated, bool linearize);

struct PulledBack {
  Tensors results;       // f's results where they are not linear, undefined where they are
  Tangents cotangents;   // one per argument
};
[[nodiscard]] PulledBack pull_back_with_results(const Function& f, std::span<const Tensor> arguments,
                                                const std::vector<bool>& linear, std::span<const Tangent> cotangents);

}  // namespace calx::detail
