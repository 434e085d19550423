// Layout: 8 bytes little-endian length of the header, the header in JSON, the data. The header is read event
// by event, since a document tree would hide duplicate names.
#include "calx/io/safetensors.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "calx/base/checked.h"
#include "calx/base/format.h"
#include "calx/base/located.h"
#include "calx/base/mapped_file.h"
#include "calx/base/printable.h"

namespace calx {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors data is little-endian");

constexpr std::size_t kMaxHeader = 100'000'000;  // the reference implementation's limit
constexpr std::size_t kMaxRank = 64;

constexpr std::pair<std::string_view, DType> kDTypeNames[] = {
    {"BOOL", boolean}, {"I8", i8},   {"U8", u8},   {"I16", i16},   {"U16", u16}, {"I32", i32}, {"U32", u32},
    {"I64", i64},      {"U64", u64}, {"F16", f16}, {"BF16", bf16}, {"F32", f32}, {"F64", f64}};

std::optional<DType> dtype_from(std::string_view name) {
  for (const auto& [text, dtype] : kDTypeNames) {
    if (text == name) return dtype;
  }
  return std::nullopt;
}

std::string_view name_of(DType dtype) {
  for (const auto& [text, one] : kDTypeNames) {
    if (one == dtype) return text;
  }
  raise_internal("a dtype has no name in safetensors");
}

[[noreturn]] void fail(std::string_view file, std::string message, Facts facts = {}) {
  facts.insert(facts.begin(), {"path", std::string(file)});
  raise({.id = ErrorId::file_format,
         .message = format("`{}` is no valid safetensors file: {}", file, message),
         .facts = std::move(facts)});
}

struct Entry {
  std::string name;
  std::optional<DType> dtype;
  std::optional<std::vector<std::int64_t>> sizes;
  std::optional<std::vector<std::int64_t>> offsets;
};

/// Receives the header's events; raises at the first that does not belong.
class HeaderReader {
 public:
  HeaderReader(std::string_view file, std::size_t limit) : file_(file), limit_(limit) {}

  std::vector<Entry> entries;
  std::map<std::string, std::string> metadata;

  bool null() { return unexpected("null"); }
  bool boolean(bool) { return unexpected("a boolean"); }
  bool number_float(double, const std::string&) { return unexpected("a number that is no integer"); }
  bool binary(std::vector<std::uint8_t>&) { return unexpected("binary data"); }
  bool number_integer(std::int64_t value) {
    // nlohmann-json calls this for negative numbers only.
    return unexpected(format("the negative number {}", value));
  }
  bool number_unsigned(std::uint64_t value) {
    if (place_ != Place::list) return unexpected("a number");
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      fail(file_, format("tensor `{}`: {} exceeds 63 bits", shown(tensor_), value));
    }
    auto& list = key_ == "shape" ? *entries.back().sizes : *entries.back().offsets;
    if (list.size() >= kMaxRank)
      fail(file_, format("tensor `{}` has a rank above {}", shown(tensor_), kMaxRank));
    list.push_back(static_cast<std::int64_t>(value));
    return true;
  }
  bool string(std::string& value) {
    if (place_ == Place::metadata) {
      metadata[key_] = std::move(value);
      return true;
    }
    if (place_ != Place::tensor || key_ != "dtype") return unexpected("a text");
    const std::optional<DType> dtype = dtype_from(value);
    if (!dtype) {
      fail(file_,
           format("tensor `{}` has the dtype `{}`, which is not supported", shown(tensor_), shown(value)),
           {{"tensor", shown(tensor_)}, {"dtype", shown(value)}});
    }
    entries.back().dtype = dtype;
    return true;
  }
  bool start_object(std::size_t) {
    if (place_ == Place::outside) {
      place_ = Place::top;
      return true;
    }
    if (place_ != Place::top) return unexpected("an object");
    place_ = tensor_ == "__metadata__" ? Place::metadata : Place::tensor;
    if (place_ == Place::tensor) entries.push_back({tensor_, {}, {}, {}});
    seen_keys_.clear();
    return true;
  }
  bool key(std::string& text) {
    if (text.find('\0') != std::string::npos) fail(file_, format("the name `{}` holds a NUL", shown(text)));
    auto& seen = place_ == Place::top ? seen_names_ : seen_keys_;
    if (!seen.insert(text).second)
      fail(file_, format("the name `{}` occurs twice", shown(text)), {{"name", shown(text)}});
    if (place_ == Place::top) {
      tensor_ = text;
      return true;
    }
    key_ = text;
    if (place_ == Place::tensor && key_ != "dtype" && key_ != "shape" && key_ != "data_offsets") {
      fail(file_, format("tensor `{}` has the unknown field `{}`", shown(tensor_), shown(key_)));
    }
    return true;
  }
  bool end_object() {
    if (place_ == Place::tensor) {
      const Entry& entry = entries.back();
      const std::string_view missing = !entry.dtype     ? "dtype"
                                       : !entry.sizes   ? "shape"
                                       : !entry.offsets ? "data_offsets"
                                                        : "";
      if (!missing.empty()) fail(file_, format("tensor `{}` has no `{}`", shown(tensor_), missing));
    }
    place_ = place_ == Place::top ? Place::outside : Place::top;
    return true;
  }
  bool start_array(std::size_t) {
    if (place_ != Place::tensor || key_ == "dtype") return unexpected("a list");
    (key_ == "shape" ? entries.back().sizes : entries.back().offsets).emplace();
    place_ = Place::list;
    return true;
  }
  bool end_array() {
    place_ = Place::tensor;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
    fail(file_, format("its header is no JSON at byte {} of {}: {}", position, limit_, shown(error.what())));
  }

