// The index ops that people call: modes, negative indices, run-time errors.
#include "indexing/_take.h"
#include "rules_testing.h"

namespace calx::take_test {
namespace {

using namespace ops::take_attrs;
using testing::kNaN;
using testing::values;
using Floats = std::vector<float>;

Tensor taken(const Tensor& x, const Tensor& indices, OutOfRange out_of_range,
             std::optional<double> fill = {}) {
  return apply_one(get_op("take"), {x, indices}, {attr(mode, out_of_range), attr(fill_value, fill)});
}

TEST(Take, NegativeIndicesCountFromTheBackOnce) {
  const Tensor x = tensor({10, 20, 30});
  const Tensor i = tensor<std::int32_t>({-1, -3, -4, 3});
  EXPECT_EQ(values(taken(x, i, OutOfRange::clip)), (Floats{30, 10, 10, 30}));
  EXPECT_EQ(values(taken(x, i, OutOfRange::wrap)), (Floats{30, 10, 30, 10}));
  EXPECT_EQ(values(taken(x, i, OutOfRange::fill, 7.0)), (Floats{30, 10, 7, 7}));
  const Floats filled = values(taken(x, i, OutOfRange::fill));
  EXPECT_TRUE(std::isnan(filled[2]) && std::isnan(filled[3]));
  EXPECT_EQ(
      values<std::int32_t>(taken(tensor<std::int32_t>({1, 2}), tensor<std::int32_t>({5}), OutOfRange::fill)),
      (std::vector<std::int32_t>{0}));
}

TEST(Take, ErrorRaisesWithPositionAndValue) {
  EXPECT_EQ(values(taken(tensor({10, 20, 30}), tensor<std::int32_t>({-3, 2}), OutOfRange::error)),
            (Floats{10, 30}));
  try {
    static_cast<void>(values(taken(tensor({10, 20, 30}), tensor<std::int32_t>({0, 5}), OutOfRange::error)));
    FAIL() << "an index outside must raise";
  } catch (const IndexError& error) {
    EXPECT_EQ(error.id(), ErrorId::index_out_of_range);
    EXPECT_NE(std::string(error.what()).find("index 5 at position 1"), std::string::npos) << error.what();
  }
}

TEST(Take, RowsAndColumns) {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  const Tensor columns = apply_one(get_op("take"), {x, tensor<std::int32_t>({{2, 0}})}, {attr(axis, 1)});
  EXPECT_EQ(columns.type().to_string(), "f32[2,1,2]");
  EXPECT_EQ(values(columns), (Floats{3, 1, 6, 4}));
  EXPECT_EQ(values(apply_one(get_op("take_along_axis"), {x, tensor<std::int32_t>({2, -3}, {2, 1})},
                             {attr(axis, 1)})),
            (Floats{3, 4}));
}

TEST(DynamicSlice, Clamps) {
  Attrs two;
  two.set_value("sizes", std::vector<Dim>{Dim(2)});
  EXPECT_EQ(
      values(apply_one(get_op("dynamic_slice"), {tensor({1, 2, 3, 4}), tensor<std::int32_t>({9})}, two)),
      (Floats{3, 4}));
  EXPECT_EQ(
      values(apply_one(get_op("dynamic_slice"), {tensor({1, 2, 3, 4}), tensor<std::int32_t>({-1})}, two)),
      (Floats{1, 2}));
  EXPECT_EQ(values(apply_one(get_op("dynamic_update_slice"),
                             {tensor({1, 2, 3}), tensor({8, 9}), tensor<std::int32_t>({5})})),
            (Floats{1, 8, 9}));
}

TEST(TopK, LargestFirst) {
  Attrs two;
  two.set_value("k", Dim(2));
  const Tensors top = apply(get_op("top_k"), {tensor({3, 1, 3, kNaN})}, two);
  EXPECT_EQ(values(top[0]), (Floats{3, 3}));
  EXPECT_EQ(values<std::int32_t>(top[1]), (std::vector<std::int32_t>{0, 2}));
}

TEST(Take, Samples) {
  for (const char* op :
       {"take", "take_along_axis", "dynamic_slice", "dynamic_update_slice", "argsort", "top_k"}) {
    testing::check_samples(op);
  }
}

TEST(Take, ErrorsTellTheIndexAsItWasGiven) {
  const Tensor x = tensor({10, 20, 30});
  for (const std::int32_t index : {-5, 3}) {
    try {
      static_cast<void>(values(taken(x, tensor<std::int32_t>({0, index}), OutOfRange::error)));
      FAIL() << index;
    } catch (const Error& error) {
      EXPECT_EQ(error.id(), ErrorId::index_out_of_range);
      const std::string told = "index " + std::to_string(index) + " at position 1 is outside [-3, 3)";
      EXPECT_NE(error.message().find(told), std::string::npos) << error.what();
    }
  }
}

TEST(Take, AxesThatNeedWideIndices) {
  const Type x{f32, {Dim(3'000'000'000)}};
  const Function f = trace_flat({{"x", x}, {"i", {i32, {2}}}}, [](std::span<const Tensor> a) -> Tensors {
                       return {taken(a[0], a[1], OutOfRange::error)};
                     }).function;
  EXPECT_EQ(f.result_types()[0].to_string(), "f32[2]");
  const Function spelled = decomposition(get_op("take"), std::vector<Type>{x, {i32, {2}}}, f.equations().back().attrs);
  EXPECT_TRUE(std::any_of(spelled.equations().begin(), spelled.equations().end(), [&](const Equation& equation) {
    return spelled.type(equation.first_result) == Type{i64, {2}};
  }));
}

}  // namespace
}  // namespace calx::take_test
