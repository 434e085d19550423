// Law 11: corner values (zeros of both signs, infinities, NaN, subnormals, extremes, ties) do not crash the
// reference, give the same bits twice, and `lower` gives the same.
#include "calx/base/format.h"
#include "law_functions.h"

namespace calx::laws {

void check_corners(const LawInput& input, Cell& cell) {
  bool any_random = false;
  for (const Case& one : input.cases) {
    if (one.types.empty()) continue;
    const Function f = one_equation(input.op, one.types, one.attrs);
    // Small operands need more rounds until all values, and pairs of them, have met.
    const int rounds = one.num_elements() == 0 ? 1 : one.num_elements() < 8 ? 18 : 6;
    for (int round = 0; round < rounds; ++round) {
      any_random = true;
      guarded(cell, format("{} round {}", one.label, round), [&] {
        const std::vector<Array> operands = draw_corners(input.op, one, round);
        const std::vector<Array> values = evaluate(f, operands);
        const std::vector<Array> again = evaluate(f, operands);
        const auto lowered = run_lowered(input.op, one, operands, f.result_types());
        for (std::size_t r = 0; r < values.size(); ++r) {
          check_same(cell, one.label + ": twice", values[r], again[r]);
          if (!lowered) continue;
          cell.check(same_bits(values[r], (*lowered)[r]), [&] {
            std::string with;
            for (const Array& operand : operands) with += " " + show(operand);
            return format("{}: reference {} and lower {} of{}", one.label, show(values[r]),
                          show((*lowered)[r]), with);
          });
        }
      });
    }
  }
  if (!any_random) cell.claim("no operands");
}

}  // namespace calx::laws
