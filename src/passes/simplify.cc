// Simplification: a driver that asks every op's `simplify` rule; what can be simplified is known to the ops alone.
//
//   %0 = transpose(%x) {permutation = [1,0]}
//   %1 = transpose(%0) {permutation = [1,0]}      ->       %0 = add(%x, %y)
//   %2 = add(%1, %y)                                       return %0
//   return %2
//
// The program is traced again, operands first, so that a rule sees what made its operands. Composites stay composites.
#include "calx/core/bind.h"
#include "calx/core/match.h"
#include "calx/core/trace.h"
#include "calx/passes/passes.h"
#include "rewrite.h"

namespace calx {
namespace {

// Rules make programs simpler, so these are reached only by two rules that undo each other.
constexpr int kMaxRounds = 8;
constexpr int kMaxAnswers = 16;

const SimplifyRule* simplify_rule(const OpDef& op) {
  if (const Primitive* primitive = op.primitive()) return std::get_if<SimplifyRule>(&primitive->simplify);
  if (const Composite* composite = op.composite()) return std::get_if<SimplifyRule>(&composite->simplify);
  return std::get_if<SimplifyRule>(&op.region()->simplify);
}

bool have_types(std::span<const Tensor> tensors, std::span<const Type> types) {
  CALX_ASSERT(tensors.size() == types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    // Sizes may be equal and yet written differently: then users of the result would see another type.
    if (!(tensors[i].type() == types[i])) return false;
  }
  return true;
}

/// Asks one application, and then what it answers, which is an application too.
class Question {
 public:
  Question(const OpDef& op, const Tensors& operands, const Attrs& attrs, SourceLoc where,
           std::span<const Type> result_types) {
    const OpDef* asked = &op;
    const Attrs* its_attrs = &attrs;
    Tensors its_operands = operands;
    std::vector<Type> types;
    for (int i = 0; i < kMaxAnswers; ++i) {
      const SimplifyRule* rule = simplify_rule(*asked);
      if (rule == nullptr) break;
      types.clear();
      for (const Tensor& operand : its_operands) types.push_back(operand.type());
      std::optional<Results> results =
          (*rule)(Call(*asked, its_operands, types, *its_attrs, where, {}, result_types));
      if (!results || !have_types(*results, result_types)) break;
      for (const Tensor& operand : its_operands) know(operand);
      answer = std::move(*results);
      const std::optional<Producer> made = producer(answer->front());
      if (answer->size() != 1 || (made && made->result != 0)) {
        has_new_parts = true;
        break;
      }
      if (!made) break;
      asked = made->op;
      its_attrs = made->attrs;
      its_operands.assign(made->operands.begin(), made->operands.end());
    }
    if (answer && !has_new_parts) {
      has_new_parts = std::any_of(its_operands.begin(), its_operands.end(),
                                  [&](const Tensor& operand) { return !is_known(operand); });
    }
  }

  /// The results, if there is an answer.
  std::optional<Tensors> answer;
  /// The answer has inner equations that were perhaps never asked.
  bool has_new_parts = false;

 private:
  void know(const Tensor& operand) {
    known_.push_back(operand);
    if (const std::optional<Producer> made = producer(operand)) {
      known_.insert(known_.end(), made->operands.begin(), made->operands.end());
    }
  }
  [[nodiscard]] bool is_known(const Tensor& tensor) const {
    if (!producer(tensor)) return true;
    return std::any_of(known_.begin(), known_.end(), [&](const Tensor& one) { return is_same(one, tensor); });
  }

  Tensors known_;
};

struct Round {
  bool changed = false;
  bool needs_another = false;
};

Function simplify_once(const Function& f, detail::NestedPass& nested, Round& round) {
  TraceOptions options{.name = f.name(), .where = f.where(), .closed = true};
  for (const Result& result : f.results()) options.result_names.push_back(result.name);
  const auto body = [&](std::span<const Tensor> arguments) -> Tensors {
    Tensors values(f.num_values());
    std::copy(arguments.begin(), arguments.end(), values.begin());
    Tensors operands;
    for (const Equation& equation : f.equations()) {
      if (equation.op == &detail::constant_op()) {
        values[equation.first_result] = Tensor(detail::constant_array(equation));
        continue;
      }
      operands.clear();
      for (ValueId operand : equation.operands) operands.push_back(values[operand]);
      const std::span<const Type> types(&f.type(equation.first_result), equation.num_results);
      const std::optional<Attrs> attrs = nested.changed(equation.attrs);
      round.changed |= attrs.has_value();
      std::optional<Tensors> results;
      if (simplify_rule(*equation.op) != nullptr) {
        LocationScope location(equation.where);
        Question question(*equation.op, operands, attrs ? *attrs : equation.attrs, equation.where, types);
        round.changed |= question.answer.has_value();
        round.needs_another |= question.has_new_parts;
        results = std::move(question.answer);
      }
      if (!results && attrs) {
        Equation rewritten = equation;
        rewritten.attrs = *attrs;
        results = replay(rewritten, std::move(operands), types);
      }
      if (!results) results = replay(equation, std::move(operands), types);
      std::move(results->begin(), results->end(), values.begin() + equation.first_result);
    }
    if (!round.changed) return {};  // nobody reads what was traced
    Tensors results;
    for (const Result& result : f.results()) results.push_back(values[result.value]);
    return results;
  };
  const Function g = trace_flat(f.arguments(), body, std::move(options)).function;
  if (!round.changed) return f;
  return f.donations().empty() ? g : g.with_donations(f.donations());
}

Function simplify_fully(const Function& f, detail::NestedPass& nested) {
  Function current = f;
  for (int round = 0; round < kMaxRounds; ++round) {
    Round done;
    current = simplify_once(current, nested, done);
    if (!done.needs_another) break;
  }
  return current;
}

}  // namespace

Function simplify(const Function& f, SourceLoc where) {
  detail::NestedPass nested(simplify_fully);
  return nested.run(f, "simplify", where);
}

}  // namespace calx
