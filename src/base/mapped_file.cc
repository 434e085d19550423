// Mapping files: POSIX calls, each failure told with the system's reason.
#include "calx/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "calx/base/error.h"
#include "calx/base/format.h"

namespace calx {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  raise({.id = ErrorId::file_open,
         .message = format("cannot read `{}`: {}", path, reason),
         .facts = {{"path", path}}});
}

std::string system_reason() { return std::generic_category().message(errno); }

struct Descriptor {
  int value;
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
};

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
  // Without O_NONBLOCK opening a pipe would wait for a writer.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.value < 0) fail(path, system_reason());
  struct stat status {};
  if (::fstat(file.value, &status) != 0) fail(path, system_reason());
  if (S_ISDIR(status.st_mode)) fail(path, "it is a folder");
  if (!S_ISREG(status.st_mode)) fail(path, "it is no regular file");
  std::shared_ptr<MappedFile> mapped(new MappedFile);
  mapped->path_ = path;
  mapped->size_ = static_cast<std::size_t>(status.st_size);
  if (mapped->size_ > 0) {
    void* data = ::mmap(nullptr, mapped->size_, PROT_READ, MAP_PRIVATE, file.value, 0);
    if (data == MAP_FAILED) {
      mapped->size_ = 0;
      fail(path, system_reason());
    }
    mapped->data_ = static_cast<const std::byte*>(data);
  }
  return mapped;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace calx
