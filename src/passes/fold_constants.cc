// Constant folding by the references: what does not depend on an argument is computed once, here.
//
//   %0 = constant {value = [1, 2]}
//   %1 = neg(%0)                            ->       %0 = constant {value = [-1, -2]}
//   %2 = add(%1, %x)                                 %1 = add(%0, %x)
//
//   %0 = constant {value = 2}
//   %1 = expand(%0) {shape = [B,64]}        ->       %0 = constant {value = 4}
//   %2 = mul(%1, %1)                                 %1 = expand(%0) {shape = [B,64]}
//
// Small values only, and nothing is made larger: iota and expand of a scalar stay what they are. Regions stay (a loop over
// constants may be long). A check that fails stays too and fails when the program runs.
#include "calx/core/bind.h"
#include "calx/core/core_ops.h"
#include "calx/core/evaluator.h"
#include "calx/core/trace.h"
#include "calx/passes/passes.h"
#include "rewrite.h"

namespace calx {
namespace {

constexpr std::int64_t kMaxResultElements = 1024;
constexpr std::int64_t kMaxOperandElements = 1 << 14;
constexpr std::int64_t kMaxInnerElements = 1 << 20;

/// Elements of static types; nullopt if one is symbolic or more than `most`.
std::optional<std::int64_t> count_elements(std::span<const Type> types, std::int64_t most) {
  std::int64_t total = 0;
  for (const Type& type : types) {
    if (!type.shape.is_static()) return std::nullopt;
    const std::optional<std::int64_t> count = type.shape.num_elements().constant();
    if (!count || *count > most || (total += *count) > most) return std::nullopt;
  }
  return total;
}

/// No loops and no large intermediate values, all the way down.
bool is_cheap(const Function& f) {
  for (const Equation& equation : f.equations()) {
    if (equation.op->region() != nullptr) return false;
    if (!count_elements(detail::result_types(f, equation), kMaxInnerElements)) return false;
    if (equation.op->composite() != nullptr &&
        !is_cheap(decomposition(*equation.op, detail::operand_types(f, equation), equation.attrs))) {
      return false;
    }
  }
  return true;
}

/// The results of one application to constants; nullopt if it is not cheap, or raises.
std::optional<std::vector<Array>> evaluate(const OpDef& op, const std::vector<Array>& operands, const Attrs& attrs,
                                           std::vector<Type> result_types, SourceLoc where) {
  if (op.region() != nullptr) return std::nullopt;
  try {
    FunctionBuilder builder("constant");
    std::vector<ValueId> values;
    std::vector<Type> types;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      types.push_back(operands[i].type());
      values.push_back(builder.add_argument("x" + std::to_string(i), types.back()));
    }
    if (op.composite() != nullptr && !is_cheap(decomposition(op, types, attrs))) return std::nullopt;
    const std::size_t count = result_types.size();
    const ValueId first = builder.add_equation(op, std::move(values), attrs, std::move(result_types), where);
    for (std::size_t i = 0; i < count; ++i) builder.add_result("y" + std::to_string(i), first + static_cast<ValueId>(i));
    return default_evaluator().run(builder.finish(), operands, {});
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The element that fills an array, as a scalar.
std::optional<Array> uniform_element(const Array& array) {
  const auto size = static_cast<std::size_t>(array.dtype().size_bytes());
  const std::span<const std::byte> bytes = array.bytes();
  if (bytes.empty() || array.num_elements() > kMaxResultElements) return std::nullopt;
  for (std::size_t at = size; at < bytes.size(); at += size) {
    if (!std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size),
                    bytes.begin() + static_cast<std::ptrdiff_t>(at))) {
      return std::nullopt;
    }
  }
  Array scalar = Array::uninitialized(array.dtype(), {});
  std::copy_n(array.buffer().data(), size, const_cast<std::byte*>(scalar.buffer().data()));
  return scalar;
}

/// The op that a builder of core makes.
const OpDef* op_made_by(const std::function<Tensor(const Tensor&)>& build) {
  const Function f = trace_flat({{"x", {f32, {2, 3}}}}, [&](std::span<const Tensor> x) -> Tensors {
                       return {build(x[0])};
                     }).function;
  return f.equations().back().op;
}

struct Views {
  const OpDef* expand = op_made_by([](const Tensor& x) { return core::add_leading_axis(x, 4); });
  const OpDef* reshape = op_made_by([](const Tensor& x) { return core::reshape(x, {6}); });
  const OpDef* transpose = op_made_by([](const Tensor& x) { return core::transpose(x, {1, 0}); });
  [[nodiscard]] bool contains(const OpDef* op) const { return op == expand || op == reshape || op == transpose; }
};

const Views& views() {
  static const Views instance;
  return instance;
}

bool reads_index(const loopir::Scalar& scalar, int depth = 0) {
  if (depth > 64 || scalar.function() == loopir::ScalarFunction::index) return true;
  const auto arguments = scalar.arguments();
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const loopir::Scalar& argument) { return reads_index(argument, depth + 1); });
}

