// The laws as functions, one file each, for run_laws and for the mutants, which run some of them on changed
// ops.
#pragma once

#include <exception>

#include "cases.h"
#include "compare.h"
#include "laws.h"

namespace calx::laws {

struct LawInput {
  const OpDef& op;
  std::vector<Case> cases = {};
  std::uint64_t seed = 1;
  /// Stop at the first failure, keep to the essential draws: for mutants.
  bool quick = false;
};

void check_types(const LawInput& input, Cell& cell);
void check_repeat(const LawInput& input, Cell& cell);
void check_jvp(const LawInput& input, Cell& cell);
void check_vjp(const LawInput& input, Cell& cell);
void check_modes(const LawInput& input, Cell& cell);
void check_vmap(const LawInput& input, Cell& cell);
void check_decomposition(const LawInput& input, Cell& cell);
void check_text(const LawInput& input, Cell& cell);
void check_rejects(const LawInput& input, Cell& cell);
void check_corners(const LawInput& input, Cell& cell);
void check_lower(const LawInput& input, Cell& cell);
void check_linear(const LawInput& input, Cell& cell);
void check_simplify(const LawInput& input, Cell& cell);
void check_rename(const LawInput& input, Cell& cell);
void check_docs(const LawInput& input, Cell& cell);
void check_samples(const LawInput& input, Cell& cell);
void check_mutants(const LawInput& input, Cell& cell);

/// The results of `lower`, run on contiguous operands; nullopt where the op claims it cannot be interpreted.
[[nodiscard]] std::optional<std::vector<Array>> run_lowered(const OpDef& op, const Case& one,
                                                            const std::vector<Array>& operands,
                                                            const std::vector<Type>& results);

struct Differences {
  std::vector<Array> tangents;  // of the floating results
  Allowed allowed;              // the error of the differences where they settled
  /// Finite, and the same at twice the step: not so near a kink or where f leaves its domain.
  bool settled = false;
};
/// Fourth-order central differences of f's floating results along `directions` of the differentiated
/// arguments.
[[nodiscard]] Differences central_differences(const Function& f, const std::vector<Array>& arguments,
                                              const std::vector<bool>& differentiated,
                                              const std::vector<Array>& directions);

/// How often jvp is iterated on an op: composites and regions reach rules that primitives do not.
[[nodiscard]] int derivative_order(const OpDef& op);

/// Operands of a linear group, kAllOperands resolved.
[[nodiscard]] std::vector<int> group_operands(const std::vector<int>& group, std::size_t num_operands);

/// Runs `body`; an exception becomes a failure that names `label`.
template <class Body>
void guarded(Cell& cell, const std::string& label, Body&& body) {
  try {
    body();
  } catch (const std::exception& error) {
    cell.fail(label + ": raised " + error.what());
  }
}

/// Records the difference of a and b, if any.
inline bool check_close(Cell& cell, const std::string& label, const Array& a, const Array& b, Allowed allowed,
                        Compared compared = Compared::all) {
  const std::optional<std::string> found = difference(a, b, allowed, compared);
  return cell.check(!found, [&] { return label + ": " + *found; });
}
inline bool check_same(Cell& cell, const std::string& label, const Array& a, const Array& b) {
  return cell.check(same_bits(a, b), [&] { return label + ": " + show(a) + " and " + show(b); });
}

}  // namespace calx::laws
