// Every equation that a jvp, transpose or batch rule emits is changed in turn; the laws must notice. A mutant
// that they do not notice must be listed with the reason why it computes the same; a listed one that is
// noticed, or gone, is stale.
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

/// A point where differences have a value and the unchanged op's jvp is that value. No law asks for it at
/// every point, as some lie on ties or kinks, where conventions may choose otherwise; but a mutant of an op
/// that agrees must agree as well.
struct AgreedPoint {
  Case one;
  std::vector<Array> arguments;  // operands, then directions
  Differences expected;
};

bool agrees(const OpDef& op, const AgreedPoint& point) {
  const Function f = one_equation(op, point.one.types, point.one.attrs);
  const std::vector<Array> results = evaluate(jvp(f, point.one.floating()), point.arguments);
  for (std::size_t r = 0; r < point.expected.tangents.size(); ++r) {
    if (difference(results[f.results().size() + r], point.expected.tangents[r], point.expected.allowed,
                   Compared::where_second_finite)) {
      return false;
    }
  }
  return true;
}

/// Rounds as samples draw alternate with rounds on a coarse grid, where ties are likely.
std::vector<AgreedPoint> find_agreed_points(const OpDef& op, const std::vector<Case>& cases) {
  constexpr std::uint64_t kRounds = 8;
  std::vector<AgreedPoint> points;
  for (const Case& one : cases) {
    if (!one.has_floating() || one.num_elements() == 0 || (one.dtype && *one.dtype != f64)) continue;
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      try {
        AgreedPoint point{.one = one, .arguments = draw(op, one, round + 50), .expected = {}};
        Random random(round);
        std::vector<Array> directions;
        for (std::size_t i = 0; i < one.types.size(); ++i) {
          if (!one.types[i].dtype.is_floating()) continue;
          directions.push_back(draw_normal(one.types[i], random));
          const Draw how = one.sample.operands[i].draw;
          if (round % 2 == 0 || how == Draw::given || one.types[i].dtype != f64) continue;
          Array grid = Array::uninitialized(f64, one.types[i].shape.sizes());
          for (std::int64_t k = 0; k < grid.num_elements(); ++k) {
            grid.mutable_data<double>()[k] =
                static_cast<double>(random.integer(how == Draw::positive ? 1 : -1, 3)) *
                (how == Draw::unit ? 0.25 : 1);
          }
          point.arguments[i] = grid;
        }
        const Function f = one_equation(op, one.types, one.attrs);
        point.expected = central_differences(f, point.arguments, one.floating(), directions);
        point.arguments.insert(point.arguments.end(), directions.begin(), directions.end());
        if (agrees(op, point)) points.push_back(std::move(point));
      } catch (const Error&) {
        // The op does not take such values.
      }
    }
  }
  return points;
}

/// `*` in the pattern stands for any text.
bool matches(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  pattern.remove_prefix(star + 1);
  text.remove_prefix(star);
  for (std::size_t skipped = 0; skipped <= text.size(); ++skipped) {
    if (matches(pattern, text.substr(skipped))) return true;
  }
  return false;
}

/// A program derived from an op, and how its arguments are drawn.
struct Derivation {
  Function program;
  SampleOperands operands;
};

std::vector<Derivation> derivations(const OpDef& op, const Case& one, Rule rule) {
  const Function f = one_equation(op, one.types, one.attrs);
  std::vector<Derivation> all;
  const auto add = [&](Function program, SampleOperands operands) {
    operands.resize(program.arguments().size());
    all.push_back({std::move(program), std::move(operands)});
  };
  const SampleOperands& operands = one.sample.operands;
  if (rule == Rule::batch) {
    add(vmap(f, std::vector<std::optional<int>>(one.types.size(), 0), Dim(3)), operands);
    return all;
  }
  const Function reverse = vjp(f, one.floating());
  std::vector<bool> again = one.floating();
  again.resize(reverse.arguments().size(), false);
  add(jvp(f, one.floating()), operands);
  add(reverse, operands);
  add(jvp(reverse, again), operands);
  // The jvp of a linear op may be made of other ops: its own transpose is run by itself only.
  const LinearIn* linear =
      op.primitive() != nullptr ? std::get_if<LinearIn>(&op.primitive()->linear) : nullptr;
  if (rule != Rule::transpose || linear == nullptr) return all;
  for (const std::vector<int>& group : linear->groups) {
    std::vector<bool> selected(one.types.size(), false);
    bool all_floating = true;
    for (int operand : group_operands(group, one.types.size())) {
      const auto i = static_cast<std::size_t>(operand);
      if (i >= one.types.size()) continue;
      selected[i] = true;
      all_floating &= one.types[i].dtype.is_floating();
    }
    if (!all_floating) continue;
    SampleOperands others;
    for (std::size_t i = 0; i < one.types.size(); ++i) {
      if (!selected[i]) others.push_back(operands[i]);
    }
    add(transpose(f, selected), std::move(others));
  }
  return all;
}

