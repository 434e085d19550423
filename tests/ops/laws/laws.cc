#include "laws.h"

#include <algorithm>
#include <chrono>

#include "law_functions.h"

namespace calx::laws {
namespace {

struct Entry {
  Law law;
  std::string_view name;
  void (*run)(const LawInput&, Cell&);
};

constexpr Entry kLaws[] = {
    {Law::types, "types", check_types},
    {Law::repeat, "repeat", check_repeat},
    {Law::jvp, "jvp", check_jvp},
    {Law::vjp, "vjp", check_vjp},
    {Law::modes, "modes", check_modes},
    {Law::vmap, "vmap", check_vmap},
    {Law::decomposition, "decomposition", check_decomposition},
    {Law::text, "text", check_text},
    {Law::rejects, "rejects", check_rejects},
    {Law::corners, "corners", check_corners},
    {Law::lower, "lower", check_lower},
    {Law::linear, "linear", check_linear},
    {Law::simplify, "simplify", check_simplify},
    {Law::rename, "rename", check_rename},
    {Law::docs, "docs", check_docs},
    {Law::samples, "samples", check_samples},
    {Law::mutants, "mutants", check_mutants},
};
static_assert(std::size(kLaws) == kNumLaws);

}  // namespace

std::string_view name(Law law) { return kLaws[static_cast<int>(law)].name; }

void Cell::fail(std::string message) {
  constexpr std::size_t kKept = 8;
  ++num_failures_;
  if (failures_.size() < kKept) failures_.push_back(std::move(message));
}

void Cell::claim(std::string_view text) {
  if (claims_.find(text) != std::string::npos) return;
  claims_ += (claims_.empty() ? "" : ", ") + std::string(text);
}

Status Cell::status() const {
  if (failed()) return Status::failed;
  if (!claims_.empty()) return Status::claim;
  return checks_ > 0 ? Status::ok : Status::blank;
}

bool LawReport::passed() const { return problems().empty(); }

std::vector<std::string> LawReport::problems() const {
  std::vector<std::string> lines;
  for (const auto& [law, cell] : cells) {
    const std::string prefix = op + " / " + std::string(name(law)) + ": ";
    if (cell.status() == Status::blank)
      lines.push_back(prefix + "blank: nothing was checked and nothing is claimed");
    for (const std::string& failure : cell.failures()) lines.push_back(prefix + failure);
    const int hidden = cell.num_failures() - static_cast<int>(cell.failures().size());
    if (hidden > 0) lines.push_back(prefix + "and " + std::to_string(hidden) + " more");
  }
  return lines;
}

int derivative_order(const OpDef& op) { return op.composite() != nullptr ? 3 : 2; }

std::vector<int> group_operands(const std::vector<int>& group, std::size_t num_operands) {
  if (group != std::vector<int>{kAllOperands}) return group;
  std::vector<int> all;
  for (std::size_t i = 0; i < num_operands; ++i) all.push_back(static_cast<int>(i));
  return all;
}

LawReport run_laws(const OpDef& op, const LawOptions& options) {
  LawReport report{.op = std::string(op.name)};
  const auto start = std::chrono::steady_clock::now();
  LawInput input{.op = op, .seed = options.seed};
  std::string broken;
  try {
    input.cases = make_cases(op);
  } catch (const std::exception& error) {
    broken = error.what();
  }
  for (const Entry& entry : kLaws) {
    if (!options.only.empty() &&
        std::find(options.only.begin(), options.only.end(), entry.law) == options.only.end()) {
      continue;
    }
    Cell& cell = report.cells[entry.law];
    if (!broken.empty()) {
      cell.fail("the samples cannot be made: " + broken);
    } else {
      guarded(cell, std::string(entry.name), [&] { entry.run(input, cell); });
    }
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace calx::laws
