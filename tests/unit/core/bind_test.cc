// The binder: promotion over all pairs of dtypes, weak scalars, broadcasting, errors with the user's line.
#include "calx/core/bind.h"

#include <gtest/gtest.h>

#include <sstream>

#include "calx/core/core_ops.h"
#include "calx/core/trace.h"
#include "support/expect_error.h"

namespace calx::bind_test {
namespace {

using test::expect_error;

Tensor zeros_of(DType dtype, std::vector<std::int64_t> sizes = {2}) {
  return Tensor(Array::zeros(dtype, std::move(sizes)));
}
Tensor add(const Operand& a, const Operand& b) { return bind_one(get_op("add"), {a, b}); }

/// The JAX lattice, but that u64 and a signed integer have no join. Rows and columns in the order of
/// kAllDTypes.
constexpr std::string_view kLattice = R"(
bool i8   u8   i16  u16  i32  u32  i64  u64  f16  bf16 f32 f64
i8   i8   i16  i16  i32  i32  i64  i64  -    f16  bf16 f32 f64
u8   i16  u8   i16  u16  i32  u32  i64  u64  f16  bf16 f32 f64
i16  i16  i16  i16  i32  i32  i64  i64  -    f16  bf16 f32 f64
u16  i32  u16  i32  u16  i32  u32  i64  u64  f16  bf16 f32 f64
i32  i32  i32  i32  i32  i32  i64  i64  -    f16  bf16 f32 f64
u32  i64  u32  i64  u32  i64  u32  i64  u64  f16  bf16 f32 f64
i64  i64  i64  i64  i64  i64  i64  i64  -    f16  bf16 f32 f64
u64  -    u64  -    u64  -    u64  -    u64  f16  bf16 f32 f64
f16  f16  f16  f16  f16  f16  f16  f16  f16  f16  f32  f32 f64
bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 f32  bf16 f32 f64
f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32 f64
f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64 f64
)";

TEST(Binder, PromotionOfAllPairs) {
  std::istringstream table{std::string(kLattice)};
  for (DType a : kAllDTypes) {
    for (DType b : kAllDTypes) {
      std::string expected;
      table >> expected;
      SCOPED_TRACE(std::string(a.name()) + " with " + std::string(b.name()));
      const std::optional<DType> joined = promote(a, b);
      EXPECT_EQ(joined ? joined->name() : "-", expected);
      if (expected == "-") {
        const Error error = expect_error(ErrorId::promotion, [&] { (void)add(zeros_of(a), zeros_of(b)); });
        EXPECT_EQ(error.op(), "add");
      } else if (expected != "bool") {
        EXPECT_EQ(add(zeros_of(a), zeros_of(b)).dtype().name(), expected);
      }
    }
  }
}

TEST(Binder, WeakScalars) {
  for (DType dtype : kAllDTypes) {
    SCOPED_TRACE(dtype.name());
    const Tensor x = zeros_of(dtype);
    EXPECT_EQ(add(x, 1).dtype(), dtype.is_boolean() ? i32 : dtype);
    EXPECT_EQ(add(2.5, x).dtype(), dtype.is_floating() ? dtype : f32);
    if (!dtype.is_boolean()) {
      EXPECT_EQ(add(x, true).dtype(), dtype);
    }
  }
  EXPECT_EQ(add(1, 2).dtype(), i32);
  EXPECT_EQ(add(1, 2.0).dtype(), f32);
  EXPECT_EQ(add(1, 2.5).item<float>(), 3.5f);
  EXPECT_EQ(add(zeros_of(f16, {}), 0.1).item<float16_t>().bits, float16_t(0.1f).bits);
}

TEST(Binder, ScalarsThatDoNotFit) {
  expect_error(ErrorId::value, [] { (void)add(zeros_of(i8), 128); });
  expect_error(ErrorId::value, [] { (void)add(zeros_of(u8), -1); });
  EXPECT_EQ(add(zeros_of(i8, {}), -128).item<std::int8_t>(), -128);
}

TEST(Binder, ScalarsOfTheLargestIntegers) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(Operand(kLargest).as_tensor().type(), (Type{u64, {}}));
  EXPECT_EQ(Operand(kLargest).as_tensor().item<std::uint64_t>(), kLargest);
  EXPECT_EQ(Operand(kLargest).as_scalar(u64).item<std::uint64_t>(), kLargest);
  EXPECT_EQ(Operand(kLargest).as_scalar(f64).item<double>(), 18446744073709551616.0);
  EXPECT_EQ(Operand(std::uint64_t{5}).as_tensor().type(), (Type{i32, {}}));
  EXPECT_EQ(expect_error(ErrorId::value, [&] { static_cast<void>(Operand(kLargest).as_scalar(i64)); }).id(), ErrorId::value);
}

