// Mutations: changes of one equation that a rule emits, and ops whose rules are changed in this way. An op's
// rule is run inside a trace of its own; the Function that it made is changed and inlined in place of the
// rule. Invariant: a mutation names its place (rule, equation number, op of the equation), so the list of
// equivalent mutants stays valid as long as the rule emits the same equations.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "calx/core/op_def.h"

namespace calx::laws {

enum class Rule : std::uint8_t { jvp, transpose, batch, linearize };
[[nodiscard]] std::string_view name(Rule rule);

enum class Change : std::uint8_t { negate, twice, zero, keep_operand, swap_operands, default_attribute };

struct Mutation {
  Rule rule = Rule::jvp;
  int equation = -1;  // its number among the rule's equations; -1: a result that the rule passes through
  std::string equation_op = {};
  int position = 0;  // the result of the equation or rule that changes, or the operand that is kept
  Change change = Change::negate;
  std::string attribute = {};  // of default_attribute

  /// "jvp #2 mul: keep operand 1".
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const Mutation&, const Mutation&) = default;
};

/// The op with rules that collect, each time they run, the mutations that are possible there.
struct Probe {
  std::shared_ptr<std::vector<Mutation>> found;
  const OpDef* op = nullptr;
};
[[nodiscard]] Probe probe_rules(const OpDef& op);

/// The op with one rule changed. Kept until the program ends, as equations point to their op.
[[nodiscard]] const OpDef& mutated(const OpDef& op, const Mutation& mutation);

/// A mutant that no law can notice, and why: it computes the same, or differs only where a test of exact
/// values judges.
struct Equivalent {
  std::string_view op;
  std::string_view mutation;  // Mutation::to_string(), where `*` stands for any text
  std::string_view reason;
};
[[nodiscard]] const std::vector<Equivalent>& equivalent_mutants();

}  // namespace calx::laws