/// Every element of the results is the same function of the operands' elements there, whatever the shape.
bool is_elementwise(const OpDef& op, std::span<const Array> scalars, const Attrs& attrs) {
  const Primitive* primitive = op.primitive();
  const LowerRule* rule = primitive != nullptr ? std::get_if<LowerRule>(&primitive->lower) : nullptr;
  if (rule == nullptr) return false;
  std::vector<Type> types;
  for (const Array& scalar : scalars) types.push_back(scalar.type());
  try {
    const loopir::Lowered lowered = (*rule)(Call(op, types, attrs, {}));
    const auto* pointwise = std::get_if<loopir::Pointwise>(&lowered);
    return pointwise != nullptr && pointwise->sizes.empty() &&
           std::none_of(pointwise->results.begin(), pointwise->results.end(),
                        [](const loopir::Scalar& result) { return reads_index(result); });
  } catch (const Error&) {
    return false;  // it has no meaning for scalars
  }
}

class Folder {
 public:
  Folder(const Function& f, detail::NestedPass& nested) : f_(f), to_(f), nested_(nested) {}

  Function run() {
    for (const Equation& equation : f_.equations()) {
      if (equation.op == &detail::constant_op()) {
        to_.keep(equation, equation.attrs);
        note(to_[equation.first_result], detail::constant_array(equation));
      } else if (!equation.operands.empty() && (fold_uniform(equation) || fold(equation))) {
        changed_ = true;
      } else {
        keep(equation);
      }
    }
    return changed_ ? to_.finish() : f_;
  }

 private:
  // What is known of new values: data, or one element that fills a value of any size.
  void note(ValueId value, Array array) {
    if (std::optional<Array> element = uniform_element(array)) uniform_.emplace(value, *std::move(element));
    known_.emplace(value, std::move(array));
  }

  void keep(const Equation& equation) {
    const std::optional<Attrs> attrs = nested_.changed(equation.attrs);
    changed_ |= attrs.has_value();
    to_.keep(equation, attrs.value_or(equation.attrs));
    if (!views().contains(equation.op)) return;
    const auto found = uniform_.find(to_[equation.operands[0]]);
    if (found != uniform_.end()) uniform_.emplace(to_[equation.first_result], found->second);
  }

  void put_constant(ValueId old, Array array, SourceLoc where) {
    const Type type = array.type();
    const ValueId value = to_.add(detail::constant_op(), {}, detail::constant_attrs(array), {type}, where);
    to_.set(old, value);
    note(value, std::move(array));
  }

  void put_uniform(ValueId old, const Array& element, SourceLoc where) {
    put_constant(old, element, where);
    const Type& type = f_.type(old);
    if (type.rank() == 0) return;
    if (!expanded_ || !(*expanded_ == type.shape)) {
      expanded_ = type.shape;
      expand_attrs_ = detail::expand_attrs(type.shape);
    }
    const ValueId value = to_.add(*views().expand, {to_[old]}, expand_attrs_, {type}, where);
    to_.set(old, value);
    uniform_.emplace(value, element);
  }

  /// Elementwise in values that are one element throughout; reshape and transpose of such a value.
  bool fold_uniform(const Equation& equation) {
    std::vector<Array> elements;
    for (ValueId operand : equation.operands) {
      const auto found = uniform_.find(to_[operand]);
      if (found == uniform_.end() || !(f_.type(operand).shape == f_.type(equation.operands[0]).shape)) return false;
      elements.push_back(found->second);
    }
    if (views().contains(equation.op)) {
      if (equation.op == views().expand) return false;
      put_uniform(equation.first_result, elements[0], equation.where);
      return true;
    }
    std::vector<Type> types;
    for (std::uint32_t r = 0; r < equation.num_results; ++r) {
      const Type& type = f_.type(equation.first_result + r);
      if (!(type.shape == f_.type(equation.operands[0]).shape)) return false;
      types.push_back(type.with_shape({}));
    }
    if (!is_elementwise(*equation.op, elements, equation.attrs)) return false;
    const auto results = evaluate(*equation.op, elements, equation.attrs, std::move(types), equation.where);
    if (!results) return false;
    for (std::uint32_t r = 0; r < equation.num_results; ++r) {
      put_uniform(equation.first_result + r, (*results)[r], equation.where);
    }
    return true;
  }

  bool fold(const Equation& equation) {
    std::vector<Array> operands;
    for (ValueId operand : equation.operands) {
      const auto found = known_.find(to_[operand]);
      if (found == known_.end()) return false;
      operands.push_back(found->second);
    }
    std::vector<Type> types = detail::result_types(f_, equation);
    const auto given = count_elements(detail::operand_types(f_, equation), kMaxOperandElements);
    const auto made = count_elements(types, kMaxResultElements);
    if (!given || !made || *made > *given) return false;
    const auto results = evaluate(*equation.op, operands, equation.attrs, std::move(types), equation.where);
    if (!results) return false;
    for (std::uint32_t r = 0; r < equation.num_results; ++r) {
      const Array& result = (*results)[r];
      const std::optional<Array> element = uniform_element(result);
      if (element) {
        put_uniform(equation.first_result + r, *element, equation.where);
      } else {
        put_constant(equation.first_result + r, result, equation.where);
      }
    }
    return true;
  }

  const Function& f_;
  detail::Rewriter to_;
  detail::NestedPass& nested_;
  std::unordered_map<ValueId, Array> known_;
  std::unordered_map<ValueId, Array> uniform_;
  bool changed_ = false;
  // Of the last shape that a scalar was expanded to: neighbours share theirs, and making them traces.
  std::optional<Shape> expanded_;
  Attrs expand_attrs_;
};

}  // namespace

Function fold_constants(const Function& f, SourceLoc where) {
  detail::NestedPass nested([](const Function& g, detail::NestedPass& self) { return Folder(g, self).run(); });
  return nested.run(f, "fold_constants", where);
}

}  // namespace calx
