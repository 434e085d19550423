#include "control/_support.h"

namespace calx::ops {
namespace linear_call_parts {

constinit const Attr<Function> backward{"backward", required, "residuals, cotangents -> cotangents of the tangent operands"};
constinit const Attr<std::int64_t> num_residuals{"num_residuals", required, "operands that are residuals, first", 0, 1e9};

std::vector<bool> linear_arguments(const Function& f, std::int64_t residuals) {
  std::vector<bool> flags(f.arguments().size(), true);
  std::fill(flags.begin(), flags.begin() + residuals, false);
  return flags;
}

/// The map itself: the transpose of `backward` in its cotangents.
Function forward_map(const Call& c) {
  return calx::transpose(c[backward], linear_arguments(c[backward], c[num_residuals]), c.where());
}

RegionDerivative differentiate(const Call& c, const Tangents& t, bool split) {
  bool residuals_move = false;
  for (std::int64_t i = 0; i < c[num_residuals]; ++i) residuals_move |= !t[static_cast<std::size_t>(i)].is_zero();
  const Tensors operands(c.operands().begin(), c.operands().end());
  if (residuals_move) {
    Duals duals = push_forward(forward_map(c), operands, t, split);
    return {std::move(duals.primals), std::move(duals.tangents)};
  }
  Tensors moved = operands;
  for (std::size_t i = static_cast<std::size_t>(c[num_residuals]); i < moved.size(); ++i) moved[i] = t[i].instantiate();
  Tangents tangents;
  for (const Tensor& tangent : apply(c.op(), moved, c.attrs(), c.where())) tangents.push_back(Tangent(tangent));
  return {apply(c.op(), operands, c.attrs(), c.where()), std::move(tangents)};
}

}  // namespace linear_call_parts

OpDef linear_call() {
  using namespace linear_call_parts;
  return {
      .name = "linear_call",
      .family = "control",
      .doc = {.summary = "A linear map that is known by its transpose: the derivative of custom_vjp.",
              .math = "y = A(residuals) t, where backward(residuals, ct) = A(residuals)^T ct",
              .shapes = "`x`: residuals, then `t` -> the types of backward's cotangent arguments",
              .gradient = "linear in t: the transpose is backward itself",
              .accuracy = "that of the transpose of backward",
              .errors = "evaluated or differentiated forward where backward is not linear in the cotangents: CALX-E603",
              .example = "made by the transforms",
              .source = "jax.custom_derivatives.linear_call"},
      .operands = {{"x", DTypes::any, true}},
      .attrs = {backward, num_residuals},
      .results = {"y"},
      .form = Region{
          .infer = [](const Call& c) {
            const Function f = c[backward];
            const auto residuals = static_cast<std::size_t>(c[num_residuals]);
            const std::vector<Type> arguments = f.argument_types();
            const std::vector<Type> given(c.types().begin(), c.types().end());
            bool fits = residuals <= arguments.size() && residuals <= given.size() &&
                        given.size() - residuals == f.results().size();
            for (std::size_t i = 0; fits && i < residuals; ++i) fits = arguments[i] == given[i];
            for (std::size_t i = residuals; fits && i < given.size(); ++i) {
              fits = f.result_types()[i - residuals] == given[i];
            }
            if (!fits) c.fail(ErrorId::region_signature, "the operands do not fit `backward`");
            return Types(std::vector<Type>(arguments.begin() + static_cast<std::ptrdiff_t>(residuals), arguments.end()));
          },
          .jvp = [](const Call& c, const Tangents& t) { return differentiate(c, t, false); },
          .linearize = [](const Call& c, const Tangents& t) { return differentiate(c, t, true); },
          .transpose = [](const Call& c, const std::vector<bool>& linear, const Tangents& ct) -> Tangents {
            const auto residuals = static_cast<std::size_t>(c[num_residuals]);
            Tensors operands;
            for (std::size_t i = 0; i < residuals; ++i) {
              if (linear[i]) c.fail(ErrorId::not_linear, "is not linear in its residuals");
              operands.push_back(c[static_cast<int>(i)]);
            }
            for (const Tangent& one : ct) operands.push_back(one.instantiate());
            const Tensors results = inline_function(c[backward], operands);
            Tangents all = zeros_like(c.types());
            for (std::size_t i = 0; i < results.size(); ++i) all[residuals + i] = Tangent(results[i]);
            return all;
          },
          .batch = [](const BatchCall& c) -> std::vector<Batched> {
            // The mask becomes the last residual.
            const bool masked = c.mask.defined();
            const auto residuals = static_cast<std::size_t>(c.call[num_residuals]);
            Tensors operands;
            for (const Batched& operand : c.operands) operands.push_back(with_batch(operand, c.size));
            if (masked) operands.insert(operands.begin() + static_cast<std::ptrdiff_t>(residuals), c.mask);
            const Function mapped = vmap_with_lanes(c.call[backward], c.size, masked, residuals);
            std::vector<Batched> results;
            for (const Tensor& result :
                 apply(c.call.op(), operands,
                       {attr(backward, mapped), attr(num_residuals, static_cast<std::int64_t>(residuals) + (masked ? 1 : 0))},
                       c.call.where())) {
              results.push_back({result, true});
            }
            return results;
          },
          .prune = NoIdentity{},
          .simplify = NoIdentity{},
          .reference = [](const ReferenceCall& c) -> std::vector<Array> {
            const Function f = c[backward];
            return c.context().run_nested(calx::transpose(f, linear_arguments(f, c[num_residuals]), c.where()),
                                          {c.operands().begin(), c.operands().end()}, 0);
          },
          .lower = NotInterpretable{"it runs a Function"}},
      .samples = [] {
        const Type type{f64, {3}};
        const Function scale = sample_function("scale", {type, type}, [](std::span<const Tensor> x) -> Tensors {
          return {core::mul(x[0], x[1])};
        });
        const Function twice = sample_function("twice", {{f64, {}}}, [](std::span<const Tensor> x) -> Tensors {
          return {core::mul(x[0], core::full(x[0].type(), 2))};
        });
        return std::vector<Sample>{
            {.operands = {{.shape = {3}, .dtype = f64}, {.shape = {3}, .dtype = f64}},
             .attrs = {attr(backward, scale), attr(num_residuals, 1)}},
            {.operands = {{.dtype = f64}}, .attrs = {attr(backward, twice), attr(num_residuals, 0)}}};
      },
      .rejects = [] {
        const Type type{f64, {3}};
        const Function scale = sample_function("scale", {type, type}, [](std::span<const Tensor> x) -> Tensors {
          return {core::mul(x[0], x[1])};
        });
        return std::vector<Reject>{{.operands = {type}, .attrs = {attr(backward, scale), attr(num_residuals, 1)},
                                    .id = ErrorId::region_signature, .message = "do not fit `backward`"}};
      },
  };
}

}  // namespace calx::ops
