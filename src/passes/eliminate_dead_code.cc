// Dead code: one sweep from the results back to the arguments.
//
//   %0 = tanh(%x)                    %0, %1 = scan(%x, %y) {...}  return %0
//   %1 = mul(%x, %y)      ->         becomes
//   return %1                        %0 = scan(%x) {body without the second carry}
//   loses %0
//
// Nested Functions lose their dead equations too, but keep their arguments and results: those belong to the op that holds
// them, whose `prune` rule may drop them.
#include "calx/core/bind.h"
#include "calx/core/trace.h"
#include "calx/passes/passes.h"
#include "rewrite.h"

namespace calx {
namespace {

/// A region op's own answer to "only these results are used": a Function of the operands whose results are the used ones.
std::optional<Function> pruned(const Function& f, const Equation& equation, const Attrs& attrs,
                               const std::vector<bool>& used) {
  const Region* region = equation.op->region();
  const PruneRule* rule = region != nullptr ? std::get_if<PruneRule>(&region->prune) : nullptr;
  if (rule == nullptr) return std::nullopt;
  const std::vector<Type> types = detail::operand_types(f, equation);
  const std::vector<Type> result_types = detail::result_types(f, equation);
  std::vector<Argument> arguments;
  for (std::size_t i = 0; i < types.size(); ++i) arguments.push_back({"operand" + std::to_string(i), types[i]});
  bool found = false;
  Function replacement =
      trace_flat(
          arguments,
          [&](std::span<const Tensor> operands) -> Tensors {
            LocationScope location(equation.where);
            const auto results =
                (*rule)(Call(*equation.op, operands, types, attrs, equation.where, {}, result_types), used);
            if (!results) return {};
            found = true;
            Tensors wanted;
            for (std::size_t i = 0; i < used.size(); ++i) {
              if (used[i]) wanted.push_back((*results)[i]);
            }
            return wanted;
          },
          {.name = "pruned", .closed = true})
          .function;
  if (!found) return std::nullopt;
  return replacement;
}

/// f with the pass applied to the Functions nested in its equations only.
Function with_nested(const Function& f, detail::NestedPass& nested) {
  detail::Rewriter to(f);
  for (const Equation& equation : f.equations()) to.keep(equation, nested.changed(equation.attrs).value_or(equation.attrs));
  return to.finish();
}

Function eliminate(const Function& f, detail::NestedPass& nested) {
  const std::vector<Equation>& equations = f.equations();
  std::vector<bool> used(f.num_values());
  std::vector<bool> live(equations.size());
  std::unordered_map<std::size_t, Attrs> new_attrs;
  std::unordered_map<std::size_t, std::pair<Function, std::vector<int>>> replacements;
  for (const Result& result : f.results()) used[result.value] = true;
  bool changed = false;
  for (std::size_t i = equations.size(); i-- > 0;) {
    const Equation& equation = equations[i];
    std::vector<bool> wanted;
    for (std::uint32_t r = 0; r < equation.num_results; ++r) wanted.push_back(used[equation.first_result + r]);
    live[i] = std::find(wanted.begin(), wanted.end(), true) != wanted.end();
    if (!live[i]) {
      changed = true;
      continue;
    }
    // Inside first: what a body does not need, its op need not be given.
    if (std::optional<Attrs> attrs = nested.changed(equation.attrs)) new_attrs.emplace(i, *std::move(attrs));
    const auto own = new_attrs.find(i);
    const std::optional<Function> smaller =
        pruned(f, equation, own != new_attrs.end() ? own->second : equation.attrs, wanted);
    if (!smaller) {
      for (ValueId operand : equation.operands) used[operand] = true;
      continue;
    }
    std::vector<int> place;
    int next = 0;
    for (bool one : wanted) place.push_back(one ? next++ : -1);
    const auto use = [&](ValueId value) {
      if (value < equation.operands.size()) used[equation.operands[value]] = true;
    };
    for (const Equation& inner : smaller->equations()) {
      for (ValueId operand : inner.operands) use(operand);
    }
    for (const Result& result : smaller->results()) use(result.value);
    replacements.emplace(i, std::pair(with_nested(*smaller, nested), std::move(place)));
  }
  if (!changed && new_attrs.empty() && replacements.empty()) return f;
  detail::Rewriter to(f);
  for (std::size_t i = 0; i < equations.size(); ++i) {
    if (!live[i]) continue;
    if (const auto found = replacements.find(i); found != replacements.end()) {
      to.splice(equations[i], found->second.first, found->second.second);
    } else {
      const auto own = new_attrs.find(i);
      to.keep(equations[i], own != new_attrs.end() ? own->second : equations[i].attrs);
    }
  }
  return to.finish();
}

}  // namespace

Function eliminate_dead_code(const Function& f, SourceLoc where) {
  detail::NestedPass nested(eliminate);
  return nested.run(f, "eliminate_dead_code", where);
}

}  // namespace calx
