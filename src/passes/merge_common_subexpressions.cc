// Common subexpressions: an equation equal to an earlier one (op, operands after merging, attributes) becomes that one.
//
//   %0 = tanh(%x)                    %0 = tanh(%x)
//   %1 = tanh(%x)           ->       %1 = add(%0, %0)
//   %2 = add(%0, %1)                 return %1
//   return %2
//
// Every op is pure, so none is left out. What must be computed twice (the recomputation of a checkpoint) reads its operands
// through a barrier and so has other operands.
#include <unordered_set>

#include "calx/base/hash.h"
#include "calx/passes/passes.h"
#include "rewrite.h"

namespace calx {
namespace {

Function merge(const Function& f, detail::NestedPass& nested) {
  const std::vector<Equation>& equations = f.equations();
  std::vector<ValueId> same(f.num_values());  // the first value equal to it
  for (std::size_t i = 0; i < same.size(); ++i) same[i] = static_cast<ValueId>(i);
  std::unordered_map<std::size_t, Attrs> new_attrs;
  const auto attrs_of = [&](std::size_t i) -> const Attrs& {
    const auto found = new_attrs.find(i);
    return found != new_attrs.end() ? found->second : equations[i].attrs;
  };
  std::vector<std::uint64_t> hashes(equations.size());
  const auto hash = [&](std::size_t i) { return hashes[i]; };
  const auto equal = [&](std::size_t i, std::size_t j) {
    const Equation& a = equations[i];
    const Equation& b = equations[j];
    if (hashes[i] != hashes[j] || a.op != b.op || a.operands.size() != b.operands.size() ||
        a.num_results != b.num_results) {
      return false;
    }
    for (std::size_t k = 0; k < a.operands.size(); ++k) {
      if (same[a.operands[k]] != same[b.operands[k]]) return false;
    }
    for (std::uint32_t r = 0; r < a.num_results; ++r) {
      if (!(f.type(a.first_result + r) == f.type(b.first_result + r))) return false;
    }
    return attrs_of(i) == attrs_of(j);
  };
  std::unordered_set<std::size_t, decltype(hash), decltype(equal)> first(equations.size(), hash, equal);
  std::vector<bool> merged(equations.size());
  bool changed = false;
  for (std::size_t i = 0; i < equations.size(); ++i) {
    const Equation& equation = equations[i];
    if (std::optional<Attrs> attrs = nested.changed(equation.attrs)) {
      new_attrs.emplace(i, *std::move(attrs));
      changed = true;
    }
    std::uint64_t state = std::hash<const OpDef*>()(equation.op);
    for (ValueId operand : equation.operands) state = hash_mix(state, same[operand]);
    if (!equation.attrs.empty()) state = hash_mix(state, attrs_of(i).hash());
    hashes[i] = state;
    const auto [found, is_new] = first.insert(i);
    if (is_new) continue;
    merged[i] = changed = true;
    for (std::uint32_t r = 0; r < equation.num_results; ++r) {
      same[equation.first_result + r] = equations[*found].first_result + r;
    }
  }
  if (!changed) return f;
  detail::Rewriter to(f);
  for (std::size_t i = 0; i < equations.size(); ++i) {
    const Equation& equation = equations[i];
    if (!merged[i]) {
      to.keep(equation, attrs_of(i));
      continue;
    }
    for (std::uint32_t r = 0; r < equation.num_results; ++r) {
      const ValueId value = equation.first_result + r;
      to.set(value, to[same[value]]);
    }
  }
  return to.finish();
}

}  // namespace

Function merge_common_subexpressions(const Function& f, SourceLoc where) {
  detail::NestedPass nested(merge);
  return nested.run(f, "merge_common_subexpressions", where);
}

}  // namespace calx
