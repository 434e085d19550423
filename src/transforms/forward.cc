// Forward mode: pushing tangents through equations, and its split into known and linear part.
#include <algorithm>

#include "calx/base/format.h"
#include "calx/core/bug_report.h"
#include "equations.h"

namespace calx {
namespace detail {

void require_floating(const Function& f, const std::vector<bool>& differentiated, std::string_view transform) {
  require_defined(f, transform);
  if (differentiated.size() != f.arguments().size()) {
    raise({.id = ErrorId::arity,
           .op = std::string(transform),
           .message = format("`{}` has {} arguments but {} flags were given", f.name(), f.arguments().size(),
                             differentiated.size()),
           .hint = "one flag for each argument says whether it is differentiated",
           .facts = {{"function", f.name()}}});
  }
  for (std::size_t i = 0; i < differentiated.size(); ++i) {
    const Argument& argument = f.arguments()[i];
    if (!differentiated[i] || argument.type.dtype.is_floating()) continue;
    raise({.id = ErrorId::grad_integer,
           .op = std::string(transform),
           .message = format("argument `{}` {} of `{}` is not floating: it has no derivative", argument.name,
                             argument.type.to_string(), f.name()),
           .hint = "differentiate with respect to floating arguments, or convert it inside the function",
           .facts = {{"argument", argument.name}, {"type", argument.type.to_string()}}});
  }
}

std::vector<std::string> argument_names(const Function& f) {
  std::vector<std::string> names;
  for (const Argument& argument : f.arguments()) names.push_back(argument.name);
  return names;
}

std::vector<std::string> result_names(const Function& f) {
  std::vector<std::string> names;
  for (const Result& result : f.results()) names.push_back(result.name);
  return names;
}

std::string TakenNames::take(const std::string& wanted) {
  std::string name = wanted;
  for (int number = 2; !taken_.insert(name).second; ++number) name = wanted + std::to_string(number);
  return name;
}

std::vector<std::string> derived_names(const std::vector<std::string>& base, const std::vector<bool>& flags,
                                       std::string_view suffix, std::vector<std::string>& taken) {
  TakenNames all(taken);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < base.size(); ++i) {
    if (flags[i]) names.push_back(all.take(base[i] + std::string(suffix)));
  }
  taken.insert(taken.end(), names.begin(), names.end());
  return names;
}

std::vector<bool> floating_results(const Function& f) {
  std::vector<bool> flags;
  for (const Result& result : f.results()) flags.push_back(f.type(result.value).dtype.is_floating());
  return flags;
}

Function split_jvp(const Function& f, const std::vector<bool>& differentiated, bool linearize) {
  std::vector<Argument> arguments = f.arguments();
  std::vector<std::string> taken = argument_names(f);
  const std::vector<std::string> tangent_names = derived_names(argument_names(f), differentiated, ".t", taken);
  for (std::size_t i = 0, next = 0; i < differentiated.size(); ++i) {
    if (differentiated[i]) arguments.push_back({tangent_names[next++], f.arguments()[i].type});
  }
  std::vector<std::string> names = result_names(f);
  std::vector<std::string> taken_results = names;
  for (std::string& name : derived_names(result_names(f), floating_results(f), ".t", taken_results)) {
    names.push_back(std::move(name));
  }
  const std::size_t n = f.arguments().size();
  return trace_flat(
             arguments,
             [&](std::span<const Tensor> values) -> Tensors {
               Tangents tangents;
               std::size_t next = n;
               for (std::size_t i = 0; i < n; ++i) {
                 tangents.push_back(differentiated[i] ? Tangent(values[next++]) : Tangent::zero(f.arguments()[i].type));
               }
               Duals duals = push_forward(f, values.first(n), tangents, linearize);
               Tensors results = std::move(duals.primals);
               for (std::size_t i = 0; i < f.results().size(); ++i) {
                 if (duals.tangents[i].type().dtype.is_floating()) results.push_back(duals.tangents[i].instantiate());
               }
               return results;
             },
             {.name = f.name(), .result_names = names, .where = f.where(), .closed = true})
      .function;
}

namespace {

Tangents from_linear(const EquationView& view, const LinearIn& linear, const Tangents& tangents) {
  Tangents sum;
  for (const Type& type : view.result_types) sum.push_back(Tangent::zero(type));
  for (const std::vector<int>& group : linear.groups) {
    std::vector<int> members = group;
    if (group.size() == 1 && group[0] == kAllOperands) {
      members.resize(view.operands.size());
      for (std::size_t i = 0; i < members.size(); ++i) members[i] = static_cast<int>(i);
    }
    Tensors operands = view.operands;
    bool any = false;
    for (int member : members) {
      const Tangent& t = tangents[static_cast<std::size_t>(member)];
      any |= !t.is_zero();
    }
    if (!any) continue;
    for (int member : members) {
      operands[static_cast<std::size_t>(member)] = tangents[static_cast<std::size_t>(member)].instantiate();
    }
    const Tensors results = apply(view.op, std::move(operands), view.attrs, view.where);
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (view.result_types[i].dtype.is_floating()) sum[i] += Tangent(results[i]);
    }
  }
  return sum;
}

Tangents zeros_for(const std::vector<Type>& types) {
  Tangents zeros;
  for (const Type& type : types) zeros.push_back(Tangent::zero(type));
  return zeros;
}

Tangents primitive_jvp(const EquationView& view, const Primitive& primitive, std::span<const Tensor> results,
                       const Tangents& tangents) {
  if (const auto* rule = std::get_if<JvpRule>(&primitive.jvp)) return (*rule)(view.call(results), tangents);
  if (std::holds_alternative<FromLinear>(primitive.jvp)) {
    const auto* linear = std::get_if<LinearIn>(&primitive.linear);
    CALX_ASSERT(linear != nullptr, std::string(view.op.name));
    return from_linear(view, *linear, tangents);
  }
  if (const auto* todo = std::get_if<Todo>(&primitive.jvp)) raise_no_rule(view, "jvp", todo->missing);
  return zeros_for(view.result_types);
}

RegionDerivative call_jvp(const EquationView& view, const Tangents& tangents, bool linearized) {
  const Function f = callee(view.attrs);
  std::vector<bool> flags;
  Tensors given;
  for (const Tangent& t : tangents) {
    flags.push_back(!t.is_zero());
    if (!t.is_zero()) given.push_back(t.tensor());
  }
  const std::vector<bool> depends = depends_on(f, flags);
  const std::size_t count = f.results().size();
  RegionDerivative derivative;
  Tensors out;
  if (linearized) {
    const Linearized parts = linearize(f, flags, view.where);
    const Tensors forward = core::call(parts.forward, view.operands);
    derivative.results.assign(forward.begin(), forward.begin() + static_cast<std::ptrdiff_t>(count));
    Tensors operands(forward.begin() + static_cast<std::ptrdiff_t>(count), forward.end());
    operands.insert(operands.end(), given.begin(), given.end());
    out = core::call(parts.linear, operands);
  } else {
    Tensors operands = view.operands;
    operands.insert(operands.end(), given.begin(), given.end());
    const Tensors both = core::call(jvp(f, flags, view.where), operands);
    derivative.results.assign(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(count));
    out.assign(both.begin() + static_cast<std::ptrdiff_t>(count), both.end());
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Type& type = view.result_types[i];
    if (!type.dtype.is_floating()) {
      derivative.tangents.push_back(Tangent::zero(type));
      continue;
    }
    const Tensor& t = out[next++];
    derivative.tangents.push_back(depends[i] ? Tangent(t) : Tangent::zero(type));
  }
  return derivative;
}

RegionDerivative region_derivative(const EquationView& view, const Region& region, const Tangents& tangents,
                                   bool linearized) {
  if (&view.op == &call_op()) return call_jvp(view, tangents, linearized);
  if (linearized) {
    if (const auto* rule = std::get_if<RegionLinearizeRule>(&region.linearize)) return (*rule)(view.call(), tangents);
    if (const auto* todo = std::get_if<Todo>(&region.linearize)) raise_no_rule(view, "linearize", todo->missing);
  } else {
    if (const auto* rule = std::get_if<RegionJvpRule>(&region.jvp)) return (*rule)(view.call(), tangents);
    if (const auto* todo = std::get_if<Todo>(&region.jvp)) raise_no_rule(view, "jvp", todo->missing);
  }
  raise_internal("a region op claims to be known to the transforms: " + std::string(view.op.name));
}

}  // namespace
}  // namespace detail

