// The verifier: what every Function must satisfy, checked after each pass in debug builds and on every
// import. Invariant: a Function that passes prints, parses and runs without internal errors.
#pragma once

#include "calx/core/function.h"

namespace calx {

/// Infers every type again; checks that values are defined before use, argument names are unique, nested
/// Functions are sound, donation pairs fit, and that every symbol is determined by an argument (alone or as
/// a*S+c). Raises `verify` with the offending equation and its place;
/// where there is none, `where`.
void verify(const Function& f, SourceLoc where = SourceLoc::current());

}  // namespace calx
