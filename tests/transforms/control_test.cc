// Region ops through every transform: scan, cond, while_loop, checkpoint and custom rules, nested in each other.
#include <gtest/gtest.h>

#include "calx/core/core_ops.h"
#include "calx/core/evaluator.h"
#include "calx/ops.h"
#include "calx/ops/control.h"
#include "calx/transforms/transforms.h"

namespace calx::control_test {
namespace {

using Values = std::vector<double>;

Values run(const Function& f, const std::vector<Array>& arguments) {
  Values flat;
  for (const Array& result : default_evaluator().run(f, arguments)) {
    for (std::int64_t i = 0; i < result.num_elements(); ++i) flat.push_back(result.element_as_double(i));
  }
  return flat;
}
Array scalar64(double value) { return Array::scalar<double>(value); }
Array vector64(const Values& values) { return Array::from<double>({static_cast<std::int64_t>(values.size())}, values); }
Tensor constant(double value) { return scalar<double>(value); }

/// f(w, xs): h = 0; h = h * w + x for each x; sum of h.
Function recurrence(const Dim& length, bool reverse = false) {
  return trace_flat({{"w", {f64, {}}}, {"xs", {f64, {length}}}},
                    [reverse](std::span<const Tensor> a) -> Tensors {
                      const Tensor& w = a[0];
                      const ScanFlatResult result = scan_flat(
                          [&](std::span<const Tensor> s) -> Tensors {
                            const Tensor h = core::add(core::mul(s[0], w), s[1]);
                            return {h, core::mul(h, h)};
                          },
                          {constant(0)}, {a[1]}, {.reverse = reverse});
                      return {result.carry[0], core::reduce_sum(result.ys[0], {0})};
                    },
                    {.name = "recurrence"})
      .function;
}

TEST(Control, ScanValuesAndDerivatives) {
  const Function f = recurrence(3);
  // h: 1, w + 2, w^2 + 2w + 3 at w = 2: 1, 4, 11.
  EXPECT_EQ(run(f, {scalar64(2), vector64({1, 2, 3})}), (Values{11, 1 + 16 + 121}));
  // dh/dw: 0, 1, 2w + 2 = 6.
  EXPECT_EQ(run(jvp(f, {true, false}), {scalar64(2), vector64({1, 2, 3}), scalar64(1)}),
            (Values{11, 138, 6, 2 * 4 * 1 + 2 * 11 * 6}));
  EXPECT_EQ(run(vjp(f, {true, true}), {scalar64(2), vector64({1, 2, 3}), scalar64(1), scalar64(0)}),
            (Values{11, 138, 6, 4, 2, 1}));
  // d2h/dw2 = 2 for the last.
  const Function second = vjp(vjp(f, {true, false}), {true, false, false, false});
  EXPECT_EQ(run(second, {scalar64(2), vector64({1, 2, 3}), scalar64(1), scalar64(0), scalar64(0), scalar64(0), scalar64(1)})[3],
            2);
}

TEST(Control, ScanInReverseAndSymbolicLength) {
  const Function f = recurrence(Dim::symbol("T"), true);
  // h: 3, 2w + ... reversed: 3, 3w + 2, 3w^2 + 2w + 1 = 17.
  EXPECT_EQ(run(vjp(f, {true, true}), {scalar64(2), vector64({1, 2, 3}), scalar64(1), scalar64(0)}),
            (Values{17, 9 + 64 + 289, 14, 1, 2, 4}));
  EXPECT_EQ(run(vjp(f, {true, true}), {scalar64(2), vector64({}), scalar64(1), scalar64(0)}), (Values{0, 0, 0}));
  EXPECT_EQ(run(vjp(f, {true, true}), {scalar64(2), vector64({5}), scalar64(1), scalar64(0)}), (Values{5, 25, 0, 1}));
}

TEST(Control, ScanGradientGraphDoesNotGrowWithLength) {
  EXPECT_EQ(vjp(recurrence(10), {true, true}).count_equations(), vjp(recurrence(10000), {true, true}).count_equations());
}

TEST(Control, VmapOfScan) {
  const Function f = vmap(recurrence(3), {0, std::nullopt}, 2);
  EXPECT_EQ(run(f, {vector64({2, 0}), vector64({1, 2, 3})}), (Values{11, 3, 138, 14}));
  const Function g = vmap(vjp(recurrence(3), {true, true}), {0, std::nullopt, std::nullopt, std::nullopt}, 2);
  EXPECT_EQ(run(g, {vector64({2, 0}), vector64({1, 2, 3}), scalar64(1), scalar64(0)}),
            (Values{11, 3, 138, 14, 6, 2, 4, 2, 1, 0, 0, 1}));
}

/// x > 0 ? a loop that doubles x until it is at least 8 : -x. The loop ends only for positive x.
Function loop_in_cond(std::optional<Dim> max_steps = {}) {
  return trace_flat({{"x", {f64, {}}}},
                    [max_steps](std::span<const Tensor> a) -> Tensors {
                      return cond_flat(
                          core::compare(a[0], constant(0), Comparison::gt),
                          [&](std::span<const Tensor> x) {
                            return while_loop_flat(
                                [](std::span<const Tensor> c) -> Tensors {
                                  return {core::compare(c[0], constant(8), Comparison::lt)};
                                },
                                [](std::span<const Tensor> c) -> Tensors { return {core::mul(c[0], constant(2))}; },
                                {x[0]}, {.max_steps = max_steps});
                          },
                          [](std::span<const Tensor> x) -> Tensors { return {core::neg(x[0])}; }, {a[0]});
                    })
      .function;
}

TEST(Control, ALoopThatTakesNoStepChecksNothing) {
  // The index depends on no step, and is out of range; over no steps nobody looks at it.
  const Function f = trace_flat({{"w", {f64, {3}}}, {"i", {i32, {}}}, {"xs", {f64, {Dim::symbol("T")}}}},
                                [](std::span<const Tensor> a) -> Tensors {
                                  return scan_flat(
                                             [&](std::span<const Tensor> s) -> Tensors {
                                               const Tensor picked = take(a[0], a[1], {.axis = 0});
                                               return {core::add(s[0], core::mul(s[1], core::mul(picked, picked)))};
                                             },
                                             {constant(1)}, {a[2]})
                                      .carry;
                                })
                         .function;
  const Function gradient = vjp(f, {true, false, true});
  const auto at = [&](std::int32_t index, const Values& xs) {
    return run(gradient, {vector64({1, 2, 3}), Array::scalar<std::int32_t>(index), vector64(xs), scalar64(1)});
  };
  EXPECT_EQ(at(7, {}), (Values{1, 0, 0, 0}));
  EXPECT_EQ(at(1, {5}), (Values{21, 0, 20, 0, 4}));
  EXPECT_THROW(at(7, {5}), Error);
}

TEST(Control, SumsOverStepsAreRoundedOnce) {
  // d/dw of the sum of w over 4,096 steps: bf16 would stop counting at 256.
  const Function f = trace_flat({{"w", {bf16, {}}}, {"xs", {bf16, {4096}}}},
                                [](std::span<const Tensor> a) -> Tensors {
                                  return scan_flat(
                                             [&](std::span<const Tensor> s) -> Tensors {
                                               return {s[0], core::mul(a[0], s[1])};
                                             },
                                             {core::zeros({bf16, {}})}, {a[1]})
                                      .ys;
                                })
                         .function;
  const Array one = core::convert(core::ones({f32, {4096}}), bf16).value();
  const Values result = run(vjp(f, {true, false}), {core::convert(constant(1), bf16).value(), one, one});
  EXPECT_EQ(result.back(), 4096);
}

TEST(Control, LoopInAnUntakenBranchOfABatchedCondTerminates) {
  const Function f = vmap(loop_in_cond(), {0}, 4);
  EXPECT_EQ(run(f, {vector64({1, -1, 3, -5})}), (Values{8, 1, 12, 5}));
  const Function tangent = vmap(jvp(loop_in_cond(), {true}), {0, 0}, 4);
  EXPECT_EQ(run(tangent, {vector64({1, -1, 3, -5}), vector64({1, 1, 1, 1})}), (Values{8, 1, 12, 5, 8, -1, 4, -1}));
}

TEST(Control, WhileInReverseNeedsABound) {
  try {
    (void)vjp(loop_in_cond(), {true});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), ErrorId::unbounded_reverse);
  }
  const Function f = vjp(loop_in_cond(Dim(5)), {true});
  EXPECT_EQ(run(f, {scalar64(1), scalar64(1)}), (Values{8, 8}));
  EXPECT_EQ(run(f, {scalar64(-3), scalar64(1)}), (Values{3, -1}));
  const Function batched = vmap(f, {0, 0}, 3);
  EXPECT_EQ(run(batched, {vector64({1, -1, 3}), vector64({1, 1, 1})}), (Values{8, 1, 12, 8, -1, 4}));
}

