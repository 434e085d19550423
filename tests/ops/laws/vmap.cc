// Law 6: vmap equals stacking, for subsets of batched operands, several axes and sizes 0, 1, 3, a symbolic
// size, and a lane mask; vmap commutes with jvp and vjp.
#include <algorithm>

#include "calx/base/format.h"
#include "calx/transforms/transforms.h"
#include "law_functions.h"

namespace calx::laws {
namespace {

using Axes = std::vector<std::optional<int>>;

/// The operands of `lanes` calls, where those not batched are the first lane's.
struct Lanes {
  std::vector<std::vector<Array>> operands;  // [lane][operand]
  std::vector<Array> stacked;
};

Lanes make_lanes(const LawInput& input, const Case& one, const Axes& axes, std::int64_t size,
                 int corners = -1) {
  Lanes lanes;
  const auto draw_lane = [&](std::int64_t lane) {
    if (corners >= 0) return draw_corners(input.op, one, corners + static_cast<int>(lane));
    return draw(input.op, one, input.seed + 100 * static_cast<std::uint64_t>(lane));
  };
  const std::vector<Array> first = draw_lane(0);
  for (std::int64_t lane = 0; lane < size; ++lane) {
    std::vector<Array> operands = first;
    const std::vector<Array> own = draw_lane(lane);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (axes[i]) operands[i] = own[i];
    }
    lanes.operands.push_back(std::move(operands));
  }
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (!axes[i]) {
      lanes.stacked.push_back(first[i]);
      continue;
    }
    std::vector<Array> column;
    for (const auto& operands : lanes.operands) column.push_back(operands[i]);
    lanes.stacked.push_back(stack(column, *axes[i], one.types[i]));
  }
  return lanes;
}

/// Which operands are batched, and where.
std::vector<Axes> choices(const Case& one, bool quick) {
  const std::size_t n = one.types.size();
  std::vector<std::vector<bool>> subsets;
  if (n <= 3) {
    for (std::size_t bits = 1; bits < (std::size_t{1} << n); ++bits) {
      std::vector<bool> subset;
      for (std::size_t i = 0; i < n; ++i) subset.push_back(((bits >> i) & 1) != 0);
      subsets.push_back(std::move(subset));
    }
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<bool> alone(n, false);
      alone[i] = true;
      subsets.push_back(alone);
      alone.flip();
      subsets.push_back(alone);
    }
    subsets.emplace_back(n, true);
  }
  std::vector<Axes> result;
  for (const std::vector<bool>& subset : subsets) {
    Axes front(n), back(n), mixed(n);
    bool differ = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (!subset[i]) continue;
      const int rank = one.types[i].rank();
      front[i] = 0;
      back[i] = rank;
      mixed[i] = (static_cast<int>(i) + 1) % (rank + 1);
      differ |= rank > 0;
    }
    result.push_back(front);
    if (differ && !quick) {
      result.push_back(back);
      if (mixed != back && mixed != front) result.push_back(mixed);
    }
  }
  return result;
}

void check_stacking(const LawInput& input, const Case& one, const Function& f, const Axes& axes,
                    std::int64_t size, bool last_axes, bool symbolic, Cell& cell, int corners = -1) {
  const Lanes lanes = make_lanes(input, one, axes, size, corners);
  std::vector<int> out_axes;
  for (const Type& type : f.result_types()) out_axes.push_back(last_axes ? type.rank() : 0);
  const Function mapped = vmap(f, axes, symbolic ? Dim::symbol("Batch") : Dim(size), out_axes);
  const std::vector<Array> results = evaluate(mapped, lanes.stacked);
  std::vector<std::vector<Array>> expected;
  for (const auto& operands : lanes.operands) expected.push_back(evaluate(f, operands));
  const std::vector<Type> types = f.result_types();
  for (std::size_t r = 0; r < types.size(); ++r) {
    std::vector<Array> column;
    for (const auto& values : expected) column.push_back(values[r]);
    std::string where;
    for (const auto& axis : axes) where += axis ? format("{},", *axis) : std::string("-,");
    check_same(cell,
               format("{}: result {} of vmap, size {}, axes {}{}", one.label, r, size, where,
                      symbolic ? " symbolic" : ""),
               results[r], stack(column, out_axes[r], types[r]));
  }
}

