// What transforms promise beside values: names, where clauses, donations, lane masks; and the helpers that rules use.
#include "calx/transforms/rules.h"

#include <gtest/gtest.h>

#include "calx/calx.h"

namespace calx::rules_test {
namespace {

using List = std::span<const Tensor>;
using Names = std::vector<std::string>;
using Values = std::vector<double>;

const Type kVector{f64, {2}};
Array vector64(const Values& values) { return Array::from<double>({static_cast<std::int64_t>(values.size())}, values); }
Values run(const Function& f, const std::vector<Array>& arguments) {
  Values flat;
  for (const Array& result : default_evaluator().run(f, arguments)) {
    for (std::int64_t i = 0; i < result.num_elements(); ++i) flat.push_back(result.element_as_double(i));
  }
  return flat;
}
Names argument_names(const Function& f) {
  Names names;
  for (const Argument& argument : f.arguments()) names.push_back(argument.name);
  return names;
}
Names result_names(const Function& f) {
  Names names;
  for (const Result& result : f.results()) names.push_back(result.name);
  return names;
}

/// (x, n, y) -> (x * y, n, x + x): n is an integer.
Function mixed() {
  return trace_flat({{"x", kVector}, {"n", {i32, {}}}, {"y", kVector}},
                    [](List a) -> Tensors { return {core::mul(a[0], a[2]), a[1], core::add(a[0], a[0])}; },
                    {.name = "mixed", .result_names = {"p", "m", "s"}})
      .function;
}

TEST(Transforms, NamesOfDerivatives) {
  const std::vector<bool> flags = {true, false, true};
  EXPECT_EQ(argument_names(jvp(mixed(), flags)), (Names{"x", "n", "y", "x.t", "y.t"}));
  EXPECT_EQ(result_names(jvp(mixed(), flags)), (Names{"p", "m", "s", "p.t", "s.t"}));
  EXPECT_EQ(argument_names(vjp(mixed(), flags)), (Names{"x", "n", "y", "p.ct", "s.ct"}));
  EXPECT_EQ(result_names(vjp(mixed(), flags)), (Names{"p", "m", "s", "x.ct", "y.ct"}));
  EXPECT_EQ(jvp(mixed(), flags).name(), "mixed");
  // Taken names get numbers.
  const std::vector<bool> again = {true, false, false, false, false};
  EXPECT_EQ(argument_names(jvp(jvp(mixed(), flags), again)), (Names{"x", "n", "y", "x.t", "y.t", "x.t2"}));
  EXPECT_EQ(result_names(jvp(jvp(mixed(), flags), again)),
            (Names{"p", "m", "s", "p.t", "s.t", "p.t2", "s.t2", "p.t.t", "s.t.t"}));
  const Linearized parts = linearize(mixed(), flags);
  EXPECT_EQ(result_names(parts.linear), (Names{"p.t", "s.t"}));
  EXPECT_EQ(argument_names(parts.linear).back(), "y.t");
  EXPECT_EQ(result_names(transpose(parts.linear, [&] {
              std::vector<bool> linear(parts.linear.arguments().size(), false);
              linear[linear.size() - 1] = linear[linear.size() - 2] = true;
              return linear;
            }())),
            (Names{"x.t.ct", "y.t.ct"}));
}

TEST(Transforms, FreshNames) {
  EXPECT_EQ(fresh_name("x", {}), "x");
  EXPECT_EQ(fresh_name("x", {"x"}), "x2");
  EXPECT_EQ(fresh_name("x", {"x2", "x", "x3"}), "x4");
}

TEST(Transforms, WhereClausesStayAndDonationsGo) {
  const Function f = trace([](const Tensor& x) { return x * x; }, {.where = {Dim::symbol("N") - Dim(2)}}, spec(f64, {"N"}))
                         .with_donations({{0, 0}});
  for (const Function& g : {jvp(f, {true}), vjp(f, {true}), vmap(f, {0}, 3), linearize(f, {true}).forward,
                            linearize(f, {true}).linear, keep_results(f, {true})}) {
    EXPECT_EQ(g.where(), f.where());
    EXPECT_TRUE(g.donations().empty());
  }
  const Function halved = substitute(f, {{"N", Dim(2) * Dim::symbol("h")}});
  EXPECT_EQ(halved.arguments()[0].type.to_string(), "f64[2*h]");
  ASSERT_EQ(halved.where().size(), 1u);
  EXPECT_EQ(halved.where()[0].to_string(), "2*h-2");
  EXPECT_EQ(halved.donations(), f.donations());
  EXPECT_TRUE(bind(f, {{"N", 4}}).where().empty());
}

TEST(Transforms, DependenceOfResultsAndArguments) {
  using Flags = std::vector<bool>;
  EXPECT_EQ(depends_on(mixed(), {true, false, false}), (Flags{true, false, true}));
  EXPECT_EQ(depends_on(mixed(), {false, false, true}), (Flags{true, false, false}));
  EXPECT_EQ(depends_on(mixed(), {false, false, false}), (Flags{false, false, false}));
  EXPECT_EQ(used_arguments(mixed(), {true, false, false}), (Flags{true, false, true}));
  EXPECT_EQ(used_arguments(mixed(), {false, true, false}), (Flags{false, true, false}));
  EXPECT_EQ(used_arguments(mixed(), {false, false, true}), (Flags{true, false, false}));
  EXPECT_EQ(batched_results(mixed(), {true, false, false}, 3, false), (Flags{true, false, true}));
  EXPECT_EQ(batched_results(mixed(), {false, false, true}, 3, false), (Flags{true, false, false}));
}

TEST(Transforms, DerivativeAlongNothingIsZero) {
  const Function f = jvp(mixed(), {false, false, false});
  EXPECT_EQ(run(f, {vector64({1, 2}), Array::scalar<std::int32_t>(7), vector64({3, 4})}),
            (Values{3, 8, 7, 2, 4, 0, 0, 0, 0}));
  const Function g = vjp(mixed(), {false, false, false});
  EXPECT_EQ(run(g, {vector64({1, 2}), Array::scalar<std::int32_t>(7), vector64({3, 4}), vector64({1, 1}), vector64({1, 1})}),
            (Values{3, 8, 7, 2, 4}));
}

TEST(Transforms, KeepResultsDropsWhatNobodyNeeds) {
  const Function f = keep_results(mixed(), {false, false, true});
  EXPECT_EQ(result_names(f), Names{"s"});
  EXPECT_EQ(f.arguments().size(), 3u);
  EXPECT_EQ(f.equations().size(), 1u);
}

TEST(Transforms, LanesThatDoNotCountDoNotFail) {
  const Function f =
      trace([](const Tensor& x, const Tensor& at) { return take(x, at, {.axis = 0}); }, spec(f64, {2}), spec(i32, {}));
  const Function masked = vmap(f, {std::nullopt, 0}, 3, {}, true);
  EXPECT_EQ(argument_names(masked).back(), "lanes");
  const Array at = Array::from<std::int32_t>({3}, std::vector<std::int32_t>{1, 99, 0});
  const auto lanes = [](std::vector<bool> flags) {
    Array mask = Array::uninitialized(boolean, {3});
    for (std::size_t i = 0; i < 3; ++i) mask.mutable_data<bool>()[i] = flags[i];
    return mask;
  };
  const Values results = run(masked, {vector64({5, 6}), at, lanes({true, false, true})});
  EXPECT_EQ(results[0], 6);
  EXPECT_EQ(results[2], 5);
  EXPECT_THROW((void)run(masked, {vector64({5, 6}), at, lanes({true, true, true})}), IndexError);
}

TEST(Transforms, VmapOverEveryAxisAndEmptyBatches) {
  const Function f = trace([](const Tensor& x) { return x * core::iota({Dim(2)}, 0, f64); }, spec(f64, {2}));
  const Array columns = Array::from<double>({2, 3}, Values{1, 2, 3, 4, 5, 6});
  EXPECT_EQ(run(vmap(f, {1}, 3), {columns}), (Values{0, 4, 0, 5, 0, 6}));
  EXPECT_EQ(run(vmap(f, {1}, 3, {1}), {columns}), (Values{0, 0, 0, 4, 5, 6}));
  EXPECT_EQ(vmap(f, {0}, 0).result_types()[0].to_string(), "f64[0,2]");
  EXPECT_TRUE(run(vmap(f, {0}, 0), {Array::zeros(f64, {0, 2})}).empty());
  // What is not batched is repeated.
  EXPECT_EQ(run(vmap(f, {std::nullopt}, 2), {vector64({7, 8})}), (Values{0, 8, 0, 8}));
  // A symbolic batch.
  const Function any = vmap(f, {0}, Dim::symbol("B"));
  EXPECT_EQ(any.result_types()[0].to_string(), "f64[B,2]");
  EXPECT_EQ(run(any, {Array::from<double>({1, 2}, Values{3, 4})}), (Values{0, 4}));
}

TEST(Transforms, ThePlacesOfTheUsersOpsAreKept) {
  std::uint32_t line = 0;
  const Function f = trace([&](const Tensor& x) {
    line = __LINE__ + 1;
    return sin(x);
  }, spec(f64, {2}));
  for (const Function& g : {jvp(f, {true}), vjp(f, {true}), vmap(f, {0}, 2), vjp(vjp(f, {true}), {true, false})}) {
    bool found = false;
    for (const Equation& equation : g.equations()) {
      if (equation.op->name != "sin" && equation.op->name != "cos") continue;
      EXPECT_EQ(equation.where.line, line) << equation.op->name;
      found = true;
    }
    EXPECT_TRUE(found);
  }
}

}  // namespace
}  // namespace calx::rules_test
