// parse(print(f)) == f, bitwise on constants: every dtype and corner value, every sample of the op table,
// regions, names that need quotes, sizes, donations, shared Functions.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "calx/base/format.h"
#include "calx/core/core_ops.h"
#include "calx/core/text.h"
#include "calx/core/trace.h"
#include "calx/ops/control.h"

namespace calx::round_trip_test {
namespace {

void expect_round_trip(const Function& f) {
  const std::string text = print(f);
  Function again;
  try {
    again = parse(text, "printed.calx");
  } catch (const Error& error) {
    FAIL() << error.what() << "\n" << text;
  }
  EXPECT_TRUE(again == f) << text << "\nbecame\n" << print(again);
  EXPECT_EQ(print(again), text);
}

Function of_constant(Array value) {
  return trace_flat({}, [&](std::span<const Tensor>) -> Tensors { return {Tensor(value)}; }).function;
}

template <class T>
Array every_bit_pattern_16() {
  std::vector<T> values;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits)
    values.push_back(std::bit_cast<T>(static_cast<std::uint16_t>(bits)));
  return Array::from<T>({0x10000}, values);
}

TEST(RoundTrip, CornersOfEveryDType) {
  for (DType dtype : kAllDTypes) {
    visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
      std::vector<T> values;
      if constexpr (std::is_same_v<T, bool>) {
        values = {true, false, true, true};
      } else if constexpr (std::is_integral_v<T>) {
        values = {T(0), T(1), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
      } else if constexpr (sizeof(T) == 2) {
        for (std::uint16_t bits : {0x0000, 0x8000, 0x0001, 0x7BFF, 0x7C00, 0xFC00, 0x7C01, 0x7E00, 0x7F80,
                                   0x7F81, 0x7FC0, 0xFFC0, 0xFFFF, 0x3C01, 0x3555, 0x4248}) {
          values.push_back(std::bit_cast<T>(bits));
        }
      } else if constexpr (sizeof(T) == 4) {
        for (std::uint32_t bits :
             {0x00000000u, 0x80000000u, 0x00000001u, 0x7F7FFFFFu, 0x7F800000u, 0xFF800000u, 0x7FC00000u,
              0x7F800001u, 0xFFC12345u, 0x3DCCCCCDu, 0x3F800001u, 0x00800000u}) {
          values.push_back(std::bit_cast<float>(bits));
        }
      } else {
        for (std::uint64_t bits :
             {0x0ull, 0x8000000000000000ull, 0x1ull, 0x7FEFFFFFFFFFFFFFull, 0x7FF0000000000000ull,
              0xFFF0000000000000ull, 0x7FF8000000000000ull, 0x7FF0000000000001ull, 0xFFFFFFFFFFFFFFFFull,
              0x3FB999999999999Aull, 0x3FF0000000000001ull, 0x0010000000000000ull}) {
          values.push_back(std::bit_cast<double>(bits));
        }
      }
      const auto count = static_cast<std::int64_t>(values.size());
      expect_round_trip(of_constant(Array::from<T>({count}, values)));
      expect_round_trip(of_constant(Array::from<T>({2, count / 2, 1}, values)));
      expect_round_trip(of_constant(Array::scalar<T>(values[1])));
      expect_round_trip(of_constant(Array::zeros(dtype, {2, 0, 3})));
      for (std::int64_t size : {64, 65, 66, 67, 1000})
        expect_round_trip(of_constant(Array::zeros(dtype, {size})));
    });
  }
}

TEST(RoundTrip, SixteenBitFloatsInDecimal) {
  // Every pattern, 64 at a time so that they are spelled out.
  const auto run = [](const Array& all) {
    for (std::int64_t start = 0; start < all.num_elements(); start += 64 * 37) {
      Array part =
          Array::uninitialized(all.dtype(), {std::min<std::int64_t>(64, all.num_elements() - start)});
      std::memcpy(const_cast<std::byte*>(part.buffer().data()), all.buffer().data() + start * 2,
                  part.size_bytes());
      expect_round_trip(of_constant(part));
    }
  };
  run(every_bit_pattern_16<float16_t>());
  run(every_bit_pattern_16<bfloat16_t>());
}

TEST(RoundTrip, SmallConstantsAreReadable) {
  const std::string text = print(of_constant(Array::from<float>({2, 2}, {1.0f, -0.0f, 3.5f, 0.1f})));
  EXPECT_NE(text.find("%0 = constant() {value = f32[2,2] [[1, -0], [3.5, 0.1]]} : f32[2,2]"),
            std::string::npos)
      << text;
  const std::string half = print(of_constant(Array::scalar<float16_t>(float16_t(0.1f))));
  EXPECT_NE(half.find("value = f16[] 0.1"), std::string::npos) << half;
}

TEST(RoundTrip, NamesThatNeedQuotes) {
  const std::vector<std::string> names = {"w.hidden", "x.t2", "",  "0",        "17", "a b", "\"",
                                          "\\",       "\n",   "é", "\xff\x01", "9a", "%",   "}"};
  std::vector<Argument> arguments;
  for (const std::string& name : names) arguments.push_back({name, {f32, {2}}});
  const Function f = trace_flat(arguments,
                                [](std::span<const Tensor> x) -> Tensors {
                                  Tensor sum = x[0];
                                  for (const Tensor& one : x.subspan(1)) sum = core::add(sum, one);
                                  return {sum, x[3], sum};
                                },
                                {.name = "grad of \"f\"", .result_names = {"loss", "a\tb", ""}})
                         .function;
  expect_round_trip(f);
  expect_round_trip(f.with_name("").with_donations({{0, 0}, {3, 2}}));
}

