// reduce_and and reduce_or, all and any: alike but for the combiner and the words.
#pragma once

#include "reduction/_support.h"

namespace calx::ops::reduction {

/// The primitive. Of the documentation, shapes, gradient and errors are filled in.
[[nodiscard]] OpDef reduce_logic(std::string_view name, OpDoc doc, loopir::Combiner combiner,
                                 ReferenceRule reference);
/// What users call, over the primitive named `primitive`. Of the documentation, the gradient is filled in,
/// too.
[[nodiscard]] OpDef logic(std::string_view name, OpDoc doc, std::string_view primitive);

}  // namespace calx::ops::reduction
