// dot_general and its sugar: exact values and errors.
#include <cmath>

#include <gtest/gtest.h>

#include "calx/core/core_ops.h"
#include "calx/ops/contraction.h"

namespace calx::contraction_test {
namespace {

Tensor counting(std::vector<std::int64_t> sizes, float first = 0) {
  std::int64_t n = 1;
  for (std::int64_t size : sizes) n *= size;
  std::vector<float> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(first + static_cast<float>(i));
  return tensor(values, std::move(sizes));
}

using Floats = std::vector<float>;

TEST(DotGeneral, PairsAxesInAnyOrder) {
  const Tensor lhs = counting({2, 3, 2});
  const Tensor rhs = counting({3, 2, 2});
  const Tensor y = apply_one(get_op("dot_general"), {lhs, rhs},
                             {{"lhs_batch", std::vector<std::int64_t>{2}},
                              {"rhs_batch", std::vector<std::int64_t>{1}},
                              {"lhs_contract", std::vector<std::int64_t>{1}},
                              {"rhs_contract", std::vector<std::int64_t>{0}}});
  EXPECT_EQ(y.type().to_string(), "f32[2,2,2]");
  // numpy.einsum("mkb,kbn->bmn", arange(12).reshape(2,3,2), arange(12).reshape(3,2,2))
  EXPECT_EQ(y.to_vector<float>(), (Floats{40, 46, 112, 136, 70, 79, 178, 205}));
}

TEST(DotGeneral, EmptySumIsPositiveZero) {
  const Tensor y = matmul(counting({2, 0}), counting({0, 2}));
  EXPECT_EQ(y.to_vector<float>(), (Floats{0, 0, 0, 0}));
}

TEST(DotGeneral, NarrowIntegersWrapOnceAtTheEnd) {
  const Tensor ones = tensor(std::vector<std::int8_t>{100, 100}, {1, 2});
  const Tensor column = tensor(std::vector<std::int8_t>{2, -2}, {2, 1});
  EXPECT_EQ(matmul(ones, column).type().to_string(), "i8[1,1]");
  EXPECT_EQ(matmul(ones, column).to_vector<std::int8_t>(), std::vector<std::int8_t>{0});
}

TEST(DotGeneral, AccumulationIsAsAsked) {
  const Tensor x = tensor(Floats{1, 1e-8F}, {1, 2});
  const Tensor y = tensor(Floats{1, 1}, {2, 1});
  EXPECT_EQ(matmul(x, y, {.accumulation = f64}).to_vector<float>(), Floats{1.0F});
  EXPECT_THROW(static_cast<void>(matmul(x, y, {.accumulation = i32})), DTypeError);
}

TEST(Matmul, FollowsNumPyOverRanks) {
  EXPECT_EQ(matmul(counting({3}), counting({3})).to_vector<float>(), Floats{5});
  EXPECT_EQ(matmul(counting({2, 3}), counting({3})).to_vector<float>(), (Floats{5, 14}));
  EXPECT_EQ(matmul(counting({3}), counting({3, 2})).to_vector<float>(), (Floats{10, 13}));
  const Tensor batched = matmul(counting({2, 1, 2, 3}), counting({2, 3, 1}));
  EXPECT_EQ(batched.type().to_string(), "f32[2,2,2,1]");
  // numpy.matmul(arange(12).reshape(2,1,2,3), arange(6).reshape(2,3,1))
  EXPECT_EQ(batched.to_vector<float>(), (Floats{5, 14, 14, 50, 23, 32, 86, 122}));
  EXPECT_EQ(matmul(counting({3}), counting({2, 3, 2})).type().to_string(), "f32[2,2]");
  EXPECT_EQ(matmul(counting({2, 4, 3}), counting({3})).type().to_string(), "f32[2,4]");
  EXPECT_EQ(matmul(counting({1, 4, 3}), counting({1, 3, 2})).type().to_string(), "f32[1,4,2]");
}

TEST(Matmul, PromotesDTypes) {
  EXPECT_EQ(matmul(core::convert(counting({2, 2}), bf16), core::convert(counting({2, 2}), f16)).dtype(), f32);
}

TEST(Matmul, TellsErrorsInTheUsersTerms) {
  try {
    static_cast<void>(matmul(counting({8, 3}), counting({4, 5})));
    FAIL();
  } catch (const ShapeError& error) {
    EXPECT_EQ(error.id(), ErrorId::contracted_size);
    EXPECT_EQ(error.op(), "matmul");
    EXPECT_EQ(error.message(), "`lhs` f32[8,3] and `rhs` f32[4,5] differ in the contracted size (3 and 4)");
    EXPECT_NE(std::string(error.what()).find("contraction_test.cc:"), std::string::npos);
    EXPECT_EQ(error.facts()[0].second, "f32[8,3]");
  }
  try {
    static_cast<void>(matmul(counting({8, 3}), counting({5, 3})));
    FAIL();
  } catch (const ShapeError& error) {
    EXPECT_EQ(error.hint(), "transpose `rhs`?");
  }
  try {
    static_cast<void>(matmul(counting({2, 8, 3}), counting({3, 3, 5})));
    FAIL();
  } catch (const ShapeError& error) {
    EXPECT_EQ(error.id(), ErrorId::shape_mismatch);
  }
  EXPECT_THROW(static_cast<void>(matmul(counting({3}), 2.0)), ShapeError);
  EXPECT_THROW(static_cast<void>(matmul(tensor<bool>({true}), tensor<bool>({true}))), DTypeError);
}

TEST(Einsum, Contracts) {
  const Tensor a = counting({2, 3});
  const Tensor b = counting({3, 2});
  EXPECT_EQ(einsum("ij,jk->ik", {a, b}).to_vector<float>(), (Floats{10, 13, 28, 40}));
  EXPECT_EQ(einsum("ij,jk->ki", {a, b}).to_vector<float>(), (Floats{10, 28, 13, 40}));
  EXPECT_EQ(einsum("ij,jk", {a, b}).to_vector<float>(), (Floats{10, 13, 28, 40}));
  EXPECT_EQ(einsum("ij->j", {a}).to_vector<float>(), (Floats{3, 5, 7}));
  EXPECT_EQ(einsum("ij->", {a}).to_vector<float>(), Floats{15});
  EXPECT_EQ(einsum("ba", {a}).to_vector<float>(), (Floats{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(einsum("i,j->ij", {counting({2}, 1), counting({2}, 3)}).to_vector<float>(), (Floats{3, 4, 6, 8}));
  EXPECT_EQ(einsum("ij,ij->ij", {a, a}).to_vector<float>(), (Floats{0, 1, 4, 9, 16, 25}));
  EXPECT_EQ(einsum("bhqd,bhkd->bhqk", {counting({1, 2, 2, 3}), counting({1, 2, 4, 3})}).type().to_string(),
            "f32[1,2,2,4]");
  // numpy.einsum("ij,jk,kl->il", ...)
  EXPECT_EQ(einsum("ij,jk,kl->il", {a, b, a}).to_vector<float>(), (Floats{39, 62, 85, 120, 188, 256}));
  EXPECT_EQ(einsum("ij,kl->k", {a, b}).to_vector<float>(), (Floats{15, 75, 135}));
}

TEST(Einsum, TakesDiagonals) {
  const Tensor square = counting({3, 3});
  EXPECT_EQ(einsum("ii->i", {square}).to_vector<float>(), (Floats{0, 4, 8}));
  EXPECT_EQ(einsum("ii", {square}).to_vector<float>(), Floats{12});
  EXPECT_EQ(einsum("iii->i", {counting({2, 2, 2})}).to_vector<float>(), (Floats{0, 7}));
  EXPECT_EQ(einsum("iji->j", {counting({2, 3, 2})}).to_vector<float>(), (Floats{7, 11, 15}));
  EXPECT_TRUE(std::signbit(einsum("ii->i", {tensor(Floats{-0.0F}, {1, 1})}).to_vector<float>()[0]));
}

TEST(Einsum, RejectsMalformedTexts) {
  const Tensor a = counting({2, 3});
  const auto id_of = [&](std::string_view text, std::vector<Operand> operands) {
    try {
      static_cast<void>(einsum(text, operands));
    } catch (const Error& error) {
      return error.id();
    }
    return ErrorId::internal;
  };
  EXPECT_EQ(id_of("i1", {a}), ErrorId::value);
  EXPECT_EQ(id_of("ij->k", {a}), ErrorId::value);
  EXPECT_EQ(id_of("ij->ii", {a}), ErrorId::value);
  EXPECT_EQ(id_of("ij,jk->ik", {a}), ErrorId::arity);
  EXPECT_EQ(id_of("i", {a}), ErrorId::rank);
  EXPECT_EQ(id_of("ij,jk->ik", {a, a}), ErrorId::shape_mismatch);
  EXPECT_EQ(id_of("ii", {a}), ErrorId::shape_mismatch);
}

}  // namespace
}  // namespace calx::contraction_test
