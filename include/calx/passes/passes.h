// Passes: Function -> Function with the same meaning, bit for bit; one exception: ops quiet signalling NaNs, and a simplified
// form may pass them unchanged. They know what an op says about itself (its slots), no op outside core, and nothing of
// derivatives or machines. Every pass keeps the name, arguments, names and types of results, where clauses and donations of
// the Function and of all Functions nested in it, and takes linear time.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "calx/core/equation.h"
#include "calx/core/op_def.h"

namespace calx {

/// Drops equations that no result needs; region ops lose what their own `prune` rule can spare.
[[nodiscard]] Function eliminate_dead_code(const Function& f, SourceLoc where = SourceLoc::current());

/// Asks the `simplify` rule of every op, again and again until none has an answer (in a bounded number of rounds).
[[nodiscard]] Function simplify(const Function& f, SourceLoc where = SourceLoc::current());

/// Evaluates equations whose operands are constants, where operands and results are small.
[[nodiscard]] Function fold_constants(const Function& f, SourceLoc where = SourceLoc::current());

/// Makes equal equations (op, operands, attributes) one.
[[nodiscard]] Function merge_common_subexpressions(const Function& f, SourceLoc where = SourceLoc::current());

/// Replaces composites by their decompositions, down to primitives, regions and composites for which `keep` holds.
[[nodiscard]] Function expand_composites(const Function& f, const std::function<bool(const OpDef&)>& keep = {},
                                         SourceLoc where = SourceLoc::current());

struct Pass {
  std::string_view name;
  std::function<Function(const Function&, SourceLoc)> run;

  Function operator()(const Function& f, SourceLoc where = SourceLoc::current()) const { return run(f, where); }
};

/// What `optimize` runs, in order.
[[nodiscard]] std::span<const Pass> default_pipeline();

/// Runs passes in order. With the environment variable CALX_DEBUG=passes, size, time and program are printed to stderr
/// after each, with CALX_DEBUG=times size and time. Debug builds verify the program after each. Errors name the place of the
/// equation that they concern; without one, `where`.
[[nodiscard]] Function run_passes(const Function& f, std::span<const Pass> passes, SourceLoc where = SourceLoc::current());
[[nodiscard]] Function optimize(const Function& f, SourceLoc where = SourceLoc::current());

}  // namespace calx
