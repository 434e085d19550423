// What the generator writes: path from the repository's root to content.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model.h"

namespace opgen {

using Files = std::map<std::string, std::string>;

/// include/calx/ops.h, which includes the hand-written headers of the ops (`calx/ops/x.h`) too
void write_header(const std::vector<Op>& table, const std::vector<std::string>& hand_written_headers, Files& files);
/// src/ops/generated/ops.cc
void write_source(const std::vector<Op>& table, Files& files);
/// docs/ops/: one page per family and an index
void write_pages(const std::vector<Op>& table, Files& files);

/// `name` (default 1): doc, in [low, high]; or one of the names of an enumeration.
[[nodiscard]] std::string describe_attribute(const Attribute& attribute);
/// `x` floating, `index` i32 or i64
[[nodiscard]] std::string describe_dtypes(const calx::OpDef& op);

}  // namespace opgen
