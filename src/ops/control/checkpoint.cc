#include "calx/ops/control.h"
#include "control/_support.h"

namespace calx::ops {

OpDef checkpoint() {
  return {
      .name = "checkpoint",
      .family = "control",
      .doc = {.summary = "Runs a Function whose intermediate values are computed again for its derivative.",
              .math = "y = body(x)",
              .shapes = "the argument types of body -> its result types",
              .gradient = "that of body, computed from x alone: nothing else is kept. The recomputation is tied to the first "
                          "cotangent by `barrier`",
              .accuracy = "that of body, bit for bit",
              .errors = "operands that do not fit the body: CALX-E606",
              .example = "checkpoint_flat([](auto x) -> Tensors { return {tanh(x[0])}; }, {x})",
              .source = "jax.checkpoint with the policy nothing_saveable"},
      .operands = {{"x", DTypes::any, true}},
      .attrs = {keys::body},
      .results = {"y"},
      .form = Region{
          .infer = [](const Call& c) {
            require_signature(c, c[keys::body], "body");
            return Types(c[keys::body].result_types());
          },
          .jvp = [](const Call& c, const Tangents& t) -> RegionDerivative {
            const Function f = c[keys::body];
            const std::vector<bool> flags = non_zero(t);
            Tensors operands(c.operands().begin(), c.operands().end());
            append(operands, present(t));
            const Tensors both = apply(c.op(), operands, {attr(keys::body, jvp(f, flags, c.where()))}, c.where());
            const std::size_t n = f.results().size();
            return {Tensors(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(n)),
                    spread_tangents(c.result_types(), std::span(both).subspan(n), depends_on(f, flags))};
          },
          .linearize = [](const Call& c, const Tangents& t) -> RegionDerivative {
            const Function f = c[keys::body];
            const std::vector<bool> flags = non_zero(t);
            Tensors operands(c.operands().begin(), c.operands().end());
            Results results = apply(c.op(), operands, c.attrs(), c.where());
            append(operands, present(t));
            const Tensors tangents = apply(c.op(), operands, {attr(keys::body, tangents_of(f, flags))}, c.where());
            return {std::move(results), spread_tangents(c.result_types(), tangents, depends_on(f, flags))};
          },
          .transpose = [](const Call& c, const std::vector<bool>& linear, const Tangents& ct) -> Tangents {
            Tensors operands;
            for (std::size_t i = 0; i < linear.size(); ++i) {
              if (!linear[i]) operands.push_back(c[static_cast<int>(i)]);
            }
            for (const Tangent& one : ct) {
              if (one.type().dtype.is_floating()) operands.push_back(one.instantiate());
            }
            // The barrier keeps the recomputation from merging with the original and from starting early.
            const Tensors results = apply(c.op(), core::barrier(operands),
                                          {attr(keys::body, calx::transpose(c[keys::body], linear, c.where()))}, c.where());
            Tangents all = zeros_like(c.types());
            for (std::size_t i = 0, next = 0; i < linear.size(); ++i) {
              if (linear[i]) all[i] = Tangent(results[next++]);
            }
            return all;
          },
          .batch = [](const BatchCall& c) -> std::vector<Batched> {
            std::vector<std::optional<int>> in_axes;
            Tensors operands;
            for (const Batched& operand : c.operands) {
              in_axes.push_back(operand.batched ? std::optional<int>(0) : std::nullopt);
              operands.push_back(operand.tensor);
            }
            const bool masked = c.mask.defined();
            if (masked) operands.push_back(c.mask);
            const Function mapped = vmap(c.call[keys::body], in_axes, c.size, {}, masked, c.call.where());
            return all_batched(apply(c.call.op(), operands, {attr(keys::body, mapped)}, c.call.where()));
          },
          .prune = [](const Call& c, const std::vector<bool>& used) -> std::optional<Results> {
            const Function f = c[keys::body];
            const std::vector<bool> needed = used_arguments(f, used);
            if (std::find(used.begin(), used.end(), false) == used.end() &&
                std::find(needed.begin(), needed.end(), false) == needed.end()) {
              return std::nullopt;
            }
            std::vector<Argument> kept;
            Tensors operands;
            for (std::size_t i = 0; i < needed.size(); ++i) {
              if (!needed[i]) continue;
              kept.push_back(f.arguments()[i]);
              operands.push_back(c[static_cast<int>(i)]);
            }
            const Function smaller =
                trace_flat(kept,
                           [&](std::span<const Tensor> values) -> Tensors {
                             Tensors all;
                             std::size_t next = 0;
                             for (std::size_t i = 0; i < needed.size(); ++i) {
                               all.push_back(needed[i] ? values[next++] : core::zeros(f.arguments()[i].type));
                             }
                             const Tensors results = inline_function(f, all);
                             Tensors wanted;
                             for (std::size_t i = 0; i < used.size(); ++i) {
                               if (used[i]) wanted.push_back(results[i]);
                             }
                             return wanted;
                           },
                           {.name = f.name(), .closed = true})
                    .function;
            const Tensors some = apply(c.op(), operands, {attr(keys::body, smaller)}, c.where());
            Results results(used.size());
            for (std::size_t i = 0, next = 0; i < used.size(); ++i) {
              if (used[i]) results[i] = some[next++];
            }
            return results;
          },
          .simplify = NoIdentity{},
          .reference = run_function(keys::body),
          .lower = NotInterpretable{"it runs a Function"}},
      .samples = [] {
        const Function body = sample_function("body", {{f32, {3}}, {f32, {3}}}, [](std::span<const Tensor> x) -> Tensors {
          const Tensor square = core::mul(x[0], x[0]);
          return {core::mul(square, x[1]), core::add(square, x[0])};
        });
        const Function scalar = sample_function("cube", {{f64, {}}}, [](std::span<const Tensor> x) -> Tensors {
          return {core::mul(x[0], core::mul(x[0], x[0]))};
        });
        return std::vector<Sample>{
            {.operands = {{.shape = {3}, .dtype = f32}, {.shape = {3}, .dtype = f32}}, .attrs = {attr(keys::body, body)}},
            {.operands = {{.dtype = f64}}, .attrs = {attr(keys::body, scalar)}}};
      },
      .rejects = [] {
        const Function body = sample_function("body", {{f32, {3}}}, [](std::span<const Tensor> x) -> Tensors {
          return {x[0]};
        });
        return std::vector<Reject>{{.operands = {{f32, {4}}},
                                    .attrs = {attr(keys::body, body)},
                                    .id = ErrorId::region_signature,
                                    .message = "f32[4]"}};
      },
  };
}

}  // namespace calx::ops

namespace calx {

Tensors checkpoint_flat(const FlatBody& f, const Tensors& operands, SourceLoc where) {
  const Traced traced = trace_flat(ops::arguments_of(ops::types_of(operands, "checkpoint", where)), f, {.name = "body"});
  Tensors all = traced.captures;
  ops::append(all, operands);
  static const OpDef& op = get_op("checkpoint");
  return apply(op, all, {attr(ops::keys::body, traced.function)}, where);
}

}  // namespace calx
