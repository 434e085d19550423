// The laws of ops: what every op of the table must satisfy, each checked by one generic function over the
// op's samples and dtypes. A user's registered op runs through the same laws: run_laws(register_op(...)).
// Invariant: a law that checked nothing and could name no claim leaves its cell blank, and blank is a
// failure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "calx/core/op_def.h"

namespace calx::laws {

enum class Law : std::uint8_t {
  types,          // inferred types equal the reference's, static and symbolic
  repeat,         // two runs give the same bits
  jvp,            // equals central differences, order by order
  vjp,            // <J v, w> = <v, J^T w>
  modes,          // forward over reverse = reverse over forward = reverse over reverse
  vmap,           // equals stacking; commutes with jvp and vjp
  decomposition,  // a composite with overridden slots equals its decomposition
  text,           // print -> parse -> print
  rejects,        // misuse raises the stated error
  corners,        // corner values neither crash nor differ between reference and lower
  lower,          // loopir's interpreter equals the reference, whatever the strides
  linear,         // linear groups are linear, other operands are not
  simplify,       // a simplification is exact for every bit pattern; NoIdentity has none
  rename,         // the name of an op decides nothing
  docs,           // no part of the documentation is missing
  samples,        // every attribute has two values over the samples, one not its default
  mutants,        // a changed derivative, transpose or batch rule is noticed
};
inline constexpr int kNumLaws = 17;
[[nodiscard]] std::string_view name(Law law);

enum class Status : std::uint8_t { blank, ok, claim, failed };

/// The outcome of one law on one op.
class Cell {
 public:
  /// Counts a check; `message` (made only when it fails) says what differed.
  template <class Message>
  bool check(bool holds, Message&& message) {
    ++checks_;
    if (!holds) fail(message());
    return holds;
  }
  void fail(std::string message);
  void claim(std::string_view text);
  void add_checks(int count) { checks_ += count; }
  /// Points at which the law had no say and others were drawn.
  void add_redraws(int count) { redraws_ += count; }

  [[nodiscard]] Status status() const;
  [[nodiscard]] bool failed() const { return num_failures_ > 0; }
  [[nodiscard]] int checks() const { return checks_; }
  [[nodiscard]] int redraws() const { return redraws_; }
  [[nodiscard]] const std::string& claims() const { return claims_; }
  /// The first few.
  [[nodiscard]] const std::vector<std::string>& failures() const { return failures_; }
  [[nodiscard]] int num_failures() const { return num_failures_; }

 private:
  int checks_ = 0;
  int redraws_ = 0;
  int num_failures_ = 0;
  std::string claims_;
  std::vector<std::string> failures_;
};

struct LawReport {
  std::string op = {};
  std::map<Law, Cell> cells = {};
  double seconds = 0;

  /// True iff no cell is blank or failed.
  [[nodiscard]] bool passed() const;
  /// One line for each blank cell and each failure.
  [[nodiscard]] std::vector<std::string> problems() const;
};

struct LawOptions {
  /// The laws to run; empty: all.
  std::vector<Law> only = {};
  std::uint64_t seed = 1;
};

[[nodiscard]] LawReport run_laws(const OpDef& op, const LawOptions& options = {});

}  // namespace calx::laws