/// With a mask, the lanes that count are those of stacking; the others are given operands that would fail
/// alone.
void check_mask(const LawInput& input, const Case& one, const Function& f, const Axes& axes, Cell& cell) {
  Lanes lanes = make_lanes(input, one, axes, 3);
  constexpr std::int64_t dead = 1;
  bool poisoned = false;
  for (std::size_t i = 0; i < one.types.size(); ++i) {
    if (!axes[i] || one.sample.operands[i].draw != Draw::indices) continue;
    std::vector<Array> column;
    for (std::int64_t lane = 0; lane < 3; ++lane) {
      Array value = lanes.operands[static_cast<std::size_t>(lane)][i];
      if (lane == dead) {
        Array bad = Array::uninitialized(value.dtype(), value.sizes());
        visit_dtype(bad.dtype(), [&]<class T>(std::type_identity<T>) {
          for (std::int64_t k = 0; k < bad.num_elements(); ++k)
            bad.mutable_data<T>()[k] = convert_element<T>(1000);
        });
        value = bad;
        poisoned = true;
      }
      column.push_back(value);
    }
    lanes.stacked[i] = stack(column, *axes[i], one.types[i]);
  }
  std::vector<Array> arguments = lanes.stacked;
  Array mask = Array::uninitialized(boolean, {3});
  for (int lane = 0; lane < 3; ++lane) mask.mutable_data<bool>()[lane] = lane != dead;
  arguments.push_back(mask);
  const std::vector<Array> results = evaluate(vmap(f, axes, Dim(3), {}, true), arguments);
  for (std::int64_t lane = 0; lane < 3; ++lane) {
    if (lane == dead) continue;
    const std::vector<Array> expected = evaluate(f, lanes.operands[static_cast<std::size_t>(lane)]);
    for (std::size_t r = 0; r < expected.size(); ++r) {
      check_same(cell,
                 format("{}: lane {} under a mask{}", one.label, lane,
                        poisoned ? ", the other lane out of range" : ""),
                 take_lane(results[r], 0, lane), expected[r]);
    }
  }
}

