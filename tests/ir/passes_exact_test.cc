// Passes keep every bit: random programs of core ops, regions among them, on ordinary and on corner values; and passes keep
// what a Function promises to its callers. Long programs take linear time and no stack.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "calx/core/core_ops.h"
#include "calx/core/evaluator.h"
#include "calx/core/trace.h"
#include "calx/passes/passes.h"
#include "calx/transforms/transforms.h"

namespace calx::passes_exact_test {
namespace {

Function traced(const std::vector<Argument>& arguments, const TraceBody& body) {
  return trace_flat(arguments, body, {.name = "f"}).function;
}

/// A random program over f32[2,3] that keeps to what the passes treat: views and their chains, constants, selections,
/// equal and unused parts, calls and barriers.
class Programs {
 public:
  explicit Programs(unsigned seed) : random_(seed) {}

  Function make(int equations, int depth = 1) {
    return traced({{"x", kType}, {"y", kType}}, [&](std::span<const Tensor> arguments) -> Tensors {
      Tensors values(arguments.begin(), arguments.end());
      for (int i = 0; i < equations; ++i) values.push_back(step(values, depth));
      return {values.back(), pick(values)};
    });
  }

  Array value() {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    const float corners[] = {0.0F, -0.0F, 1.0F, -1.0F, kInf, -kInf, kNaN, 1e-40F, 3e38F};
    std::vector<float> elements;
    for (int i = 0; i < 6; ++i) {
      elements.push_back(below(2) == 0 ? corners[below(std::size(corners))] : static_cast<float>(below(100)) * 0.125F - 6);
    }
    return Array::from<float>({2, 3}, elements);
  }

 private:
  static inline const Type kType{f32, {2, 3}};

  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  const Tensor& pick(const Tensors& values) { return values[below(values.size())]; }

  Tensor step(const Tensors& values, int depth) {
    const Tensor& a = pick(values);
    const Tensor& b = pick(values);
    switch (below(18)) {
      case 0: return core::add(a, b);
      case 1: return core::sub(a, b);
      case 2: return core::mul(a, b);
      case 3: return core::strong_mul(a, b);
      case 4: return core::div(a, b);
      case 5: return core::neg(a);
      case 6: return core::neg(core::neg(a));
      case 7: return core::select(core::compare(a, b, static_cast<Comparison>(below(6))), a, b);
      case 8: return core::transpose(core::reshape(core::transpose(a, {1, 0}), {3, 2}), {1, 0});
      case 9: return core::reshape(core::reshape(a, {6}), {2, 3});
      case 10: return core::convert(core::convert(a, f64), f32);
      case 11: return core::convert(core::convert(a, below(2) == 0 ? i32 : f16), f32);
      case 12: return core::expand(core::reduce_sum(a, {0}), {2, 3}, {1});
      case 13: {
        const double constants[] = {1, 0, -0.0, 2.5, -1, std::numeric_limits<double>::infinity()};
        return core::full(kType, constants[below(std::size(constants))]);
      }
      case 14: return Tensor(value());
      case 15: return core::convert(core::iota({2, 3}, static_cast<int>(below(2))), f32);
      case 16: return core::barrier({a, b})[below(2)];
      default: {
        if (depth == 0) return core::mul(core::full(kType, 1), a);
        return core::call(make(6, depth - 1), {a, b})[below(2)];
      }
    }
  }

  std::mt19937 random_;
};

TEST(Passes, RandomProgramsKeepEveryBit) {
  std::vector<Pass> passes(default_pipeline().begin(), default_pipeline().end());
  passes.push_back({"optimize", optimize});
  std::size_t before = 0;
  std::size_t after = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    Programs programs(seed);
    const Function f = programs.make(40);
    const std::vector<Array> arguments = {programs.value(), programs.value()};
    const std::vector<Array> expected = default_evaluator().run(f, arguments);
    for (const Pass& pass : passes) {
      const Function g = pass(f);
      ASSERT_EQ(g.arguments(), f.arguments());
      ASSERT_EQ(g.result_types(), f.result_types());
      ASSERT_TRUE(default_evaluator().run(g, arguments) == expected) << pass.name << " seed " << seed;
    }
    before += f.count_equations();
    after += optimize(f).count_equations();
  }
  EXPECT_LT(after, before * 3 / 4);
}

TEST(Passes, AreIdempotentOnTheirOwn) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Function f = Programs(seed).make(40);
    for (const Pass& pass : default_pipeline()) {
      const Function g = pass(f);
      EXPECT_TRUE(pass(g) == g) << pass.name << " seed " << seed;
    }
  }
}

