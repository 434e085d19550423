// Derivatives as transforms of Functions.
#include "calx/calculus/functions.h"

#include <algorithm>

#include "calx/base/format.h"
#include "calx/base/located.h"
#include "calx/core/core_ops.h"
#include "calx/core/trace.h"
#include "calx/transforms/checks.h"
#include "calx/transforms/rules.h"

namespace calx {
namespace {

std::vector<bool> first_results(const Function& f, std::size_t from, std::size_t count) {
  std::vector<bool> keep(f.results().size(), false);
  std::fill(keep.begin() + static_cast<std::ptrdiff_t>(from), keep.begin() + static_cast<std::ptrdiff_t>(from + count), true);
  return keep;
}

std::size_t count_true(const std::vector<bool>& flags) {
  return static_cast<std::size_t>(std::count(flags.begin(), flags.end(), true));
}

/// The identity [n, shape...] that spans a type, n = number of elements.
Tensor basis(const Type& type) {
  const Dim n = type.shape.num_elements();
  const Shape square({n, n});
  const Tensor same = core::compare(core::iota(square, 0, i64), core::iota(square, 1, i64), Comparison::eq);
  return core::reshape(core::convert(same, type.dtype), type.shape.with_inserted(0, n));
}

/// Raises unless result 0 of f is there and floating: no other has a derivative.
void require_floating_result(const Function& f, std::string_view op) {
  if (f.results().empty()) {
    raise({.id = ErrorId::arity, .op = std::string(op), .message = format("`{}` has no result", f.name())});
  }
  const Type& type = f.type(f.results()[0].value);
  if (type.dtype.is_floating()) return;
  raise({.id = ErrorId::grad_integer,
         .op = std::string(op),
         .message = format("result `{}` {} of `{}` is not floating: it has no derivative", f.results()[0].name,
                           type.to_string(), f.name()),
         .hint = "differentiate floating results, or convert it inside the function",
         .facts = {{"result", f.results()[0].name}, {"type", type.to_string()}}});
}

Shape joined(const Shape& a, const Shape& b) {
  std::vector<Dim> dims = a.dims();
  dims.insert(dims.end(), b.begin(), b.end());
  return Shape(std::move(dims));
}

void require_argument(const Function& f, int argument, std::string_view op) {
  detail::require_defined(f, op);
  if (argument >= 0 && argument < static_cast<int>(f.arguments().size())) return require_floating_result(f, op);
  raise({.id = ErrorId::arity,
         .op = std::string(op),
         .message = format("`{}` has {} arguments: there is no argument {}", f.name(), f.arguments().size(), argument)});
}

}  // namespace

Function value_and_grad(const Function& f, const std::vector<bool>& differentiated, SourceLoc where) try {
  detail::require_defined(f, "grad");
  if (f.results().empty() || f.type(f.results()[0].value).rank() != 0 ||
      !f.type(f.results()[0].value).dtype.is_floating()) {
    const std::string type = f.results().empty() ? "nothing" : f.type(f.results()[0].value).to_string();
    raise({.id = ErrorId::grad_not_scalar,
           .op = "grad",
           .message = format("the gradient needs a floating scalar, but `{}` gives {}", f.name(), type),
           .hint = "reduce it (sum, mean), or use vjp or jacobian",
           .facts = {{"function", f.name()}, {"type", type}}});
  }
  const Function pulled = vjp(f, differentiated, where);
  std::vector<std::string> names;
  for (const Result& result : pulled.results()) names.push_back(result.name);
  const std::size_t n = f.arguments().size();
  return trace_flat(
             f.arguments(),
             [&](std::span<const Tensor> x) -> Tensors {
               Tensors operands(x.begin(), x.end());
               for (std::size_t i = n; i < pulled.arguments().size(); ++i) {
                 const Type& type = pulled.arguments()[i].type;
                 operands.push_back(i == n ? core::ones(type) : core::zeros(type));
               }
               return inline_function(pulled, operands);
             },
             {.name = f.name(), .result_names = names, .where = f.where(), .closed = true})
      .function;
} catch (const Error& error) {
  detail::raise_at(error, where);
}

Function grad(const Function& f, const std::vector<bool>& differentiated, SourceLoc where) try {
  const Function both = value_and_grad(f, differentiated, where);
  return keep_results(both, first_results(both, f.results().size(), count_true(differentiated)));
} catch (const Error& error) {
  detail::raise_at(error, where);
}

Function hvp(const Function& f, const std::vector<bool>& differentiated, SourceLoc where) try {
  const Function gradient = grad(f, differentiated, where);
  const Function moved = jvp(gradient, differentiated, where);
  return keep_results(moved, first_results(moved, gradient.results().size(), gradient.results().size()));
} catch (const Error& error) {
  detail::raise_at(error, where);
}

Function directional_derivative(const Function& f, const std::vector<bool>& differentiated, int order, SourceLoc where) try {
  detail::require_floating(f, differentiated, "directional_derivative");
  require_floating_result(f, "directional_derivative");
  if (order < 0) {
    raise({.id = ErrorId::value, .op = "directional_derivative", .message = format("the order {} is negative", order)});
  }
  // Derivative of the function of (x, v) in x along v; v itself stays.
  std::vector<std::string> taken;
  std::vector<Argument> arguments = f.arguments();
  for (const Argument& argument : arguments) taken.push_back(argument.name);
  const std::size_t n = arguments.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (!differentiated[i]) continue;
    arguments.push_back({fresh_name(arguments[i].name + ".t", taken), arguments[i].type});
    taken.push_back(arguments.back().name);
  }
  Function current = trace_flat(
                         arguments,
                         [&](std::span<const Tensor> x) -> Tensors { return {inline_function(f, x.first(n))[0]}; },
                         {.name = f.name(), .where = f.where(), .closed = true})
                         .function;
  std::vector<bool> flags = differentiated;
  flags.resize(arguments.size(), false);
  for (int k = 0; k < order; ++k) {
    const Function moved = jvp(current, flags, where);
    current = trace_flat(
                  arguments,
                  [&](std::span<const Tensor> x) -> Tensors {
                    Tensors operands(x.begin(), x.end());
                    operands.insert(operands.end(), x.begin() + static_cast<std::ptrdiff_t>(n), x.end());
                    return {inline_function(moved, operands)[1]};
                  },
                  {.name = f.name(), .where = f.where(), .closed = true})
                  .function;
  }
  return current;
} catch (const Error& error) {
  detail::raise_at(error, where);
}