TEST(Control, CheckpointRecomputesAndKeepsDerivatives) {
  const Function f = trace_flat({{"x", {f64, {}}}},
                                [](std::span<const Tensor> a) {
                                  return checkpoint_flat(
                                      [](std::span<const Tensor> x) -> Tensors {
                                        return {core::mul(x[0], core::mul(x[0], x[0]))};
                                      },
                                      {a[0]});
                                })
                         .function;
  EXPECT_EQ(run(vjp(f, {true}), {scalar64(2), scalar64(1)}), (Values{8, 12}));
  EXPECT_EQ(run(vjp(vjp(f, {true}), {true, false}), {scalar64(2), scalar64(1), scalar64(0), scalar64(1)}), (Values{8, 12, 12}));
  EXPECT_EQ(run(jvp(vjp(f, {true}), {true, false}), {scalar64(2), scalar64(1), scalar64(1)}), (Values{8, 12, 12, 12}));
  EXPECT_EQ(run(vmap(vjp(f, {true}), {0, std::nullopt}, 2), {vector64({2, 3}), scalar64(1)}), (Values{8, 27, 12, 27}));
}

Tensors cube(std::span<const Tensor> x) { return {core::mul(x[0], core::mul(x[0], x[0]))}; }

TEST(Control, CustomJvpRuleIsUsedInEveryMode) {
  // A rule that says 100 dx, so that its use shows.
  const Function f = trace_flat({{"x", {f64, {}}}},
                                [](std::span<const Tensor> a) {
                                  return custom_jvp_flat(cube,
                                                         [](std::span<const Tensor> x) -> Tensors {
                                                           Tensors y = cube(x);
                                                           y.push_back(core::mul(x[1], core::mul(x[0], constant(100))));
                                                           return y;
                                                         },
                                                         {a[0]});
                                })
                         .function;
  EXPECT_EQ(run(jvp(f, {true}), {scalar64(2), scalar64(1)}), (Values{8, 200}));
  EXPECT_EQ(run(vjp(f, {true}), {scalar64(2), scalar64(1)}), (Values{8, 200}));
  EXPECT_EQ(run(vmap(vjp(f, {true}), {0, std::nullopt}, 2), {vector64({2, 3}), scalar64(1)}), (Values{8, 27, 200, 300}));
  EXPECT_EQ(run(jvp(vjp(f, {true}), {true, false}), {scalar64(2), scalar64(1), scalar64(1)})[3], 100);
}

