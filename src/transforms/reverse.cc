// Reverse mode: transposing the linear part of a split jvp. There is no other derivative: the modes cannot disagree.
#include <algorithm>

#include "calx/base/format.h"
#include "calx/core/bug_report.h"
#include "equations.h"

namespace calx {
namespace detail {
namespace {

/// The group that holds every linear operand; -1 if there is none.
int group_of(const LinearIn& linear, const std::vector<bool>& is_linear) {
  for (std::size_t g = 0; g < linear.groups.size(); ++g) {
    const std::vector<int>& group = linear.groups[g];
    if (group.size() == 1 && group[0] == kAllOperands) return static_cast<int>(g);
    bool covers = true;
    for (std::size_t i = 0; i < is_linear.size(); ++i) {
      if (is_linear[i]) covers &= std::find(group.begin(), group.end(), static_cast<int>(i)) != group.end();
    }
    if (covers) return static_cast<int>(g);
  }
  return -1;
}

[[noreturn]] void raise_not_linear(const EquationView& view, const std::vector<bool>& is_linear) {
  std::string names;
  const Call call = view.call();
  for (std::size_t i = 0; i < is_linear.size(); ++i) {
    if (is_linear[i]) names += (names.empty() ? "`" : ", `") + call.operand_name(static_cast<int>(i)) + "`";
  }
  raise({.id = ErrorId::not_linear,
         .op = std::string(view.op.name),
         .message = format("is not linear in {} together: the function has no transpose", names),
         .where = view.where,
         .facts = {{"operands", names}}});
}

Tangents transpose_call(const EquationView& view, const std::vector<bool>& is_linear, const Tangents& cotangents) {
  const Function f = callee(view.attrs);
  Tensors operands;
  for (std::size_t i = 0; i < is_linear.size(); ++i) {
    if (!is_linear[i]) operands.push_back(view.operands[i]);
  }
  for (const Tangent& ct : cotangents) {
    if (ct.type().dtype.is_floating()) operands.push_back(ct.instantiate());
  }
  const Tensors results = core::call(transpose(f, is_linear, view.where), operands);
  Tangents all;
  for (std::size_t i = 0, next = 0; i < is_linear.size(); ++i) {
    all.push_back(is_linear[i] ? Tangent(results[next++]) : Tangent::zero(view.types[i]));
  }
  return all;
}

/// One cotangent per operand.
Tangents transpose_equation(const EquationView& view, const std::vector<bool>& is_linear, const Tangents& cotangents) {
  if (const Primitive* primitive = view.op.primitive()) {
    if (const auto* todo = std::get_if<Todo>(&primitive->linear)) raise_no_rule(view, "transpose", todo->missing);
    const auto* linear = std::get_if<LinearIn>(&primitive->linear);
    const int group = linear == nullptr ? -1 : group_of(*linear, is_linear);
    if (group < 0) raise_not_linear(view, is_linear);
    const Tangents of_group = linear->transpose(view.call(), group, cotangents);
    std::vector<int> members = linear->groups[static_cast<std::size_t>(group)];
    if (members.size() == 1 && members[0] == kAllOperands) {
      members.resize(view.operands.size());
      for (std::size_t i = 0; i < members.size(); ++i) members[i] = static_cast<int>(i);
    }
    CALX_ASSERT(of_group.size() == members.size(), std::string(view.op.name));
    Tangents all;
    for (const Type& type : view.types) all.push_back(Tangent::zero(type));
    for (std::size_t i = 0; i < members.size(); ++i) all[static_cast<std::size_t>(members[i])] = of_group[i];
    return all;
  }
  if (view.op.composite() != nullptr) {
    return pull_back(decomposition(view.op, view.types, view.attrs), view.operands, is_linear, cotangents);
  }
  if (&view.op == &call_op()) return transpose_call(view, is_linear, cotangents);
  const Region& region = *view.op.region();
  if (const auto* todo = std::get_if<Todo>(&region.transpose)) raise_no_rule(view, "transpose", todo->missing);
  const auto* rule = std::get_if<RegionTransposeRule>(&region.transpose);
  if (rule == nullptr) raise_not_linear(view, is_linear);
  return (*rule)(view.call(), is_linear, cotangents);
}

/// Which values depend on the flagged arguments.
std::vector<bool> reached_values(const Function& f, const std::vector<bool>& arguments) {
  std::vector<bool> reached(f.num_values(), false);
  std::copy(arguments.begin(), arguments.end(), reached.begin());
  for (const Equation& equation : f.equations()) {
    const bool any = std::any_of(equation.operands.begin(), equation.operands.end(),
                                 [&](ValueId operand) { return reached[operand]; });
    if (!any) continue;
    for (std::uint32_t i = 0; i < equation.num_results; ++i) reached[equation.first_result + i] = true;
  }
  return reached;
}

}  // namespace

PulledBack pull_back_with_results(const Function& f, std::span<const Tensor> arguments, const std::vector<bool>& linear,
                                  std::span<const Tangent> cotangents) try {
  CALX_ASSERT(arguments.size() == f.arguments().size() && linear.size() == arguments.size(), f.name());
  CALX_ASSERT(cotangents.size() == f.results().size(), f.name());
  const std::vector<bool> is_linear = reached_values(f, linear);
  Tensors values(f.num_values());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!linear[i]) values[i] = arguments[i];
  }
  const auto depends = [&](const Equation& equation) {
    return std::any_of(equation.operands.begin(), equation.operands.end(),
                       [&](ValueId operand) { return is_linear[operand]; });
  };
  for (const Equation& equation : f.equations()) {
    if (depends(equation)) continue;
    store_results(equation, replay_in(f, equation, operands_of(equation, values)), values);
  }
  std::vector<Tensor> gathered(f.num_values());  // undefined: symbolic zero
  const auto accumulate = [&](ValueId value, const Tangent& ct) {
    if (ct.is_zero()) return;
    CALX_ASSERT(ct.type() == f.type(value), format("a cotangent {} for a value {}", ct.type().to_string(),
                                                   f.type(value).to_string()));
    Tensor& sum = gathered[value];
    sum = sum.defined() ? core::add(sum, ct.tensor()) : ct.tensor();
  };
  for (std::size_t i = 0; i < cotangents.size(); ++i) {
    const ValueId value = f.results()[i].value;
    if (is_linear[value]) accumulate(value, cotangents[i]);
  }
  for (std::size_t e = f.equations().size(); e-- > 0;) {
    const Equation& equation = f.equations()[e];
    if (!depends(equation)) continue;
    Tangents result_cotangents;
    bool any = false;
    for (std::uint32_t i = 0; i < equation.num_results; ++i) {
      const ValueId result = equation.first_result + i;
      any |= gathered[result].defined();
      result_cotangents.push_back(gathered[result].defined() ? Tangent(gathered[result])
                                                             : Tangent::zero(f.type(result)));
      gathered[result] = Tensor();
    }
    if (!any) continue;
    LocationScope location(equation.where);
    std::vector<bool> operand_is_linear;
    for (ValueId operand : equation.operands) operand_is_linear.push_back(is_linear[operand]);
    const EquationView view(f, equation, operands_of(equation, values));
    const Tangents operand_cotangents = transpose_equation(view, operand_is_linear, result_cotangents);
    for (std::size_t i = 0; i < equation.operands.size(); ++i) {
      if (operand_is_linear[i]) accumulate(equation.operands[i], operand_cotangents[i]);
    }
  }
  PulledBack pulled;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Tensor& ct = gathered[i];
    pulled.cotangents.push_back(ct.defined() && linear[i] ? Tangent(ct) : Tangent::zero(f.arguments()[i].type));
  }
  for (const Result& result : f.results()) pulled.results.push_back(values[result.value]);
  return pulled;
} catch (const InternalError& error) {
  raise_with_program(error, "transpose", f);
}

}  // namespace detail

