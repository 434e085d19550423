// Cases: an op's samples times the dtypes they are tried with, and the values that laws draw for them.
// Invariant: draws depend only on the seed given, so every failure can be repeated.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calx/core/equation.h"
#include "calx/core/op_def.h"

namespace calx::laws {

/// A small generator with the same numbers everywhere (SplitMix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  [[nodiscard]] std::uint64_t bits();
  [[nodiscard]] double uniform(double low, double high);
  /// In [low, high).
  [[nodiscard]] std::int64_t integer(std::int64_t low, std::int64_t high);
  [[nodiscard]] double normal();

 private:
  std::uint64_t state_;
};

struct Case {
  int sample_index = 0;
  Sample sample = {};
  /// The dtype given to the operands that leave it open; empty if none does.
  std::optional<DType> dtype = {};
  std::vector<Type> types = {};  // static
  Attrs attrs = {};
  /// As the sample says, where it has symbols: types and attributes before binding.
  std::vector<Type> symbolic_types = {};
  Attrs symbolic_attrs = {};
  std::string label = {};

  /// True iff some operand is floating.
  [[nodiscard]] bool has_floating() const;
  [[nodiscard]] std::vector<bool> floating() const;
  [[nodiscard]] std::int64_t num_elements() const;
};

/// Samples x dtypes.
[[nodiscard]] std::vector<Case> make_cases(const OpDef& op);

/// Of the cases, those on which derivatives are judged: smooth, with a floating operand, in f64 where the
/// dtype is open.
[[nodiscard]] std::vector<Case> derivative_cases(const std::vector<Case>& cases);
/// One floating and one other dtype per sample: enough for laws that move values about.
[[nodiscard]] std::vector<Case> structural_cases(const std::vector<Case>& cases);

/// Values for every operand, as the sample says.
[[nodiscard]] std::vector<Array> draw(const OpDef& op, const Case& one, std::uint64_t seed);
/// As draw, but random operands hold corner values of their dtype, a different mix for each `round`.
[[nodiscard]] std::vector<Array> draw_corners(const OpDef& op, const Case& one, int round);
/// Standard normal values: directions and cotangents.
[[nodiscard]] Array draw_normal(const Type& type, Random& random);

/// The Function that applies op once: an argument per operand, named a0, a1, ...
[[nodiscard]] Function one_equation(const OpDef& op, const std::vector<Type>& types, const Attrs& attrs);
[[nodiscard]] std::vector<Array> evaluate(const Function& f, std::vector<Array> arguments);

/// The declaration of operand i.
[[nodiscard]] const OperandSpec& operand_spec(const OpDef& op, int i);

}  // namespace calx::laws
