// The evaluator that core's unit tests are linked with: references of the core ops, one equation after the other.
#pragma once

#include <atomic>

namespace calx::test {

/// How often a Function was run, and how many equations that were.
struct EvaluatorCounts {
  std::atomic<int> runs{0};
  std::atomic<long> equations{0};
};
[[nodiscard]] EvaluatorCounts& evaluator_counts();

}  // namespace calx::test
