// Operators, NumPy's names and the generated functions: values, dtypes, symbolic sizes, errors with the user's line.
#include <gtest/gtest.h>

#include "calx/calx.h"
#include "support/expect_error.h"

namespace {

using calx::Dim;
using calx::ErrorId;
using calx::f32;
using calx::i32;
using calx::i64;
using calx::spec;
using calx::tensor;
using calx::Tensor;
using calx::to_string;
using calx::test::expect_error;

std::string type_of(const Tensor& x) { return x.type().to_string(); }
bool names_this_file(const calx::Error& error) {
  return std::string(error.what()).find("sugar_test.cc") != std::string::npos;
}

TEST(Operators, TensorsAndScalarsOnEitherSide) {
  const Tensor x = tensor({1, 2});
  EXPECT_EQ(to_string(2.0 * x), "f32[2] [2, 4]");
  EXPECT_EQ(to_string(x * 2), "f32[2] [2, 4]");
  EXPECT_EQ(to_string(x * x), "f32[2] [1, 4]");
  EXPECT_EQ(to_string(1 - x), "f32[2] [0, -1]");
  EXPECT_EQ(to_string(x / 2 + 0.5f), "f32[2] [1, 1.5]");
  EXPECT_EQ(to_string(-x), "f32[2] [-1, -2]");
  EXPECT_EQ(to_string(x + reshape(tensor({10, 20}), {2, 1})), "f32[2,2] [[11, 12], [21, 22]]");
}

TEST(Operators, ScalarsAreWeak) {
  EXPECT_EQ(type_of(2.0 * calx::astype(tensor({1}), calx::f16)), "f16[1]");
  EXPECT_EQ(type_of(2 * tensor<std::int64_t>({1})), "i64[1]");
  EXPECT_EQ(type_of(2.5 * tensor<std::int32_t>({1})), "f32[1]");
  EXPECT_EQ(type_of(tensor<std::int32_t>({1}) + tensor({1})), "f32[1]");
}

TEST(Operators, Comparisons) {
  const Tensor x = tensor({1, 2, 3});
  EXPECT_EQ(to_string(x < 2), "bool[3] [true, false, false]");
  EXPECT_EQ(to_string(x <= 2), "bool[3] [true, true, false]");
  EXPECT_EQ(to_string(2 < x), "bool[3] [false, false, true]");
  EXPECT_EQ(to_string(x > 2), "bool[3] [false, false, true]");
  EXPECT_EQ(to_string(x >= 2), "bool[3] [false, true, true]");
  EXPECT_EQ(to_string(calx::equal(x, 2)), "bool[3] [false, true, false]");
  EXPECT_EQ(to_string(calx::not_equal(x, 2)), "bool[3] [true, false, true]");
}

TEST(Operators, ErrorsNameTheUsersLine) {
  const Tensor x = tensor({1, 2});
  const Tensor y = tensor({1, 2, 3});
  EXPECT_TRUE(names_this_file(expect_error(ErrorId::shape_mismatch, [&] { (void)(x + y); })));
  EXPECT_TRUE(names_this_file(expect_error(ErrorId::dtype, [&] { (void)-(x < 2); })));
  EXPECT_TRUE(names_this_file(expect_error(ErrorId::undefined_tensor, [&] { (void)(x * Tensor()); })));
  EXPECT_TRUE(names_this_file(expect_error(ErrorId::value, [&] { (void)(tensor<std::int8_t>({1}) + 1000); })));
}

TEST(Generated, OptionsAndLocations) {
  EXPECT_EQ(to_string(calx::iota({3}, {.dtype = f32})), "f32[3] [0, 1, 2]");
  EXPECT_EQ(to_string(calx::iota({2, 2}, {.axis = 1})), "i32[2,2] [[0, 1], [0, 1]]");
  EXPECT_TRUE(names_this_file(expect_error(ErrorId::axis, [] { (void)calx::iota({2}, {.axis = 1}); })));
  EXPECT_EQ(to_string(calx::select(tensor<bool>({true, false}), 1.0, tensor({5, 6}))), "f32[2] [1, 6]");
}

TEST(New, ZerosOnesFull) {
  EXPECT_EQ(to_string(calx::zeros({2})), "f32[2] [0, 0]");
  EXPECT_EQ(to_string(calx::ones({2}, i32)), "i32[2] [1, 1]");
  EXPECT_EQ(to_string(calx::full({2}, 3)), "i32[2] [3, 3]");
  EXPECT_EQ(to_string(calx::full({2}, 0.5)), "f32[2] [0.5, 0.5]");
  EXPECT_EQ(to_string(calx::full({2}, 3, calx::f64)), "f64[2] [3, 3]");
  EXPECT_EQ(to_string(calx::full({}, calx::scalar(7.0f), i64)), "i64[] 7");
  EXPECT_EQ(to_string(calx::zeros_like(tensor<std::int32_t>({1, 2}))), "i32[2] [0, 0]");
  EXPECT_EQ(to_string(calx::full_like(tensor({1, 2}), 4)), "f32[2] [4, 4]");
  EXPECT_TRUE(names_this_file(expect_error(ErrorId::rank, [] { (void)calx::full({2}, tensor({1, 2})); })));
}

TEST(New, ArangeAndEye) {
  EXPECT_EQ(to_string(calx::arange(3)), "i32[3] [0, 1, 2]");
  EXPECT_EQ(to_string(calx::arange(8, {.start = 2, .step = 3})), "i32[2] [2, 5]");
  EXPECT_EQ(to_string(calx::arange(0, {.start = 5, .step = -2, .dtype = f32})), "f32[3] [5, 3, 1]");
  EXPECT_EQ(type_of(calx::arange(1, {.start = 5})), "i32[0]");
  expect_error(ErrorId::value, [] { (void)calx::arange(3, {.step = 0}); });
  EXPECT_EQ(to_string(calx::eye(2)), "f32[2,2] [[1, 0], [0, 1]]");
  EXPECT_EQ(to_string(calx::eye(2, {.columns = 3, .offset = 1, .dtype = i32})), "i32[2,3] [[0, 1, 0], [0, 0, 1]]");
}

TEST(Shapes, Reshape) {
  const Tensor x = tensor({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(type_of(calx::reshape(x, {2, -1})), "f32[2,3]");
  EXPECT_EQ(type_of(calx::reshape(x, {-1, 1, 6})), "f32[1,1,6]");
  EXPECT_EQ(type_of(calx::flatten(calx::reshape(x, {3, 2}))), "f32[6]");
  expect_error(ErrorId::reshape_count, [&] { (void)calx::reshape(x, {4, -1}); });
  expect_error(ErrorId::reshape_count, [&] { (void)calx::reshape(x, {4}); });
  expect_error(ErrorId::value, [&] { (void)calx::reshape(x, {-1, -1}); });
  EXPECT_TRUE(names_this_file(expect_error(ErrorId::value, [] { (void)calx::reshape(calx::zeros({0}), {0, -1}); })));
}

TEST(Shapes, SymbolicSizes) {
  const calx::Function f = calx::trace(
      [](const Tensor& x) {
        EXPECT_EQ(type_of(calx::reshape(x, {-1, 4})), "f32[3*B,4]");
        EXPECT_EQ(type_of(calx::reshape(x, {Dim::symbol("B"), -1})), "f32[B,12]");
        EXPECT_EQ(type_of(calx::flatten(x)), "f32[12*B]");
        EXPECT_EQ(type_of(calx::expand_dims(x, {0, -1})), "f32[1,B,12,1]");
        EXPECT_EQ(type_of(calx::transpose(x)), "f32[12,B]");
        EXPECT_EQ(type_of(calx::arange(x.dim(0), {.step = 2})), "i32[floor((B+1)/2)]");
        expect_error(ErrorId::dim_unknown, [&] { (void)calx::reshape(x, {-1, 5}); });
        expect_error(ErrorId::dim_unknown, [&] { (void)calx::squeeze(x, {0}); });
        return x;
      },
      spec(f32, {"B", 12}));
  EXPECT_EQ(f.equations().size(), 0u);
}

TEST(Shapes, Axes) {
  const Tensor x = calx::zeros({2, 1, 3, 1});
  EXPECT_EQ(type_of(calx::squeeze(x)), "f32[2,3]");
  EXPECT_EQ(type_of(calx::squeeze(x, {-1})), "f32[2,1,3]");
  EXPECT_EQ(type_of(calx::expand_dims(x, {1, 0})), "f32[1,1,2,1,3,1]");
  EXPECT_EQ(type_of(calx::swapaxes(x, 0, -2)), "f32[3,1,2,1]");
  EXPECT_EQ(type_of(calx::moveaxis(x, 2, 0)), "f32[3,2,1,1]");
  EXPECT_EQ(type_of(calx::transpose(x)), "f32[1,3,1,2]");
  EXPECT_EQ(to_string(calx::transpose(tensor({{1, 2}, {3, 4}}))), "f32[2,2] [[1, 3], [2, 4]]");
  expect_error(ErrorId::shape_mismatch, [&] { (void)calx::squeeze(x, {0}); });
  expect_error(ErrorId::duplicate_axis, [&] { (void)calx::squeeze(x, {1, -3}); });
  EXPECT_TRUE(names_this_file(expect_error(ErrorId::axis, [&] { (void)calx::swapaxes(x, 0, 4); })));
}

}  // namespace
