// The mutants that compute the same as the rule they change, and why. Keyed by op and mutation; a stale entry
// fails.
#include "mutants/mutation.h"

namespace calx::laws {

const std::vector<Equivalent>& equivalent_mutants() {
  static const std::vector<Equivalent> list = {
      {"checked_index", "batch #* checked_index: default from_back", "only the text of the error depends on it"},
      {"checked_index", "batch #* checked_index: default caller",
       "it is the name in errors, which the tests of errors judge"},
      {"scatter", "transpose #2 constant: twice",
       "it says that there is no update, and so does every negative number"},
      {"scatter", "transpose #6 expand: twice",
       "it says that there is no update, and so does every negative number"},
      {"scatter", "transpose #5 iota: twice", "the numbers only tell updates apart, and still do"},
      {"scatter", "transpose #6 reshape: twice", "the numbers only tell updates apart, and still do"},
      {"scatter", "transpose #6 reshape: negate",
       "the numbers only tell updates apart, and still do; where updates can be dropped the equation is "
       "another"},
      {"norm", "jvp #0 convert: twice", "the slope x / |x| is that of 2 x"},
      {"std", "jvp #0 convert: twice", "the slope of the deviations is that of twice as large ones"},
      {"cumsum", "transpose #0 cumsum: default accumulation",
       "the f16 sample's few terms round to the same 16 bits from f32 as from f64"},
  };
  return list;
}

}  // namespace calx::laws
