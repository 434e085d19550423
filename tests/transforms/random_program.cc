#include "random_program.h"

#include <algorithm>
#include <numeric>

#include "calx/core/core_ops.h"
#include "calx/core/trace.h"
#include "laws/cases.h"

namespace calx {
namespace {

using laws::Case;
using laws::Random;

struct Choice {
  const OpDef* op;
  std::vector<Case> cases;
};

/// Does the op stop differentiation? Its derivative is 0 by definition, whatever differences say.
bool cuts(const OpDef& op) {
  if (const Primitive* primitive = op.primitive()) return std::holds_alternative<Cut>(primitive->jvp);
  return op.composite() != nullptr && std::holds_alternative<Cut>(op.composite()->jvp);
}

/// The ops that can be drawn: those with a smooth case that has a floating operand and a floating result.
const std::vector<Choice>& choices() {
  static const std::vector<Choice> all = [] {
    std::vector<Choice> list;
    for (const OpDef* op : op_table()) {
      if (cuts(*op)) continue;
      Choice choice{op, {}};
      for (Case& one : laws::derivative_cases(laws::make_cases(*op))) {
        const std::vector<Type> results = laws::one_equation(*op, one.types, one.attrs).result_types();
        const bool floating = std::any_of(results.begin(), results.end(), [](const Type& t) { return t.dtype.is_floating(); });
        // Differences need f64 throughout: a case that is f32 by nature (a body, a target dtype) is left out.
        const auto wide = [](const Type& t) { return !t.dtype.is_floating() || t.dtype == f64; };
        const bool all_wide = std::all_of(results.begin(), results.end(), wide) &&
                              std::all_of(one.types.begin(), one.types.end(), wide);
        if (floating && all_wide && one.num_elements() > 0) choice.cases.push_back(std::move(one));
      }
      if (!choice.cases.empty()) list.push_back(std::move(choice));
    }
    return list;
  }();
  return all;
}

/// x / (1 + x^2): smooth, in [-0.5, 0.5].
Tensor squashed(const Tensor& x) {
  return core::div(x, core::add(core::ones(x.type()), core::mul(x, x)));
}

/// A tensor of the given shape that depends on every element of x: reshaped where the counts agree, else summed and repeated.
Tensor fitted(const Tensor& x, const Type& type) {
  const Tensor same = x.dtype() == type.dtype ? x : core::convert(x, type.dtype);
  if (same.shape() == type.shape) return same;
  if (same.shape().num_elements() == type.shape.num_elements()) return core::reshape(same, type.shape);
  std::vector<std::int64_t> axes(static_cast<std::size_t>(x.rank()));
  std::iota(axes.begin(), axes.end(), 0);
  return core::expand(core::reduce_sum(same, axes), type.shape, {});
}

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  RandomProgram make() {
    std::vector<Argument> arguments;
    const std::int64_t count = random_.integer(1, 4);
    for (std::int64_t i = 0; i < count; ++i) arguments.push_back({"x" + std::to_string(i), {f64, draw_shape()}});
    RandomProgram program;
    program.function = trace_flat(arguments, [&](std::span<const Tensor> x) {
                         Tensors pool(x.begin(), x.end());
                         extend(pool, static_cast<int>(random_.integer(2, 6)), 0);
                         const auto kept = std::min<std::size_t>(pool.size(), 2);
                         return Tensors(pool.end() - static_cast<std::ptrdiff_t>(kept), pool.end());
                       }, {.name = "random"}).function;
    program.ops = std::move(ops_);
    return program;
  }

 private:
  static constexpr int kDeepest = 2;

  Shape draw_shape() {
    std::vector<Dim> dims;
    const std::int64_t rank = random_.integer(0, 3);
    for (std::int64_t i = 0; i < rank; ++i) dims.emplace_back(random_.integer(1, 4));
    return Shape(std::move(dims));
  }

  /// Adds `steps` applications of random ops to the pool of floating values.
  void extend(Tensors& pool, int steps, int depth) {
    for (int step = 0; step < steps; ++step) {
      const Choice& choice = choices()[static_cast<std::size_t>(
          random_.integer(0, static_cast<std::int64_t>(choices().size())))];
      Case one = choice.cases[static_cast<std::size_t>(
          random_.integer(0, static_cast<std::int64_t>(choice.cases.size())))];
      if (depth < kDeepest) nest(one.attrs, depth);
      ops_.emplace_back(choice.op->name);
      const std::vector<Array> drawn = laws::draw(*choice.op, one, random_.bits());
      Tensors operands;
      for (std::size_t i = 0; i < drawn.size(); ++i) {
        Tensor operand(drawn[i]);
        if (operand.dtype().is_floating()) {
          // The drawn point keeps the op inside its domain; earlier values move it a little.
          const Tensor& source = pool[static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(pool.size())))];
          const Tensor moved = squashed(fitted(source, operand.type()));
          operand = core::add(operand, core::mul(core::full(operand.type(), 0.125), moved));
        }
        operands.push_back(std::move(operand));
      }
      for (const Tensor& result : apply(*choice.op, operands, one.attrs)) {
        if (result.dtype().is_floating()) pool.push_back(squashed(core::convert(result, f64)));
      }
    }
  }

  /// Bodies whose results are all floating get more equations: their first floating argument is moved by
  /// random ops. Functions with derivative rules stay as they are: a changed one would not be the function of
  /// its rule any more.
  void nest(Attrs& attrs, int depth) {
    if (attrs.find("rule") != nullptr || attrs.find("backward") != nullptr) return;
    for (const Attrs::Entry& entry : std::vector<Attrs::Entry>(attrs.entries())) {
      if (const auto* body = std::get_if<Function>(&entry.value); body != nullptr && body->defined()) {
        attrs.set_value(entry.name, nested(*body, depth));
      } else if (const auto* bodies = std::get_if<std::vector<Function>>(&entry.value)) {
        std::vector<Function> changed;
        for (const Function& one : *bodies) changed.push_back(nested(one, depth));
        attrs.set_value(entry.name, std::move(changed));
      }
    }
  }

  Function nested(const Function& body, int depth) {
    const std::vector<Type> types = body.argument_types();
    const std::vector<Type> results = body.result_types();
    const auto floating = [](const Type& type) { return type.dtype.is_floating() && type.shape.is_static(); };
    if (!std::all_of(results.begin(), results.end(), floating) || !std::any_of(types.begin(), types.end(), floating) ||
        random_.integer(0, 2) == 0) {
      return body;
    }
    return trace_flat(body.arguments(), [&](std::span<const Tensor> x) -> Tensors {
             Tensors arguments(x.begin(), x.end());
             Tensors pool;
             for (const Tensor& argument : arguments) {
               if (floating(argument.type())) pool.push_back(core::convert(argument, f64));
             }
             extend(pool, 1, depth + 1);
             for (Tensor& argument : arguments) {
               if (!floating(argument.type())) continue;
               const Tensor moved = core::convert(fitted(pool.back(), argument.type().with_dtype(f64)), argument.dtype());
               argument = core::add(argument, core::mul(core::full(argument.type(), 0.125), moved));
               break;
             }
             return inline_function(body, arguments);
           }, {.name = body.name(), .closed = true}).function.with_result_names(names_of(body));
  }

  static std::vector<std::string> names_of(const Function& f) {
    std::vector<std::string> names;
    for (const Result& result : f.results()) names.push_back(result.name);
    return names;
  }

  Random random_;
  std::vector<std::string> ops_;
};

}  // namespace

RandomProgram make_random_program(std::uint64_t seed) { return Generator(seed).make(); }

}  // namespace calx
