#include "mutants/mutation.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <mutex>
#include <set>

#include "calx/base/format.h"
#include "calx/base/hash.h"
#include "calx/core/core_ops.h"
#include "calx/core/trace.h"
#include "laws/law_functions.h"

namespace calx::laws {
namespace {

/// What is done to the Function that a rule made.
using Treatment = std::function<Function(Rule, const Function&)>;

Tensor changed(const Tensor& value, Change change) {
  switch (change) {
    case Change::negate:
      if (!value.dtype().is_boolean()) return core::neg(value);
      return core::select(value, core::zeros(value.type()), core::ones(value.type()));
    case Change::twice:
      return core::add(value, value);
    case Change::zero:
      return core::zeros(value.type());
    default:
      raise_internal("not a change of a value");
  }
}

/// Does the equation keep its types with this attribute at its default?
bool takes_default(const Equation& equation, const Function& f, const AttrSpec& spec) {
  std::vector<Type> types;
  for (ValueId operand : equation.operands) types.push_back(f.type(operand));
  Attrs attrs = equation.attrs;
  attrs.set_value(spec.name, *spec.default_value);
  try {
    const std::vector<Type> results = infer_types(*equation.op, types, attrs, {});
    for (std::size_t r = 0; r < results.size(); ++r) {
      if (results[r] != f.type(equation.result(static_cast<int>(r)))) return false;
    }
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// f with one equation, or one result, changed; f itself where the mutation does not apply.
Function mutate(const Function& f, const Mutation& mutation) {
  return trace_flat(f.arguments(),
                    [&](std::span<const Tensor> arguments) -> Tensors {
                      Tensors values(f.num_values());
                      std::copy(arguments.begin(), arguments.end(), values.begin());
                      for (std::size_t e = 0; e < f.equations().size(); ++e) {
                        const Equation& equation = f.equations()[e];
                        Tensors operands;
                        for (ValueId operand : equation.operands) operands.push_back(values[operand]);
                        std::vector<Type> types;
                        for (std::uint32_t r = 0; r < equation.num_results; ++r) {
                          types.push_back(f.type(equation.result(static_cast<int>(r))));
                        }
                        const bool here = static_cast<int>(e) == mutation.equation &&
                                          equation.op->name == mutation.equation_op;
                        Equation copy = equation;
                        const auto position = static_cast<std::size_t>(mutation.position);
                        if (here && mutation.change == Change::swap_operands && operands.size() >= 2 &&
                            operands[0].type() == operands[1].type()) {
                          std::swap(operands[0], operands[1]);
                        }
                        if (here && mutation.change == Change::default_attribute) {
                          for (const AttrSpec& spec : equation.op->attrs) {
                            if (spec.name == mutation.attribute && takes_default(equation, f, spec)) {
                              copy.attrs.set_value(spec.name, *spec.default_value);
                            }
                          }
                        }
                        Tensors results = replay(copy, operands, types);
                        if (here && mutation.change == Change::keep_operand && position < operands.size() &&
                            operands[position].type() == results[0].type()) {
                          results[0] = operands[position];
                        }
                        if (here && mutation.change <= Change::zero && position < results.size()) {
                          results[position] = changed(results[position], mutation.change);
                        }
                        for (std::uint32_t r = 0; r < equation.num_results; ++r) {
                          values[equation.first_result + r] = results[r];
                        }
                      }
                      Tensors results;
                      for (std::size_t r = 0; r < f.results().size(); ++r) {
                        Tensor value = values[f.results()[r].value];
                        const bool passed = f.results()[r].value < f.arguments().size();
                        if (passed && mutation.equation < 0 && mutation.position == static_cast<int>(r)) {
                          value = changed(value, mutation.change);
                        }
                        results.push_back(std::move(value));
                      }
                      return results;
                    })
      .function;
}

/// Can no operand values tell the changed equation from the equation? By experiment, corner values included.
bool is_same_function(const Equation& equation, const Function& f, const Mutation& mutation) {
  std::vector<Type> types;
  for (ValueId operand : equation.operands) types.push_back(f.type(operand));
  for (const Type& type : types) {
    if (!type.shape.is_static()) return false;
  }
  Attrs other = equation.attrs;
  if (mutation.change == Change::default_attribute) {
    for (const AttrSpec& spec : equation.op->attrs) {
      if (spec.name == mutation.attribute) other.set_value(spec.name, *spec.default_value);
    }
  }
  try {
    Case one{.types = types, .attrs = equation.attrs};
    one.sample.operands.resize(types.size());
    const Function call = one_equation(*equation.op, types, equation.attrs);
    const Function changed_call = one_equation(*equation.op, types, other);
    // On corner values a loop may need the bound on its steps that the mutation takes away.
    const int rounds = equation.op->region() != nullptr ? 6 : 24;
    for (int round = 0; round < rounds; ++round) {
      std::vector<Array> operands = round < 6 ? draw(*equation.op, one, static_cast<std::uint64_t>(round))
                                              : draw_corners(*equation.op, one, round);
      const std::vector<Array> expected = evaluate(call, operands);
      std::vector<Array> actual = expected;
      if (mutation.change == Change::keep_operand) {
        actual[0] = operands[static_cast<std::size_t>(mutation.position)];
      } else {
        if (mutation.change == Change::swap_operands) std::swap(operands[0], operands[1]);
        actual = evaluate(changed_call, operands);
      }
      for (std::size_t r = 0; r < expected.size(); ++r) {
        if (!same_bits(expected[r], actual[r])) return false;
      }
    }
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

/// Values that are 0 whatever the arguments: zero constants, and linear ops of them. Changing these changes
/// nothing.
std::vector<bool> known_zeros(const Function& f) {
  std::vector<bool> zero(f.num_values(), false);
  for (const Equation& equation : f.equations()) {
    bool known = !equation.operands.empty() && equation.op->primitive() != nullptr &&
                 std::holds_alternative<LinearIn>(equation.op->primitive()->linear);
    for (ValueId operand : equation.operands) known &= zero[operand];
    if (const AttrValue* value = equation.attrs.find("value");
        value != nullptr && equation.operands.empty()) {
      if (const auto* array = std::get_if<Array>(value))
        known = *array == Array::zeros(array->dtype(), array->sizes());
    }
    for (std::uint32_t r = 0; r < equation.num_results; ++r) zero[equation.first_result + r] = known;
  }
  return zero;
}

/// `seen` keeps what was compared before: rules run many times with the same types.
void collect_mutations(Rule rule, const Function& f, std::vector<Mutation>& found,
                       std::set<std::uint64_t>& seen) {
  const auto add = [&](Mutation mutation) {
    mutation.rule = rule;
    if (std::find(found.begin(), found.end(), mutation) == found.end()) found.push_back(std::move(mutation));
  };
  const auto add_values = [&](int equation, const std::string& op, int position, const Type& type) {
    if (type.shape.num_elements() == Dim(0)) return;
    for (Change change : {Change::negate, Change::twice, Change::zero}) {
      if (change == Change::twice && type.dtype.is_boolean()) continue;
      add({.equation = equation, .equation_op = op, .position = position, .change = change});
    }
  };
  const std::vector<bool> is_zero = known_zeros(f);
  std::vector<bool> is_read(f.num_values(), false);
  for (const Equation& equation : f.equations()) {
    for (ValueId operand : equation.operands) is_read[operand] = true;
  }
  for (const auto& result : f.results()) is_read[result.value] = true;
  for (std::size_t e = 0; e < f.equations().size(); ++e) {
    const Equation& equation = f.equations()[e];
    const std::string op(equation.op->name);
    const int number = static_cast<int>(e);
    if (is_zero[equation.first_result]) continue;
    for (int r = 0; r < static_cast<int>(equation.num_results); ++r) {
      // Nothing can depend on a result that nothing reads.
      if (is_read[equation.result(r)]) add_values(number, op, r, f.type(equation.result(r)));
    }
    const Type& result = f.type(equation.first_result);
    if (result.shape.num_elements() == Dim(0)) continue;
    const auto add_unless_same = [&](Mutation mutation) {
      mutation.equation = number;
      mutation.equation_op = op;
      mutation.rule = rule;
      if (std::find(found.begin(), found.end(), mutation) != found.end()) return;
      std::uint64_t key = hash_string(mutation.to_string(), equation.attrs.hash());
      for (ValueId operand : equation.operands) key = hash_mix(key, f.type(operand).hash());
      if (seen.insert(key).second && !is_same_function(equation, f, mutation))
        found.push_back(std::move(mutation));
    };
    for (std::size_t i = 0; i < equation.operands.size() && i < 2; ++i) {
      if (f.type(equation.operands[i]) == result) {
        add_unless_same({.position = static_cast<int>(i), .change = Change::keep_operand});
      }
    }
    if (equation.operands.size() >= 2 && equation.operands[0] != equation.operands[1] &&
        f.type(equation.operands[0]) == f.type(equation.operands[1])) {
      add_unless_same({.change = Change::swap_operands});
    }
    for (const AttrSpec& spec : equation.op->attrs) {
      const AttrValue* value = equation.attrs.find(spec.name);
      if (!spec.default_value || value == nullptr || same_attribute(*value, *spec.default_value)) continue;
      if (takes_default(equation, f, spec)) {
        add_unless_same({.change = Change::default_attribute, .attribute = std::string(spec.name)});
      }
    }
  }
  for (std::size_t r = 0; r < f.results().size(); ++r) {
    const ValueId value = f.results()[r].value;
    if (value < f.arguments().size()) add_values(-1, "", static_cast<int>(r), f.type(value));
  }
}

/// Runs a rule in a trace of its own and gives what it made to `treat`.
Tensors treated(Rule rule, const Treatment& treat, const std::function<Tensors()>& body) {
  const Traced traced = trace_flat({}, [&](std::span<const Tensor>) { return body(); });
  return inline_function(treat(rule, traced.function), traced.captures);
}

Tangents treated_tangents(Rule rule, const Treatment& treat, const std::function<Tangents()>& body) {
  Tangents shape;
  const Tensors tensors = treated(rule, treat, [&] {
    shape = body();
    Tensors result;
    for (const Tangent& tangent : shape) {
      if (!tangent.is_zero()) result.push_back(tangent.tensor());
    }
    return result;
  });
  Tangents result;
  std::size_t next = 0;
  for (const Tangent& tangent : shape) {
    result.push_back(tangent.is_zero() ? Tangent::zero(tangent.type()) : Tangent(tensors[next++]));
  }
  return result;
}

RegionDerivative treated_derivative(Rule rule, const Treatment& treat,
                                    const std::function<RegionDerivative()>& body) {
  RegionDerivative shape;
  const Tensors tensors = treated(rule, treat, [&] {
    shape = body();
    Tensors result(shape.results.begin(), shape.results.end());
    for (const Tangent& tangent : shape.tangents) {
      if (!tangent.is_zero()) result.push_back(tangent.tensor());
    }
    return result;
  });
  RegionDerivative result;
  std::size_t next = 0;
  for (std::size_t i = 0; i < shape.results.size(); ++i) result.results.push_back(tensors[next++]);
  for (const Tangent& tangent : shape.tangents) {
    result.tangents.push_back(tangent.is_zero() ? Tangent::zero(tangent.type()) : Tangent(tensors[next++]));
  }
  return result;
}

std::vector<Batched> treated_batch(const Treatment& treat,
                                   const std::function<std::vector<Batched>()>& body) {
  std::vector<Batched> shape;
  const Tensors tensors = treated(Rule::batch, treat, [&] {
    shape = body();
    Tensors result;
    for (const Batched& one : shape) result.push_back(one.tensor);
    return result;
  });
  for (std::size_t i = 0; i < shape.size(); ++i) shape[i].tensor = tensors[i];
  return shape;
}

void treat_jvp(JvpRule& rule, const Treatment& treat) {
  rule = [inner = rule, treat](const Call& c, const Tangents& t) {
    return treated_tangents(Rule::jvp, treat, [&] { return inner(c, t); });
  };
}
void treat_batch(BatchRule& rule, const Treatment& treat) {
  rule = [inner = rule, treat](const BatchCall& c) { return treated_batch(treat, [&] { return inner(c); }); };
}

OpDef with_treatment(const OpDef& op, const Treatment& treat) {
  OpDef copy = op;
  if (auto* primitive = std::get_if<Primitive>(&copy.form)) {
    if (auto* rule = std::get_if<JvpRule>(&primitive->jvp)) treat_jvp(*rule, treat);
    if (auto* rule = std::get_if<BatchRule>(&primitive->batch)) treat_batch(*rule, treat);
    if (auto* linear = std::get_if<LinearIn>(&primitive->linear)) {
      linear->transpose = [inner = linear->transpose, treat](const Call& c, int group, const Tangents& ct) {
        return treated_tangents(Rule::transpose, treat, [&] { return inner(c, group, ct); });
      };
    }
  } else if (auto* composite = std::get_if<Composite>(&copy.form)) {
    if (auto* rule = std::get_if<JvpRule>(&composite->jvp)) treat_jvp(*rule, treat);
    if (auto* rule = std::get_if<BatchRule>(&composite->batch)) treat_batch(*rule, treat);
  } else {
    auto& region = std::get<Region>(copy.form);
    if (auto* rule = std::get_if<RegionJvpRule>(&region.jvp)) {
      *rule = [inner = *rule, treat](const Call& c, const Tangents& t) {
        return treated_derivative(Rule::jvp, treat, [&] { return inner(c, t); });
      };
    }
    if (auto* rule = std::get_if<RegionLinearizeRule>(&region.linearize)) {
      *rule = [inner = *rule, treat](const Call& c, const Tangents& t) {
        return treated_derivative(Rule::linearize, treat, [&] { return inner(c, t); });
      };
    }
    if (auto* rule = std::get_if<RegionTransposeRule>(&region.transpose)) {
      *rule = [inner = *rule, treat](const Call& c, const std::vector<bool>& linear, const Tangents& ct) {
        return treated_tangents(Rule::transpose, treat, [&] { return inner(c, linear, ct); });
      };
    }
    if (auto* rule = std::get_if<BatchRule>(&region.batch)) treat_batch(*rule, treat);
  }
  return copy;
}

const OpDef& kept(OpDef op) {
  static std::mutex mutex;
  static std::deque<OpDef> ops;
  std::scoped_lock lock(mutex);
  return ops.emplace_back(std::move(op));
}

}  // namespace

std::string_view name(Rule rule) {
  constexpr std::string_view names[] = {"jvp", "transpose", "batch", "linearize"};
  return names[static_cast<int>(rule)];
}

std::string Mutation::to_string() const {
  std::string text = equation >= 0 ? format("{} #{} {}", name(rule), equation, equation_op)
                                   : format("{} result {}", name(rule), position);
  const std::string which = position > 0 && equation >= 0 ? format(" result {}", position) : "";
  switch (change) {
    case Change::negate:
      return text + which + ": negate";
    case Change::twice:
      return text + which + ": twice";
    case Change::zero:
      return text + which + ": zero";
    case Change::keep_operand:
      return text + format(": keep operand {}", position);
    case Change::swap_operands:
      return text + ": swap operands";
    case Change::default_attribute:
      return text + format(": default {}", attribute);
  }
  return text;
}

Probe probe_rules(const OpDef& op) {
  Probe probe;
  probe.found = std::make_shared<std::vector<Mutation>>();
  const auto seen = std::make_shared<std::set<std::uint64_t>>();
  probe.op = &kept(with_treatment(op, [found = probe.found, seen](Rule rule, const Function& f) {
    collect_mutations(rule, f, *found, *seen);
    return f;
  }));
  return probe;
}

const OpDef& mutated(const OpDef& op, const Mutation& mutation) {
  return kept(with_treatment(op, [mutation](Rule rule, const Function& f) {
    return rule == mutation.rule ? mutate(f, mutation) : f;
  }));
}

}  // namespace calx::laws
