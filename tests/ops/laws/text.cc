// Law 8: print -> parse -> print is the identity, on the op alone and on its derivatives and batched forms.
#include "calx/base/format.h"
#include "calx/core/text.h"
#include "calx/transforms/transforms.h"
#include "law_functions.h"

namespace calx::laws {

void check_text(const LawInput& input, Cell& cell) {
  if (find_op(input.op.name) != &input.op) return cell.claim("not in the table");
  for (const Case& one : input.cases) {
    guarded(cell, one.label, [&] {
      std::vector<std::pair<std::string, Function>> programs;
      const Function f = one_equation(input.op, one.types, one.attrs);
      programs.emplace_back("the op", f);
      const bool derived = !one.dtype || *one.dtype == f64;
      if (derived && one.has_floating() && one.sample.smooth) {
        programs.emplace_back("jvp", jvp(f, one.floating()));
        programs.emplace_back("vjp", vjp(f, one.floating()));
      }
      if (derived && !one.types.empty()) {
        const std::vector<std::optional<int>> axes(one.types.size(), 0);
        programs.emplace_back("vmap", vmap(f, axes, Dim::symbol("Batch")));
      }
      for (const auto& [what, program] : programs) {
        const std::string text = print(program);
        const Function parsed = parse(text);
        cell.check(parsed == program, [&] {
          return format("{}: {}: parse(print(f)) differs from f:\n{}", one.label, what, text);
        });
        cell.check(print(parsed) == text,
                   [&] { return format("{}: {}: printed again it differs:\n{}", one.label, what, text); });
      }
    });
  }
}


}  // namespace calx::laws