TEST(Passes, KeepTheInterface) {
  const Dim h = Dim::symbol("H");
  const Type type{f32, {h, 3}};
  const auto body = [](std::span<const Tensor> x) -> Tensors {
    const Tensor unused = core::mul(x[0], x[1]);
    return {core::add(core::mul(x[0], core::ones(x[0].type())), core::neg(core::neg(x[1])))};
  };
  const Function f = trace_flat({{"image", type}, {"scale", type}, {"unused", {f64, {}}}}, body,
                                {.name = "model", .result_names = {"image out"}, .where = {h - 3}})
                         .function.with_donations({{1, 0}});
  for (const Pass& pass : default_pipeline()) {
    const Function g = pass(f);
    EXPECT_EQ(g.name(), "model") << pass.name;
    EXPECT_EQ(g.arguments(), f.arguments()) << pass.name;
    EXPECT_EQ(g.results()[0].name, "image out") << pass.name;
    EXPECT_EQ(g.where(), f.where()) << pass.name;
    EXPECT_EQ(g.donations(), f.donations()) << pass.name;
  }
  EXPECT_EQ(optimize(f).count_equations(), 1u);
}

TEST(Passes, GradientsShrink) {
  const Type square{f32, {4, 4}};
  const Function f = traced({{"x", square}, {"a", square}, {"b", square}, {"c", square}},
                            [](std::span<const Tensor> v) -> Tensors {
                              Tensor x = v[0];
                              for (int layer = 1; layer <= 3; ++layer) {
                                const Tensor y = core::add(core::mul(x, v[static_cast<std::size_t>(layer)]), x);
                                x = core::div(y, core::full(y.type(), 3));
                              }
                              return {core::reduce_sum(x, {0, 1})};
                            });
  const Function gradient = vjp(f, {true, true, true, true});
  const Function smaller = optimize(gradient);
  EXPECT_LT(smaller.count_equations(), gradient.count_equations());
  std::vector<Array> arguments;
  for (int i = 0; i < 4; ++i) {
    std::vector<float> values;
    for (int k = 0; k < 16; ++k) values.push_back(static_cast<float>((k * 7 + i * 5) % 11) - 5);
    arguments.push_back(Array::from<float>({4, 4}, values));
  }
  arguments.push_back(Array::scalar<float>(1));
  EXPECT_TRUE(default_evaluator().run(smaller, arguments) == default_evaluator().run(gradient, arguments));
}

TEST(Passes, CheckedIndexThatFailsStays) {
  const Function f = traced({{"x", {f32, {}}}}, [](std::span<const Tensor> x) -> Tensors {
    return {core::checked_index(scalar<std::int32_t>(7), 3), core::checked_index(scalar<std::int32_t>(2), 3), x[0]};
  });
  const Function g = optimize(f);
  EXPECT_EQ(g.equations().size(), 3u);  // two constants and the failing check
  EXPECT_THROW((void)default_evaluator().run(g, {Array::scalar<float>(0)}), Error);
}

TEST(Passes, AMillionEquationsInARow) {
  for (int kind = 0; kind < 3; ++kind) {
    const Function f = traced({{"x", {f32, {2}}}}, [kind](std::span<const Tensor> x) -> Tensors {
      Tensor value = x[0];
      const Tensor one = core::ones(value.type());
      Tensor constant = core::full(value.type(), 3);
      for (int i = 0; i < 1'000'000; ++i) {
        if (kind == 0) value = core::neg(value);            // simplify
        if (kind == 1) value = core::add(value, one);       // nothing to do
        if (kind == 2) constant = core::add(constant, one); // fold
      }
      return {kind == 2 ? core::add(value, constant) : value};
    });
    const Function g = optimize(f);
    EXPECT_LE(g.equations().size(), kind == 1 ? 1'000'002u : 3u);
  }
}

}  // namespace
}  // namespace calx::passes_exact_test