Function custom_vjp_function(bool linear) {
  return trace_flat({{"x", {f64, {}}}},
                    [linear](std::span<const Tensor> a) {
                      return custom_vjp_flat(cube,
                                             [](std::span<const Tensor> x) -> Tensors {
                                               Tensors y = cube(x);
                                               y.push_back(x[0]);
                                               return y;
                                             },
                                             [linear](std::span<const Tensor> r) -> Tensors {
                                               const Tensor ct = linear ? r[1] : core::mul(r[1], r[1]);
                                               return {core::mul(ct, core::mul(r[0], constant(100)))};
                                             },
                                             {a[0]});
                    })
      .function;
}

TEST(Control, CustomVjpRuleIsUsedInEveryMode) {
  const Function f = custom_vjp_function(true);
  EXPECT_EQ(run(vjp(f, {true}), {scalar64(2), scalar64(3)}), (Values{8, 600}));
  EXPECT_EQ(run(jvp(f, {true}), {scalar64(2), scalar64(3)}), (Values{8, 600}));
  EXPECT_EQ(run(vjp(vjp(f, {true}), {true, false}), {scalar64(2), scalar64(1), scalar64(0), scalar64(1)})[2], 100);
  EXPECT_EQ(run(vmap(vjp(f, {true}), {0, std::nullopt}, 2), {vector64({2, 3}), scalar64(1)}), (Values{8, 27, 200, 300}));
}

