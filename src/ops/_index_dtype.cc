#include "_index_dtype.h"

#include "calx/base/format.h"

namespace calx::ops {

DType counting_dtype(const Dim& count) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  return proven_less_equal(kMost + 1, count) == Proof::yes ? i64 : i32;
}

DType positions_dtype(const Call& c, std::optional<DType> asked, const Dim& count) {
  if (asked && *asked != i32 && *asked != i64) {
    c.fail(ErrorId::attribute, format("`index_dtype` is {}, but must be i32 or i64", asked->name()));
  }
  return asked ? *asked : counting_dtype(count);
}

}  // namespace calx::ops
