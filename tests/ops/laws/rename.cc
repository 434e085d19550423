// Law 13: what an op is called decides nothing: under another name its transforms give the same programs.
#include <deque>
#include <mutex>

#include "calx/base/format.h"
#include "calx/transforms/transforms.h"
#include "law_functions.h"

namespace calx::laws {
namespace {

const OpDef& renamed(const OpDef& op) {
  static std::mutex mutex;
  static std::deque<OpDef> copies;
  std::scoped_lock lock(mutex);
  OpDef copy = op;
  copy.name = "renamed";
  return copies.emplace_back(std::move(copy));
}

bool same_program(const Function& f, const Function& g, const OpDef& op, const OpDef& other);

bool same_attrs(const Attrs& a, const Attrs& b, const OpDef& op, const OpDef& other) {
  if (a.entries().size() != b.entries().size()) return false;
  for (std::size_t i = 0; i < a.entries().size(); ++i) {
    const AttrValue& x = a.entries()[i].value;
    const AttrValue& y = b.entries()[i].value;
    if (a.entries()[i].name != b.entries()[i].name || x.index() != y.index()) return false;
    if (const auto* f = std::get_if<Function>(&x)) {
      if (!same_program(*f, std::get<Function>(y), op, other)) return false;
    } else if (const auto* fs = std::get_if<std::vector<Function>>(&x)) {
      const auto& gs = std::get<std::vector<Function>>(y);
      if (fs->size() != gs.size()) return false;
      for (std::size_t k = 0; k < fs->size(); ++k) {
        if (!same_program((*fs)[k], gs[k], op, other)) return false;
      }
    } else if (const auto* text = std::get_if<std::string>(&x); text != nullptr && *text == op.name) {
      // In whose name errors are raised.
      if (std::get<std::string>(y) != other.name) return false;
    } else if (!same_attribute(x, y)) {
      return false;
    }
  }
  return true;
}

/// Equal up to `other` in place of `op`.
bool same_program(const Function& f, const Function& g, const OpDef& op, const OpDef& other) {
  if (f.defined() != g.defined()) return false;
  if (!f.defined()) return true;
  if (f.argument_types() != g.argument_types() || f.results() != g.results() ||
      f.num_values() != g.num_values() || f.equations().size() != g.equations().size()) {
    return false;
  }
  for (std::size_t i = 0; i < f.equations().size(); ++i) {
    const Equation& a = f.equations()[i];
    const Equation& b = g.equations()[i];
    if (!(a.op == b.op || (a.op == &op && b.op == &other)) || a.operands != b.operands ||
        a.num_results != b.num_results || !same_attrs(a.attrs, b.attrs, op, other)) {
      return false;
    }
  }
  return true;
}

}  // namespace

void check_rename(const LawInput& input, Cell& cell) {
  // Transforms and the binder emit core ops by name; that is what makes them core.
  if (input.op.family == "core") return cell.claim("core op");
  const OpDef& other = renamed(input.op);
  for (const Case& one : structural_cases(input.cases)) {
    guarded(cell, one.label, [&] {
      const Function f = one_equation(input.op, one.types, one.attrs);
      const Function g = one_equation(other, one.types, one.attrs);
      const auto compare = [&](std::string_view what, const Function& a, const Function& b) {
        cell.check(same_program(a, b, input.op, other),
                   [&] { return format("{}: {} depends on the op's name", one.label, what); });
      };
      compare("application", f, g);
      if (!one.types.empty()) {
        const std::vector<std::optional<int>> axes(one.types.size(), 0);
        compare("vmap", vmap(f, axes, Dim(2)), vmap(g, axes, Dim(2)));
      }
      if (one.has_floating()) {
        compare("jvp", jvp(f, one.floating()), jvp(g, one.floating()));
        compare("vjp", vjp(f, one.floating()), vjp(g, one.floating()));
      }
    });
  }
}

}  // namespace calx::laws