Tangents pull_back(const Function& f, std::span<const Tensor> arguments, const std::vector<bool>& linear,
                   std::span<const Tangent> cotangents) {
  return detail::pull_back_with_results(f, arguments, linear, cotangents).cotangents;
}

Function transpose(const Function& f, const std::vector<bool>& linear, SourceLoc where) try {
  detail::require_floating(f, linear, "transpose");
  std::vector<Argument> arguments;
  std::vector<std::string> taken;
  for (std::size_t i = 0; i < linear.size(); ++i) {
    if (linear[i]) continue;
    arguments.push_back(f.arguments()[i]);
    taken.push_back(f.arguments()[i].name);
  }
  const std::size_t num_known = arguments.size();
  const std::vector<bool> floating = detail::floating_results(f);
  const std::vector<std::string> names = detail::derived_names(detail::result_names(f), floating, ".ct", taken);
  for (std::size_t i = 0, next = 0; i < floating.size(); ++i) {
    if (floating[i]) arguments.push_back({names[next++], f.type(f.results()[i].value)});
  }
  std::vector<std::string> none;
  return trace_flat(
             arguments,
             [&](std::span<const Tensor> values) -> Tensors {
               Tensors known;
               std::size_t next = 0;
               for (bool is_linear : linear) known.push_back(is_linear ? Tensor() : values[next++]);
               Tangents cotangents;
               next = num_known;
               for (std::size_t i = 0; i < floating.size(); ++i) {
                 cotangents.push_back(floating[i] ? Tangent(values[next++])
                                                  : Tangent::zero(f.type(f.results()[i].value)));
               }
               const Tangents pulled = pull_back(f, known, linear, cotangents);
               Tensors results;
               for (std::size_t i = 0; i < linear.size(); ++i) {
                 if (linear[i]) results.push_back(pulled[i].instantiate());
               }
               return results;
             },
             {.name = f.name(),
              .result_names = detail::derived_names(detail::argument_names(f), linear, ".ct", none),
              .where = f.where(),
              .closed = true})
      .function;
} catch (const Error& error) {
  detail::raise_at(error, where);
}

