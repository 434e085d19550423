// Every equation that a jvp, transpose or batch rule emits is changed in turn; the laws must notice. A mutant that they do
// not notice must be listed with the reason why it computes the same; a listed one that is noticed, or gone, is stale.
#include <algorithm>

#include "calx/base/format.h"
#include "calx/transforms/transforms.h"
#include "laws/law_functions.h"
#include "mutants/mutation.h"

namespace calx::laws {
namespace {

void run_quick(const LawInput& input, Rule rule, Cell& cell) {
  const auto run = [&](void (*law)(const LawInput&, Cell&)) {
    if (!cell.failed()) guarded(cell, "law", [&] { law(input, cell); });
  };
  if (rule == Rule::batch) return run(check_vmap);
  if (rule != Rule::transpose) run(check_jvp);
  run(check_vjp);
  run(check_modes);
}

/// Is every result of the derived programs the same, bit for bit, on all draws?
bool computes_the_same(const OpDef& op, const OpDef& mutant, const std::vector<Case>& cases, Rule rule) {
  for (const Case& one : cases) {
    const auto programs = [&](const OpDef& which) {
      const Function f = one_equation(which, one.types, one.attrs);
      std::vector<Function> all;
      if (rule == Rule::batch) {
        const std::vector<std::optional<int>> axes(one.types.size(), 0);
        all.push_back(vmap(f, axes, Dim(3)));
      } else {
        all.push_back(jvp(f, one.floating()));
        all.push_back(vjp(f, one.floating()));
        std::vector<bool> again = one.floating();
        again.resize(all[1].arguments().size(), false);
        all.push_back(jvp(all[1], again));
      }
      return all;
    };
    const std::vector<Function> left = programs(op), right = programs(mutant);
    for (std::size_t p = 0; p < left.size(); ++p) {
      for (int round = 0; round < 24; ++round) {
        Case wide{.sample = {}, .dtype = {}, .types = left[p].argument_types(), .attrs = {}};
        wide.sample.operands.resize(wide.types.size());
        for (std::size_t i = 0; i < one.types.size(); ++i) wide.sample.operands[i] = one.sample.operands[i];
        const std::vector<Array> arguments =
            round < 4 ? draw(op, wide, static_cast<std::uint64_t>(round)) : draw_corners(op, wide, round);
        const std::vector<Array> a = evaluate(left[p], arguments), b = evaluate(right[p], arguments);
        for (std::size_t r = 0; r < a.size(); ++r) {
          if (!same_bits(a[r], b[r])) return false;
        }
      }
    }
  }
  return true;
}

}  // namespace

void check_mutants(const LawInput& input, Cell& cell) {
  // The largest cases first: they notice most.
  LawInput quick{.op = input.op, .cases = input.cases, .seed = input.seed, .quick = true};
  std::erase_if(quick.cases, [](const Case& one) {
    return one.dtype && *one.dtype != f64 && *one.dtype != f32 && *one.dtype != i32;
  });
  std::stable_sort(quick.cases.begin(), quick.cases.end(),
                   [](const Case& a, const Case& b) { return a.num_elements() > b.num_elements(); });
  const Probe probe = probe_rules(input.op);
  Cell healthy;
  for (Rule rule : {Rule::jvp, Rule::transpose, Rule::batch}) {
    run_quick({.op = *probe.op, .cases = quick.cases, .seed = quick.seed, .quick = true}, rule, healthy);
  }
  if (healthy.failed()) return cell.fail("the unchanged op fails the laws: " + healthy.failures().front());
  const std::vector<Mutation> mutations = *probe.found;
  if (mutations.empty()) return cell.claim("no rule of its own");

  std::vector<std::string> listed;
  for (const Equivalent& one : equivalent_mutants()) {
    if (one.op == input.op.name) listed.emplace_back(one.mutation);
  }
  std::vector<std::string> used;
  for (const Mutation& mutation : mutations) {
    const OpDef& mutant = mutated(input.op, mutation);
    Cell outcome;
    run_quick({.op = mutant, .cases = quick.cases, .seed = quick.seed, .quick = true}, mutation.rule, outcome);
    const std::string key = mutation.to_string();
    const bool is_listed = std::find(listed.begin(), listed.end(), key) != listed.end();
    if (outcome.failed()) {
      cell.check(!is_listed, [&] { return format("\"{}\" is listed as equivalent but the laws notice it", key); });
      continue;
    }
    used.push_back(key);
    if (is_listed) {
      cell.add_checks(1);
      continue;
    }
    bool same = false;
    try {
      same = computes_the_same(input.op, mutant, mutation.rule == Rule::batch ? structural_cases(quick.cases) : derivative_cases(quick.cases),
                               mutation.rule);
    } catch (const std::exception&) {
    }
    cell.fail(format("no law notices the mutant \"{}\" ({})", key,
                     same ? "it computes the same bits: list it with the reason" : "it computes other values"));
  }
  for (const std::string& key : listed) {
    const bool is_used = std::find(used.begin(), used.end(), key) != used.end();
    cell.check(is_used, [&] { return format("\"{}\" is listed as equivalent but there is no such uncaught mutant", key); });
  }
}

}  // namespace calx::laws
