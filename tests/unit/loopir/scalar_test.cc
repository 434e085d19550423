// Scalar expressions: dtypes, equality, printing, evaluation, simplification.
#include "calx/loopir/scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace calx::loopir::scalar_test {
namespace {

Scalar x() { return Scalar::operand(0, f32); }
Scalar y() { return Scalar::operand(1, f32); }
Scalar c(double value, DType dtype = f32) { return Scalar::constant(value, dtype); }

TEST(Scalar, DtypesFollowTheFunctions) {
  EXPECT_EQ((x() + y()).dtype(), f32);
  EXPECT_EQ(scalar::less(x(), y()).dtype(), boolean);
  EXPECT_EQ(scalar::is_nan(x()).dtype(), boolean);
  EXPECT_EQ(scalar::select(scalar::less(x(), y()), x(), y()).dtype(), f32);
  EXPECT_EQ(scalar::convert(x(), i8).dtype(), i8);
  EXPECT_EQ(Scalar::index(1).dtype(), i64);
  EXPECT_TRUE(takes(ScalarFunction::exp, bf16));
  EXPECT_FALSE(takes(ScalarFunction::exp, i32));
  EXPECT_FALSE(takes(ScalarFunction::shift_left, boolean));
  EXPECT_FALSE(takes(ScalarFunction::div, i32));
}

TEST(Scalar, BadArgumentsAreInternalErrors) {
  EXPECT_THROW(static_cast<void>(x() + c(1, f64)), InternalError);
  EXPECT_THROW(static_cast<void>(scalar::exp(c(1, i32))), InternalError);
  EXPECT_THROW(static_cast<void>(scalar::select(x(), x(), y())), InternalError);
  EXPECT_THROW(static_cast<void>(scalar::bitcast(x(), f64)), InternalError);
}

TEST(Scalar, EqualityIsStructural) {
  EXPECT_EQ(x() * y(), x() * y());
  EXPECT_EQ((x() * y()).hash(), (x() * y()).hash());
  EXPECT_NE(x() * y(), y() * x());
  EXPECT_NE(x(), Scalar::operand(0, f64));
  EXPECT_NE(c(0.0), c(-0.0));
  EXPECT_EQ(c(NAN), c(NAN));
  // Shared nodes are compared once: 2^60 paths.
  Scalar a = x(), b = x();
  for (int i = 0; i < 60; ++i) a = a + a, b = b + b;
  EXPECT_EQ(a, b);
}

TEST(Scalar, PrintsSharedNodesOnce) {
  const Scalar e = scalar::exp(x());
  EXPECT_EQ((e / (e + c(1))).to_string(), "%0 = exp($0); div(%0, add(%0, f32(1)))");
  EXPECT_EQ(scalar::convert(Scalar::index(0), f32).to_string(), "convert(index(0), f32)");
  EXPECT_EQ(c(-0.0).to_string(), "f32(-0)");
  EXPECT_EQ(Scalar::constant(true, boolean).to_string(), "bool(true)");
  EXPECT_EQ(c(NAN).to_string(), "f32(nan:0x7fc00000)");
  Scalar a = x();
  for (int i = 0; i < 60; ++i) a = a + a;
  EXPECT_LT(a.to_string().size(), 2000u);
}

TEST(Scalar, EvaluatesOncePerNodeAndRoundsOncePerFunction) {
  const ScalarValue values[] = {ScalarValue::of(3.0f), ScalarValue::of(4.0f)};
  EXPECT_EQ(evaluate(scalar::sqrt(x() * x() + y() * y()), values).as<float>(), 5.0f);
  const std::int64_t index[] = {7, 9};
  EXPECT_EQ(evaluate(Scalar::index(1), {}, index).as<std::int64_t>(), 9);
  // 1 + 2^-8 is no bf16: each bf16 function rounds.
  const Scalar one = c(1, bf16), small = c(0x1p-8, bf16);
  EXPECT_EQ(static_cast<float>(evaluate((one + small) + small, {}).as<bfloat16_t>()), 1.0f);
  Scalar a = x();
  for (int i = 0; i < 60; ++i) a = a + a;
  EXPECT_EQ(evaluate(a, values).as<float>(), 3.0f * 0x1p60f);
  const Scalar chosen = scalar::select(scalar::greater(x(), y()), x(), y());
  EXPECT_EQ(evaluate(chosen, values).as<float>(), 4.0f);
  EXPECT_EQ(evaluate(scalar::bitcast(c(1.0), u32), {}).as<std::uint32_t>(), 0x3F800000u);
  EXPECT_EQ(evaluate(scalar::convert(c(300.7), i8), {}).as<std::int8_t>(), 127);
}

TEST(Scalar, SimplifiesByExactIdentitiesOnly) {
  EXPECT_EQ(simplify(x() * c(1)), x());
  EXPECT_EQ(simplify(c(1) * x()), x());
  EXPECT_EQ(simplify(x() + c(-0.0)), x());
  EXPECT_EQ(simplify(x() - c(0.0)), x());
  EXPECT_EQ(simplify(x() / c(1)), x());
  EXPECT_EQ(simplify(-(-x())), x());
  EXPECT_EQ(simplify(c(2) + c(3)), c(5));
  EXPECT_EQ(simplify(scalar::select(Scalar::constant(true, boolean), x(), y())), x());
  EXPECT_EQ(simplify(scalar::select(scalar::less(x(), y()), y() * c(1), y())), y());
  EXPECT_EQ(simplify(scalar::convert(scalar::convert(Scalar::operand(0, bf16), f32), bf16)),
            Scalar::operand(0, bf16));
  const Scalar integer = Scalar::operand(0, i32);
  EXPECT_EQ(simplify(integer + c(0, i32)), integer);
  // Not identities: -0 + 0 is +0, x * 0 may be NaN, a narrowing conversion loses.
  for (const Scalar& kept :
       {x() + c(0.0), x() * c(0), x() - x(), x() - c(-0.0), scalar::convert(scalar::convert(x(), f16), f32),
        scalar::convert(scalar::convert(integer, f32), i32)}) {
    EXPECT_EQ(simplify(kept), kept) << kept.to_string();
  }
}

TEST(Scalar, LongChainsDoNotRecurse) {
  Scalar a = x();
  for (int i = 0; i < 200000; ++i) a = a * y();
  EXPECT_EQ(simplify(a), a);
  const ScalarValue values[] = {ScalarValue::of(3.0f), ScalarValue::of(1.0f)};
  EXPECT_EQ(evaluate(a, values).as<float>(), 3.0f);
  EXPECT_GT(a.to_string().size(), 200000u);
}

TEST(Scalar, EveryFunctionIsEvaluatedForEveryDtypeItTakes) {
  int count = 0;
  for (int f = 0; f <= static_cast<int>(ScalarFunction::fma); ++f) {
    const auto function = static_cast<ScalarFunction>(f);
    if (function == ScalarFunction::bitcast) continue;
    for (DType dtype : kAllDTypes) {
      if (!takes(function, dtype)) continue;
      const Scalar one = Scalar::constant(1, dtype);
      std::vector<Scalar> arguments = {one};
      if (function == ScalarFunction::select) {
        arguments = {Scalar::constant(true, boolean), one, one};
      } else {
        // As many arguments as it accepts.
        while (arguments.size() < 3) {
          try {
            static_cast<void>(Scalar::apply(function, arguments, dtype));
            break;
          } catch (const InternalError&) {
            arguments.push_back(one);
          }
        }
      }
      const Scalar node = Scalar::apply(function, arguments, dtype);
      EXPECT_EQ(evaluate(node, {}).dtype, node.dtype()) << node.to_string();
      ++count;
    }
  }
  EXPECT_GT(count, 400);
}

}  // namespace
}  // namespace calx::loopir::scalar_test
