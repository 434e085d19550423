// Tracing: running a function on argument tensors and collecting what it built into a Function. Scopes nest per thread;
// a tensor of an enclosing trace that is used inside becomes a capture, one of a finished trace is an error naming the
// line that made it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "calx/core/equation.h"
#include "calx/core/tensor.h"

namespace calx {

struct Traced {
  /// Its arguments are the captures (named `captured0`, ...), then the declared ones.
  Function function;
  /// Tensors of enclosing traces that the body used, in order of first use.
  Tensors captures;
};

using TraceBody = std::function<Tensors(std::span<const Tensor>)>;

struct TraceOptions {
  std::string name = "f";
  std::vector<std::string> result_names = {};
  std::vector<Dim> where = {};
  /// Raise instead of capturing tensors of enclosing traces.
  bool closed = false;
};

[[nodiscard]] Traced trace_flat(const std::vector<Argument>& arguments, const TraceBody& body, TraceOptions options = {});

/// Replays f's equations on tensors, in the current trace (or eagerly); the results. Argument types may differ from
/// f's (then types are inferred again).
[[nodiscard]] Tensors inline_function(const Function& f, std::span<const Tensor> arguments,
                                      SourceLoc where = SourceLoc::current());

/// The decomposition of a composite for given operand types, cached: a Function of the operands.
[[nodiscard]] Function decomposition(const OpDef& op, std::span<const Type> operands, const Attrs& attrs);

/// Adds one equation to the current trace from known types: for transforms that replay unchanged equations.
[[nodiscard]] Tensors replay(const Equation& equation, Tensors operands, std::span<const Type> result_types);

}  // namespace calx
