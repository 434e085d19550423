// The parts of the derivatives and of vmap over trees that do not depend on their types: checks, calls of the transformed
// functions, and where errors are told.
#include <iterator>

#include "calx/base/format.h"
#include "calx/base/located.h"
#include "calx/calculus/calculus.h"

namespace calx::detail {

void require_same_types(std::span<const std::string> paths, const Tensors& leaves, const Tensors& others, std::string_view op,
                        std::string_view what, std::string_view what_other, SourceLoc where) {
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::string leaf = paths[i].empty() ? "" : format(" at `{}`", paths[i]);
    if (!others[i].defined()) {
      raise({.id = ErrorId::undefined_tensor,
             .op = std::string(op),
             .message = format("{}{} is an undefined tensor", what_other, leaf),
             .where = where,
             .facts = {{"path", paths[i]}}});
    }
    const Type& wanted = leaves[i].type();
    const Type& given = others[i].type();
    if (!wanted.dtype.is_floating() || wanted == given) continue;
    const Proof shapes = proven_equal(wanted.shape, given.shape);
    if (wanted.dtype == given.dtype && shapes == Proof::yes) continue;
    raise({.id = wanted.dtype != given.dtype ? ErrorId::dtype_mismatch
                 : shapes == Proof::no       ? ErrorId::shape_mismatch
                                             : ErrorId::dim_unknown,
           .op = std::string(op),
           .message = format("{}{} is {} but {} is {}", what_other, leaf, given.to_string(), what, wanted.to_string()),
           .where = where,
           .hint = wanted.dtype != given.dtype ? "convert it: a derivative has the dtype of its value" : "",
           .facts = {{"path", paths[i]},
                     {std::string(what), wanted.to_string()},
                     {std::string(what_other), given.to_string()}}});
  }
}

Tensors call_transformed(Transform* transform, const TracedCall& call, Tensors more, SourceLoc where) {
  Tensors operands = call.operands;
  operands.insert(operands.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return located(where, [&] { return inline_function(transform(call.function, call.flags, where), operands); });
}

Tensor call_directional(const TracedCall& call, int order, const Type& type, SourceLoc where) {
  return located(where, [&] {
    const Function derivative = directional_derivative(call.function, call.flags, order, where);
    Tensors operands = call.operands;
    operands.push_back(core::ones(type));
    return inline_function(derivative, operands)[0];
  });
}

Tensors call_jacobians(const TracedCall& call, bool forward, SourceLoc where) {
  return located(where, [&] {
    Tensors blocks;
    for (std::size_t i = 0; i < call.flags.size(); ++i) {
      if (!call.flags[i]) continue;
      const auto argument = static_cast<int>(i);
      const Function derivative =
          forward ? jacobian_forward(call.function, argument, where) : jacobian_reverse(call.function, argument, where);
      blocks.push_back(inline_function(derivative, call.operands)[0]);
    }
    return blocks;
  });
}

GradientCheck check_call(const TracedCall& call, int order, double tolerance, SourceLoc where) {
  std::vector<Array> values;
  for (const Tensor& operand : call.operands) values.push_back(operand.value(where));
  return located(where, [&] { return check_gradients(call.function, values, order, tolerance, 0, where); });
}

Tensors differentiable(const Tensors& like, const Tensors& leaves) {
  Tensors kept;
  for (std::size_t i = 0; i < like.size(); ++i) {
    if (like[i].dtype().is_floating()) kept.push_back(leaves[i]);
  }
  return kept;
}

Type lane_type(const Type& type, std::optional<int> axis, std::optional<Dim>& size, SourceLoc where) {
  if (!axis) return type;
  const int rank = type.rank();
  const int at = *axis < 0 ? *axis + rank : *axis;
  if (at < 0 || at >= rank) {
    raise({.id = ErrorId::vmap_axis,
           .op = "vmap",
           .message = format("axis {} of an argument {}", *axis, type.to_string()),
           .where = where,
           .hint = "arguments that are not batched have the axis nullopt",
           .facts = {{"type", type.to_string()}}});
  }
  const Dim& here = type.shape[at];
  if (size && proven_equal(*size, here) != Proof::yes) {
    raise({.id = ErrorId::vmap_axis,
           .op = "vmap",
           .message = format("batch sizes {} and {} differ", size->to_string(), here.to_string()),
           .where = where,
           .facts = {{"type", type.to_string()}}});
  }
  size = here;
  return type.with_shape(type.shape.without_axis(at));
}

void check_in_axes(std::size_t given, std::size_t arguments, SourceLoc where) {
  if (given == 0 || given == arguments) return;
  raise({.id = ErrorId::arity,
         .op = "vmap",
         .message = format("{} in_axes for {} arguments", given, arguments),
         .where = where});
}

void raise_nothing_batched(SourceLoc where) {
  raise({.id = ErrorId::vmap_axis, .op = "vmap", .message = "no argument is batched", .where = where,
         .hint = "give at least one argument a batch axis"});
}

Tensors map_lanes(const TraceBody& body, const Tensors& operands, const std::vector<std::optional<int>>& axes, int out_axis,
                  SourceLoc where) {
  std::optional<Dim> size;
  std::vector<Argument> arguments;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].defined()) {
      raise({.id = ErrorId::undefined_tensor,
             .op = "vmap",
             .message = format("leaf {} of the arguments is an undefined tensor", i),
             .where = where});
    }
    arguments.push_back({format("arg{}", i), lane_type(operands[i].type(), axes[i], size, where)});
  }
  if (!size) raise_nothing_batched(where);
  const Traced traced = trace_flat(arguments, body, {.name = "vmap"});
  return located(where, [&] {
    std::vector<std::optional<int>> in_axes(traced.captures.size());
    Tensors all = traced.captures;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      in_axes.push_back(axes[i] && *axes[i] < 0 ? *axes[i] + operands[i].rank() : axes[i]);
      all.push_back(operands[i]);
    }
    std::vector<int> out_axes;
    for (const Result& result : traced.function.results()) {
      const int rank = traced.function.type(result.value).rank();
      out_axes.push_back(out_axis < 0 ? out_axis + rank + 1 : out_axis);
    }
    return inline_function(vmap(traced.function, in_axes, *size, out_axes, false, where), all);
  });
}

}  // namespace calx::detail
