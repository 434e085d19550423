// Law 7: a composite whose slots are overridden equals its decomposition: types, values, derivatives of order
// 1 to 3 in both modes, batching.
#include <algorithm>
#include <deque>
#include <mutex>

#include "calx/base/format.h"
#include "calx/core/bind.h"
#include "calx/transforms/transforms.h"
#include "law_functions.h"

namespace calx::laws {
namespace {

/// The same op with nothing but its decomposition. Kept for ever, as equations point to their op.
const OpDef& without_overrides(const OpDef& op) {
  static std::mutex mutex;
  static std::deque<OpDef> plain;
  std::scoped_lock lock(mutex);
  OpDef copy = op;
  auto& form = std::get<Composite>(copy.form);
  form.infer = Derived{};
  form.jvp = Derived{};
  form.batch = Derived{};
  form.simplify = NoIdentity{};
  form.reference = Derived{};
  form.lower = Derived{};
  return plain.emplace_back(std::move(copy));
}

void check_case(const LawInput& input, const OpDef& plain, const Case& one, Cell& cell) {
  Function f = one_equation(input.op, one.types, one.attrs);
  Function g = one_equation(plain, one.types, one.attrs);
  cell.check(f.result_types() == g.result_types(),
             [&] { return one.label + ": the override infers other types"; });
  std::vector<Array> arguments = draw(input.op, one, input.seed);
  const auto compare = [&](const std::string& what, const Function& a, const Function& b,
                           const std::vector<Array>& x) {
    const std::vector<Array> left = evaluate(a, x);
    const std::vector<Array> right = evaluate(b, x);
    const Allowed allowed = reassociated(x, left, input.op.numerics.tolerance_scale);
    for (std::size_t r = 0; r < left.size(); ++r) {
      check_close(cell, format("{}: {}, result {}", one.label, what, r), left[r], right[r], allowed);
    }
  };
  compare("value", f, g, arguments);
  if (!one.types.empty()) {
    std::vector<std::optional<int>> axes(one.types.size(), 0);
    std::vector<Array> stacked;
    const std::vector<Array> other = draw(input.op, one, input.seed + 1);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      stacked.push_back(stack({arguments[i], other[i]}, 0, one.types[i]));
    compare("vmap", vmap(f, axes, Dim(2)), vmap(g, axes, Dim(2)), stacked);
  }
  if (!one.sample.smooth || !one.has_floating()) return;
  const bool wide = !one.dtype || *one.dtype == f64;
  std::vector<bool> differentiated = one.floating();
  Random random(input.seed + 23);
  for (int order = 1; order <= (wide ? 3 : 1); ++order) {
    differentiated.resize(f.arguments().size(), false);
    std::vector<Array> backward = arguments;
    for (const Type& type : f.result_types()) {
      if (type.dtype.is_floating()) backward.push_back(draw_normal(type, random));
    }
    compare(format("vjp of order {}", order), vjp(f, differentiated), vjp(g, differentiated), backward);
    f = jvp(f, differentiated);
    g = jvp(g, differentiated);
    for (const Type& type : one.types) {
      if (type.dtype.is_floating()) arguments.push_back(draw_normal(type, random));
    }
    compare(format("jvp of order {}", order), f, g, arguments);
  }
}

}  // namespace

void check_decomposition(const LawInput& input, Cell& cell) {
  const Composite* composite = input.op.composite();
  if (composite == nullptr) return cell.claim(input.op.primitive() != nullptr ? "Primitive" : "Region");
  const bool overridden = !std::holds_alternative<Derived>(composite->infer) ||
                          !std::holds_alternative<Derived>(composite->jvp) ||
                          !std::holds_alternative<Derived>(composite->batch) ||
                          !std::holds_alternative<Derived>(composite->reference) ||
                          !std::holds_alternative<Derived>(composite->lower);
  if (!overridden) return cell.claim("Derived");
  if (std::holds_alternative<Cut>(composite->jvp)) cell.claim("Cut");
  const OpDef& plain = without_overrides(input.op);
  for (const Case& one : input.cases) {
    if (input.quick && cell.failed()) return;
    guarded(cell, one.label, [&] {
      if (!std::holds_alternative<Cut>(composite->jvp)) return check_case(input, plain, one, cell);
      const std::vector<Array> arguments = draw(input.op, one, input.seed);
      const std::vector<Array> left = evaluate(one_equation(input.op, one.types, one.attrs), arguments);
      const std::vector<Array> right = evaluate(one_equation(plain, one.types, one.attrs), arguments);
      const Allowed allowed = reassociated(arguments, left, input.op.numerics.tolerance_scale);
      for (std::size_t r = 0; r < left.size(); ++r) {
        check_close(cell, one.label, left[r], right[r], allowed);
      }
    });
  }
}

}  // namespace calx::laws