TEST(Control, CustomVjpThatIsNotLinearWorksInReverseOnly) {
  const Function f = custom_vjp_function(false);
  EXPECT_EQ(run(vjp(f, {true}), {scalar64(2), scalar64(3)}), (Values{8, 1800}));
  EXPECT_EQ(run(vjp(vjp(f, {true}), {true, false}), {scalar64(2), scalar64(3), scalar64(0), scalar64(1)})[2], 900);
  try {
    (void)run(jvp(f, {true}), {scalar64(2), scalar64(3)});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), ErrorId::not_linear);
  }
}

TEST(Control, RegionsNestInEachOther) {
  // scan of checkpoint of cond of (scan of products), gradient of gradient, batched.
  const Function f = trace_flat(
                         {{"x", {f64, {}}}},
                         [](std::span<const Tensor> a) -> Tensors {
                           const Tensor& x = a[0];
                           return scan_flat(
                                      [&](std::span<const Tensor> s) -> Tensors {
                                        return checkpoint_flat(
                                            [&](std::span<const Tensor> c) -> Tensors {
                                              return cond_flat(
                                                  core::compare(x, constant(1), Comparison::gt),
                                                  [&](std::span<const Tensor> y) -> Tensors {
                                                    return scan_flat(
                                                               [&](std::span<const Tensor> z) -> Tensors {
                                                                 return {core::mul(z[0], x)};
                                                               },
                                                               {y[0]}, {}, {.length = Dim(2)})
                                                        .carry;
                                                  },
                                                  [](std::span<const Tensor> y) -> Tensors { return {y[0]}; }, {c[0]});
                                            },
                                            {s[0]});
                                      },
                                      {x}, {}, {.length = Dim(2)})
                               .carry;
                         })
                         .function;
  // x > 1: x^5; else x.
  EXPECT_EQ(run(f, {scalar64(2)}), (Values{32}));
  EXPECT_EQ(run(vjp(f, {true}), {scalar64(2), scalar64(1)}), (Values{32, 80}));
  const Function second = jvp(vjp(f, {true}), {true, false});
  EXPECT_EQ(run(second, {scalar64(2), scalar64(1), scalar64(1)}), (Values{32, 80, 80, 160}));
  const Function reverse_twice = vjp(vjp(f, {true}), {true, false});
  EXPECT_EQ(run(reverse_twice, {scalar64(2), scalar64(1), scalar64(0), scalar64(1)})[2], 160);
  const Function batched = vmap(vjp(f, {true}), {0, std::nullopt}, 2);
  EXPECT_EQ(run(batched, {vector64({2, 0.5}), scalar64(1)}), (Values{32, 0.5, 80, 1}));
}

TEST(Control, ACarryThatChangesItsTypeIsAnError) {
  try {
    (void)trace_flat({{"x", {f64, {}}}}, [](std::span<const Tensor> a) {
      return scan_flat([](std::span<const Tensor> s) -> Tensors { return {core::convert(s[0], f32)}; }, {a[0]}, {},
                       {.length = Dim(2)})
          .carry;
    });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), ErrorId::carry_type);
  }
}

}  // namespace
}  // namespace calx::control_test
