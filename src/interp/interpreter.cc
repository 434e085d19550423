// Runs Functions equation by equation. Values are dropped after their last use. Failed checks are recorded while the
// run completes; the one that comes first in the program is raised at the end.
#include "calx/interp/interpreter.h"

#include <new>
#include <stdexcept>
#include <utility>

#include "calx/base/format.h"
#include "calx/base/located.h"
#include "calx/core/bug_report.h"
#include "calx/core/equation.h"
#include "calx/core/op_def.h"
#include "calx/core/substitute.h"
#include "calx/core/text.h"
#include "calx/core/trace.h"

namespace calx {
namespace {

class Run : public EvaluationContext {
 public:
  Run(Bindings bindings, RunStatistics& statistics) : bindings_(std::move(bindings)), statistics_(statistics) {}

  [[nodiscard]] const Bindings& bindings() const override { return bindings_; }

  std::vector<Array> run_nested(const Function& f, std::vector<Array> arguments, std::int64_t iteration) override {
    path_.steps.back().iteration = iteration;
    return execute(f, std::move(arguments));
  }

  void record_failure(std::int64_t position, std::function<void()> raise) override {
    if (failure_ && (!path_.precedes(failure_->path) || failure_->path.precedes(path_))) {
      const bool same_place = !failure_->path.precedes(path_) && !path_.precedes(failure_->path);
      if (!same_place || position >= failure_->position) return;
    }
    failure_ = RunFailure{path_, position, std::move(raise)};
  }

  std::vector<Array> execute(const Function& f, std::vector<Array> arguments) {
    CALX_ASSERT(arguments.size() == f.arguments().size(), f.name());
    std::vector<Array> values(f.num_values());
    std::move(arguments.begin(), arguments.end(), values.begin());
    const std::vector<std::uint32_t> last_use = last_uses(f);
    path_.steps.emplace_back();
    std::vector<Array> operands;
    for (std::uint32_t i = 0; i < f.equations().size(); ++i) {
      const Equation& equation = f.equations()[i];
      path_.steps.back() = {i, 0};
      operands.clear();
      for (ValueId operand : equation.operands) operands.push_back(values[operand]);
      for (ValueId operand : equation.operands) {
        if (last_use[operand] == i && values[operand].defined()) {
          // Arguments are the caller's; only what was made here counts as released.
          if (operand >= f.arguments().size()) release(values[operand]);
          values[operand] = Array();
        }
      }
      std::vector<Array> results = evaluate_or_explain(f, equation, operands);
      CALX_ASSERT(results.size() == equation.num_results, std::string(equation.op->name));
      ++statistics_.equations;
      for (std::uint32_t r = 0; r < equation.num_results; ++r) {
        const ValueId id = equation.first_result + r;
        statistics_.live_bytes += static_cast<std::int64_t>(results[r].size_bytes());
        if (last_use[id] == kNever) {
          release(results[r]);
        } else {
          values[id] = std::move(results[r]);
        }
      }
      statistics_.peak_live_bytes = std::max(statistics_.peak_live_bytes, statistics_.live_bytes);
    }
    path_.steps.pop_back();
    std::vector<Array> results;
    results.reserve(f.results().size());
    for (const Result& result : f.results()) results.push_back(values[result.value]);
    for (ValueId id = static_cast<ValueId>(f.arguments().size()); id < values.size(); ++id) {
      if (values[id].defined()) release(values[id]);
    }
    return results;
  }

  void raise_failure() const {
    if (failure_) failure_->raise();
  }

 private:
  static constexpr std::uint32_t kNever = 0xFFFFFFFF;
  static constexpr std::uint32_t kResult = 0xFFFFFFFE;

  static std::vector<std::uint32_t> last_uses(const Function& f) {
    std::vector<std::uint32_t> last(f.num_values(), kNever);
    for (std::uint32_t i = 0; i < f.equations().size(); ++i) {
      for (ValueId operand : f.equations()[i].operands) last[operand] = i;
    }
    for (const Result& result : f.results()) last[result.value] = kResult;
    return last;
  }

  void release(const Array& array) { statistics_.live_bytes -= static_cast<std::int64_t>(array.size_bytes()); }

  std::vector<Array> evaluate_or_explain(const Function& f, const Equation& equation, std::span<const Array> operands) {
    try {
      return evaluate(f, equation, operands);
    } catch (const std::bad_alloc&) {
      raise_too_large(equation);
    } catch (const std::length_error&) {
      raise_too_large(equation);
    } catch (const InternalError& error) {
      Error::Parts parts = error.parts();
      parts.notes.push_back(format("in `{}`", print_equation(f, equation)));
      for (std::size_t i = 0; i < operands.size(); ++i) {
        parts.notes.push_back(format("operand {} is {}", i, to_string(Tensor(operands[i]))));
      }
      throw InternalError(std::move(parts));
    } catch (const Error& error) {
      if (!error.op().empty()) throw;
      // Of arrays and sizes, which know of no op; their place is a line of ours.
      Error::Parts parts = error.parts();
      parts.op = std::string(equation.op->name);
      parts.where = place_of(equation);
      raise(std::move(parts));
    }
  }

