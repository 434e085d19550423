#include "reduction/_support.h"

namespace calx::ops {

using namespace reduction;

namespace {

/// x with the reduced axes last, as one.
Tensor gather_axes(const Tensor& x, const Axes& reduced) {
  Axes permutation = kept_axes(x.rank(), reduced);
  std::vector<Dim> dims;
  for (std::int64_t axis : permutation) dims.push_back(x.shape()[static_cast<int>(axis)]);
  dims.push_back(count(x.shape(), reduced));
  permutation.insert(permutation.end(), reduced.begin(), reduced.end());
  return core::reshape(core::transpose(x, permutation), Shape(std::move(dims)));
}

/// The product of the elements before each one (after it, in reverse).
Tensor products_before(const Tensor& x, bool reverse) {
  static const OpDef& op = get_op("cumprod");
  Attrs attrs;
  attrs.set_value("axis", std::int64_t{x.rank() - 1}).set_value("exclusive", true).set_value("reverse", reverse);
  return apply_one(op, {x}, attrs);
}

}  // namespace

OpDef reduce_prod() {
  return {
      .name = "reduce_prod",
      .family = "reduction",
      .doc = {.summary = "Product over axes, in the fixed order of reductions.",
              .math = "y[kept] = product over axes of x[kept, axes]",
              .shapes = "`x: f32[a,b]`, axes [1] -> `f32[a]`",
              .gradient = "the product of the elements before times that of the elements after, without division: exact where "
                          "elements are 0, at every order",
              .accuracy = "accumulated in `accumulation` (f32 for f16 and bf16, i32 or u32 for narrow integers), converted to the "
                          "operand's dtype once; integers wrap; an empty axis gives 1",
              .errors = "axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204",
              .example = "reduce_prod(tensor({2, 3, 4}), {0})  // f32[] 24",
              .source = "jax.lax.reduce_prod"},
      .operands = {{"x", DTypes::numeric}},
      .attrs = {axes, accumulation},
      .form = Primitive{
          .infer = [](const Call& c) {
            const Axes reduced = normal_axes(c, c[axes]);
            check_accumulation(c);
            return Types(Type{c.dtype(0), without(c.shape(0), reduced)});
          },
          .jvp = [](const Call& c, const Tangents& t) {
            if (t[0].is_zero()) return Tangents(Tangent::zero(c.result_type()));
            const Axes reduced = normal_axes(c, c[axes]);
            const Tensor x = gather_axes(core::convert(c[0], computation(c)), reduced);
            const Tensor others = products_before(x, false) * products_before(x, true);
            // The tangent takes the same way as x.
            Axes permutation = kept_axes(c.type(0).rank(), reduced);
            permutation.insert(permutation.end(), reduced.begin(), reduced.end());
            const Tangent row = calx::convert(calx::reshape(calx::transpose(t[0], permutation), x.shape()), x.dtype());
            return Tangents(calx::convert(calx::reduce_sum(others * row, {x.rank() - 1}), c.dtype(0)));
          },
          .linear = NotLinear{},
          .batch = batch_reduction(),
          .simplify = simplify_reduction(),
          .reference = reduction_reference<loopir::Prod>(&accumulation),
          .lower = lower::reduction(axes, loopir::Combiner::prod, &accumulation)},
      .samples = samples(Draw::positive, {{.operands = {{.shape = {2, 0}}}, .attrs = {attr(axes, {1})}},
                                          {.operands = {{.shape = {4}, .dtype = f16}},
                                           .attrs = {attr(axes, {0}), attr(accumulation, f64)}}}),
      .rejects = [] {
        std::vector<Reject> rejects = axis_rejects(f32, boolean);
        append_accumulation_rejects(rejects, {attr(axes, {0})});
        return rejects;
      },
  };
}

}  // namespace calx::ops
