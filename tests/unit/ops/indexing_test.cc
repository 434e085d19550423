// gather and the scatters: modes, duplicates, transposes, batch rules.
#include "indexing/_support.h"
#include "rules_testing.h"

namespace calx::indexing_test {
namespace {

using namespace ops::index_attrs;
using testing::Applied;
using testing::values;
using Floats = std::vector<float>;

Tensor ints(std::initializer_list<std::int32_t> list) { return tensor<std::int32_t>(list); }

Attrs take_attrs(IndexMode index_mode) {
  return {attr(collapsed_slice_dims, {0}), attr(start_index_map, {0}), attr(index_vector_dim, 1),
          attr(slice_sizes, {Dim(1)}), attr(mode, index_mode)};
}

Attrs put_attrs(IndexMode index_mode) {
  return {attr(inserted_window_dims, {0}), attr(scatter_dims_to_operand_dims, {0}), attr(index_vector_dim, 1),
          attr(mode, index_mode)};
}

TEST(Gather, ModesAndTheirTransposes) {
  const Tensor x = tensor({10, 20, 30});
  const Tensor i = ints({2, 5, -1});
  const Applied clip("gather", {x, i}, take_attrs(IndexMode::clip));
  EXPECT_EQ(values(clip.result()), (Floats{30, 30, 10}));
  EXPECT_EQ(values(clip.transpose(tensor({1, 2, 4}))[0]), (Floats{4, 0, 3}));
  const Applied fill("gather", {x, i}, take_attrs(IndexMode::fill));
  EXPECT_EQ(values(fill.result()), (Floats{30, 0, 0}));
  EXPECT_EQ(values(fill.transpose(tensor({1, 2, 4}))[0]), (Floats{0, 0, 1}));
  const Applied wrap("gather", {x, i}, take_attrs(IndexMode::wrap));
  EXPECT_EQ(values(wrap.result()), (Floats{30, 30, 30}));
  EXPECT_EQ(values(wrap.transpose(tensor({1, 2, 4}))[0]), (Floats{0, 0, 7}));
}

TEST(Gather, WindowsMoveInsideWhole) {
  // Slices of 2 rows at starts -5 and 2 of 3 rows: clip moves both inside.
  const Applied windows("gather", {tensor({{1, 2}, {3, 4}, {5, 6}}), ints({-5, 2})},
                        {attr(offset_dims, {1, 2}), attr(start_index_map, {0}), attr(index_vector_dim, 1),
                         attr(slice_sizes, {Dim(2), Dim(2)})});
  EXPECT_EQ(windows.result().type().to_string(), "f32[2,2,2]");
  EXPECT_EQ(values(windows.result()), (Floats{1, 2, 3, 4, 3, 4, 5, 6}));
  EXPECT_EQ(values(windows.transpose(tensor<float>({1, 1, 1, 1, 1, 1, 1, 1}, {2, 2, 2}))[0]),
            (Floats{1, 1, 2, 2, 1, 1}));
}

TEST(Gather, BatchRulesStack) {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  const Tensor i = tensor<std::int32_t>({{2, 0, 7}, {1, 1, -1}});
  for (IndexMode each : {IndexMode::clip, IndexMode::fill, IndexMode::wrap}) {
    testing::expect_batch_is_stacking("gather", {x, ints({2, 0, 9})}, {true, false}, take_attrs(each), 2);
    testing::expect_batch_is_stacking("gather", {tensor({1, 2, 3}), i}, {false, true}, take_attrs(each), 2);
    testing::expect_batch_is_stacking("gather", {x, i}, {true, true}, take_attrs(each), 2);
  }
}

TEST(Scatter, TheLastUpdateWinsAndGetsTheCotangent) {
  const Applied set("scatter", {tensor({1, 2, 3}), ints({0, 2, 0}), tensor({7, 8, 9})},
                    put_attrs(IndexMode::clip));
  EXPECT_EQ(values(set.result()), (Floats{9, 2, 8}));
  const Tangents ct = set.transpose(tensor({10, 20, 30}));
  EXPECT_EQ(values(ct[0]), (Floats{0, 20, 0}));
  EXPECT_EQ(values(ct[1]), (Floats{0, 30, 10}));
  EXPECT_EQ(values(set.jvp({tensor({1, 2, 4}), {}, tensor({10, 20, 40})})[0]), (Floats{40, 2, 20}));
}

TEST(Scatter, FillDropsWhatIsOutside) {
  const Applied set("scatter", {tensor({1, 2, 3}), ints({5, -1, 1}), tensor({7, 8, 9})},
                    put_attrs(IndexMode::fill));
  EXPECT_EQ(values(set.result()), (Floats{1, 9, 3}));
  const Tangents ct = set.transpose(tensor({10, 20, 30}));
  EXPECT_EQ(values(ct[0]), (Floats{10, 0, 30}));
  EXPECT_EQ(values(ct[1]), (Floats{0, 0, 20}));
}

TEST(ScatterAdd, AddsDuplicatesAndTransposesToGather) {
  const Tensor i = ints({2, 5, 2, -1});
  const Tensor u = tensor({1, 2, 4, 8});
  const Applied clip("scatter_add", {tensor({10, 20, 30}), i, u}, put_attrs(IndexMode::clip));
  EXPECT_EQ(values(clip.result()), (Floats{18, 20, 37}));
  const Applied fill("scatter_add", {tensor({10, 20, 30}), i, u}, put_attrs(IndexMode::fill));
  EXPECT_EQ(values(fill.result()), (Floats{10, 20, 35}));
  EXPECT_EQ(values(fill.transpose(tensor({1, 2, 3}))[1]), (Floats{3, 0, 3, 0}));
  EXPECT_EQ(values(clip.transpose(tensor({1, 2, 3}))[1]), (Floats{3, 3, 3, 1}));
}

TEST(ScatterAdd, Float16IsAccumulatedInFloat32) {
  // 2048 + 1 is 2048 in f16, so a running f16 sum would stay there.
  const std::vector<float16_t> ones(4, float16_t(1.0f));
  const Applied sum("scatter_add",
                    {tensor<float16_t>({float16_t(2048.0f)}), ints({0, 0, 0, 0}), tensor(ones, {4})},
                    put_attrs(IndexMode::clip));
  EXPECT_EQ(static_cast<float>(values<float16_t>(sum.result())[0]), 2052.0f);
}

TEST(ScatterMul, ExactProductsWithZerosAndDuplicates) {
  // Element 0: 2 * 0 * 3 * 4; element 1: 5 * 0 * 0; element 2: no update.
  const Tensor x = tensor({2, 5, 7});
  const Tensor i = ints({0, 1, 0, 1, 0});
  const Tensor u = tensor({0, 0, 3, 0, 4});
  const Applied product("scatter_mul", {x, i, u}, put_attrs(IndexMode::clip));
  EXPECT_EQ(values(product.result()), (Floats{0, 0, 7}));
  const auto derivative = [&](int k) {
    std::vector<float> direction(5, 0.0f);
    direction[static_cast<std::size_t>(k)] = 1;
    return values(product.jvp({{}, {}, tensor(direction, {5})})[0]);
  };
  EXPECT_EQ(derivative(0), (Floats{24, 0, 0}));
  EXPECT_EQ(derivative(1), (Floats{0, 0, 0}));
  EXPECT_EQ(derivative(2), (Floats{0, 0, 0}));
  EXPECT_EQ(values(product.jvp({tensor({1, 1, 1}), {}, {}})[0]), (Floats{0, 0, 1}));
  const Applied plain("scatter_mul", {x, ints({0, 9, 0, -1, 0}), tensor({3, 100, 5, 100, 7})},
                      put_attrs(IndexMode::fill));
  EXPECT_EQ(values(plain.result()), (Floats{210, 5, 7}));
  EXPECT_EQ(values(plain.jvp({tensor({1, 0, 0}), {}, tensor({1, 1, 1, 1, 1})})[0]),
            (Floats{105 + 70 + 42 + 30, 0, 0}));
  EXPECT_EQ(values(plain.transpose(tensor({1, 2, 3}))[0]), (Floats{105, 2, 3}));
}

TEST(ScatterMax, TiesAreSharedWithTheOperandsOwnEntry) {
  const Applied tied("scatter_max", {tensor({4, 1, 2}), ints({0, 0, 1, 0}), tensor({4, 3, 5, 4})},
                     put_attrs(IndexMode::clip));
  EXPECT_EQ(values(tied.result()), (Floats{4, 5, 2}));
  EXPECT_EQ(values(tied.jvp({tensor({3, 30, 300}), {}, tensor({6, 60, 7, 9})})[0]), (Floats{6, 7, 300}));
  const Applied low("scatter_min", {tensor({4, 1}), ints({0, 0}), tensor({2, 2})},
                    put_attrs(IndexMode::clip));
  EXPECT_EQ(values(low.result()), (Floats{2, 1}));
  EXPECT_EQ(values(low.jvp({tensor({1, 1}), {}, tensor({10, 30})})[0]), (Floats{20, 1}));
}

TEST(Scatter, BatchRulesStack) {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  const Tensor x1 = tensor({1, 2, 3});
  const Tensor i = tensor<std::int32_t>({{2, 0, 7}, {1, 1, -1}});
  const Tensor i1 = ints({2, 2, 9});
  const Tensor u = tensor({{3, -2, 4}, {5, 8, -7}});
  const Tensor u1 = tensor({3, -2, 9});
  for (const char* op : {"scatter", "scatter_add", "scatter_mul", "scatter_min", "scatter_max"}) {
    for (IndexMode each : {IndexMode::clip, IndexMode::fill, IndexMode::wrap}) {
      for (int mask = 1; mask < 8; ++mask) {
        const bool b0 = (mask & 1) != 0;
        const bool b1 = (mask & 2) != 0;
        const bool b2 = (mask & 4) != 0;
        testing::expect_batch_is_stacking(op, {b0 ? x : x1, b1 ? i : i1, b2 ? u : u1}, {b0, b1, b2},
                                          put_attrs(each), 2);
      }
    }
  }
}

TEST(Scatter, OffsetsBeyond31Bits) {
  // Report B79: element (0, 46341, 0) of [1, 46342, 46341], without the memory.
  const ops::GatherSpec spec{.collapsed_slice_dims = {0, 1, 2},
                             .start_index_map = {0, 1, 2},
                             .index_vector_dim = 1,
                             .slice_sizes = {1, 1, 1}};
  ops::GatherWalk walk(spec.lowered(), IndexMode::fill, {1, 46342, 46341},
                       tensor<std::int32_t>({{0, 46341, 0}}).value(), {1});
  int visits = 0;
  walk.run([&](std::int64_t result, std::int64_t element) {
    ++visits;
    EXPECT_EQ(result, 0);
    EXPECT_EQ(element, std::int64_t{46341} * 46341);
  });
  EXPECT_EQ(visits, 1);
}

TEST(Indexing, Samples) {
  for (const char* op :
       {"gather", "scatter", "scatter_add", "scatter_mul", "scatter_min", "scatter_max", "sort",
        "cumsum", "cumprod", "cummax", "cummin", "linear_recurrence"}) {
    testing::check_samples(op);
  }
}

}  // namespace
}  // namespace calx::indexing_test
