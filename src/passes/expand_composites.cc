// Composites become what they are made of, down to primitives and regions, inside regions too.
//
//   %0 = softmax(%x)        ->       %0 = reduce_max(%x) ... %5 = div(%2, %4)
//
// A composite's decomposition is cached by core, its expansion here: each distinct application is expanded once.
#include "calx/core/bind.h"
#include "calx/core/trace.h"
#include "calx/passes/passes.h"
#include "rewrite.h"

namespace calx {

Function expand_composites(const Function& f, const std::function<bool(const OpDef&)>& keep, SourceLoc where) {
  detail::NestedPass nested([&keep](const Function& g, detail::NestedPass& self) {
    detail::Rewriter to(g);
    bool changed = false;
    for (const Equation& equation : g.equations()) {
      if (equation.op->composite() == nullptr || (keep && keep(*equation.op))) {
        const std::optional<Attrs> attrs = self.changed(equation.attrs);
        changed |= attrs.has_value();
        to.keep(equation, attrs.value_or(equation.attrs));
        continue;
      }
      changed = true;
      const std::vector<Type> types = detail::operand_types(g, equation);
      const Function parts = self(decomposition(*equation.op, types, equation.attrs));
      std::vector<int> results(equation.num_results);
      for (std::uint32_t r = 0; r < equation.num_results; ++r) results[r] = static_cast<int>(r);
      to.splice(equation, parts, results);
    }
    return changed ? to.finish() : g;
  });
  return nested.run(f, "expand_composites", where);
}

}  // namespace calx
