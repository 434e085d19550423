#include "pointwise/_families.h"

namespace calx::ops::pointwise {

Spec choice(std::string_view name, OpDoc doc, Comparison beats) {
  doc.gradient = "1 to the chosen operand, 0 to the other; 1/2 to each at a tie";
  const Comparison not_worse = beats == Comparison::gt ? Comparison::ge : Comparison::le;
  return {.name = name,
          .doc = doc,
          .jvp =
              [beats, not_worse](const Call& c, const Tangents& t) {
                // 1 where operand i is chosen, 1/2 at ties. Where either is NaN: 0.
                const auto share = [&](int i) {
                  const Tensor chosen = indicator(compare(c[i], c[1 - i], not_worse), c.dtype(i));
                  const Tensor alone = indicator(compare(c[i], c[1 - i], beats), c.dtype(i));
                  return 0.5 * (chosen + alone);
                };
                Tangent result = Tangent::zero(c.type(0));
                for (int i : {0, 1}) {
                  const Tangent& one = t[static_cast<std::size_t>(i)];
                  if (!one.is_zero()) result += share(i) * one;
                }
                return Tangents(result);
              },
          .simplify = [](const Call& c) -> std::optional<Results> {
            // Of floats this is not exact: a NaN that is not canonical becomes so.
            if (!c.dtype(0).is_floating() && is_same(c[0], c[1])) return Results(c[0]);
            return std::nullopt;
          },
          .numerics = {}};
}

OpDef classifier(std::string_view name, OpDoc doc, ReferenceRule reference, loopir::ScalarFunction function) {
  doc.gradient = "none: the result is boolean";
  doc.accuracy = "exact";
  OpDef op =
      define({.name = name, .doc = doc, .jvp = PiecewiseConstant{}, .numerics = {}, .to_boolean = true},
             DTypes::floating, 1, std::move(reference), lower::pointwise([function](loopir::Scalar x) {
               return loopir::Scalar::apply(function, {std::move(x)});
             }));
  op.samples = [] {
    std::vector<Sample> samples = pointwise_samples()();
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    samples.push_back(
        {.operands = {{.shape = {2, 3}, .draw = Draw::given, .values = {nan, -inf, inf, 1, nan, inf}}}});
    return samples;
  };
  return op;
}

}  // namespace calx::ops::pointwise
