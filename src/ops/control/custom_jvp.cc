#include "calx/ops/control.h"
#include "control/_support.h"

namespace calx::ops {
namespace custom_jvp_parts {

constinit const Attr<Function> primal{"function", required, "the value: x... -> y..."};
constinit const Attr<Function> rule{"rule", required,
                          "x..., tangents of the floating x -> y..., tangents of the floating y; linear in the tangents"};

/// The rule's results on values and tangents (instantiated where zero), split into y and its tangents.
RegionDerivative run_rule(const Call& c, const Tangents& t) {
  const Function f = c[rule];
  Tensors operands(c.operands().begin(), c.operands().end());
  for (const Tangent& one : t) {
    if (one.type().dtype.is_floating()) operands.push_back(one.instantiate());
  }
  const Tensors both = inline_function(f, operands);
  const std::size_t n = c[primal].results().size();
  std::vector<bool> depends(n, true);
  return {Tensors(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(n)),
          spread_tangents(c.result_types(), std::span(both).subspan(n), depends)};
}

}  // namespace custom_jvp_parts

OpDef custom_jvp() {
  using namespace custom_jvp_parts;
  return {
      .name = "custom_jvp",
      .family = "control",
      .doc = {.summary = "A Function with a forward-mode derivative given by the user.",
              .math = "y = function(x); (y, dy) = rule(x, dx)",
              .shapes = "the argument types of function -> its result types",
              .gradient = "the rule's; reverse mode transposes the rule's part that is linear in the tangents",
              .accuracy = "that of function",
              .errors = "a rule that does not fit the function: CALX-E606; a rule that is not linear in its tangents, in "
                        "reverse mode: CALX-E603",
              .example = "custom_jvp_flat(f, rule, {x})",
              .source = "jax.custom_jvp"},
      .operands = {{"x", DTypes::any, true}},
      .attrs = {primal, rule},
      .results = {"y"},
      .form = Region{
          .infer = [](const Call& c) {
            const Function f = c[primal];
            const Function r = c[rule];
            require_signature(c, f, "function");
            std::vector<Type> expected = f.argument_types();
            for (const Type& type : f.argument_types()) {
              if (type.dtype.is_floating()) expected.push_back(type);
            }
            std::vector<Type> results = f.result_types();
            for (const Type& type : f.result_types()) {
              if (type.dtype.is_floating()) results.push_back(type);
            }
            if (r.argument_types() != expected || r.result_types() != results) {
              c.fail(ErrorId::region_signature,
                     "`rule` must take the operands and the tangents of the floating ones, and give the results and the "
                     "tangents of the floating ones");
            }
            return Types(f.result_types());
          },
          .jvp = run_rule,
          .linearize = run_rule,
          .transpose = [](const Call& c, const std::vector<bool>& linear, const Tangents& ct) -> Tangents {
            return pull_back(c[primal], c.operands(), linear, ct);
          },
          .batch = [](const BatchCall& c) -> std::vector<Batched> {
            // The mask becomes a boolean operand of function and rule: their loops and checks obey it.
            const bool masked = c.mask.defined();
            const std::size_t n = c.operands.size();
            const Function f = vmap_with_lanes(c.call[primal], c.size, masked, n);
            const Function r = vmap_with_lanes(c.call[rule], c.size, masked, n);
            return all_batched(apply(c.call.op(), lane_operands(c), {attr(primal, f), attr(rule, r)}, c.call.where()));
          },
          .prune = NoIdentity{},
          .simplify = NoIdentity{},
          .reference = run_function(primal),
          .lower = NotInterpretable{"it runs a Function"}},
      .samples = [] {
        const Type type{f64, {3}};
        const Function f = sample_function("cube", {type}, [](std::span<const Tensor> x) -> Tensors {
          return {core::mul(x[0], core::mul(x[0], x[0]))};
        });
        const Function r = sample_function("cube_rule", {type, type}, [](std::span<const Tensor> x) -> Tensors {
          const Tensor square = core::mul(x[0], x[0]);
          const Tensor slope = core::mul(core::full(x[0].type(), 3), square);
          return {core::mul(square, x[0]), core::mul(slope, x[1])};
        });
        const Function g = sample_function("scale", {{f64, {}}}, [](std::span<const Tensor> x) -> Tensors {
          return {core::mul(x[0], core::full(x[0].type(), 2))};
        });
        const Function g_rule = sample_function("scale_rule", {{f64, {}}, {f64, {}}}, [](std::span<const Tensor> x) -> Tensors {
          const Tensor two = core::full(x[0].type(), 2);
          return {core::mul(x[0], two), core::mul(x[1], two)};
        });
        return std::vector<Sample>{
            {.operands = {{.shape = {3}, .dtype = f64}}, .attrs = {attr(primal, f), attr(rule, r)}},
            {.operands = {{.dtype = f64}}, .attrs = {attr(primal, g), attr(rule, g_rule)}}};
      },
      .rejects = [] {
        const Type type{f64, {3}};
        const Function f = sample_function("f", {type}, [](std::span<const Tensor> x) -> Tensors { return {x[0]}; });
        return std::vector<Reject>{{.operands = {type}, .attrs = {attr(primal, f), attr(rule, f)},
                                    .id = ErrorId::region_signature, .message = "`rule` must take"}};
      },
  };
}

}  // namespace calx::ops

namespace calx {

Tensors custom_jvp_flat(const FlatBody& f, const FlatBody& rule, const Tensors& operands, SourceLoc where) {
  const std::vector<Type> types = ops::types_of(operands, "custom_jvp", where);
  std::vector<Type> rule_types = types;
  for (const Type& type : types) {
    if (type.dtype.is_floating()) rule_types.push_back(type);
  }
  const Function primal = trace_flat(ops::arguments_of(types), f, {.name = "function", .closed = true}).function;
  const Function traced_rule = trace_flat(ops::arguments_of(rule_types), rule, {.name = "rule", .closed = true}).function;
  static const OpDef& op = get_op("custom_jvp");
  return apply(op, operands, {attr(ops::custom_jvp_parts::primal, primal), attr(ops::custom_jvp_parts::rule, traced_rule)}, where);
}

}  // namespace calx
