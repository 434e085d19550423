// slice, reverse, pad and concat: values, transposes, batch rules, symbolic sizes.
#include "calx/core/trace.h"
#include "rules_testing.h"
#include "shape/_support.h"

namespace calx::shape_test {
namespace {

using namespace ops::shape_attrs;
using testing::Applied;
using testing::values;
using Floats = std::vector<float>;

TEST(Slice, TakesAStridedBox) {
  const Applied box("slice", {tensor({{1, 2, 3, 4}, {5, 6, 7, 8}})},
                    {attr(start, {Dim(0), Dim(1)}), attr(limit, {Dim(2), Dim(4)}), attr(stride, {1, 2})});
  EXPECT_EQ(box.result().type().to_string(), "f32[2,2]");
  EXPECT_EQ(values(box.result()), (Floats{2, 4, 6, 8}));
  EXPECT_EQ(values(box.transpose(tensor({{1, 2}, {3, 4}}))[0]), (Floats{0, 1, 0, 2, 0, 3, 0, 4}));
}

TEST(Slice, AStepBeyondTheEndTakesTheFirst) {
  const Applied first("slice", {tensor({7, 8, 9})},
                      {attr(start, {Dim(0)}), attr(limit, {Dim(3)}), attr(stride, {1000000000})});
  EXPECT_EQ(values(first.result()), (Floats{7}));
  EXPECT_EQ(values(first.transpose(tensor({5}))[0]), (Floats{5, 0, 0}));
}

TEST(Reverse, TurnsAxesRound) {
  const Applied both("reverse", {tensor({{1, 2}, {3, 4}})}, {attr(reverse_axes, {0, -1})});
  EXPECT_EQ(values(both.result()), (Floats{4, 3, 2, 1}));
  EXPECT_EQ(values(both.transpose(tensor({{1, 2}, {3, 4}}))[0]), (Floats{4, 3, 2, 1}));
}

TEST(Pad, AddsBetweenAndRemovesAtTheEnds) {
  const Applied padded("pad", {tensor({1, 2, 3}), scalar(9.0f)},
                       {attr(low, {Dim(1)}), attr(high, {Dim(-2)}), attr(interior, {1})});
  EXPECT_EQ(values(padded.result()), (Floats{9, 1, 9, 2}));
  const Tangents ct = padded.transpose(tensor({10, 20, 40, 80}));
  EXPECT_EQ(values(ct[0]), (Floats{20, 80, 0}));
  EXPECT_EQ(values(ct[1]), (Floats{50}));
}

TEST(Pad, RemovesElementsAtTheStart) {
  const Applied padded("pad", {tensor({1, 2, 3, 4}), scalar(0.0f)},
                       {attr(low, {Dim(-3)}), attr(high, {Dim(1)}), attr(interior, {1})});
  EXPECT_EQ(values(padded.result()), (Floats{0, 3, 0, 4, 0}));
  EXPECT_EQ(values(padded.transpose(tensor({1, 2, 3, 4, 5}))[0]), (Floats{0, 0, 2, 4}));
}

TEST(Pad, InfinityInTheCotangentStaysWhereItIs) {
  const Applied padded("pad", {tensor({1, 2}), scalar(0.0f)}, {attr(low, {Dim(1)}), attr(high, {Dim(0)})});
  const Tangents ct = padded.transpose(tensor({3, testing::kInf, -testing::kInf}));
  EXPECT_EQ(values(ct[1]), (Floats{3}));
}

TEST(Concat, FollowsAlongAnAxis) {
  const Applied both("concat", {tensor<float>({1, 2}, {2, 1}), tensor({{3, 4}, {5, 6}})},
                     {attr(concat_axis, 1)});
  EXPECT_EQ(values(both.result()), (Floats{1, 3, 4, 2, 5, 6}));
  const Tangents ct = both.transpose(tensor({{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(values(ct[0]), (Floats{1, 4}));
  EXPECT_EQ(values(ct[1]), (Floats{2, 3, 5, 6}));
}

TEST(Shape, BatchRulesStack) {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  const Tensor v = tensor({7, 8});
  testing::expect_batch_is_stacking("slice", {x}, {true},
                                    {attr(start, {Dim(0)}), attr(limit, {Dim(3)}), attr(stride, {2})}, 2);
  testing::expect_batch_is_stacking("reverse", {x}, {true}, {attr(reverse_axes, {-1})}, 2);
  const Attrs padding{attr(low, {Dim(1)}), attr(high, {Dim(-1)}), attr(interior, {1})};
  testing::expect_batch_is_stacking("pad", {x, scalar(5.0f)}, {true, false}, padding, 2);
  testing::expect_batch_is_stacking("pad", {tensor({1, 2, 3}), v}, {false, true}, padding, 2);
  testing::expect_batch_is_stacking("pad", {x, v}, {true, true}, padding, 2);
  testing::expect_batch_is_stacking("concat", {x, tensor({9, 9})}, {true, false}, {attr(concat_axis, -1)}, 2);
}

TEST(Shape, TransposesCloseWithSymbolicSizes) {
  const Dim n = Dim::symbol("N");
  const Dim m = Dim::symbol("M");
  const Type x{f32, {n + 3}};
  const Attrs strided{attr(start, {Dim(1)}), attr(limit, {n + 2}), attr(stride, {2})};
  const Traced traced =
      trace_flat({{"x", x}, {"y", {f32, {m}}}}, [&](std::span<const Tensor> args) -> Tensors {
        Attrs attrs = strided;
        const Type types[] = {x};
        const OpDef& slice = get_op("slice");
        const Tensor y = apply_one(slice, {args[0]}, strided);
        EXPECT_EQ(y.shape()[0], floor_div(n + 2, 2));
        const auto back = [](const OpDef& op, std::span<const Type> of, const Attrs& with, const Tensor& ct) {
          return std::get<LinearIn>(op.primitive()->linear)
              .transpose(Call(op, of, with, {}), 0, Tangents(Tangent(ct)))[0]
              .instantiate();
        };
        static_cast<void>(infer_types(slice, types, attrs, {}));
        const Tensor x_ct = back(slice, types, attrs, y);
        EXPECT_EQ(x_ct.shape(), x.shape);

        // pad of M elements with holes, cropped on one side: its transpose gives M elements again.
        Attrs padding{attr(low, {Dim(-1)}), attr(high, {n}), attr(interior, {2})};
        const Type pad_types[] = {{f32, {m}}, {f32, {}}};
        const OpDef& pad = get_op("pad");
        static_cast<void>(infer_types(pad, pad_types, padding, {}));
        const Tensor p = apply_one(pad, {args[1], scalar(0.0f)}, padding);
        EXPECT_EQ(back(pad, pad_types, padding, p).shape()[0], m);
        EXPECT_EQ(apply_one(get_op("concat"), {args[0], args[1]}).shape()[0], n + m + 3);
        return {x_ct};
      });
}

TEST(Shape, Samples) {
  for (const char* op : {"slice", "reverse", "pad", "concat"}) testing::check_samples(op);
}

}  // namespace
}  // namespace calx::shape_test