 private:
  enum class Place { outside, top, tensor, metadata, list };

  bool unexpected(std::string what) {
    switch (place_) {
      case Place::outside:
        fail(file_, format("its header is {} instead of an object", what));
      case Place::top:
        fail(file_, format("`{}` is {} instead of an object", shown(tensor_), what));
      case Place::metadata:
        fail(file_, format("metadata `{}` is {} instead of a text", shown(key_), what));
      default:
        fail(file_, format("`{}` of tensor `{}` holds {}", shown(key_), shown(tensor_), what));
    }
  }

  std::string_view file_;
  std::size_t limit_;
  Place place_ = Place::outside;
  std::string tensor_;
  std::string key_;
  std::set<std::string> seen_names_;
  std::set<std::string> seen_keys_;
};

/// What a file that is no safetensors file looks like; empty if unknown.
std::string_view what_it_is(std::string_view start) {
  // A header's length is below 2^32: its upper four bytes are zero, in none of these.
  if (start.size() >= 8 && start.substr(4, 4) == std::string_view("\0\0\0\0", 4)) return {};
  const auto begins = [&](std::string_view text) { return start.starts_with(text); };
  if (begins("version https://git-lfs"))
    return "a Git LFS pointer: the data was not downloaded (git lfs pull)";
  if (begins("PK\x03\x04")) return "a zip archive (a PyTorch checkpoint or .npz?)";
  if (start.size() >= 2 && start[0] == '\x80' && start[1] >= 2 && start[1] <= 5) return "a Python pickle";
  if (begins("GGUF")) return "a GGUF file";
  if (begins("\x89HDF")) return "an HDF5 file";
  if (begins("\x93NUMPY")) return "an .npy file";
  std::string lower;
  for (char c : start.substr(0, 256)) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const std::size_t first = lower.find_first_not_of(" \t\r\n");
  const std::string_view text =
      first == std::string::npos ? std::string_view() : std::string_view(lower).substr(first);
  if (text.starts_with("<!doctype html") || text.starts_with("<html"))
    return "an HTML page (a failed download?)";
  if (text.starts_with("{")) return "a JSON text";
  return {};
}

void check_entry(std::string_view file, const Entry& entry, std::int64_t data_size,
                 std::int64_t header_size) {
  const std::string name = shown(entry.name);
  if (entry.offsets->size() != 2)
    fail(file, format("tensor `{}` has {} data_offsets instead of 2", name, entry.offsets->size()));
  const std::int64_t begin = (*entry.offsets)[0];
  const std::int64_t end = (*entry.offsets)[1];
  if (begin > end) fail(file, format("tensor `{}` starts at {} and ends at {}", name, begin, end));
  const auto count = checked_product(*entry.sizes);
  const auto bytes = count ? checked_mul(*count, entry.dtype->size_bytes()) : std::nullopt;
  const std::string type = format("{}[{}]", entry.dtype->name(), join(*entry.sizes, ","));
  if (!bytes) fail(file, format("tensor `{}` {} has more bytes than 63 bits count", name, type));
  if (*bytes != end - begin) {
    fail(file, format("tensor `{}` {} takes {} bytes, but its offsets {} to {} hold {}", name, type, *bytes,
                      begin, end, end - begin));
  }
  if (end > data_size) {
    const std::string expected =
        checked_add(end, header_size) ? format("{}", end + header_size) : "more than 2^63";
    fail(file,
         format("it is truncated: it has {} bytes, but tensor `{}` ends at byte {}", data_size + header_size,
                name, expected),
         {{"actual size", format("{}", data_size + header_size)}, {"expected size", expected}});
  }
}