Function vjp(const Function& f, const std::vector<bool>& differentiated, SourceLoc where) try {
  detail::require_floating(f, differentiated, "vjp");
  const Function dual = detail::split_jvp(f, differentiated, true);
  const std::size_t n = f.arguments().size();
  const std::size_t num_results = f.results().size();
  const std::vector<bool> floating = detail::floating_results(f);

  std::vector<Argument> arguments = f.arguments();
  std::vector<std::string> taken = detail::argument_names(f);
  const std::vector<std::string> names = detail::derived_names(detail::result_names(f), floating, ".ct", taken);
  for (std::size_t i = 0, next = 0; i < floating.size(); ++i) {
    if (floating[i]) arguments.push_back({names[next++], f.type(f.results()[i].value)});
  }
  std::vector<std::string> results_taken = detail::result_names(f);
  std::vector<std::string> result_names = results_taken;
  for (std::string& name : detail::derived_names(detail::argument_names(f), differentiated, ".ct", results_taken)) {
    result_names.push_back(std::move(name));
  }
  return trace_flat(
             arguments,
             [&](std::span<const Tensor> values) -> Tensors {
               std::vector<bool> linear(n, false);
               linear.resize(dual.arguments().size(), true);
               Tensors known(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n));
               known.resize(dual.arguments().size());
               Tangents cotangents;
               for (std::size_t i = 0; i < num_results; ++i) {
                 cotangents.push_back(Tangent::zero(f.type(f.results()[i].value)));
               }
               for (std::size_t i = n; i < values.size(); ++i) cotangents.push_back(Tangent(values[i]));
               const detail::PulledBack pulled = detail::pull_back_with_results(dual, known, linear, cotangents);
               Tensors results(pulled.results.begin(), pulled.results.begin() + static_cast<std::ptrdiff_t>(num_results));
               for (std::size_t i = n; i < linear.size(); ++i) results.push_back(pulled.cotangents[i].instantiate());
               return results;
             },
             {.name = f.name(), .result_names = result_names, .where = f.where(), .closed = true})
      .function;
} catch (const Error& error) {
  detail::raise_at(error, where);
}

