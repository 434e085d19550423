// Making new Functions from old ones.
#include "rewrite.h"

#include "calx/base/located.h"
#include "calx/core/core_ops.h"
#include "calx/core/trace.h"

namespace calx::detail {

Rewriter::Rewriter(const Function& f) : old_(f), builder_(f.name()), map_(f.num_values()) {
  for (std::size_t i = 0; i < f.arguments().size(); ++i) {
    map_[i] = builder_.add_argument(f.arguments()[i].name, f.arguments()[i].type);
  }
}

void Rewriter::keep(const Equation& equation, const Attrs& attrs) {
  std::vector<ValueId> operands;
  operands.reserve(equation.operands.size());
  for (ValueId operand : equation.operands) operands.push_back(map_[operand]);
  const ValueId first =
      builder_.add_equation(*equation.op, std::move(operands), attrs, result_types(old_, equation), equation.where);
  for (std::uint32_t i = 0; i < equation.num_results; ++i) map_[equation.first_result + i] = first + i;
}

void Rewriter::splice(const Equation& equation, const Function& g, const std::vector<int>& r) {
  std::vector<ValueId> values(g.num_values());
  for (std::size_t i = 0; i < equation.operands.size(); ++i) values[i] = map_[equation.operands[i]];
  for (const Equation& inner : g.equations()) {
    std::vector<ValueId> operands;
    operands.reserve(inner.operands.size());
    for (ValueId operand : inner.operands) operands.push_back(values[operand]);
    const ValueId first =
        builder_.add_equation(*inner.op, std::move(operands), inner.attrs, result_types(g, inner), inner.where);
    for (std::uint32_t i = 0; i < inner.num_results; ++i) values[inner.first_result + i] = first + i;
  }
  for (std::size_t i = 0; i < r.size(); ++i) {
    if (r[i] >= 0) map_[equation.first_result + i] = values[g.results()[static_cast<std::size_t>(r[i])].value];
  }
}

Function Rewriter::finish() {
  for (const Result& result : old_.results()) builder_.add_result(result.name, map_[result.value]);
  for (const Dim& dim : old_.where()) builder_.add_where(dim);
  builder_.set_donations(old_.donations());
  return builder_.finish();
}

Function NestedPass::operator()(const Function& f) {
  const auto found = done_.find(f);
  if (found != done_.end()) return found->second;
  Function g = step_(f, *this);
  CALX_ASSERT(g.argument_types() == f.argument_types() && g.result_types() == f.result_types(), f.name());
  done_.emplace(f, g);
  done_.emplace(g, g);
  return g;
}

Function NestedPass::run(const Function& f, std::string_view pass, SourceLoc where) {
  require_defined(f, pass, where);
  return located(where, [&] { return (*this)(f); });
}

std::optional<Attrs> NestedPass::changed(const Attrs& attrs) {
  std::optional<Attrs> result;
  const auto put = [&](std::string_view name, AttrValue value) {
    if (!result) result = attrs;
    result->set_value(name, std::move(value));
  };
  for (const Attrs::Entry& entry : attrs.entries()) {
    if (const auto* one = std::get_if<Function>(&entry.value)) {
      if (!one->defined()) continue;
      Function rewritten = (*this)(*one);
      if (!(rewritten == *one)) put(entry.name, std::move(rewritten));
    } else if (const auto* several = std::get_if<std::vector<Function>>(&entry.value)) {
      std::vector<Function> rewritten;
      for (const Function& f : *several) rewritten.push_back((*this)(f));
      if (rewritten != *several) put(entry.name, std::move(rewritten));
    }
  }
  return result;
}

namespace {

/// The constant that the tracer makes: its equation tells the op and the attribute's name.
const Equation& sample_constant() {
  static const Function f =
      trace_flat({}, [](std::span<const Tensor>) -> Tensors { return {scalar(0.0F)}; }).function;
  return f.equations().front();
}

}  // namespace

const OpDef& constant_op() { return *sample_constant().op; }

Array constant_array(const Equation& constant) { return std::get<Array>(constant.attrs.entries().front().value); }

Attrs constant_attrs(Array value) {
  Attrs attrs = sample_constant().attrs;
  attrs.set_value(attrs.entries().front().name, std::move(value));
  return attrs;
}

Attrs expand_attrs(const Shape& shape) {
  const Function f = trace_flat({{"x", {f32, {}}}}, [&](std::span<const Tensor> x) -> Tensors {
                       return {core::expand(x[0], shape, {})};
                     }).function;
  return f.equations().back().attrs;
}

std::vector<Type> operand_types(const Function& f, const Equation& equation) {
  std::vector<Type> types;
  types.reserve(equation.operands.size());
  for (ValueId operand : equation.operands) types.push_back(f.type(operand));
  return types;
}

std::vector<Type> result_types(const Function& f, const Equation& equation) {
  std::vector<Type> types;
  types.reserve(equation.num_results);
  for (std::uint32_t i = 0; i < equation.num_results; ++i) types.push_back(f.type(equation.first_result + i));
  return types;
}

}  // namespace calx::detail
