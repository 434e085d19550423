// The transforms on small functions of core ops: exact values, composition, names, errors.
#include <gtest/gtest.h>

#include "calx/core/core_ops.h"
#include "calx/core/evaluator.h"
#include "calx/core/trace.h"
#include "calx/transforms/transforms.h"

namespace calx::basic_test {
namespace {

std::vector<double> run(const Function& f, std::vector<std::vector<double>> arguments) {
  std::vector<Array> arrays;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Type& type = f.arguments()[i].type;
    std::vector<std::int64_t> sizes;
    if (type.rank() == 1) sizes = {static_cast<std::int64_t>(arguments[i].size())};
    if (type.rank() == 2) sizes = {2, static_cast<std::int64_t>(arguments[i].size()) / 2};
    arrays.push_back(Array::from<double>(sizes, arguments[i]));
  }
  std::vector<double> flat;
  for (const Array& result : default_evaluator().run(f, arrays)) {
    for (std::int64_t i = 0; i < result.num_elements(); ++i) flat.push_back(result.element_as_double(i));
  }
  return flat;
}

/// f(x, y) = sum(x * x / y)
Function quotient(const Shape& shape = {2}) {
  return trace_flat({{"x", {f64, shape}}, {"y", {f64, shape}}},
                    [](std::span<const Tensor> a) -> Tensors {
                      return {core::reduce_sum(core::div(core::mul(a[0], a[0]), a[1]), {0})};
                    },
                    {.name = "quotient"})
      .function;
}

using Values = std::vector<double>;

TEST(Transforms, JvpGivesValueAndTangent) {
  const Function f = jvp(quotient(), {true, true});
  ASSERT_EQ(f.arguments().size(), 4u);
  EXPECT_EQ(f.arguments()[2].name, "x.t");
  EXPECT_EQ(f.results()[1].name, "out.t");
  // 2 x dx / y - x^2 dy / y^2
  EXPECT_EQ(run(f, {{1, 2}, {2, 4}, {1, 0}, {0, 1}}), (Values{1.5, 1 - 0.25}));
}

TEST(Transforms, VjpGivesValueAndGradient) {
  const Function f = vjp(quotient(), {true, true});
  EXPECT_EQ(f.arguments()[2].name, "out.ct");
  EXPECT_EQ(f.results()[1].name, "x.ct");
  EXPECT_EQ(run(f, {{1, 2}, {2, 4}, {1}}), (Values{1.5, 1, 1, -0.25, -0.25}));
}

TEST(Transforms, ModesComposeToTheSameHessianVectorProduct) {
  const std::vector<Values> at = {{1, 2}, {2, 4}, {1}, {1, 3}};
  // d/dx of the gradient 2x/y along v: 2v/y.
  const Function forward_over_reverse = jvp(vjp(quotient(), {true, false}), {true, false, false});
  EXPECT_EQ(run(forward_over_reverse, at), (Values{1.5, 1, 1, 2.5 + 1.5, 1, 1.5}));
  const Function reverse_over_forward = vjp(jvp(quotient(), {true, false}), {true, false, false});
  EXPECT_EQ(run(reverse_over_forward, {{1, 2}, {2, 4}, {1, 3}, {0}, {1}}), (Values{1.5, 4, 1, 1.5}));
  const Function reverse_over_reverse = vjp(vjp(quotient(), {true, false}), {true, false, false});
  EXPECT_EQ(run(reverse_over_reverse, {{1, 2}, {2, 4}, {1}, {0}, {1, 3}}), (Values{1.5, 1, 1, 1, 1.5}));
}

TEST(Transforms, LinearizeSplitsKnownFromLinear) {
  const Linearized parts = linearize(quotient(), {true, false});
  const std::vector<double> forward = run(parts.forward, {{1, 2}, {2, 4}});
  EXPECT_EQ(forward[0], 1.5);
  EXPECT_EQ(static_cast<int>(parts.forward.results().size()), 1 + parts.num_residuals);
  std::vector<Array> operands = default_evaluator().run(
      parts.forward, {Array::from<double>({2}, Values{1, 2}), Array::from<double>({2}, Values{2, 4})});
  operands.erase(operands.begin());
  operands.push_back(Array::from<double>({2}, Values{1, 3}));
  EXPECT_EQ(default_evaluator().run(parts.linear, operands)[0].element_as_double(0), 1 + 3);
}

TEST(Transforms, TransposeOfALinearFunction) {
  const Function scale = trace_flat({{"k", {f64, {2}}}, {"x", {f64, {2}}}},
                                    [](std::span<const Tensor> a) -> Tensors {
                                      return {core::reduce_sum(core::mul(a[0], a[1]), {0})};
                                    })
                             .function;
  EXPECT_EQ(run(transpose(scale, {false, true}), {{3, 5}, {2}}), (Values{6, 10}));
  try {
    (void)transpose(quotient(), {true, false});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), ErrorId::not_linear);
  }
}

TEST(Transforms, VmapEqualsStacking) {
  const Function f = vmap(quotient(), {0, std::nullopt}, 2);
  EXPECT_EQ(run(f, {{1, 2, 3, 4}, {2, 4}}), (Values{1.5, 4.5 + 4}));
  const Function per_sample = vmap(vjp(quotient(), {true, false}), {0, std::nullopt, std::nullopt}, 2);
  EXPECT_EQ(run(per_sample, {{1, 2, 3, 4}, {2, 4}, {1}}), (Values{1.5, 8.5, 1, 1, 3, 2}));
}

TEST(Transforms, SymbolicSizesBindFromArguments) {
  const Function f = vjp(quotient({Dim::symbol("N")}), {true, false});
  EXPECT_EQ(run(f, {{1, 2}, {2, 4}, {1}}), (Values{1.5, 1, 1}));
  const Function bound = bind(f, {{"N", 3}});
  EXPECT_EQ(bound.arguments()[0].type.to_string(), "f64[3]");
}

TEST(Transforms, AnUntakenBranchNeverPoisons) {
  // where(x < 1, x, 1 / x) at 0: the slope of 1/x is infinite there and must not matter.
  const Function f = trace_flat({{"x", {f64, {2}}}},
                                [](std::span<const Tensor> a) -> Tensors {
                                  const Tensor one = core::ones(a[0].type());
                                  return {core::select(core::compare(a[0], one, Comparison::lt), a[0],
                                                       core::div(one, a[0]))};
                                })
                         .function;
  EXPECT_EQ(run(vjp(f, {true}), {{0, 2}, {1, 1}}), (Values{0, 0.5, 1, -0.25}));
  EXPECT_EQ(run(jvp(f, {true}), {{0, 2}, {1, 1}}), (Values{0, 0.5, 1, -0.25}));
}

TEST(Transforms, IntegersHaveNoGradient) {
  const Function f =
      trace_flat({{"n", {i32, {2}}}}, [](std::span<const Tensor> a) -> Tensors { return {core::convert(a[0], f32)}; })
          .function;
  try {
    (void)vjp(f, {true});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), ErrorId::grad_integer);
    EXPECT_EQ(error.facts()[0].second, "n");
  }
}

}  // namespace
}  // namespace calx::basic_test