Duals push_forward(const Function& f, std::span<const Tensor> primals, std::span<const Tangent> tangents,
                   bool linearize) try {
  using detail::EquationView;
  CALX_ASSERT(primals.size() == f.arguments().size() && tangents.size() == primals.size(), f.name());
  Tensors values(f.num_values());
  std::vector<Tensor> value_tangents(f.num_values());  // undefined: symbolic zero
  for (std::size_t i = 0; i < primals.size(); ++i) {
    values[i] = primals[i];
    value_tangents[i] = tangents[i].tensor();
  }
  for (const Equation& equation : f.equations()) {
    Tensors operands = detail::operands_of(equation, values);
    bool any = false;
    for (ValueId operand : equation.operands) any |= value_tangents[operand].defined();
    if (!any) {
      detail::store_results(equation, detail::replay_in(f, equation, std::move(operands)), values);
      continue;
    }
    LocationScope location(equation.where);
    const EquationView view(f, equation, std::move(operands));
    Tangents operand_tangents;
    for (ValueId operand : equation.operands) {
      const Tensor& t = value_tangents[operand];
      operand_tangents.push_back(t.defined() ? Tangent(t) : Tangent::zero(f.type(operand)));
    }
    Tensors results;
    Tangents result_tangents;
    if (const Primitive* primitive = view.op.primitive()) {
      results = detail::replay_in(f, equation, view.operands);
      result_tangents = detail::primitive_jvp(view, *primitive, results, operand_tangents);
    } else if (const Composite* composite = view.op.composite()) {
      if (const auto* rule = std::get_if<JvpRule>(&composite->jvp)) {
        results = detail::replay_in(f, equation, view.operands);
        result_tangents = (*rule)(view.call(results), operand_tangents);
      } else if (std::holds_alternative<Cut>(composite->jvp)) {
        results = detail::replay_in(f, equation, view.operands);
        result_tangents = detail::zeros_for(view.result_types);
      } else {
        Duals duals = push_forward(decomposition(view.op, view.types, view.attrs), view.operands, operand_tangents,
                                   linearize);
        results = std::move(duals.primals);
        result_tangents = std::move(duals.tangents);
      }
    } else {
      RegionDerivative derivative =
          detail::region_derivative(view, *view.op.region(), operand_tangents, linearize);
      results = std::move(derivative.results);
      result_tangents = std::move(derivative.tangents);
    }
    CALX_ASSERT(result_tangents.size() == equation.num_results, std::string(view.op.name));
    for (std::uint32_t i = 0; i < equation.num_results; ++i) {
      const Tangent& t = result_tangents[i];
      if (t.is_zero() || !view.result_types[i].dtype.is_floating()) continue;
      CALX_ASSERT(t.type() == view.result_types[i],
                  format("the jvp of {} gives a tangent {} for a result {}", view.op.name, t.type().to_string(),
                         view.result_types[i].to_string()));
      value_tangents[equation.first_result + i] = t.tensor();
    }
    detail::store_results(equation, std::move(results), values);
  }
  Duals duals;
  for (const Result& result : f.results()) {
    duals.primals.push_back(values[result.value]);
    const Tensor& t = value_tangents[result.value];
    duals.tangents.push_back(t.defined() ? Tangent(t) : Tangent::zero(f.type(result.value)));
  }
  return duals;
} catch (const InternalError& error) {
  detail::raise_with_program(error, "jvp", f);
}

