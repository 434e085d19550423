// Lowerings that several ops share.
#include "calx/core/lower.h"

#include "calx/core/bind.h"

namespace calx::lower {

LowerRule reduction(const Attr<std::vector<std::int64_t>>& axes, loopir::Combiner combiner,
                    const Attr<std::optional<DType>>* accumulation) {
  return [&axes, combiner, accumulation](const Call& c) -> loopir::Lowered {
    DType running = c.dtype(0).accumulation();
    if (accumulation != nullptr) {
      running = c[*accumulation].value_or(running);
    } else if (c.dtype(0).is_integer()) {
      running = c.dtype(0);  // it selects: what an empty axis gives is the dtype's own extreme
    }
    return loopir::Reduction{.sizes = c.shape(0).sizes(),
                             .axes = normalize_axes(c, c[axes], c.type(0).rank()),
                             .element = loopir::Scalar::operand(0, c.dtype(0)),
                             .combiner = combiner,
                             .accumulation = running};
  };
}

}  // namespace calx::lower
