// Saves programs on which a stage failed.
#include "calx/core/bug_report.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "calx/base/format.h"
#include "calx/core/text.h"

namespace calx::detail {
namespace {

constexpr std::string_view kNote = "the program was saved as ";

/// The file's path; empty where it cannot be written.
std::string save(std::string_view stage, const Function& f) {
  try {
    const char* wanted = std::getenv("CALX_REPORTS");
    const std::filesystem::path folder = wanted != nullptr ? wanted : std::filesystem::temp_directory_path();
    const std::filesystem::path path = folder / format("calx-{}-{:016x}.calx", stage, f.hash());
    std::ofstream file(path);
    file << print(f);
    file.close();
    return file ? path.string() : std::string();
  } catch (const std::exception&) {  // a program too broken to print, no folder: the error itself matters more
    return {};
  }
}

}  // namespace

void raise_with_program(const InternalError& error, std::string_view stage, const Function& f) {
  Error::Parts parts = error.parts();
  const bool saved = std::any_of(parts.notes.begin(), parts.notes.end(),
                                 [](const std::string& note) { return note.starts_with(kNote); });
  if (saved) throw error;
  parts.notes.push_back(format("in {}", stage));
  if (const std::string path = save(stage, f); !path.empty()) {
    parts.notes.push_back(std::string(kNote) + path);
    parts.facts.emplace_back("program", path);
  }
  throw InternalError(std::move(parts));
}

}  // namespace calx::detail
