#include "support.h"

namespace calx::ops {

OpDef compare() {
  return {
      .name = "compare",
      .family = "core",
      .doc = {.summary = "Compares element by element.",
              .math = "y = lhs (comparison) rhs",
              .shapes = "`lhs: f32[a]`, `rhs: f32[a]` -> `bool[a]`",
              .gradient = "none: the result is boolean",
              .accuracy = "exact; every comparison with NaN is false, but ne is true; -0 equals +0",
              .errors = "shapes that differ: CALX-E202; dtypes that differ: CALX-E102",
              .example = "tensor({1, 2}) < 2.0  // bool[2] [true, false]",
              .source = "IEEE 754 comparisons; numpy.less and its like"},
      .operands = {{"lhs", DTypes::any}, {"rhs", DTypes::any}},
      .attrs = {comparison},
      .binding = Binding::broadcast,
      .form = Primitive{
          .infer = infer::pointwise_to(boolean),
          .jvp = PiecewiseConstant{},
          .linear = NotLinear{},
          .batch = batch::pointwise,
          .simplify = NoIdentity{},
          .reference = [](const ReferenceCall& c) -> std::vector<Array> {
            Array out = c.result();
            bool* to = out.mutable_data<bool>();
            visit_dtype(c[0].dtype(), [&]<class T>(std::type_identity<T>) {
              const T* lhs = c[0].data<T>();
              const T* rhs = c[1].data<T>();
              using C = ComputeType<T>;
              const auto run = [&](auto holds) {
                for (std::int64_t i = 0; i < out.num_elements(); ++i) to[i] = holds(C(lhs[i]), C(rhs[i]));
              };
              switch (c[comparison]) {
                case Comparison::eq: run([](C a, C b) { return math::equal(a, b); }); break;
                case Comparison::ne: run([](C a, C b) { return math::not_equal(a, b); }); break;
                case Comparison::lt: run([](C a, C b) { return math::less(a, b); }); break;
                case Comparison::le: run([](C a, C b) { return math::less_equal(a, b); }); break;
                case Comparison::gt: run([](C a, C b) { return math::greater(a, b); }); break;
                case Comparison::ge: run([](C a, C b) { return math::greater_equal(a, b); }); break;
              }
            });
            return {std::move(out)};
          },
          .lower = [](const Call& c) -> loopir::Lowered {
            using loopir::ScalarFunction;
            constexpr ScalarFunction functions[] = {ScalarFunction::equal,      ScalarFunction::not_equal,
                                                    ScalarFunction::less,       ScalarFunction::less_equal,
                                                    ScalarFunction::greater,    ScalarFunction::greater_equal};
            const ScalarFunction function = functions[static_cast<int>(c[comparison])];
            return lower::pointwise([function](loopir::Scalar a, loopir::Scalar b) {
              return loopir::Scalar::apply(function, {std::move(a), std::move(b)});
            })(c);
          }},
      .samples = [] {
        std::vector<Sample> samples;
        for (int i = 0; i < 6; ++i) {
          samples.push_back({.operands = {{.shape = {2, 3}}, {.shape = {2, 3}}},
                             .attrs = {attr(comparison, static_cast<Comparison>(i))}});
        }
        samples.push_back({.operands = {{}, {}}, .attrs = {attr(comparison, Comparison::le)}});
        samples.push_back({.operands = {{.shape = {0}}, {.shape = {0}}}, .attrs = {attr(comparison, Comparison::eq)}});
        samples.push_back({.operands = {{.shape = {4}, .draw = Draw::given, .values = {1, 2, 2, 0}},
                                        {.shape = {4}, .draw = Draw::given, .values = {1, 3, 1, 0}}},
                           .attrs = {attr(comparison, Comparison::ge)}});
        return samples;
      },
      .rejects = [] {
        return std::vector<Reject>{{.operands = {{f32, {2}}, {f32, {3}}},
                                    .attrs = {attr(comparison, Comparison::lt)},
                                    .id = ErrorId::shape_mismatch,
                                    .message = "`rhs` f32[3]"}};
      },
  };
}

}  // namespace calx::ops
