// Random ops: test vectors, which define fold_in and split, and the shape of the distributions.
#include <cmath>
#include <set>

#include "random/_support.h"
#include "rules_testing.h"

namespace calx::random_test {
namespace {

using namespace ops::random_attrs;
using testing::values;

Tensor key(std::uint64_t value) { return scalar<std::uint64_t>(value); }

TEST(RandomBits, KnownAnswers) {
  const Tensor bits = apply_one(get_op("random_bits"), {key(0)}, {attr(shape, {Dim(1)}), attr(dtype, u64)});
  EXPECT_EQ(values<std::uint64_t>(bits)[0], 0xe169c58d6627e8d5u);
  const Tensor low = apply_one(get_op("random_bits"), {key(0)}, {attr(shape, {Dim(1)}), attr(dtype, u32)});
  EXPECT_EQ(values<std::uint32_t>(low)[0], 0x6627e8d5u);
}

TEST(RandomBits, KeysAreLanes) {
  testing::expect_batch_is_stacking("random_bits", {tensor<std::uint64_t>({1, 2})}, {true},
                                    {attr(shape, {Dim(3)}), attr(dtype, u32)}, 2);
}

TEST(FoldIn, KnownAnswersAndIndependence) {
  const auto folded = [](std::uint64_t from, std::int32_t data) {
    return values<std::uint64_t>(apply_one(get_op("fold_in"), {key(from), scalar(data)}))[0];
  };
  EXPECT_EQ(folded(0, 0), 0xf08d6eaa844515e1u);
  EXPECT_EQ(folded(0, 1), 0xd9c77dedca7cf69eu);
  EXPECT_EQ(folded(0, -1), 0x574f042e7b601ea0u);
  const std::vector<std::uint64_t> keys = values<std::uint64_t>(apply_one(get_op("split"), {key(0)}));
  EXPECT_EQ(keys, (std::vector<std::uint64_t>{0xb68267590661d677u, 0x2299a39078130effu}));
  std::set<std::uint64_t> distinct(keys.begin(), keys.end());
  for (std::int32_t i = 0; i < 100; ++i) distinct.insert(folded(0, i));
  EXPECT_EQ(distinct.size(), 102u);
}

TEST(Uniform, LiesInTheHalfOpenIntervalWithTheRightMoments) {
  for (DType type : {f64, f32, f16, bf16}) {
    const Tensor u = apply_one(get_op("uniform"), {key(3)}, {attr(shape, {Dim(20000)}), attr(dtype, type)});
    const std::vector<double> x = core::convert(u, f64).to_vector<double>();
    double sum = 0;
    double squares = 0;
    for (double v : x) {
      ASSERT_GE(v, 0.0);
      ASSERT_LT(v, 1.0);
      sum += v;
      squares += v * v;
    }
    const double n = 20000;
    EXPECT_NEAR(sum / n, 0.5, 0.012) << type.name();
    EXPECT_NEAR(squares / n, 1.0 / 3, 0.012) << type.name();
  }
}

TEST(Uniform, TakesTheHighestBits) {
  const std::vector<std::uint32_t> bits =
      values<std::uint32_t>(ops::make_random_bits(key(9), {Dim(50)}, u32));
  const std::vector<float> u = values(ops::unit_interval(key(9), {Dim(50)}, f32));
  for (std::size_t i = 0; i < bits.size(); ++i) EXPECT_EQ(u[i], static_cast<float>(bits[i] >> 8) * 0x1p-24f);
  const std::vector<std::uint64_t> wide =
      values<std::uint64_t>(ops::make_random_bits(key(9), {Dim(50)}, u64));
  const std::vector<double> v = values<double>(ops::unit_interval(key(9), {Dim(50)}, f64));
  for (std::size_t i = 0; i < wide.size(); ++i) EXPECT_EQ(v[i], static_cast<double>(wide[i] >> 11) * 0x1p-53);
}

TEST(Permutation, IsOne) {
  Attrs attrs;
  attrs.set_value("size", Dim(100));
  const std::vector<std::int32_t> order =
      values<std::int32_t>(apply_one(get_op("permutation"), {key(5)}, attrs));
  EXPECT_EQ(std::set<std::int32_t>(order.begin(), order.end()).size(), 100u);
  EXPECT_NE(order, values<std::int32_t>(apply_one(get_op("permutation"), {key(6)}, attrs)));
}

TEST(Bernoulli, NeverAtZeroAlwaysAtOne) {
  const Tensor y = apply_one(get_op("bernoulli"), {key(1), core::expand(tensor({0, 1}), {1000, 2}, {1})});
  const Array draws = y.value();
  for (std::int64_t i = 0; i < 2000; ++i) EXPECT_EQ(draws.data<bool>()[i], i % 2 == 1);
}

TEST(Normal, HasTheRightMoments) {
  const std::vector<float> x = values(apply_one(get_op("normal"), {key(11)}, {attr(shape, {Dim(20000)})}));
  double moments[5] = {};
  for (float v : x) {
    for (int power = 1; power <= 4; ++power)
      moments[power] += std::pow(static_cast<double>(v), power) / 20000;
  }
  EXPECT_NEAR(moments[1], 0, 0.03);
  EXPECT_NEAR(moments[2], 1, 0.05);
  EXPECT_NEAR(moments[3], 0, 0.15);
  EXPECT_NEAR(moments[4], 3, 0.3);
}

TEST(Random, Samples) {
  for (const char* op : {"random_bits", "fold_in", "split", "uniform", "bernoulli", "permutation"})
    testing::check_samples(op);
}

}  // namespace
}  // namespace calx::random_test
