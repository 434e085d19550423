// Arrays that are read or made as what they are not: errors of the user's, at the user's line.
#include "calx/types/array.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace calx {
namespace {

template <class F>
Error at_line(std::uint32_t line, ErrorId id, F&& f) {
  Error error = test::expect_error(id, std::forward<F>(f));
  EXPECT_EQ(to_string(error.where()), "array_test.cc:" + std::to_string(line)) << error.what();
  return error;
}

TEST(Array, ReadAsAnotherDType) {
  Array x = Array::zeros(f32, {2, 3});
  const Error error = at_line(__LINE__, ErrorId::item_dtype, [&] { (void)x.data<double>(); });
  EXPECT_EQ(error.message(), "an array of type f32[2,3] was read as f64");
  EXPECT_EQ(error.facts(), (Facts{{"array", "f32[2,3]"}, {"read as", "f64"}}));
  at_line(__LINE__, ErrorId::item_dtype, [&] { (void)x.values<std::int32_t>(); });
  at_line(__LINE__, ErrorId::item_dtype, [&] { (void)x.mutable_data<float16_t>(); });
  EXPECT_EQ(x.data<float>()[5], 0);
}

TEST(Array, AnotherNumberOfValues) {
  const std::vector<float> five(5);
  const Error error = at_line(__LINE__, ErrorId::reshape_count, [&] { (void)Array::from<float>({2, 3}, five); });
  EXPECT_EQ(error.message(), "5 values do not fill f32[2,3], which has 6 elements");
  EXPECT_EQ(error.facts(), (Facts{{"values", "5"}, {"type", "f32[2,3]"}}));
  at_line(__LINE__, ErrorId::reshape_count, [&] { (void)Array::from<float>({}, std::span<const float>(five)); });
  at_line(__LINE__, ErrorId::reshape_count, [&] { (void)Array::from<float>({5, 0}, five); });
  at_line(__LINE__, ErrorId::value, [&] { (void)Array::from<float>({-5}, five); });
}

TEST(Array, SizesThatThereAreNot) {
  at_line(__LINE__, ErrorId::value, [] { (void)Array::zeros(f32, {2, -1}); });
  at_line(__LINE__, ErrorId::size_overflow, [] { (void)Array::uninitialized(u8, {std::int64_t{1} << 62, 2}); });
  at_line(__LINE__, ErrorId::size_overflow, [] { (void)Array::uninitialized(f64, {std::int64_t{1} << 60}); });
  const Array x = Array::zeros(i32, {6});
  const Error error = at_line(__LINE__, ErrorId::reshape_count, [&] { (void)x.with_sizes({2, 2}); });
  EXPECT_EQ(error.message(), "i32[6] has 6 elements, the sizes [2,2] have 4");
  at_line(__LINE__, ErrorId::reshape_count, [&] { (void)x.with_sizes({7}); });
  EXPECT_EQ(x.with_sizes({2, 3}).sizes(), (std::vector<std::int64_t>{2, 3}));
  const Error small = at_line(__LINE__, ErrorId::reshape_count, [&] { (void)Array(i32, {7}, x.buffer()); });
  EXPECT_EQ(small.message(), "a buffer of 24 bytes does not hold i32[7], which takes 28");
}

}  // namespace
}  // namespace calx
