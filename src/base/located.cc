#include "calx/base/located.h"

namespace calx::detail {

void raise_at(const Error& error, SourceLoc where, std::string_view op) {
  const bool placed = error.where().known() || !where.known();
  const bool named = !error.op().empty() || op.empty();
  if (error.id() == ErrorId::internal || (placed && named)) throw;
  Error::Parts parts = error.parts();
  if (!placed) parts.where = where;
  if (!named) parts.op = std::string(op);
  raise(std::move(parts));
}

}  // namespace calx::detail
