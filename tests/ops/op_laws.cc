// Runs every op of the table through every law and writes the report: a table on the terminal and
// op_report.json in the build folder. Fails on a failed law and on a blank cell. `op_laws --op NAME --law
// NAME` runs part of it. `--open FILE` names cells that are known to fail, one `op law` a line: any other
// failure fails, and so does a named cell that passes.
#include <algorithm>
#include <atomic>
#include <fstream>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>
#include <thread>

#include "calx/base/format.h"
#include "laws/laws.h"

namespace calx::laws {
namespace {

struct Arguments {
  std::vector<std::string> ops;
  LawOptions options;
  unsigned threads = 2;
  std::string open_cells;  // path
};

std::optional<Law> law_of(std::string_view text) {
  for (int i = 0; i < kNumLaws; ++i) {
    if (name(static_cast<Law>(i)) == text) return static_cast<Law>(i);
  }
  return std::nullopt;
}

std::optional<Arguments> parse_arguments(int count, char** values) {
  Arguments arguments;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view option = values[i];
    const std::string value = values[i + 1];
    if (option == "--op") {
      if (find_op(value) == nullptr) return std::nullopt;
      arguments.ops.push_back(value);
    } else if (option == "--law") {
      const std::optional<Law> law = law_of(value);
      if (!law) return std::nullopt;
      arguments.options.only.push_back(*law);
    } else if (option == "--open") {
      arguments.open_cells = value;
    } else if (option == "--seed") {
      arguments.options.seed = std::stoull(value);
    } else if (option == "--threads") {
      arguments.threads = static_cast<unsigned>(std::stoul(value));
    } else {
      return std::nullopt;
    }
  }
  if (count % 2 == 0) return std::nullopt;
  return arguments;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      result += c;
    }
  }
  return result + "\"";
}

std::string status_name(const Cell& cell) {
  switch (cell.status()) {
    case Status::blank:
      return "blank";
    case Status::ok:
      return "ok";
    case Status::claim:
      return "claim";
    case Status::failed:
      return "failed";
  }
  return "";
}

void write_json(const std::vector<LawReport>& reports, const std::string& path) {
  std::ofstream file(path);
  file << "{\n  \"ops\": [\n";
  for (std::size_t i = 0; i < reports.size(); ++i) {
    file << "    {\"op\": " << quoted(reports[i].op) << ", \"laws\": {";
    bool first = true;
    for (const auto& [law, cell] : reports[i].cells) {
      file << (first ? "" : ", ") << quoted(name(law)) << ": {\"status\": " << quoted(status_name(cell))
           << ", \"checks\": " << cell.checks();
      if (!cell.claims().empty()) file << ", \"claim\": " << quoted(cell.claims());
      if (cell.failed()) file << ", \"failures\": " << cell.num_failures();
      file << "}";
      first = false;
    }
    file << "}}" << (i + 1 < reports.size() ? ",\n" : "\n");
  }
  file << "  ]\n}\n";
}

/// One row per op, one column per law: the number of checks, the letter of a claim, FAIL or BLANK.
void print_table(const std::vector<LawReport>& reports) {
  std::vector<std::string> legend;
  const auto letter = [&](const std::string& claim) {
    const auto found = std::find(legend.begin(), legend.end(), claim);
    const auto index = found - legend.begin();
    if (found == legend.end()) legend.push_back(claim);
    return index < 26 ? std::string(1, static_cast<char>('a' + index)) : format("a{}", index);
  };
  std::string text = format("{:<24}", "op");
  for (const auto& [law, cell] : reports.front().cells) text += format(" {:>8.8}", name(law));
  text += "  seconds\n";
  for (const LawReport& report : reports) {
    text += format("{:<24.24}", report.op);
    for (const auto& [law, cell] : report.cells) {
      std::string shown;
      switch (cell.status()) {
        case Status::blank:
          shown = "BLANK";
          break;
        case Status::failed:
          shown = "FAIL";
          break;
        case Status::ok:
          shown = format("{}", cell.checks());
          break;
        case Status::claim:
          shown = cell.checks() > 0 ? format("{} {}", letter(cell.claims()), cell.checks())
                                    : letter(cell.claims());
      }
      text += format(" {:>8}", shown);
    }
    text += format("  {:7.2f}\n", report.seconds);
  }
  text += "numbers count checks; claims:";
  for (const std::string& claim : legend) text += format(" {} = {};", letter(claim), claim);
  std::cout << text << "\n";
}

using OpenCells = std::set<std::pair<std::string, std::string>>;

OpenCells read_open_cells(const std::string& path) {
  OpenCells open;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string op, law;
    if (line.empty() || line[0] == '#' || !(words >> op >> law)) continue;
    open.emplace(op, law);
  }
  return open;
}

/// What stands against the list of open cells.
std::vector<std::string> unexpected(const std::vector<LawReport>& reports, OpenCells open) {
  std::vector<std::string> lines;
  for (const LawReport& report : reports) {
    for (const auto& [law, cell] : report.cells) {
      const bool bad = cell.status() == Status::failed || cell.status() == Status::blank;
      const bool known = open.erase({report.op, std::string(name(law))}) > 0;
      if (bad && !known)
        lines.push_back(format("{} / {}: fails and is not listed as open", report.op, name(law)));
      if (!bad && known)
        lines.push_back(format("{} / {}: passes: take it off the list of open cells", report.op, name(law)));
    }
  }
  for (const auto& [op, law] : open)
    lines.push_back(format("{} / {}: listed as open but not in the table", op, law));
  return lines;
}

std::vector<LawReport> run_all(const Arguments& arguments) {
  std::vector<const OpDef*> ops;
  for (const OpDef* op : op_table()) {
    const bool wanted = arguments.ops.empty() || std::find(arguments.ops.begin(), arguments.ops.end(),
                                                           op->name) != arguments.ops.end();
    if (wanted) ops.push_back(op);
  }
  std::vector<LawReport> reports(ops.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < ops.size(); i = next++)
      reports[i] = run_laws(*ops[i], arguments.options);
  };
  std::vector<std::jthread> workers;
  for (unsigned i = 1; i < arguments.threads; ++i) workers.emplace_back(work);
  work();
  workers.clear();
  return reports;
}

}  // namespace
}  // namespace calx::laws

int main(int count, char** values) {
  using namespace calx::laws;
  const auto arguments = parse_arguments(count, values);
  if (!arguments) {
    std::cerr << "usage: op_laws [--op NAME]... [--law NAME]... [--seed N] [--threads N]\n";
    return 2;
  }
  const std::vector<LawReport> reports = run_all(*arguments);
  print_table(reports);
  if (arguments->ops.empty() && arguments->options.only.empty()) {
    write_json(reports, std::string(CALX_BUILD_DIR) + "/op_report.json");
  }
  std::size_t problems = 0;
  for (const LawReport& report : reports) {
    for (const std::string& line : report.problems()) {
      std::cout << line << "\n";
      ++problems;
    }
  }
  std::cout << reports.size() << " ops, " << problems << " problems (seed " << arguments->options.seed
            << ")\n";
  if (arguments->open_cells.empty()) return problems == 0 ? 0 : 1;
  const std::vector<std::string> lines = unexpected(reports, read_open_cells(arguments->open_cells));
  for (const std::string& line : lines) std::cout << line << "\n";
  return lines.empty() ? 0 : 1;
}
