#include "_accumulation.h"

#include "calx/base/format.h"

namespace calx::ops {

void check_accumulation(const Call& c) {
  const std::optional<DType> asked = c[accumulation];
  if (!asked) return;
  if (asked->is_boolean() || asked->accumulation() != *asked || promote(*asked, c.dtype(0)) != *asked) {
    c.fail(ErrorId::dtype,
           format("`accumulation` {} is no dtype to accumulate {} in", asked->name(), c.dtype(0).name()),
           "f32, f64, i32, u32, i64 and u64 are, for dtypes that promote to them");
  }
}

}  // namespace calx::ops
