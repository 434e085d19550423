// Scalar expressions: nodes, equality, printing, evaluation.
#include "calx/loopir/scalar.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "calx/base/error.h"
#include "calx/base/format.h"
#include "calx/base/hash.h"
#include "calx/loopir/scalar_math.h"

namespace calx::loopir {
namespace {

/// The first arguments of select is the condition; all others of a node share one dtype.
DType argument_dtype(ScalarFunction function, std::span<const ScalarValue> arguments) {
  return arguments[function == ScalarFunction::select ? 1 : 0].dtype;
}

int arity(ScalarFunction function) {
  switch (function) {
    case ScalarFunction::operand:
    case ScalarFunction::constant:
    case ScalarFunction::index:
      return 0;
    case ScalarFunction::convert:
    case ScalarFunction::bitcast:
      return 1;
    case ScalarFunction::select:
      return 3;
#define CALX_X(name) case ScalarFunction::name:
      CALX_SCALAR_UNARY(CALX_X) CALX_SCALAR_UNARY_TEST(CALX_X) return 1;
      CALX_SCALAR_BINARY(CALX_X) CALX_SCALAR_BINARY_TEST(CALX_X) return 2;
      CALX_SCALAR_TERNARY(CALX_X) return 3;
#undef CALX_X
  }
  raise_internal("unknown scalar function");
}

bool is_test(ScalarFunction function) {
  switch (function) {
#define CALX_X(name) case ScalarFunction::name:
    CALX_SCALAR_UNARY_TEST(CALX_X) CALX_SCALAR_BINARY_TEST(CALX_X) return true;
#undef CALX_X
    default:
      return false;
  }
}

/// Calls visit(f) with the function of scalar_math as a generic lambda; false where it is none.
template <class Visit>
bool visit_function(ScalarFunction function, Visit&& visit) {
  switch (function) {
#define CALX_X(name)                                \
  case ScalarFunction::name:                        \
    visit([](auto... x)                             \
            requires requires { math::name(x...); } \
          { return math::name(x...); });            \
    return true;
    CALX_SCALAR_UNARY(CALX_X)
    CALX_SCALAR_UNARY_TEST(CALX_X)
    CALX_SCALAR_BINARY(CALX_X)
    CALX_SCALAR_BINARY_TEST(CALX_X)
    CALX_SCALAR_TERNARY(CALX_X)
#undef CALX_X
    default:
      return false;
  }
}

/// Rounds a result in the compute type to its storage type.
template <class T, class C>
ScalarValue stored(C value) {
  if constexpr (std::is_same_v<C, bool>) {
    return ScalarValue::of(value);
  } else {
    return ScalarValue::of(static_cast<T>(value));
  }
}

}  // namespace

ScalarValue ScalarValue::converted_to(DType other) const {
  return visit_dtype(dtype, [&]<class From>(std::type_identity<From>) {
    const From value = as<From>();
    return visit_dtype(other,
                       [&]<class To>(std::type_identity<To>) { return of(convert_element<To>(value)); });
  });
}

std::string ScalarValue::to_string() const {
  return visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
    const auto value = static_cast<ComputeType<T>>(as<T>());
    if constexpr (math::Floating<ComputeType<T>>) {
      if (std::isnan(value)) return format("{}(nan:{:#x})", dtype.name(), bits);
    }
    return format("{}({})", dtype.name(), value);
  });
}

std::string_view name(ScalarFunction function) {
  switch (function) {
#define CALX_X(function_name)         \
  case ScalarFunction::function_name: \
    return #function_name;
    CALX_X(operand)
    CALX_X(constant)
    CALX_X(index)
    CALX_X(convert)
    CALX_X(bitcast)
    CALX_X(select)
    CALX_SCALAR_UNARY(CALX_X)
    CALX_SCALAR_UNARY_TEST(CALX_X)
    CALX_SCALAR_BINARY(CALX_X)
    CALX_SCALAR_BINARY_TEST(CALX_X)
    CALX_SCALAR_TERNARY(CALX_X)
#undef CALX_X
  }
  raise_internal("unknown scalar function");
}

