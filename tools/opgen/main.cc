// opgen: writes what is generated from the op table and committed: include/calx/ops.h, src/ops/generated/ops.cc and
// docs/ops/. The same table gives the same bytes. `--check` writes nothing and fails where a file is stale.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "writers.h"

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  return content.str();
}

/// Generated pages of families that are gone.
std::vector<fs::path> leftovers(const fs::path& root, const opgen::Files& files) {
  std::vector<fs::path> result;
  const fs::path folder = root / "docs" / "ops";
  if (!fs::exists(folder)) return result;
  for (const auto& file : fs::directory_iterator(folder)) {
    if (!files.contains("docs/ops/" + file.path().filename().string())) result.push_back(file.path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// The hand-written public headers of the ops, sorted.
std::vector<std::string> hand_written_headers(const fs::path& root) {
  std::vector<std::string> result;
  for (const auto& file : fs::directory_iterator(root / "include" / "calx" / "ops")) {
    if (file.path().extension() == ".h") result.push_back("calx/ops/" + file.path().filename().string());
  }
  std::sort(result.begin(), result.end());
  return result;
}

int run(const fs::path& root, bool check) {
  const std::vector<opgen::Op> table = opgen::read_table();
  opgen::Files files;
  opgen::write_header(table, hand_written_headers(root), files);
  opgen::write_source(table, files);
  opgen::write_pages(table, files);
  int stale = 0;
  for (const auto& [name, content] : files) {
    const fs::path path = root / name;
    if (fs::exists(path) && read(path) == content) continue;
    ++stale;
    if (check) {
      std::cerr << name << " is stale: run `make generate` and commit the result\n";
      continue;
    }
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    std::cout << "wrote " << name << "\n";
  }
  for (const fs::path& path : leftovers(root, files)) {
    ++stale;
    if (check) {
      std::cerr << fs::relative(path, root).string() << " belongs to no family of ops: run `make generate`\n";
    } else {
      fs::remove(path);
      std::cout << "removed " << fs::relative(path, root).string() << "\n";
    }
  }
  return check && stale > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool check = arguments == std::vector<std::string>{"--check"};
  if (!check && !arguments.empty()) {
    std::cerr << "usage, in the root of the repository: opgen [--check]\n";
    return 2;
  }
  try {
    return run(".", check);
  } catch (const std::exception& error) {
    std::cerr << "opgen: " << error.what() << "\n";
    return 1;
  }
}
