// What core's unit tests are linked with: a table of the core ops alone, and an evaluator that runs their
// references.
#include "calx/core/equation.h"
#include "calx/core/evaluator.h"
#include "calx/core/op_def.h"
#include "plain_evaluator.h"

namespace calx {
namespace ops {
#define CALX_CORE_OPS(X)                                                                                \
  X(add)                                                                                                \
  X(barrier) X(call) X(checked_index) X(compare) X(constant) X(convert) X(div) X(expand) X(iota) X(mul) \
      X(neg) X(reduce_sum) X(reshape) X(select) X(size) X(strong_mul) X(sub) X(transpose)
#define CALX_DECLARE(name) OpDef name();
CALX_CORE_OPS(CALX_DECLARE)
}  // namespace ops

std::vector<OpDef> detail::make_op_table() {
#define CALX_MAKE(name) table.push_back(ops::name());
  std::vector<OpDef> table;
  CALX_CORE_OPS(CALX_MAKE)
  return table;
}

namespace test {
EvaluatorCounts& evaluator_counts() {
  static EvaluatorCounts counts;
  return counts;
}
}  // namespace test

namespace {

/// Values are kept to the end; failed checks are raised at once.
class PlainContext : public EvaluationContext {
 public:
  explicit PlainContext(Bindings bindings) : bindings_(std::move(bindings)) {}
  [[nodiscard]] const Bindings& bindings() const override { return bindings_; }
  void record_failure(std::int64_t, std::function<void()> raise) override { raise(); }
  std::vector<Array> run_nested(const Function& f, std::vector<Array> values, std::int64_t) override {
    values.resize(f.num_values());
    for (const Equation& equation : f.equations()) {
      std::vector<Array> operands;
      for (ValueId operand : equation.operands) operands.push_back(values[operand]);
      std::vector<Type> types;
      for (std::uint32_t i = 0; i < equation.num_results; ++i) {
        types.push_back(f.type(equation.first_result + i).bind(bindings_));
      }
      const OpDef& op = *equation.op;
      const auto& slot = op.primitive() != nullptr ? op.primitive()->reference : op.region()->reference;
      const ReferenceCall call(op, operands, equation.attrs, types, *this, equation.where);
      std::vector<Array> results = std::get<ReferenceRule>(slot)(call);
      std::move(results.begin(), results.end(), values.begin() + equation.first_result);
      ++test::evaluator_counts().equations;
    }
    std::vector<Array> results;
    for (const Result& result : f.results()) results.push_back(values[result.value]);
    return results;
  }

 private:
  Bindings bindings_;
};

class PlainEvaluator : public Evaluator {
 public:
  std::vector<Array> run(const Function& f, std::vector<Array> arguments, SourceLoc) override {
    ++test::evaluator_counts().runs;
    std::vector<std::vector<std::int64_t>> sizes;
    for (const Array& argument : arguments) sizes.push_back(argument.sizes());
    return PlainContext(bind_symbols(f, sizes)).run_nested(f, std::move(arguments), 0);
  }
};

}  // namespace

Evaluator& default_evaluator() {
  static PlainEvaluator evaluator;
  return evaluator;
}

}  // namespace calx
