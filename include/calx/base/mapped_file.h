// A file mapped read-only into memory. Regular files only; every failure is a FileError that names the path.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace calx {

class MappedFile {
 public:
  /// Raises file_open where the path is missing, unreadable, a folder or not a regular file.
  [[nodiscard]] static std::shared_ptr<const MappedFile> open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  MappedFile() = default;
  std::string path_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace calx