Array make_array(std::string_view file, const Entry& entry, std::span<const std::byte> data,
                 const std::shared_ptr<const void>& owner) {
  const auto begin = static_cast<std::size_t>((*entry.offsets)[0]);
  const auto size = static_cast<std::size_t>((*entry.offsets)[1]) - begin;
  const std::byte* from = data.data() + begin;
  if (*entry.dtype == boolean) {
    for (std::size_t i = 0; i < size; ++i) {
      if (from[i] > std::byte{1})
        fail(file, format("tensor `{}` holds a boolean that is neither 0 nor 1", shown(entry.name)));
    }
  }
  const auto alignment = static_cast<std::uintptr_t>(entry.dtype->size_bytes());
  if (owner != nullptr && size > 0 && reinterpret_cast<std::uintptr_t>(from) % alignment == 0) {
    return Array(*entry.dtype, *entry.sizes, Buffer::adopt(owner, from, size));
  }
  Buffer copy = Buffer::uninitialized(size);
  if (size > 0) std::memcpy(copy.mutable_data(), from, size);
  return Array(*entry.dtype, *entry.sizes, std::move(copy));
}

[[noreturn]] void fail_writing(const std::string& path) {
  raise({.id = ErrorId::file_open,
         .message = format("cannot write `{}`: {}", path, std::generic_category().message(errno)),
         .facts = {{"path", path}}});
}

Safetensors parse_bytes(std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner,
                        std::string_view name) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (const std::string_view other = what_it_is(text); !other.empty())
    fail(name, format("it is {}", other), {{"kind", std::string(other)}});
  if (bytes.size() < 8) {
    fail(name,
         format("it is truncated: it has {} bytes, the length of the header alone takes 8", bytes.size()),
         {{"actual size", format("{}", bytes.size())}, {"expected size", "8"}});
  }
  std::uint64_t header_size = 0;
  std::memcpy(&header_size, bytes.data(), 8);
  if (header_size > kMaxHeader)
    fail(name, format("its header would have {} bytes, the limit is {}", header_size, kMaxHeader));
  if (header_size > bytes.size() - 8) {
    fail(name,
         format("it is truncated: it has {} bytes, its header alone needs {}", bytes.size(), header_size + 8),
         {{"actual size", format("{}", bytes.size())}, {"expected size", format("{}", header_size + 8)}});
  }
  const std::string_view header = text.substr(8, header_size);
  if (!header.starts_with('{')) fail(name, "its header does not start with `{`");
  HeaderReader reader(name, header.size());
  if (!nlohmann::json::sax_parse(header.begin(), header.end(), &reader)) fail(name, "its header is no JSON");

  const std::span<const std::byte> data = bytes.subspan(8 + header_size);
  const auto data_size = static_cast<std::int64_t>(data.size());
  for (const Entry& entry : reader.entries)
    check_entry(name, entry, data_size, static_cast<std::int64_t>(header_size) + 8);
  std::sort(reader.entries.begin(), reader.entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(*a.offsets, a.name) < std::tie(*b.offsets, b.name);
  });
  std::int64_t covered = 0;
  for (const Entry& entry : reader.entries) {
    const std::int64_t begin = (*entry.offsets)[0];
    if (begin != covered) {
      fail(name,
           format("tensor `{}` starts at byte {} of the data, the one before ends at {}: {}",
                  shown(entry.name), begin, covered, begin < covered ? "they overlap" : "there is a hole"));
    }
    covered = (*entry.offsets)[1];
  }
  if (covered != data_size) fail(name, format("{} bytes follow the last tensor", data_size - covered));

  Safetensors result;
  for (const Entry& entry : reader.entries)
    result.tensors.emplace(entry.name, make_array(name, entry, data, owner));
  result.metadata = std::move(reader.metadata);
  return result;
}