/// Is every result of the derived programs the same, bit for bit, on all draws?
bool computes_the_same(const OpDef& op, const OpDef& mutant, const std::vector<Case>& cases, Rule rule) {
  for (const Case& one : cases) {
    const std::vector<Derivation> left = derivations(op, one, rule), right = derivations(mutant, one, rule);
    for (std::size_t p = 0; p < left.size(); ++p) {
      Case wide{.sample = {}, .dtype = {}, .types = left[p].program.argument_types(), .attrs = {}};
      wide.sample.operands = left[p].operands;
      for (int round = 0; round < 24; ++round) {
        const std::vector<Array> arguments =
            round < 4 ? draw(op, wide, static_cast<std::uint64_t>(round)) : draw_corners(op, wide, round);
        const std::vector<Array> a = evaluate(left[p].program, arguments),
                                 b = evaluate(right[p].program, arguments);
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
  if (const Region* region = input.op.region();
      region != nullptr && std::holds_alternative<ByTransforms>(region->batch)) {
    return cell.claim("ByTransforms");
  }
  const Probe probe = probe_rules(input.op);
  Cell healthy;
  for (Rule rule : {Rule::jvp, Rule::transpose, Rule::batch}) {
    run_quick({.op = *probe.op, .cases = quick.cases, .seed = quick.seed, .quick = true}, rule, healthy);
  }
  if (healthy.failed()) return cell.fail("the unchanged op fails the laws: " + healthy.failures().front());
  const std::vector<Mutation> mutations = *probe.found;
  if (mutations.empty()) return cell.claim("no rule of its own");

  const std::vector<AgreedPoint> agreed = find_agreed_points(input.op, quick.cases);
  std::vector<std::string> listed;
  for (const Equivalent& one : equivalent_mutants()) {
    if (one.op == input.op.name) listed.emplace_back(one.mutation);
  }
  std::vector<std::string> used;
  for (const Mutation& mutation : mutations) {
    const OpDef& mutant = mutated(input.op, mutation);
    Cell outcome;
    run_quick({.op = mutant, .cases = quick.cases, .seed = quick.seed, .quick = true}, mutation.rule,
              outcome);
    if (!outcome.failed() && mutation.rule == Rule::jvp) {
      guarded(outcome, "agreed points", [&] {
        for (const AgreedPoint& point : agreed) {
          if (!outcome.check(agrees(mutant, point), [] { return std::string("differs from differences"); }))
            break;
        }
      });
    }
    cell.add_checks(1);
    if (outcome.failed()) continue;
    const std::string key = mutation.to_string();
    bool is_listed = false;
    for (const std::string& pattern : listed) {
      if (!matches(pattern, key)) continue;
      is_listed = true;
      used.push_back(pattern);
    }
    if (is_listed) continue;
    bool same = false;
    try {
      same = computes_the_same(
          input.op, mutant,
          mutation.rule == Rule::batch ? structural_cases(quick.cases) : derivative_cases(quick.cases),
          mutation.rule);
    } catch (const std::exception&) {
    }
    cell.fail(
        format("no law notices the mutant \"{}\" ({})", key,
               same ? "it computes the same bits: list it with the reason" : "it computes other values"));
  }
  for (const std::string& pattern : listed) {
    const bool is_used = std::find(used.begin(), used.end(), pattern) != used.end();
    cell.check(is_used,
               [&] { return format("\"{}\" is listed but matches no mutant that the laws miss", pattern); });
  }
}

}  // namespace calx::laws