bool takes(ScalarFunction function, DType dtype) {
  switch (function) {
    case ScalarFunction::operand:
    case ScalarFunction::constant:
    case ScalarFunction::index:
      return false;
    case ScalarFunction::convert:
    case ScalarFunction::bitcast:
    case ScalarFunction::select:
      return true;
    default:
      break;
  }
  bool result = false;
  visit_function(function, [&](auto f) {
    result = visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
      using C = ComputeType<T>;
      return requires(C x) { f(x); } || requires(C x) { f(x, x); } || requires(C x) { f(x, x, x); };
    });
  });
  return result;
}

ScalarValue apply_function(ScalarFunction function, std::span<const ScalarValue> arguments, DType dtype) {
  switch (function) {
    case ScalarFunction::convert:
      return arguments[0].converted_to(dtype);
    case ScalarFunction::bitcast:
      return {dtype, arguments[0].bits};
    case ScalarFunction::select:
      return arguments[arguments[0].as<bool>() ? 1 : 2];
    default:
      break;
  }
  ScalarValue result;
  const bool known = visit_function(function, [&](auto f) {
    result =
        visit_dtype(argument_dtype(function, arguments), [&]<class T>(std::type_identity<T>) -> ScalarValue {
          using C = ComputeType<T>;
          const auto at = [&](std::size_t i) { return static_cast<C>(arguments[i].as<T>()); };
          if constexpr (requires(C x) { f(x); }) {
            return stored<T>(f(at(0)));
          } else if constexpr (requires(C x) { f(x, x); }) {
            return stored<T>(f(at(0), at(1)));
          } else if constexpr (requires(C x) { f(x, x, x); }) {
            return stored<T>(f(at(0), at(1), at(2)));
          } else {
            raise_internal(format("scalar function {} does not take {}", name(function), dtype_of<T>.name()));
          }
        });
  });
  CALX_ASSERT(known, "no function of arguments");
  return result;
}

// --- Nodes ---

struct Scalar::Node {
  ScalarFunction function = ScalarFunction::constant;
  DType dtype = f32;
  int position = 0;
  std::uint64_t bits = 0;
  std::uint64_t hash = 0;
  std::vector<Scalar> arguments = {};

  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  // Takes solely owned arguments apart one by one: a long chain must not recurse.
  ~Node() {
    std::vector<Scalar> pending = std::move(arguments);
    while (!pending.empty()) {
      Scalar last = std::move(pending.back());
      pending.pop_back();
      if (last.node_ == nullptr || last.node_.use_count() != 1) continue;
      auto& inner = const_cast<Node&>(*last.node_).arguments;
      for (Scalar& argument : inner) pending.push_back(std::move(argument));
      inner.clear();
    }
  }

  void set_hash() {
    hash = hash_mix(hash_mix(static_cast<std::uint64_t>(function), static_cast<std::uint64_t>(dtype.kind())),
                    hash_mix(static_cast<std::uint64_t>(position), bits));
    for (const Scalar& argument : arguments) hash = hash_mix(hash, argument.hash());
  }
};

Scalar Scalar::operand(int position, DType dtype) {
  auto node = std::make_shared<Node>();
  node->function = ScalarFunction::operand;
  node->dtype = dtype;
  node->position = position;
  node->set_hash();
  return Scalar(std::move(node));
}

Scalar Scalar::constant(ScalarValue value) {
  auto node = std::make_shared<Node>();
  node->dtype = value.dtype;
  node->bits = value.bits;
  node->set_hash();
  return Scalar(std::move(node));
}

Scalar Scalar::index(int axis) {
  auto node = std::make_shared<Node>();
  node->function = ScalarFunction::index;
  node->dtype = i64;
  node->position = axis;
  node->set_hash();
  return Scalar(std::move(node));
}