Function jvp(const Function& f, const std::vector<bool>& differentiated, SourceLoc where) try {
  detail::require_floating(f, differentiated, "jvp");
  return detail::split_jvp(f, differentiated, false);
} catch (const Error& error) {
  detail::raise_at(error, where);
}

Function tangents_of(const Function& f, const std::vector<bool>& differentiated) {
  detail::require_floating(f, differentiated, "jvp");
  const Function both = detail::split_jvp(f, differentiated, true);
  std::vector<bool> keep(f.results().size(), false);
  keep.resize(both.results().size(), true);
  return keep_results(both, keep);
}

std::vector<bool> used_arguments(const Function& f, const std::vector<bool>& used) {
  CALX_ASSERT(used.size() == f.results().size(), f.name());
  std::vector<bool> needed(f.num_values(), false);
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) needed[f.results()[i].value] = true;
  }
  for (std::size_t e = f.equations().size(); e-- > 0;) {
    const Equation& equation = f.equations()[e];
    bool any = false;
    for (std::uint32_t i = 0; i < equation.num_results; ++i) any |= needed[equation.first_result + i];
    if (!any) continue;
    for (ValueId operand : equation.operands) needed[operand] = true;
  }
  needed.resize(f.arguments().size());
  return needed;
}

std::vector<bool> depends_on(const Function& f, const std::vector<bool>& arguments) {
  CALX_ASSERT(arguments.size() == f.arguments().size(), f.name());
  std::vector<bool> depends(f.num_values(), false);
  for (std::size_t i = 0; i < arguments.size(); ++i) depends[i] = arguments[i];
  for (const Equation& equation : f.equations()) {
    const bool any = std::any_of(equation.operands.begin(), equation.operands.end(),
                                 [&](ValueId operand) { return depends[operand]; });
    if (!any) continue;
    if (const Primitive* primitive = equation.op->primitive()) {
      if (!std::holds_alternative<JvpRule>(primitive->jvp) && !std::holds_alternative<FromLinear>(primitive->jvp)) {
        continue;
      }
    } else if (const Composite* composite = equation.op->composite()) {
      if (std::holds_alternative<Cut>(composite->jvp)) continue;
    }
    for (std::uint32_t i = 0; i < equation.num_results; ++i) {
      const ValueId result = equation.first_result + i;
      depends[result] = f.type(result).dtype.is_floating();
    }
  }
  std::vector<bool> results;
  for (const Result& result : f.results()) results.push_back(depends[result.value]);
  return results;
}

std::string fresh_name(const std::string& wanted, const std::vector<std::string>& taken) {
  return detail::TakenNames(taken).take(wanted);
}

Function keep_results(const Function& f, const std::vector<bool>& keep) {
  CALX_ASSERT(keep.size() == f.results().size(), f.name());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (keep[i]) names.push_back(f.results()[i].name);
  }
  return trace_flat(
             f.arguments(),
             [&](std::span<const Tensor> values) -> Tensors {
               const Tensors all = inline_function(f, values);
               Tensors kept;
               for (std::size_t i = 0; i < keep.size(); ++i) {
                 if (keep[i]) kept.push_back(all[i]);
               }
               return kept;
             },
             {.name = f.name(), .result_names = names, .where = f.where(), .closed = true})
      .function;
}

}  // namespace calx
