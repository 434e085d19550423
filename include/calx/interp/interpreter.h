// The interpreter: runs any Function with the ops' references, one equation after the other. Small and slow; the judge of
// every compiled path.
#pragma once

#include "calx/core/evaluator.h"

namespace calx {

/// What a run held: for memory tests and reports.
struct RunStatistics {
  std::int64_t equations = 0;            // executed, those of nested Functions at each iteration
  std::int64_t live_bytes = 0;           // of intermediate values, at the end
  std::int64_t peak_live_bytes = 0;
};

class Interpreter : public Evaluator {
 public:
  std::vector<Array> run(const Function& f, std::vector<Array> arguments, SourceLoc where = SourceLoc::current()) override;
  std::vector<Array> run(const Function& f, std::vector<Array> arguments, RunStatistics& statistics,
                         SourceLoc where = SourceLoc::current());
};

}  // namespace calx