Scalar Scalar::apply(ScalarFunction function, std::vector<Scalar> arguments, DType dtype) {
  CALX_ASSERT(static_cast<int>(arguments.size()) == arity(function) && !arguments.empty());
  const bool is_select = function == ScalarFunction::select;
  const DType common = arguments[is_select ? 1 : 0].dtype();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const DType wanted = is_select && i == 0 ? boolean : common;
    if (arguments[i].dtype() != wanted) {
      raise_internal(format("scalar {}: argument {} is {}, not {}", name(function), i,
                            arguments[i].dtype().name(), wanted.name()));
    }
  }
  if (!takes(function, common)) {
    raise_internal(format("scalar function {} does not take {}", name(function), common.name()));
  }
  auto node = std::make_shared<Node>();
  node->function = function;
  if (function == ScalarFunction::convert || function == ScalarFunction::bitcast) {
    node->dtype = dtype;
    CALX_ASSERT(function == ScalarFunction::convert || dtype.size_bytes() == common.size_bytes());
    CALX_ASSERT(function == ScalarFunction::convert || !dtype.is_boolean(), "a boolean is 0 or 1");
  } else {
    node->dtype = is_test(function) ? boolean : common;
  }
  node->arguments = std::move(arguments);
  node->set_hash();
  return Scalar(std::move(node));
}

ScalarFunction Scalar::function() const {
  CALX_ASSERT(defined());
  return node_->function;
}
DType Scalar::dtype() const {
  CALX_ASSERT(defined());
  return node_->dtype;
}
std::span<const Scalar> Scalar::arguments() const {
  CALX_ASSERT(defined());
  return node_->arguments;
}
int Scalar::position() const {
  CALX_ASSERT(function() == ScalarFunction::operand || function() == ScalarFunction::index);
  return node_->position;
}
ScalarValue Scalar::value() const {
  CALX_ASSERT(is_constant());
  return {node_->dtype, node_->bits};
}
std::uint64_t Scalar::hash() const { return defined() ? node_->hash : 0; }

bool operator==(const Scalar& first, const Scalar& second) {
  // Pairs already found equal or under way are not compared again, so shared nodes stay linear.
  std::unordered_map<const void*, const void*> seen;
  std::vector<std::pair<const Scalar*, const Scalar*>> pending = {{&first, &second}};
  while (!pending.empty()) {
    const auto [a, b] = pending.back();
    pending.pop_back();
    if (a->node_ == b->node_) continue;
    if (!a->defined() || !b->defined()) return false;
    const auto& x = *a->node_;
    const auto& y = *b->node_;
    if (x.hash != y.hash || x.function != y.function || x.dtype != y.dtype || x.position != y.position ||
        x.bits != y.bits || x.arguments.size() != y.arguments.size()) {
      return false;
    }
    if (const auto it = seen.find(&x); it != seen.end() && it->second == &y) continue;
    seen[&x] = &y;
    for (std::size_t i = 0; i < x.arguments.size(); ++i)
      pending.emplace_back(&x.arguments[i], &y.arguments[i]);
  }
  return true;
}

namespace {

/// Every node once, arguments first. No recursion.
std::vector<Scalar> post_order(std::span<const Scalar> roots) {
  std::vector<Scalar> order;
  std::unordered_map<const void*, bool> done;
  std::vector<std::pair<Scalar, bool>> stack;  // (node, are its arguments already placed?)
  for (std::size_t r = roots.size(); r-- > 0;) stack.emplace_back(roots[r], false);
  while (!stack.empty()) {
    auto [node, ready] = stack.back();
    stack.pop_back();
    if (ready) {
      order.push_back(std::move(node));
      continue;
    }
    if (!done.emplace(node.id(), true).second) continue;
    stack.emplace_back(node, true);
    const auto arguments = node.arguments();
    for (std::size_t i = arguments.size(); i-- > 0;) {
      if (!done.contains(arguments[i].id())) stack.emplace_back(arguments[i], false);
    }
  }
  return order;
}

}  // namespace

