// The per-thread stack of open traces. Private to core.
#pragma once

#include <cstdint>
#include <vector>

#include "calx/base/source_location.h"

namespace calx::detail {

class TraceScope {
 public:
  TraceScope();
  ~TraceScope();
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;
  [[nodiscard]] std::uint64_t id() const { return id_; }

 private:
  std::uint64_t id_;
};

/// Id of this thread's innermost open trace; 0 if none.
[[nodiscard]] std::uint64_t current_scope();
/// Is the trace open on this thread?
[[nodiscard]] bool is_open(std::uint64_t scope);
/// The place that equations inherit, if a LocationScope is active.
[[nodiscard]] SourceLoc inherited_location();

}  // namespace calx::detail