TEST(RoundTrip, SizesAndWhereClauses) {
  const Dim h = Dim::symbol("H");
  const Dim w = Dim::symbol("W");
  const Function f = trace_flat({{"x", {f32, {h, floor_div(h + 1, 2), min(h, w) + 3, w}}}},
                                [&](std::span<const Tensor> x) -> Tensors {
                                  return {core::size(h * w + 2, f32), core::neg(x[0])};
                                },
                                {.name = "sizes", .where = {h - 3, 2 * w - h, min(h, w) - 1}})
                         .function;
  ASSERT_EQ(f.where().size(), 3u);
  expect_round_trip(f);
  EXPECT_NE(print(f).find("where H >= 3, "), std::string::npos) << print(f);
}

TEST(RoundTrip, NestedAndSharedFunctions) {
  const auto body = [](std::span<const Tensor> x) -> Tensors { return {core::mul(x[0], x[0])}; };
  const Function square = trace_flat({{"x", {f32, {3}}}}, body, {.name = "square"}).function;
  const auto twice = [&](const Function& f) {
    return trace_flat(
               {{"x", {f32, {3}}}},
               [&](std::span<const Tensor> x) -> Tensors { return core::call(f, core::call(f, {x[0]})); },
               {.name = "square"})
        .function;
  };
  const Function once = trace_flat({{"x", {f32, {3}}}}, [&](std::span<const Tensor> x) -> Tensors {
                          return core::call(square, {x[0]});
                        }).function;
  expect_round_trip(square);
  expect_round_trip(once);
  EXPECT_NE(print(once).find("{\n    function = func square(%x: f32[3]) -> (f32[3]) {\n"), std::string::npos)
      << print(once);
  // A tower of calls is printed in linear size: 2^20 equations when expanded.
  Function tower = square;
  for (int i = 0; i < 20; ++i) tower = twice(tower);
  EXPECT_LT(print(tower).size(), 5000u);
  expect_round_trip(tower);
}

TEST(RoundTrip, NoArgumentsNoResults) {
  expect_round_trip(trace_flat({}, [](std::span<const Tensor>) -> Tensors { return {}; }).function);
  expect_round_trip(trace_flat({{"x", {f32, {}}}}, [](std::span<const Tensor> x) -> Tensors {
                      return {x[0], x[0]};
                    }).function);
}

TEST(RoundTrip, EverySampleOfEveryOp) {
  int programs = 0;
  for (const OpDef* op : op_table()) {
    for (const Sample& sample : op->samples()) {
      for (DType fill : kAllDTypes) {
        std::vector<Argument> arguments;
        bool uses_fill = false;
        bool accepted = true;
        for (std::size_t i = 0; i < sample.operands.size(); ++i) {
          const SampleOperand& operand = sample.operands[i];
          const OperandSpec& spec = op->operands[std::min(i, op->operands.size() - 1)];
          uses_fill |= !operand.dtype;
          accepted &= accepts(spec.dtypes, operand.dtype.value_or(fill));
          arguments.push_back({format("x{}", i), {operand.dtype.value_or(fill), operand.shape}});
        }
        if (!accepted || (!uses_fill && fill != f32)) continue;
        Function f;
        try {
          f = trace_flat(arguments, [&](std::span<const Tensor> x) {
                return apply(*op, Tensors(x.begin(), x.end()), sample.attrs);
              }).function;
        } catch (const Error&) {
          continue;  // a dtype that this combination of operands does not take
        }
        SCOPED_TRACE(op->name);
        expect_round_trip(f);
        ++programs;
      }
    }
  }
  EXPECT_GT(programs, 100);
}

TEST(RoundTrip, ShortFormElidesAndDoesNotParse) {
  const Function f = of_constant(Array::zeros(f32, {100}));
  const std::string text = print_short(f);
  EXPECT_NE(text.find("value = f32[100] ..."), std::string::npos) << text;
  EXPECT_THROW((void)parse(text), Error);
}

TEST(RoundTrip, DeeplyNestedFunctions) {
  FlatBody body = [](std::span<const Tensor> x) -> Tensors { return {core::neg(x[0])}; };
  for (int i = 0; i < 200; ++i) {
    body = [inner = body](std::span<const Tensor> x) -> Tensors { return checkpoint_flat(inner, {x[0]}); };
  }
  const Function f = trace_flat({{"x", {f32, {}}}}, body).function;
  EXPECT_TRUE(parse(print(f)) == f);
}

TEST(RoundTrip, MillionEquations) {
  FunctionBuilder builder("chain");
  const Type type{f32, {2}};
  ValueId last = builder.add_argument("x", type);
  const OpDef& neg = get_op("neg");
  for (int i = 0; i < 1'000'000; ++i) last = builder.add_equation(neg, {last}, {}, {type}, {});
  builder.add_result("out", last);
  const Function f = builder.finish();
  const std::string text = print(f);
  EXPECT_TRUE(parse(text) == f);
}

}  // namespace
}  // namespace calx::round_trip_test