std::string Scalar::to_string() const {
  if (!defined()) return "undefined";
  const std::vector<Scalar> order = post_order({this, 1});
  std::unordered_map<const void*, int> uses;
  for (const Scalar& node : order) {
    for (const Scalar& argument : node.arguments()) ++uses[argument.id()];
  }
  std::unordered_map<const void*, std::string> text;
  std::string definitions;
  int names = 0;
  constexpr std::size_t kLongestLine = 100;  // beyond it a node is named, which also keeps deep chains linear
  for (const Scalar& node : order) {
    std::string line;
    switch (node.function()) {
      case ScalarFunction::operand:
        line = format("${}", node.position());
        break;
      case ScalarFunction::index:
        line = format("index({})", node.position());
        break;
      case ScalarFunction::constant:
        line = node.value().to_string();
        break;
      default: {
        line = format("{}(", name(node.function()));
        std::string_view separator;
        for (const Scalar& argument : node.arguments()) {
          line.append(separator).append(text[argument.id()]);
          separator = ", ";
        }
        if (node.function() == ScalarFunction::convert || node.function() == ScalarFunction::bitcast) {
          line.append(separator).append(node.dtype().name());
        }
        line += ')';
        if (uses[node.id()] > 1 || line.size() > kLongestLine) {
          definitions += format("%{} = {}; ", names, line);
          line = format("%{}", names++);
        }
      }
    }
    text[node.id()] = std::move(line);
  }
  return definitions + text[id()];
}

// --- Evaluation ---

ScalarProgram::ScalarProgram(std::span<const Scalar> results) {
  std::unordered_map<const void*, int> place;
  for (const Scalar& node : post_order(results)) {
    Step step{node.function(), node.dtype(), node.dtype(), 0, {0, 0, 0}};
    ScalarValue value{node.dtype(), 0};
    if (step.function == ScalarFunction::constant) value = node.value();
    if (step.function == ScalarFunction::operand || step.function == ScalarFunction::index) {
      step.position = node.position();
    }
    for (std::size_t i = 0; i < node.arguments().size(); ++i)
      step.arguments[i] = place.at(node.arguments()[i].id());
    place[node.id()] = static_cast<int>(steps_.size());
    steps_.push_back(step);
    values_.push_back(value);
  }
  for (const Scalar& result : results) result_steps_.push_back(place.at(result.id()));
  results_.resize(results.size());
}

std::span<const ScalarValue> ScalarProgram::run(std::span<const ScalarValue> operands,
                                                std::span<const std::int64_t> index) {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    switch (step.function) {
      case ScalarFunction::constant:
        break;
      case ScalarFunction::operand: {
        const auto position = static_cast<std::size_t>(step.position);
        CALX_ASSERT(position < operands.size() && operands[position].dtype == step.dtype);
        values_[i] = operands[position];
        break;
      }
      case ScalarFunction::index: {
        const auto axis = static_cast<std::size_t>(step.position);
        CALX_ASSERT(axis < index.size());
        values_[i] = ScalarValue::of(index[axis]);
        break;
      }
      default: {
        const auto count = static_cast<std::size_t>(arity(step.function));
        ScalarValue arguments[3];
        for (std::size_t a = 0; a < count; ++a)
          arguments[a] = values_[static_cast<std::size_t>(step.arguments[a])];
        values_[i] = apply_function(step.function, {arguments, count}, step.dtype);
      }
    }
  }
  for (std::size_t r = 0; r < results_.size(); ++r)
    results_[r] = values_[static_cast<std::size_t>(result_steps_[r])];
  return results_;
}

ScalarValue evaluate(const Scalar& expression, std::span<const ScalarValue> operands,
                     std::span<const std::int64_t> index) {
  return ScalarProgram({&expression, 1}).run(operands, index)[0];
}

// --- Simplifier ---

