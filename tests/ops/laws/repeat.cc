// Law 2: an op is a function: the same operands give the same bits, in whatever memory they lie.
#include "law_functions.h"

namespace calx::laws {

void check_repeat(const LawInput& input, Cell& cell) {
  for (const Case& one : input.cases) {
    guarded(cell, one.label, [&] {
      const Function f = one_equation(input.op, one.types, one.attrs);
      const std::vector<Array> first = evaluate(f, draw(input.op, one, input.seed));
      const std::vector<Array> second = evaluate(f, draw(input.op, one, input.seed));
      for (std::size_t r = 0; r < first.size(); ++r) check_same(cell, one.label, first[r], second[r]);
    });
  }
}

}  // namespace calx::laws