TEST(Binder, Broadcasting) {
  const Tensor a = tensor(std::vector<float>{1, 2, 3}, {3, 1});
  const Tensor b = tensor({10, 20});
  const Tensor sum = add(a, b);
  EXPECT_EQ(sum.type().to_string(), "f32[3,2]");
  EXPECT_EQ(sum.to_vector<float>(), (std::vector<float>{11, 21, 12, 22, 13, 23}));
  EXPECT_EQ(add(zeros_of(f32, {0, 1}), zeros_of(f32, {5})).type().to_string(), "f32[0,5]");
  EXPECT_EQ(add(scalar(1.0f), b).to_vector<float>(), (std::vector<float>{11, 21}));
}

TEST(Binder, ErrorsNameTheUsersLine) {
  const Tensor a = zeros_of(f32, {2, 3});
  const Tensor b = zeros_of(f32, {2});
  const std::uint32_t line = __LINE__ + 1;
  const Error error = expect_error(ErrorId::shape_mismatch, [&] { (void)bind_one(get_op("mul"), {a, b}); });
  EXPECT_EQ(error.where().line, line) << error.what();
  EXPECT_NE(std::string(error.what()).find("bind_test.cc:"), std::string::npos) << error.what();
  EXPECT_NE(std::string(error.what()).find("[2,3]"), std::string::npos) << error.what();
  EXPECT_EQ(error.op(), "mul");
  EXPECT_EQ(error.facts(), (Facts{{"lhs", "f32[2,3]"}, {"rhs", "f32[2]"}}));
}

TEST(Binder, UnknownSizes) {
  const Dim n = Dim::symbol("N");
  const Dim m = Dim::symbol("M");
  (void)trace_flat({{"x", {f32, {n}}}, {"y", {f32, {m}}}, {"z", {f32, {n, 1}}}},
                   [&](std::span<const Tensor> x) -> Tensors {
                     expect_error(ErrorId::dim_unknown, [&] { (void)add(x[0], x[1]); });
                     EXPECT_EQ(add(x[0], x[2]).type().to_string(), "f32[N,N]");
                     EXPECT_EQ(add(x[1], x[2]).type().to_string(), "f32[N,M]");
                     return {};
                   });
}

TEST(Binder, ArityDTypesAndAttributes) {
  const Tensor x = zeros_of(f32);
  expect_error(ErrorId::arity, [&] { (void)apply(get_op("mul"), {x}); });
  expect_error(ErrorId::arity, [&] { (void)apply(get_op("mul"), {x, x, x}); });
  expect_error(ErrorId::dtype_mismatch, [&] { (void)apply(get_op("mul"), {x, zeros_of(f16)}); });
  expect_error(ErrorId::attribute_missing, [&] { (void)apply(get_op("transpose"), {x}); });
  expect_error(ErrorId::attribute_unknown, [&] {
    (void)apply(get_op("neg"), {x}, Attrs{{"axis", std::int64_t{1}}});
  });
  expect_error(ErrorId::attribute, [&] {
    (void)apply(get_op("transpose"), {x}, Attrs{{"permutation", true}});
  });
  expect_error(ErrorId::undefined_tensor, [&] { (void)bind_one(get_op("mul"), {x, Tensor()}); });
}

}  // namespace
}  // namespace calx::bind_test