Linearized linearize(const Function& f, const std::vector<bool>& differentiated, SourceLoc where) try {
  detail::require_floating(f, differentiated, "linearize");
  const Function dual = detail::split_jvp(f, differentiated, true);
  const std::size_t n = f.arguments().size();
  const std::size_t num_results = f.results().size();
  std::vector<bool> tangent_arguments(n, false);
  tangent_arguments.resize(dual.arguments().size(), true);
  const std::vector<bool> is_linear = detail::reached_values(dual, tangent_arguments);

  // Values made from nothing (constants, iota and what is made of them) are made again rather than kept.
  std::vector<bool> is_free(dual.num_values(), false);
  for (const Equation& equation : dual.equations()) {
    const bool free = std::all_of(equation.operands.begin(), equation.operands.end(),
                                  [&](ValueId operand) { return is_free[operand]; });
    for (std::uint32_t i = 0; i < equation.num_results; ++i) is_free[equation.first_result + i] = free;
  }
  std::vector<ValueId> residuals;
  std::vector<bool> kept(dual.num_values(), false);
  const auto keep = [&](ValueId value) {
    if (is_linear[value] || is_free[value] || kept[value]) return;
    kept[value] = true;
    residuals.push_back(value);
  };
  const auto depends = [&](const Equation& equation) {
    return std::any_of(equation.operands.begin(), equation.operands.end(),
                       [&](ValueId operand) { return is_linear[operand]; });
  };
  for (const Equation& equation : dual.equations()) {
    if (!depends(equation)) continue;
    for (ValueId operand : equation.operands) keep(operand);
  }
  for (std::size_t i = num_results; i < dual.results().size(); ++i) keep(dual.results()[i].value);
  std::sort(residuals.begin(), residuals.end());

  std::vector<std::string> forward_names = detail::result_names(f);
  std::vector<Argument> linear_arguments;
  std::vector<std::string> tangent_names;
  for (std::size_t i = n; i < dual.arguments().size(); ++i) tangent_names.push_back(dual.arguments()[i].name);
  detail::TakenNames of_results(forward_names);
  detail::TakenNames of_arguments(tangent_names);
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    forward_names.push_back(of_results.take(format("residual{}", i)));
    linear_arguments.push_back({of_arguments.take(format("residual{}", i)), dual.type(residuals[i])});
  }
  linear_arguments.insert(linear_arguments.end(), dual.arguments().begin() + static_cast<std::ptrdiff_t>(n),
                          dual.arguments().end());

  Linearized parts;
  parts.num_residuals = static_cast<int>(residuals.size());
  parts.forward = trace_flat(
                      f.arguments(),
                      [&](std::span<const Tensor> arguments) -> Tensors {
                        Tensors values(dual.num_values());
                        std::copy(arguments.begin(), arguments.end(), values.begin());
                        for (const Equation& equation : dual.equations()) {
                          if (depends(equation)) continue;
                          detail::store_results(
                              equation, detail::replay_in(dual, equation, detail::operands_of(equation, values)), values);
                        }
                        Tensors results;
                        for (std::size_t i = 0; i < num_results; ++i) results.push_back(values[dual.results()[i].value]);
                        for (ValueId residual : residuals) results.push_back(values[residual]);
                        return results;
                      },
                      {.name = f.name(), .result_names = forward_names, .where = f.where(), .closed = true})
                      .function;
  std::vector<std::string> linear_results;
  for (std::size_t i = num_results; i < dual.results().size(); ++i) linear_results.push_back(dual.results()[i].name);
  parts.linear = trace_flat(
                     linear_arguments,
                     [&](std::span<const Tensor> arguments) -> Tensors {
                       Tensors values(dual.num_values());
                       for (std::size_t i = 0; i < residuals.size(); ++i) values[residuals[i]] = arguments[i];
                       for (std::size_t i = n; i < dual.arguments().size(); ++i) {
                         values[i] = arguments[residuals.size() + i - n];
                       }
                       for (const Equation& equation : dual.equations()) {
                         if (!depends(equation) && !is_free[equation.first_result]) continue;
                         detail::store_results(
                             equation, detail::replay_in(dual, equation, detail::operands_of(equation, values)), values);
                       }
                       Tensors results;
                       for (std::size_t i = num_results; i < dual.results().size(); ++i) {
                         results.push_back(values[dual.results()[i].value]);
                       }
                       return results;
                     },
                     {.name = f.name(), .result_names = linear_results, .where = f.where(), .closed = true})
                     .function;
  return parts;
} catch (const Error& error) {
  detail::raise_at(error, where);
}

}  // namespace calx