Function jacobian_forward(const Function& f, int argument, SourceLoc where) try {
  require_argument(f, argument, "jacobian");
  std::vector<bool> flags(f.arguments().size(), false);
  flags[static_cast<std::size_t>(argument)] = true;
  const Function moved = jvp(keep_results(f, first_results(f, 0, 1)), flags, where);
  const Function tangent = keep_results(moved, {false, true});
  const Type& in = f.arguments()[static_cast<std::size_t>(argument)].type;
  std::vector<std::optional<int>> in_axes(f.arguments().size());
  in_axes.push_back(0);
  const Type& out = f.type(f.results()[0].value);
  const Function columns = vmap(tangent, in_axes, in.shape.num_elements(), {out.rank()}, false, where);
  return trace_flat(
             f.arguments(),
             [&](std::span<const Tensor> x) -> Tensors {
               Tensors operands(x.begin(), x.end());
               operands.push_back(basis(in));
               return {core::reshape(inline_function(columns, operands)[0], joined(out.shape, in.shape))};
             },
             {.name = f.name(), .result_names = {"jacobian"}, .where = f.where(), .closed = true})
      .function;
} catch (const Error& error) {
  detail::raise_at(error, where);
}

Function jacobian_reverse(const Function& f, int argument, SourceLoc where) try {
  require_argument(f, argument, "jacobian");
  std::vector<bool> flags(f.arguments().size(), false);
  flags[static_cast<std::size_t>(argument)] = true;
  const Function pulled = vjp(keep_results(f, first_results(f, 0, 1)), flags, where);
  const Function cotangent = keep_results(pulled, {false, true});
  const Type& in = f.arguments()[static_cast<std::size_t>(argument)].type;
  const Type& out = f.type(f.results()[0].value);
  std::vector<std::optional<int>> in_axes(f.arguments().size());
  in_axes.push_back(0);
  const Function rows = vmap(cotangent, in_axes, out.shape.num_elements(), {}, false, where);
  return trace_flat(
             f.arguments(),
             [&](std::span<const Tensor> x) -> Tensors {
               Tensors operands(x.begin(), x.end());
               operands.push_back(basis(out));
               return {core::reshape(inline_function(rows, operands)[0], joined(out.shape, in.shape))};
             },
             {.name = f.name(), .result_names = {"jacobian"}, .where = f.where(), .closed = true})
      .function;
} catch (const Error& error) {
  detail::raise_at(error, where);
}

}  // namespace calx
