// The interface through which core asks for values. interp (and jit) implement it; core only declares it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calx/core/function.h"
#include "calx/types/array.h"

namespace calx {

/// Where an equation stands in the Function that is executed: (equation, iteration) at each level of nesting.
struct ExecutionPath {
  struct Step {
    std::int64_t equation = 0;
    std::int64_t iteration = 0;
  };
  std::vector<Step> steps;
  /// Orders by the equations of all levels, then by the iterations.
  [[nodiscard]] bool precedes(const ExecutionPath& other) const;
};

/// A check that failed during a run. The run completes, then the failure that comes first is raised.
struct RunFailure {
  ExecutionPath path;
  std::int64_t position = 0;
  std::function<void()> raise;
};

/// What a reference may use while a Function runs: sizes of symbols, nested runs, the record of failed checks.
class EvaluationContext {
 public:
  virtual ~EvaluationContext() = default;
  [[nodiscard]] virtual const Bindings& bindings() const = 0;
  /// Runs a nested Function with the same bindings; `iteration` is part of the path of failures.
  virtual std::vector<Array> run_nested(const Function& f, std::vector<Array> arguments, std::int64_t iteration) = 0;
  /// Records a failed check at element `position` of the current equation; `raise` throws the error.
  virtual void record_failure(std::int64_t position, std::function<void()> raise) = 0;
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  /// Values of the results. Sizes of symbols are bound from the arguments. Errors name the place of the equation that they
  /// concern; without one, `where`.
  virtual std::vector<Array> run(const Function& f, std::vector<Array> arguments, SourceLoc where = SourceLoc::current()) = 0;
};

/// Defined by interp or jit at link time.
[[nodiscard]] Evaluator& default_evaluator();

}  // namespace calx