  [[noreturn]] void raise_too_large(const Equation& equation) const {
    raise({.id = ErrorId::size_overflow,
           .op = std::string(equation.op->name),
           .message = "needs more memory than there is",
           .where = place_of(equation)});
  }

  std::vector<Array> evaluate(const Function& f, const Equation& equation, std::span<const Array> operands) {
    const OpDef& op = *equation.op;
    if (const ReferenceRule* rule = reference(op)) {
      std::span<const Type> types;
      std::vector<Type> bound;
      if (bindings_.empty()) {
        types = std::span(&f.type(equation.first_result), equation.num_results);
      } else {
        for (std::uint32_t r = 0; r < equation.num_results; ++r) {
          bound.push_back(f.type(equation.first_result + r).bind(bindings_));
          require_sizes(op, bound.back(), place_of(equation));
        }
        types = bound;
      }
      return (*rule)(ReferenceCall(op, operands, equation.attrs, types, *this, place_of(equation)));
    }
    CALX_ASSERT(op.composite() != nullptr, std::string(op.name) + " has no reference");
    std::vector<Type> types;
    for (const Array& operand : operands) types.push_back(operand.type());
    const Attrs attrs = bindings_.empty() ? equation.attrs : bind_sizes(equation.attrs, bindings_);
    // The equations of a decomposition have no place of their own: failures are told at the line that called the composite.
    const SourceLoc outer = std::exchange(composite_place_, place_of(equation));
    std::vector<Array> results = execute(decomposition(op, types, attrs), {operands.begin(), operands.end()});
    composite_place_ = outer;
    return results;
  }

  [[nodiscard]] SourceLoc place_of(const Equation& equation) const {
    return equation.where.known() ? equation.where : composite_place_;
  }

  /// What is not negative for every symbol may be so for these.
  static void require_sizes(const OpDef& op, const Type& type, SourceLoc where) {
    for (const Dim& size : type.shape) {
      if (size.value() >= 0) continue;
      raise({.id = ErrorId::attribute,
             .op = std::string(op.name),
             .message = format("the size {} of the result is negative", size.value()),
             .where = where,
             .facts = {{"result", type.to_string()}}});
    }
  }

  static const ReferenceRule* reference(const OpDef& op) {
    if (const Primitive* primitive = op.primitive()) return std::get_if<ReferenceRule>(&primitive->reference);
    if (const Composite* composite = op.composite()) return std::get_if<ReferenceRule>(&composite->reference);
    return std::get_if<ReferenceRule>(&op.region()->reference);
  }

  Bindings bindings_;
  RunStatistics& statistics_;
  ExecutionPath path_;
  SourceLoc composite_place_;
  std::optional<RunFailure> failure_;
};

}  // namespace

std::vector<Array> Interpreter::run(const Function& f, std::vector<Array> arguments, RunStatistics& statistics,
                                    SourceLoc where) try {
  detail::require_defined(f, "run");
  if (arguments.size() != f.arguments().size()) {
    raise({.id = ErrorId::arity,
           .op = f.name(),
           .message = format("takes {} arguments but was given {}", f.arguments().size(), arguments.size())});
  }
  std::vector<std::vector<std::int64_t>> sizes;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = f.arguments()[i];
    if (!arguments[i].defined()) {
      raise({.id = ErrorId::undefined_tensor,
             .op = f.name(),
             .message = format("argument `{}` of type {} was given an undefined array", argument.name, argument.type.to_string()),
             .facts = {{"argument", argument.name}, {"type", argument.type.to_string()}}});
    }
    if (arguments[i].dtype() != argument.type.dtype) {
      raise({.id = ErrorId::dtype,
             .op = f.name(),
             .message = format("argument `{}` of type {} was given {}", argument.name, argument.type.to_string(),
                               arguments[i].type().to_string()),
             .facts = {{"argument", argument.name}, {"type", argument.type.to_string()}}});
    }
    sizes.push_back(arguments[i].sizes());
  }
  Run run(bind_symbols(f, sizes, {}), statistics);
  std::vector<Array> results = reporting_bugs("run", f, [&] { return run.execute(f, std::move(arguments)); });
  run.raise_failure();
  return results;
} catch (const Error& error) {
  detail::raise_at(error, where);
}

std::vector<Array> Interpreter::run(const Function& f, std::vector<Array> arguments, SourceLoc where) {
  RunStatistics statistics;
  return run(f, std::move(arguments), statistics, where);
}

Evaluator& default_evaluator() {
  static Interpreter interpreter;
  return interpreter;
}

}  // namespace calx