void check_commutes(const LawInput& input, const Case& one, const Function& f, Cell& cell) {
  const std::size_t n = one.types.size();
  const std::vector<bool> differentiated = one.floating();
  Axes axes(n, 0);
  const Lanes lanes = make_lanes(input, one, axes, 2);
  std::vector<std::vector<Array>> directions(2), weights(2);
  Random random(input.seed + 3);
  for (int lane = 0; lane < 2; ++lane) {
    for (std::size_t i = 0; i < n; ++i) {
      if (differentiated[i])
        directions[static_cast<std::size_t>(lane)].push_back(draw_normal(one.types[i], random));
    }
    for (const Type& type : f.result_types()) {
      if (type.dtype.is_floating())
        weights[static_cast<std::size_t>(lane)].push_back(draw_normal(type, random));
    }
  }
  const auto extend = [](std::vector<Array> values, const std::vector<std::vector<Array>>& more) {
    for (std::size_t i = 0; i < more[0].size(); ++i)
      values.push_back(stack({more[0][i], more[1][i]}, 0, more[0][i].type()));
    return values;
  };
  const auto compare = [&](const std::string& what, const std::vector<Array>& inputs,
                           const std::vector<Array>& a, const std::vector<Array>& b) {
    const Allowed allowed = reassociated(inputs, a, input.op.numerics.tolerance_scale);
    for (std::size_t r = 0; r < a.size() && r < b.size(); ++r) {
      check_close(cell, format("{}: {}, result {}", one.label, what, r), a[r], b[r], allowed);
    }
  };
  const auto all_batched = [](const Function& g) { return Axes(g.arguments().size(), 0); };
  const Function forward = jvp(f, differentiated);
  const Function reverse = vjp(f, differentiated);
  const Function mapped = vmap(f, axes, Dim(2));
  const std::vector<Array> jvp_arguments = extend(lanes.stacked, directions);
  const std::vector<Array> vjp_arguments = extend(lanes.stacked, weights);
  compare("vmap of jvp, jvp of vmap", jvp_arguments, evaluate(vmap(forward, all_batched(forward), Dim(2)), jvp_arguments),
          evaluate(jvp(mapped, differentiated), jvp_arguments));
  const std::vector<Array> mapped_reverse =
      evaluate(vmap(reverse, all_batched(reverse), Dim(2)), vjp_arguments);
  compare("vmap of vjp, vjp of vmap", vjp_arguments, mapped_reverse, evaluate(vjp(mapped, differentiated), vjp_arguments));
  for (std::int64_t lane = 0; lane < 2; ++lane) {
    std::vector<Array> arguments = lanes.operands[static_cast<std::size_t>(lane)];
    const auto& w = weights[static_cast<std::size_t>(lane)];
    arguments.insert(arguments.end(), w.begin(), w.end());
    const std::vector<Array> expected = evaluate(reverse, arguments);
    const Allowed allowed = reassociated(arguments, expected, input.op.numerics.tolerance_scale);
    for (std::size_t r = 0; r < expected.size(); ++r) {
      check_close(cell, format("{}: lane {} of vmap of vjp", one.label, lane),
                  take_lane(mapped_reverse[r], 0, lane), expected[r], allowed);
    }
  }
}

}  // namespace

void check_vmap(const LawInput& input, Cell& cell) {
  const slot::batch* batch = nullptr;
  if (const Primitive* primitive = input.op.primitive()) batch = &primitive->batch;
  if (const Region* region = input.op.region()) batch = &region->batch;
  if (batch != nullptr) {
    if (const auto* todo = std::get_if<Todo>(batch)) return cell.fail("Todo: " + std::string(todo->missing));
  }
  for (const Case& one : structural_cases(input.cases)) {
    if (input.quick && cell.failed()) return;
    guarded(cell, one.label, [&] {
      const Function f = one_equation(input.op, one.types, one.attrs);
      if (one.types.empty()) {
        // Nothing can be batched: the op stands beside a batched argument.
        const std::vector<Array> lone = evaluate(f, {});
        const std::vector<Array> mapped = evaluate(vmap(f, {}, Dim(3)), {});
        for (std::size_t r = 0; r < lone.size(); ++r) {
          check_same(cell, one.label, mapped[r], stack({lone[r], lone[r], lone[r]}, 0, lone[r].type()));
        }
        return;
      }
      const std::vector<Axes> all = choices(one, input.quick);
      for (std::size_t c = 0; c < all.size(); ++c) {
        check_stacking(input, one, f, all[c], 3, c % 2 == 1, false, cell);
        if (c == 0 || c == all.size() - 1) {
          // Corner values are told apart by bits only.
          for (int round : {0, 4, 8, 12}) check_stacking(input, one, f, all[c], 4, false, false, cell, round);
        }
        if (input.quick) continue;
        if (c % 3 == 0) check_stacking(input, one, f, all[c], 1, false, false, cell);
        if (c % 3 == 0) check_stacking(input, one, f, all[c], 0, true, false, cell);
        if (c == all.size() - 1) {
          check_stacking(input, one, f, all[c], 3, false, true, cell);
          check_mask(input, one, f, all[c], cell);
        }
      }
    });
  }
  if (input.quick) return;
  for (const Case& one : derivative_cases(input.cases)) {
    guarded(cell, one.label,
            [&] { check_commutes(input, one, one_equation(input.op, one.types, one.attrs), cell); });
  }
}

}  // namespace calx::laws
