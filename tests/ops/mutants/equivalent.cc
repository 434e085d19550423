// The mutants that compute the same as the rule they change, and why. Keyed by op and mutation; a stale entry
// fails.
#include "mutants/mutation.h"

namespace calx::laws {

const std::vector<Equivalent>& equivalent_mutants() {
  static const std::vector<Equivalent> list = {
      {"checked_index", "batch #0 checked_index: keep operand 0",
       "in range the results are the indices themselves; that others fail is judged by the tests of errors"},
      {"cumsum", "transpose #0 cumsum: default accumulation",
       "the f16 sample's few terms round to the same 16 bits from f32 as from f64"},
  };
  return list;
}

}  // namespace calx::laws
