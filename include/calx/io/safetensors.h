// The safetensors format: named arrays in one file. Reading maps the file; a file is hostile until proven
// otherwise. Invariant: what is read covers the file exactly (no overlaps, holes, trailing bytes), so nothing
// can hide in it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "calx/base/source_location.h"
#include "calx/types/array.h"

namespace calx {

using NamedArrays = std::map<std::string, Array>;

struct Safetensors {
  NamedArrays tensors;
  std::map<std::string, std::string> metadata = {};  // `__metadata__`

  /// The array of this name; raises value, with the names that come nearest, if there is none.
  [[nodiscard]] const Array& tensor(const std::string& name, SourceLoc where = SourceLoc::current()) const;
};

/// Reads a file. Arrays refer to the mapped file where their data is aligned. Raises file_open, or
/// file_format with what is wrong (and what the file really is: a Git LFS pointer, HTML, zip, pickle, GGUF;
/// truncated: actual and expected size).
[[nodiscard]] Safetensors read_safetensors(const std::string& path, SourceLoc where = SourceLoc::current());
/// The same from memory that `owner` keeps alive (null: the data is copied). `name` stands for the path in
/// errors.
[[nodiscard]] Safetensors parse_safetensors(std::span<const std::byte> bytes,
                                            std::shared_ptr<const void> owner, std::string_view name,
                                            SourceLoc where = SourceLoc::current());

/// Writes beside the path and renames, so that a file is either the old or the new one. Raises file_open,
/// undefined_tensor for an array that holds nothing, or value for names and metadata that the format cannot hold
/// (no UTF-8; names with NUL, tensors named `__metadata__`).
void write_safetensors(const std::string& path, const NamedArrays& tensors,
                       const std::map<std::string, std::string>& metadata = {},
                       SourceLoc where = SourceLoc::current());

}  // namespace calx