namespace {

bool is_value(const Scalar& x, double value) {
  if (!x.is_constant()) return false;
  const ScalarValue wanted = Scalar::constant(value, x.dtype()).value();
  return x.value() == wanted;
}

/// The zero that changes nothing when added: -0 for floats.
bool is_additive_identity(const Scalar& x) { return is_value(x, x.dtype().is_floating() ? -0.0 : 0.0); }

/// Is every value of `from` a value of `to`, so that converting there and back is the identity?
bool is_embedded(DType from, DType to) {
  if (from == to || from.is_boolean()) return true;
  if (to.is_boolean()) return false;
  const auto digits = [](DType d) {
    return visit_dtype(d, []<class T>(std::type_identity<T>) {
      if constexpr (std::is_same_v<T, float16_t>)
        return 11;
      else if constexpr (std::is_same_v<T, bfloat16_t>)
        return 8;
      else
        return std::numeric_limits<T>::digits;
    });
  };
  if (from.is_floating()) return to.is_floating() && to.size_bytes() > from.size_bytes();
  if (to.is_floating()) return to.size_bytes() >= 4 && digits(to) >= digits(from);
  return (to.is_signed() || !from.is_signed()) && digits(to) >= digits(from);
}

Scalar simplify_node(const Scalar& node) {
  const auto x = node.arguments();
  if (x.empty()) return node;
  if (std::ranges::all_of(x, [](const Scalar& a) { return a.is_constant(); })) {
    std::vector<ScalarValue> values;
    for (const Scalar& a : x) values.push_back(a.value());
    return Scalar::constant(apply_function(node.function(), values, node.dtype()));
  }
  switch (node.function()) {
    case ScalarFunction::convert:
      if (x[0].dtype() == node.dtype()) return x[0];
      if (x[0].function() == ScalarFunction::convert && x[0].arguments()[0].dtype() == node.dtype() &&
          is_embedded(node.dtype(), x[0].dtype())) {
        return x[0].arguments()[0];
      }
      return node;
    case ScalarFunction::bitcast:
      return x[0].dtype() == node.dtype() ? x[0] : node;
    case ScalarFunction::select:
      if (x[0].is_constant()) return x[0].value().as<bool>() ? x[1] : x[2];
      return x[1] == x[2] ? x[1] : node;
    case ScalarFunction::add:
      if (is_additive_identity(x[1])) return x[0];
      return is_additive_identity(x[0]) ? x[1] : node;
    case ScalarFunction::sub:
      return !node.dtype().is_boolean() && is_value(x[1], 0.0) ? x[0] : node;
    case ScalarFunction::mul:
    case ScalarFunction::strong_mul:
      if (is_value(x[1], 1.0)) return x[0];
      return is_value(x[0], 1.0) ? x[1] : node;
    case ScalarFunction::div:
      return is_value(x[1], 1.0) ? x[0] : node;
    case ScalarFunction::neg:
    case ScalarFunction::bitwise_not:
      return x[0].function() == node.function() ? x[0].arguments()[0] : node;
    case ScalarFunction::logical_not:
      return x[0].function() == ScalarFunction::logical_not && x[0].arguments()[0].dtype().is_boolean()
                 ? x[0].arguments()[0]
                 : node;
    case ScalarFunction::abs:
      return x[0].function() == ScalarFunction::abs ? x[0] : node;
    case ScalarFunction::bitwise_and:
    case ScalarFunction::bitwise_or:
      return x[0] == x[1] ? x[0] : node;
    default:
      return node;
  }
}

}  // namespace

Scalar simplify(const Scalar& expression) {
  std::unordered_map<const void*, Scalar> simplified;
  const std::vector<Scalar> order = post_order({&expression, 1});
  for (const Scalar& node : order) {
    std::vector<Scalar> arguments;
    bool changed = false;
    for (const Scalar& argument : node.arguments()) {
      arguments.push_back(simplified.at(argument.id()));
      changed = changed || !arguments.back().is_same_node(argument);
    }
    simplified[node.id()] =
        simplify_node(changed ? Scalar::apply(node.function(), std::move(arguments), node.dtype()) : node);
  }
  return simplified.at(expression.id());
}

}  // namespace calx::loopir
