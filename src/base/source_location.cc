// Printing of places in the user's program.
#include "calx/base/source_location.h"

#include <string_view>

#include "calx/base/format.h"

namespace calx {

std::string to_string(const SourceLoc& where) {
  if (!where.known()) return "";
  std::string_view file = where.file;
  if (const auto slash = file.find_last_of('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
  return format("{}:{}", file, where.line);
}

}  // namespace calx
