// Every alternative of Lowered but the kernels, on contiguous and strided operands.
#include "calx/loopir/interpreter.h"

#include "testing.h"

namespace calx::loopir::interpreter_test {
namespace {

using F = std::vector<float>;
using I = std::vector<std::int32_t>;

TEST(Interpreter, Pointwise) {
  const Scalar x = Scalar::operand(0, f32), y = Scalar::operand(1, f32);
  const Pointwise op{{2, 2}, {x * y, scalar::less(x, y), scalar::convert(Scalar::index(1), f32) + x}};
  expect_run(op, {array<float>({2, 2}, {1, 2, 3, 4}), array<float>({2, 2}, {5, 1, 7, 8})},
             {array<float>({2, 2}, {5, 2, 21, 32}),
              Array::from<bool>({2, 2}, std::span<const bool>(std::array{true, false, true, true})),
              array<float>({2, 2}, {1, 3, 3, 5})});
  expect_run(Pointwise{{0, 3}, {x}}, {array<float>({0, 3}, F{})}, {array<float>({0, 3}, F{})});
  expect_run(Pointwise{{}, {x + x}}, {array<float>({}, {2})}, {array<float>({}, {4})});
}

TEST(Interpreter, BroadcastOperandsHaveStrideZero) {
  const Array row = array<float>({3}, {1, 2, 3});
  const StridedArray expanded{f32, {2, 3}, {0, 1}, 0, row.buffer()};
  EXPECT_EQ(expanded.to_contiguous(), array<float>({2, 3}, {1, 2, 3, 1, 2, 3}));
}

TEST(Interpreter, View) {
  const Array x = counting({2, 3});
  expect_run(View{0, {3, 2}, 0, {1, 3}}, {x}, {array<float>({3, 2}, {0, 3, 1, 4, 2, 5})});  // transpose
  expect_run(View{0, {3, 2}, 0, {2, 1}}, {x}, {array<float>({3, 2}, {0, 1, 2, 3, 4, 5})});  // reshape
  expect_run(View{0, {2, 2}, 5, {-3, -2}}, {x}, {array<float>({2, 2}, {5, 3, 2, 0})});  // strided, reversed
  expect_run(View{0, {2, 2, 3}, 0, {0, 3, 1}}, {x},
             {array<float>({2, 2, 3}, {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5})});
  EXPECT_THROW(static_cast<void>(
                   run(View{0, {2}, 5, {1}}, std::array{StridedArray::of(x)}, std::array{Type{f32, {2}}})),
               InternalError);
}

TEST(Interpreter, GuardedPadsAndConcatenates) {
  // pad: low 1, high -1, interior 1.
  const Guarded pad{{4}, {{0, {{-1, {1}, 2}}}}, Scalar::operand(1, f32)};
  expect_run(pad, {array<float>({3}, {1, 2, 3}), array<float>({}, {9})}, {array<float>({4}, {9, 1, 9, 2})});
  // concat along axis 1.
  const Guarded concat{
      {2, 3}, {{0, {{0, {1, 0}}, {0, {0, 1}}}}, {1, {{0, {1, 0}}, {-1, {0, 1}}}}}, Scalar::constant(0, i32)};
  expect_run(concat, {array<std::int32_t>({2, 1}, {1, 2}), array<std::int32_t>({2, 2}, {3, 4, 5, 6})},
             {array<std::int32_t>({2, 3}, {1, 3, 4, 2, 5, 6})});
}

TEST(Interpreter, Reduction) {
  const Array x = counting({2, 3, 2});
  const Scalar e = Scalar::operand(0, f32);
  expect_run(Reduction{{2, 3, 2}, {1}, e, Combiner::sum, f32}, {x}, {array<float>({2, 2}, {6, 9, 24, 27})});
  expect_run(Reduction{{2, 3, 2}, {0, 2}, e * e, Combiner::max, f32}, {x},
             {array<float>({3}, {49, 81, 121})});
  expect_run(Reduction{{2, 3, 2}, {0, 1, 2}, e, Combiner::sum, f32}, {x}, {array<float>({}, {66})});
  expect_run(Reduction{{2, 0}, {1}, e, Combiner::prod, f32}, {array<float>({2, 0}, F{})},
             {array<float>({2}, {1, 1})});
  // i8 is accumulated in i32 and wraps when stored.
  expect_run(Reduction{{3}, {0}, Scalar::operand(0, i8), Combiner::sum, i32},
             {array<std::int8_t>({3}, {100, 100, 100})}, {array<std::int8_t>({}, {44})});
  // bf16 is accumulated in f32: 256 + 1 + 1 would stay 256 in bf16.
  const Array wide = converted(array<float>({3}, {256, 1, 1}), bf16);
  expect_run(Reduction{{3}, {0}, Scalar::operand(0, bf16), Combiner::sum, f32}, {wide},
             {converted(array<float>({}, {258}), bf16)});
}

TEST(Interpreter, ReductionHasTheBitsOfReduce) {
  const std::int64_t n = 3000;
  Array x = Array::uninitialized(f32, {2, n});
  for (std::int64_t i = 0; i < 2 * n; ++i) x.mutable_data<float>()[i] = 1.0f / static_cast<float>(i + 1);
  std::vector<float> expected;
  for (std::int64_t row = 0; row < 2; ++row) {
    expected.push_back(reduce<float, Sum>(n, [&](std::int64_t i) { return x.data<float>()[row * n + i]; }));
  }
  expect_run(Reduction{{2, n}, {1}, Scalar::operand(0, f32), Combiner::sum, f32}, {x},
             {array<float>({2}, expected)});
}

TEST(Interpreter, Cumulative) {
  const Array x = array<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  expect_run(Cumulative{{2, 3}, 1, Combiner::sum, f32}, {x}, {array<float>({2, 3}, {1, 3, 6, 4, 9, 15})});
  expect_run(Cumulative{{2, 3}, 0, Combiner::prod, f32}, {x}, {array<float>({2, 3}, {1, 2, 3, 4, 10, 18})});
  expect_run(Cumulative{{2, 3}, 1, Combiner::sum, f32, true, false}, {x},
             {array<float>({2, 3}, {0, 1, 3, 0, 4, 9})});
  expect_run(Cumulative{{2, 3}, 1, Combiner::sum, f32, false, true}, {x},
             {array<float>({2, 3}, {6, 5, 3, 15, 11, 6})});
  expect_run(Cumulative{{2, 3}, 1, Combiner::sum, f32, true, true}, {x},
             {array<float>({2, 3}, {5, 3, 0, 11, 6, 0})});
  expect_run(Cumulative{{2, 0}, 1, Combiner::max, f32}, {array<float>({2, 0}, F{})},
             {array<float>({2, 0}, F{})});
}

// take(x, indices, axis 0) of rows.
GatherDimensions rows(std::int64_t columns) { return {{1}, {0}, {}, {}, {0}, 1, {1, columns}}; }

TEST(Interpreter, GatherRowsInEveryMode) {
  const Array x = counting({3, 2});
  const Array indices = array<std::int32_t>({4}, {2, 0, -1, 7});
  const Scalar nine = Scalar::operand(2, f32);
  const Array fill = array<float>({}, {9});
  expect_run(Gather{rows(2), IndexMode::clip, {}}, {x, indices},
             {array<float>({4, 2}, {4, 5, 0, 1, 0, 1, 4, 5})});
  expect_run(Gather{rows(2), IndexMode::wrap, {}}, {x, indices},
             {array<float>({4, 2}, {4, 5, 0, 1, 4, 5, 2, 3})});
  expect_run(Gather{rows(2), IndexMode::fill, nine}, {x, indices, fill},
             {array<float>({4, 2}, {4, 5, 0, 1, 9, 9, 9, 9})});
  expect_run(Gather{rows(2), IndexMode::in_bounds, {}}, {x, array<std::int64_t>({1}, {1})},
             {array<float>({1, 2}, {2, 3})});
}

TEST(Interpreter, GatherGeneralForm) {
  // Slices 2x2 of x[b] at starts indices[:, b, :] = (row, column); the offset axes surround the axis of
  // starts.
  const Array x = counting({2, 3, 3});  // b, row, column
  const GatherDimensions dims{{0, 3}, {}, {0}, {1}, {1, 2}, 2, {1, 2, 2}};
  const Array indices = array<std::int32_t>({2, 2, 2}, {0, 0, 1, 1, 1, 0, 5, 5});  // start s, b, component
  // result[r, s, b, c] = x[b, start(s,b)[0] + r, start(s,b)[1] + c]; (5, 5) is clipped to (1, 1).
  expect_run(Gather{dims, IndexMode::clip, {}}, {x, indices},
             {array<float>({2, 2, 2, 2}, {0, 1, 13, 14, 3, 4, 13, 14, 3, 4, 16, 17, 6, 7, 16, 17})});
}

TEST(Interpreter, ScatterRows) {
  const Array x = array<float>({3, 2}, {1, 1, 1, 1, 1, 1});
  const Array indices = array<std::int32_t>({3}, {2, 0, 2});
  const Array updates = array<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  const auto with = [&](ScatterCombiner combiner) {
    return Scatter{rows(2), IndexMode::fill, combiner, f32};
  };
  expect_run(with(ScatterCombiner::set), {x, indices, updates}, {array<float>({3, 2}, {3, 4, 1, 1, 5, 6})});
  expect_run(with(ScatterCombiner::add), {x, indices, updates}, {array<float>({3, 2}, {4, 5, 1, 1, 7, 9})});
  expect_run(with(ScatterCombiner::mul), {x, indices, updates}, {array<float>({3, 2}, {3, 4, 1, 1, 5, 12})});
  expect_run(with(ScatterCombiner::max), {x, indices, updates}, {array<float>({3, 2}, {3, 4, 1, 1, 5, 6})});
  expect_run(with(ScatterCombiner::min), {x, indices, updates}, {array<float>({3, 2}, {1, 1, 1, 1, 1, 1})});
}

TEST(Interpreter, ScatterDropsOrMovesWhatIsOutside) {
  const Array x = array<float>({3}, {0, 0, 0});
  const Array indices = array<std::int32_t>({3}, {-1, 1, 5});
  const Array updates = array<float>({3}, {1, 2, 4});
  const GatherDimensions elements{{}, {0}, {}, {}, {0}, 1, {1}};
  const auto in = [&](IndexMode mode) { return Scatter{elements, mode, ScatterCombiner::add, f32}; };
  expect_run(in(IndexMode::fill), {x, indices, updates}, {array<float>({3}, {0, 2, 0})});
  expect_run(in(IndexMode::clip), {x, indices, updates}, {array<float>({3}, {1, 2, 4})});
  expect_run(in(IndexMode::wrap), {x, indices, updates}, {array<float>({3}, {0, 2, 5})});
}

TEST(Interpreter, ScatterIsTheTransposeOfGather) {
  // <gather(x), u> = <x, scatter_add(0, u)> in every mode, with slices, batching and out-of-bounds starts.
  const Array x = counting({2, 4, 3});
  const GatherDimensions dims{{0, 3}, {}, {0}, {1}, {1, 2}, 2, {1, 2, 2}};
  const Array indices = array<std::int32_t>({2, 2, 2}, {0, 0, 1, 1, -1, 0, 5, 2});
  const Array u = counting({2, 2, 2, 2});
  for (IndexMode mode : {IndexMode::clip, IndexMode::fill, IndexMode::wrap}) {
    const auto run_one = [](const Lowered& op, std::vector<Array> operands, Type type) {
      std::vector<StridedArray> views;
      for (const Array& operand : operands) views.push_back(StridedArray::of(operand));
      return run(op, views, std::array{type})[0];
    };
    const Array gathered = run_one(Gather{dims, mode, Scalar::constant(0, f32)}, {x, indices}, u.type());
    const Array added = run_one(Scatter{dims, mode, ScatterCombiner::add, f32},
                                {Array::zeros(f32, {2, 4, 3}), indices, u}, x.type());
    const auto inner = [](const Array& a, const Array& b) {
      return std::inner_product(a.values<float>().begin(), a.values<float>().end(), b.values<float>().begin(),
                                0.0);
    };
    EXPECT_EQ(inner(gathered, u), inner(x, added));
    EXPECT_NE(inner(gathered, u), 0.0);
  }
}

TEST(Interpreter, RegionsAndOpaqueCallsAreRefused) {
  EXPECT_THROW(static_cast<void>(run(Region{}, {}, {})), UnsupportedError);
  EXPECT_THROW(static_cast<void>(run(Opaque{}, {}, {})), UnsupportedError);
}

}  // namespace
}  // namespace calx::loopir::interpreter_test
