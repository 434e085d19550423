#include "calx/ops/control.h"
#include "calx/base/format.h"
#include "control/_support.h"

namespace calx::ops {
namespace custom_vjp_parts {

constinit const Attr<Function> primal{"function", required, "the value: x... -> y..."};
constinit const Attr<Function> forward{"forward", required, "x... -> y..., residuals"};
constinit const Attr<Function> backward{"backward", required, "residuals, cotangents of the floating y -> cotangents of the floating x"};

std::vector<Type> floating_only(const std::vector<Type>& types) {
  std::vector<Type> kept;
  for (const Type& type : types) {
    if (type.dtype.is_floating()) kept.push_back(type);
  }
  return kept;
}

/// Values from `forward`; tangents from the transpose of `backward`, as a linear call.
RegionDerivative differentiate(const Call& c, const Tangents& t) {
  const Tensors both = inline_function(c[forward], c.operands());
  const auto n = static_cast<std::ptrdiff_t>(c[primal].results().size());
  Tensors operands(both.begin() + n, both.end());
  const auto num_residuals = static_cast<std::int64_t>(operands.size());
  for (const Tangent& one : t) {
    if (one.type().dtype.is_floating()) operands.push_back(one.instantiate());
  }
  static const OpDef& linear_call = get_op("linear_call");
  const Tensors tangents = apply(linear_call, operands, {{"backward", c[backward]}, {"num_residuals", num_residuals}}, c.where());
  const std::vector<bool> depends(static_cast<std::size_t>(n), true);
  return {Tensors(both.begin(), both.begin() + n), spread_tangents(c.result_types(), tangents, depends)};
}

}  // namespace custom_vjp_parts

OpDef custom_vjp() {
  using namespace custom_vjp_parts;
  return {
      .name = "custom_vjp",
      .family = "control",
      .doc = {.summary = "A Function with a reverse-mode derivative given by the user.",
              .math = "y = function(x); (y, residuals) = forward(x); dx = backward(residuals, dy)",
              .shapes = "the argument types of function -> its result types",
              .gradient = "backward's; forward mode transposes it, where it is linear in the cotangents",
              .accuracy = "that of function",
              .errors = "rules that do not fit the function: CALX-E606; forward mode over a backward that is not linear in the "
                        "cotangents: CALX-E603",
              .example = "custom_vjp_flat(f, forward, backward, {x})",
              .source = "jax.custom_vjp; unlike there, forward mode works where backward is linear"},
      .operands = {{"x", DTypes::any, true}},
      .attrs = {primal, forward, backward},
      .results = {"y"},
      .form = Region{
          .infer = [](const Call& c) {
            const Function f = c[primal];
            const Function fwd = c[forward];
            const Function bwd = c[backward];
            require_signature(c, f, "function");
            require_signature(c, fwd, "forward");
            const std::vector<Type> values = f.result_types();
            const std::vector<Type> given = fwd.result_types();
            const bool starts = given.size() >= values.size() && std::equal(values.begin(), values.end(), given.begin());
            std::vector<Type> expected;
            if (starts) expected.assign(given.begin() + static_cast<std::ptrdiff_t>(values.size()), given.end());
            for (const Type& type : floating_only(values)) expected.push_back(type);
            if (!starts || bwd.argument_types() != expected ||
                bwd.result_types() != floating_only({c.types().begin(), c.types().end()})) {
              c.fail(ErrorId::region_signature,
                     "`forward` must give the results and residuals, and `backward` take the residuals and the cotangents "
                     "of the floating results and give one for each floating operand");
            }
            return Types(values);
          },
          .jvp = differentiate,
          .linearize = differentiate,
          .transpose = [](const Call& c, const std::vector<bool>& linear, const Tangents& ct) -> Tangents {
            return pull_back(c[primal], c.operands(), linear, ct);
          },
          .batch = [](const BatchCall& c) -> std::vector<Batched> {
            // The mask becomes a boolean operand, which `forward` passes to `backward` as the last residual.
            const bool masked = c.mask.defined();
            const std::size_t n = c.operands.size();
            const Function f = vmap_with_lanes(c.call[primal], c.size, masked, n);
            Function fwd = vmap_with_lanes(c.call[forward], c.size, masked, n);
            if (masked) {
              fwd = trace_flat(fwd.arguments(),
                               [&](std::span<const Tensor> values) -> Tensors {
                                 Tensors all = inline_function(fwd, values);
                                 all.push_back(values.back());
                                 return all;
                               },
                               {.name = fwd.name(), .closed = true})
                        .function;
            }
            const std::size_t residuals = c.call[forward].results().size() - f.results().size();
            const Function bwd = vmap_with_lanes(c.call[backward], c.size, masked, residuals);
            return all_batched(apply(c.call.op(), lane_operands(c),
                                     {attr(primal, f), attr(forward, fwd), attr(backward, bwd)}, c.call.where()));
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
        const Function fwd = sample_function("cube_forward", {type}, [](std::span<const Tensor> x) -> Tensors {
          return {core::mul(x[0], core::mul(x[0], x[0])), x[0]};
        });
        const Function bwd = sample_function("cube_backward", {type, type}, [](std::span<const Tensor> x) -> Tensors {
          const Tensor slope = core::mul(core::full(x[0].type(), 3), core::mul(x[0], x[0]));
          return {core::mul(slope, x[1])};
        });
        const Type one{f64, {}};
        const Function g = sample_function("half", {one}, [](std::span<const Tensor> x) -> Tensors {
          return {core::mul(x[0], core::full(x[0].type(), 0.5))};
        });
        const Function g_backward = sample_function("half_backward", {one}, [](std::span<const Tensor> x) -> Tensors {
          return {core::mul(x[0], core::full(x[0].type(), 0.5))};
        });
        return std::vector<Sample>{
            {.operands = {{.shape = {3}, .dtype = f64}},
             .attrs = {attr(primal, f), attr(forward, fwd), attr(backward, bwd)}},
            {.operands = {{.dtype = f64}}, .attrs = {attr(primal, g), attr(forward, g), attr(backward, g_backward)}}};
      },
      .rejects = [] {
        const Type type{f64, {3}};
        const Function f = sample_function("f", {type}, [](std::span<const Tensor> x) -> Tensors { return {x[0]}; });
        const Function two = sample_function("g", {type, type}, [](std::span<const Tensor> x) -> Tensors { return {x[0]}; });
        return std::vector<Reject>{{.operands = {type}, .attrs = {attr(primal, f), attr(forward, f), attr(backward, two)},
                                    .id = ErrorId::region_signature, .message = "`backward` take the residuals"}};
      },
  };
}

}  // namespace calx::ops

namespace calx {

Tensors custom_vjp_flat(const FlatBody& f, const FlatBody& forward, const FlatBody& backward, const Tensors& operands,
                        SourceLoc where) {
  const std::vector<Argument> arguments = ops::arguments_of(ops::types_of(operands, "custom_vjp", where));
  const Function primal = trace_flat(arguments, f, {.name = "function", .closed = true}).function;
  const Function fwd = trace_flat(arguments, forward, {.name = "forward", .closed = true}).function;
  std::vector<Type> types = fwd.result_types();
  if (types.size() < primal.results().size()) {
    raise({.id = ErrorId::region_signature,
           .op = "custom_vjp",
           .message = format("`forward` gives {} results, fewer than the {} of the function", types.size(), primal.results().size()),
           .where = where,
           .hint = "forward gives the function's results, then the residuals"});
  }
  types.erase(types.begin(), types.begin() + static_cast<std::ptrdiff_t>(primal.results().size()));
  for (const Type& type : primal.result_types()) {
    if (type.dtype.is_floating()) types.push_back(type);
  }
  const Function bwd = trace_flat(ops::arguments_of(types), backward, {.name = "backward", .closed = true}).function;
  static const OpDef& op = get_op("custom_vjp");
  return apply(op, operands, {attr(ops::custom_vjp_parts::primal, primal), attr(ops::custom_vjp_parts::forward, fwd), attr(ops::custom_vjp_parts::backward, bwd)}, where);
}

}  // namespace calx