void write_file(const std::string& path, const NamedArrays& tensors, const std::map<std::string, std::string>& metadata) {
  const auto refuse = [](std::string_view name, std::string_view why, ErrorId id = ErrorId::value) {
    raise({.id = id,
           .op = "write_safetensors",
           .message = format("the name `{}` {}", shown(name), why),
           .facts = {{"name", shown(name)}}});
  };
  // The widest elements first: with a header padded to 8 bytes every array is aligned.
  std::vector<std::pair<std::string_view, const Array*>> order;
  for (const auto& [name, array] : tensors) {
    if (name == "__metadata__") refuse(name, "is reserved");
    if (name.find('\0') != std::string::npos) refuse(name, "holds a NUL");
    if (!array.defined()) refuse(name, "has an undefined array", ErrorId::undefined_tensor);
    order.emplace_back(name, &array);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second->dtype().size_bytes() > b.second->dtype().size_bytes();
  });
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) {
    nlohmann::ordered_json texts = nlohmann::ordered_json::object();
    for (const auto& [key, value] : metadata) {
      if (key.find('\0') != std::string::npos) refuse(key, "of a metadata text holds a NUL");
      texts[key] = value;
    }
    header["__metadata__"] = std::move(texts);
  }
  std::size_t offset = 0;
  for (const auto& [name, array] : order) {
    const std::size_t end = offset + array->size_bytes();
    header[std::string(name)] = {
        {"dtype", name_of(array->dtype())}, {"shape", array->sizes()}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const nlohmann::json::exception&) {
    raise({.id = ErrorId::value,
           .op = "write_safetensors",
           .message = "a name or metadata text is not valid UTF-8"});
  }
  while (text.size() % 8 != 0) text += ' ';

  const std::string temporary = format("{}.{}.part", path, ::getpid());
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) fail_writing(path);
  const auto write = [&](const void* from, std::size_t size) {
    return size == 0 || std::fwrite(from, 1, size, file) == size;
  };
  const std::uint64_t header_size = text.size();
  bool written = write(&header_size, 8) && write(text.data(), text.size());
  for (const auto& [name, array] : order)
    written = written && write(array->bytes().data(), array->size_bytes());
  written = std::fflush(file) == 0 && written;
  int reason = errno;
  if (std::fclose(file) != 0 && written) {
    written = false;
    reason = errno;
  }
  if (!written || std::rename(temporary.c_str(), path.c_str()) != 0) {
    const int rename_reason = written ? errno : reason;
    std::remove(temporary.c_str());
    errno = rename_reason;
    fail_writing(path);
  }
}

std::size_t common_prefix(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

/// Up to three names, those that share the longest beginning with the wanted one first.
std::string nearest_names(const NamedArrays& tensors, std::string_view wanted) {
  std::vector<std::string_view> names;
  for (const auto& [name, array] : tensors) names.push_back(name);
  std::stable_sort(names.begin(), names.end(), [&](std::string_view a, std::string_view b) {
    return common_prefix(a, wanted) > common_prefix(b, wanted);
  });
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 3; ++i) text += (i == 0 ? "`" : ", `") + shown(names[i]) + "`";
  return text;
}

}  // namespace

const Array& Safetensors::tensor(const std::string& name, SourceLoc where) const {
  if (const auto found = tensors.find(name); found != tensors.end()) return found->second;
  raise({.id = ErrorId::value,
         .op = "safetensors",
         .message = format("there is no tensor `{}` among {}", shown(name), tensors.size()),
         .where = where,
         .hint = tensors.empty() ? "the file holds no tensors" : format("there is {}", nearest_names(tensors, name)),
         .facts = {{"name", shown(name)}}});
}

Safetensors parse_safetensors(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, std::string_view name,
                              SourceLoc where) {
  return detail::located(where, [&] { return parse_bytes(bytes, owner, name); });
}

Safetensors read_safetensors(const std::string& path, SourceLoc where) {
  return detail::located(where, [&] {
    const std::shared_ptr<const MappedFile> file = MappedFile::open(path);
    return parse_bytes(file->bytes(), file, path);
  });
}

void write_safetensors(const std::string& path, const NamedArrays& tensors,
                       const std::map<std::string, std::string>& metadata, SourceLoc where) {
  detail::located(where, [&] { write_file(path, tensors, metadata); });
}

}  // namespace calx
