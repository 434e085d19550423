// Tracing: what becomes an equation, a constant, a capture; reading traced tensors; tensors that leave their
// trace.
#include "calx/core/trace.h"

#include <gtest/gtest.h>

#include "calx/base/format.h"
#include "calx/core/bind.h"
#include "calx/core/core_ops.h"
#include "support/expect_error.h"

namespace calx::trace_test {
namespace {

using test::expect_error;

const Type kVector{f32, {3}};
std::string fact(const Error& error, std::string_view name) {
  for (const auto& [key, value] : error.facts()) {
    if (key == name) return value;
  }
  return "";
}
Tensor twice(const Tensor& x, SourceLoc where = SourceLoc::current()) {
  return apply_one(get_op("add"), {x, x}, {}, where);
}

TEST(Trace, OnlyWhatResultsNeed) {
  const Function f = trace_flat({{"x", kVector}}, [](std::span<const Tensor> x) -> Tensors {
                       (void)core::neg(x[0]);
                       return {twice(twice(x[0]))};
                     }).function;
  EXPECT_EQ(f.equations().size(), 2u);
  EXPECT_EQ(f.results()[0].name, "out");
}

TEST(Trace, EagerValuesBecomeConstants) {
  const Tensor outside = twice(tensor({1, 2, 3}));
  const Traced traced = trace_flat({{"x", kVector}}, [&](std::span<const Tensor> x) -> Tensors {
    return {core::add(x[0], outside), core::add(outside, outside)};
  });
  EXPECT_TRUE(traced.captures.empty());
  EXPECT_EQ(traced.function.equations()[0].op->name, "constant");
  EXPECT_EQ(std::get<Array>(traced.function.equations()[0].attrs.entries()[0].value).values<float>()[2],
            6.0f);
  EXPECT_EQ(traced.function.equations().size(), 3u);
}

TEST(Trace, TensorsOfEnclosingTracesAreCaptured) {
  (void)trace_flat({{"x", kVector}, {"y", kVector}}, [](std::span<const Tensor> x) -> Tensors {
    const Tensor doubled = twice(x[1]);
    const Traced inner = trace_flat({{"z", kVector}}, [&](std::span<const Tensor> z) -> Tensors {
      return {core::mul(core::add(z[0], doubled), x[0])};
    });
    EXPECT_EQ(inner.captures.size(), 2u);
    EXPECT_EQ(inner.function.arguments().size(), 3u);
    EXPECT_EQ(inner.function.arguments()[2].name, "z");
    const Error error = expect_error(ErrorId::leaked_tensor, [&] {
      (void)trace_flat({}, [&](std::span<const Tensor>) -> Tensors { return {core::neg(x[0])}; },
                       {.name = "g", .closed = true});
    });
    EXPECT_EQ(error.op(), "g");
    return {doubled};
  });
}

TEST(Trace, ReadingATracedTensor) {
  (void)trace_flat({{"x", kVector}}, [](std::span<const Tensor> x) -> Tensors {
    EXPECT_TRUE(x[0].is_traced());
    const Tensor y = twice(x[0]);
    const std::uint32_t line = __LINE__ + 1;
    const Error error = expect_error(ErrorId::traced_read, [&] { (void)y.to_vector<float>(); });
    EXPECT_EQ(error.where().line, line);
    EXPECT_EQ(fact(error, "type"), "f32[3]");
    EXPECT_EQ(fact(error, "made at"), format("trace_test.cc:{}", line - 2));
    EXPECT_FALSE(error.hint().empty());
    EXPECT_EQ(to_string(y), "f32[3] (traced)");
    return {};
  });
}

TEST(Trace, LeakedTensorNamesTheLineThatMadeIt) {
  Tensor leaked;
  std::uint32_t line = 0;
  (void)trace_flat({{"x", kVector}}, [&](std::span<const Tensor> x) -> Tensors {
    line = __LINE__ + 1;
    leaked = twice(x[0]);
    return {};
  });
  const std::string place = format("trace_test.cc:{}", line);
  const Error read = expect_error(ErrorId::leaked_tensor, [&] { (void)leaked.value(); });
  EXPECT_EQ(fact(read, "made at"), place);
  const Error used = expect_error(ErrorId::leaked_tensor, [&] { (void)twice(leaked); });
  EXPECT_EQ(fact(used, "made at"), place);
  EXPECT_NE(std::string(used.what()).find(place), std::string::npos) << used.what();
  const Error returned = expect_error(ErrorId::leaked_tensor, [&] {
    (void)trace_flat({}, [&](std::span<const Tensor>) -> Tensors { return {leaked}; });
  });
  EXPECT_EQ(fact(returned, "made at"), place);
}

TEST(Trace, UndefinedResults) {
  expect_error(ErrorId::undefined_tensor,
               [] { (void)trace_flat({}, [](std::span<const Tensor>) -> Tensors { return {Tensor()}; }); });
  expect_error(ErrorId::undefined_tensor, [] { (void)Tensor().type(); });
}

TEST(Trace, AnErrorInsideClosesTheTrace) {
  expect_error(ErrorId::dtype_mismatch, [] {
    (void)trace_flat({{"x", kVector}, {"y", {f16, {3}}}},
                     [](std::span<const Tensor> x) -> Tensors { return {core::add(x[0], x[1])}; });
  });
  EXPECT_FALSE(twice(scalar(1.0f)).is_traced());
  EXPECT_EQ(twice(scalar(1.0f)).item<float>(), 2.0f);
}

TEST(Trace, LocationsAreInherited) {
  const SourceLoc place("train.cc", 41);
  const Function f = trace_flat({{"x", kVector}}, [&](std::span<const Tensor> x) -> Tensors {
                       LocationScope scope(place);
                       return {twice(x[0])};
                     }).function;
  EXPECT_EQ(to_string(f.equations()[0].where), "train.cc:41");
}

TEST(Trace, InliningInfersAgainForOtherTypes) {
  const Function f = trace_flat({{"x", kVector}}, [](std::span<const Tensor> x) -> Tensors {
                       return {twice(x[0])};
                     }).function;
  EXPECT_EQ(inline_function(f, std::vector{tensor({1, 2, 3})})[0].to_vector<float>(),
            (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(inline_function(f, std::vector{scalar(2.5)})[0].item<double>(), 5.0);
}

TEST(Trace, FunctionsAreEqualUpToLocations) {
  const auto make = [](std::uint32_t line) {
    return trace_flat({{"x", kVector}},
                      [&](std::span<const Tensor> x) -> Tensors {
                        return {twice(x[0], {"a.cc", line})};
                      })
        .function;
  };
  EXPECT_TRUE(make(1) == make(2));
  EXPECT_EQ(make(1).hash(), make(2).hash());
  EXPECT_FALSE(make(1) == make(1).with_name("g"));
  EXPECT_FALSE(make(1) == make(1).with_argument_names({"y"}));
  EXPECT_FALSE(make(1) == make(1).with_donations({{0, 0}}));
}

}  // namespace
}  // namespace calx::trace_test
