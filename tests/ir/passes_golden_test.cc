// Each pass on a small program: the text before and after.
#include <gtest/gtest.h>

#include "calx/core/text.h"
#include "calx/core/verify.h"
#include "calx/passes/passes.h"

namespace calx::passes_golden_test {
namespace {

/// Compares as text, which is what a reader sees when it fails.
void expect_pass(const std::function<Function(const Function&, SourceLoc)>& pass, std::string_view before, std::string_view after) {
  const Function f = parse(before, "before");
  verify(f);
  const Function g = pass(f, SourceLoc::current());
  verify(g);
  EXPECT_EQ(print(g), print(parse(after, "after")));
}

TEST(EliminateDeadCode, DropsWhatNoResultNeeds) {
  expect_pass(eliminate_dead_code, R"(calx 1
func f(%x: f32[3], %y: f32[3]) -> (f32[3]) {
  %0 = mul(%x, %y) : f32[3]
  %1 = neg(%0) : f32[3]
  %2 = add(%x, %y) : f32[3]
  return %2
})",
              R"(calx 1
func f(%x: f32[3], %y: f32[3]) -> (f32[3]) {
  %0 = add(%x, %y) : f32[3]
  return %0
})");
}

TEST(EliminateDeadCode, PrunesRegions) {
  // The second result of the checkpoint goes, with the operand that only it reads and what makes that operand.
  expect_pass(eliminate_dead_code, R"(calx 1
func f(%x: f32[3], %y: f32[3]) -> (f32[3]) {
  %0 = mul(%y, %y) : f32[3]
  %1, %2 = checkpoint(%x, %0) {
    body = func body(%a: f32[3], %b: f32[3]) -> (f32[3], f32[3]) {
      %0 = neg(%a) : f32[3]
      %1 = mul(%a, %b) : f32[3]
      return %0, %1
    }
  } : f32[3], f32[3]
  return %1
})",
              R"(calx 1
func f(%x: f32[3], %y: f32[3]) -> (f32[3]) {
  %0 = checkpoint(%x) {
    body = func body(%a: f32[3]) -> (f32[3]) {
      %0 = neg(%a) : f32[3]
      return %0
    }
  } : f32[3]
  return %0
})");
}

TEST(EliminateDeadCode, KeepsTheSignatureOfACall) {
  expect_pass(eliminate_dead_code, R"(calx 1
func f(%x: f32[3], %y: f32[3]) -> (f32[3]) {
  %0 = call(%x, %y) {
    function = func g(%a: f32[3], %b: f32[3]) -> (f32[3]) {
      %0 = mul(%a, %b) : f32[3]
      %1 = neg(%a) : f32[3]
      return %1
    }
  } : f32[3]
  return %0
})",
              R"(calx 1
func f(%x: f32[3], %y: f32[3]) -> (f32[3]) {
  %0 = call(%x, %y) {
    function = func g(%a: f32[3], %b: f32[3]) -> (f32[3]) {
      %0 = neg(%a) : f32[3]
      return %0
    }
  } : f32[3]
  return %0
})");
}

TEST(MergeCommonSubexpressions, MakesEqualEquationsOne) {
  expect_pass(merge_common_subexpressions, R"(calx 1
func f(%x: f32[2,3], %y: f32[2,3]) -> (f32[3,2], f32[3,2]) {
  %0 = mul(%x, %y) : f32[2,3]
  %1 = transpose(%0) {permutation = [1,0]} : f32[3,2]
  %2 = mul(%x, %y) : f32[2,3]
  %3 = transpose(%2) {permutation = [1,0]} : f32[3,2]
  %4 = mul(%y, %x) : f32[2,3]
  %5 = transpose(%4) {permutation = [1,0]} : f32[3,2]
  %6 = add(%1, %3) : f32[3,2]
  return %6, %5
})",
              R"(calx 1
func f(%x: f32[2,3], %y: f32[2,3]) -> (f32[3,2], f32[3,2]) {
  %0 = mul(%x, %y) : f32[2,3]
  %1 = transpose(%0) {permutation = [1,0]} : f32[3,2]
  %2 = mul(%y, %x) : f32[2,3]
  %3 = transpose(%2) {permutation = [1,0]} : f32[3,2]
  %4 = add(%1, %1) : f32[3,2]
  return %4, %3
})");
}

TEST(MergeCommonSubexpressions, NotThroughABarrier) {
  constexpr std::string_view kProgram = R"(calx 1
func f(%x: f32[3], %ct: f32[3]) -> (f32[3], f32[3]) {
  %0 = mul(%x, %x) : f32[3]
  %1, %2 = barrier(%x, %ct) : f32[3], f32[3]
  %3 = mul(%1, %1) : f32[3]
  %4 = add(%3, %2) : f32[3]
  return %0, %4
})";
  expect_pass(merge_common_subexpressions, kProgram, kProgram);
  expect_pass(optimize, kProgram, kProgram);
}

TEST(MergeCommonSubexpressions, TellsConstantsApartByBits) {
  expect_pass(merge_common_subexpressions, R"(calx 1
func f(%x: f32[]) -> (f32[], f32[], f32[]) {
  %0 = constant() {value = f32[] 0} : f32[]
  %1 = constant() {value = f32[] -0} : f32[]
  %2 = constant() {value = f32[] 0} : f32[]
  %3 = add(%x, %0) : f32[]
  %4 = add(%x, %1) : f32[]
  %5 = add(%x, %2) : f32[]
  return %3, %4, %5
})",
              R"(calx 1
func f(%x: f32[]) -> (f32[], f32[], f32[]) {
  %0 = constant() {value = f32[] 0} : f32[]
  %1 = constant() {value = f32[] -0} : f32[]
  %2 = add(%x, %0) : f32[]
  %3 = add(%x, %1) : f32[]
  return %2, %3, %2
})");
}

TEST(FoldConstants, EvaluatesSmallEquations) {
  expect_pass([](const Function& f, SourceLoc) { return eliminate_dead_code(fold_constants(f)); }, R"(calx 1
func f(%x: f32[2]) -> (f32[2]) {
  %0 = constant() {value = f32[2] [1, 2]} : f32[2]
  %1 = neg(%0) : f32[2]
  %2 = mul(%1, %0) : f32[2]
  %3 = add(%2, %x) : f32[2]
  return %3
})",
              R"(calx 1
func f(%x: f32[2]) -> (f32[2]) {
  %0 = constant() {value = f32[2] [-1, -4]} : f32[2]
  %1 = add(%0, %x) : f32[2]
  return %1
})");
}

TEST(FoldConstants, OneElementOfAnySize) {
  expect_pass([](const Function& f, SourceLoc) { return eliminate_dead_code(fold_constants(f)); }, R"(calx 1
func f(%x: f32[B,4096]) -> (f32[B,4096]) {
  %0 = constant() {value = f32[] 1} : f32[]
  %1 = expand(%0) {shape = [B,4096]} : f32[B,4096]
  %2 = constant() {value = f32[] 4} : f32[]
  %3 = expand(%2) {shape = [B,4096]} : f32[B,4096]
  %4 = div(%1, %3) : f32[B,4096]
  %5 = mul(%4, %x) : f32[B,4096]
  return %5
})",
              R"(calx 1
func f(%x: f32[B,4096]) -> (f32[B,4096]) {
  %0 = constant() {value = f32[] 0.25} : f32[]
  %1 = expand(%0) {shape = [B,4096]} : f32[B,4096]
  %2 = mul(%1, %x) : f32[B,4096]
  return %2
})");
}

TEST(FoldConstants, MakesNothingLarger) {
  constexpr std::string_view kProgram = R"(calx 1
func f(%x: f32[]) -> (i32[1000], f32[2,3], f32[100]) {
  %0 = constant() {value = f32[3] [1, 2, 3]} : f32[3]
  %1 = iota() {shape = [1000]} : i32[1000]
  %2 = expand(%0) {shape = [2,3], dims = [1]} : f32[2,3]
  %3 = constant() {value = f32[] 7} : f32[]
  %4 = expand(%3) {shape = [100]} : f32[100]
  return %1, %2, %4
})";
  expect_pass(fold_constants, kProgram, kProgram);
}

TEST(FoldConstants, LeavesAFailingCheckToTheRun) {
  expect_pass(fold_constants, R"(calx 1
func f(%x: f32[]) -> (i32[], i32[]) {
  %0 = constant() {value = i32[] 2} : i32[]
  %1 = checked_index(%0) {size = 2} : i32[]
  %2 = checked_index(%0) {size = 3} : i32[]
  return %1, %2
})",
              R"(calx 1
func f(%x: f32[]) -> (i32[], i32[]) {
  %0 = constant() {value = i32[] 2} : i32[]
  %1 = checked_index(%0) {size = 2} : i32[]
  %2 = constant() {value = i32[] 2} : i32[]
  return %1, %2
})");
}

TEST(Simplify, ChainsOfViews) {
  expect_pass(simplify, R"(calx 1
func f(%x: f32[2,3,4], %y: f32[2,3,4]) -> (f32[2,3,4], f32[24], f32[5,2,3,4]) {
  %0 = transpose(%x) {permutation = [1,2,0]} : f32[3,4,2]
  %1 = transpose(%0) {permutation = [2,0,1]} : f32[2,3,4]
  %2 = add(%1, %y) : f32[2,3,4]
  %3 = reshape(%2) {shape = [6,4]} : f32[6,4]
  %4 = reshape(%3) {shape = [24]} : f32[24]
  %5 = convert(%2) {dtype = f64} : f64[2,3,4]
  %6 = convert(%5) {dtype = f32} : f32[2,3,4]
  %7 = expand(%6) {shape = [1,2,3,4], dims = [1,2,3]} : f32[1,2,3,4]
  %8 = reshape(%7) {shape = [2,3,4]} : f32[2,3,4]
  %9 = expand(%8) {shape = [5,2,3,4], dims = [1,2,3]} : f32[5,2,3,4]
  return %2, %4, %9
})",
              R"(calx 1
func f(%x: f32[2,3,4], %y: f32[2,3,4]) -> (f32[2,3,4], f32[24], f32[5,2,3,4]) {
  %0 = add(%x, %y) : f32[2,3,4]
  %1 = reshape(%0) {shape = [24]} : f32[24]
  %2 = expand(%0) {shape = [5,2,3,4], dims = [1,2,3]} : f32[5,2,3,4]
  return %0, %1, %2
})");
}

TEST(Simplify, OnlyIdentitiesOfEveryBit) {
  // x * 1, x / 1 and x - 0 go; x + 0 (wrong for -0) and x * 0 (wrong for inf) stay.
  expect_pass(simplify, R"(calx 1
func f(%x: f32[3], %p: bool[3]) -> (f32[3], f32[3], f32[3], f32[3]) {
  %0 = constant() {value = f32[] 1} : f32[]
  %1 = expand(%0) {shape = [3]} : f32[3]
  %2 = constant() {value = f32[] 0} : f32[]
  %3 = expand(%2) {shape = [3]} : f32[3]
  %4 = mul(%x, %1) : f32[3]
  %5 = div(%4, %1) : f32[3]
  %6 = sub(%5, %3) : f32[3]
  %7 = add(%x, %3) : f32[3]
  %8 = mul(%x, %3) : f32[3]
  %9 = select(%p, %x, %6) : f32[3]
  return %6, %7, %8, %9
})",
              R"(calx 1
func f(%x: f32[3], %p: bool[3]) -> (f32[3], f32[3], f32[3], f32[3]) {
  %0 = constant() {value = f32[] 0} : f32[]
  %1 = expand(%0) {shape = [3]} : f32[3]
  %2 = add(%x, %1) : f32[3]
  %3 = mul(%x, %1) : f32[3]
  return %x, %2, %3, %x
})");
}

TEST(Simplify, StrongProductsThatArePlain) {
  expect_pass(simplify, R"(calx 1
func f(%x: f32[3], %p: bool[3], %n: i32[3]) -> (f32[3], f32[3], f32[3], f32[3], i32[3]) {
  %0 = constant() {value = f32[3] [2, -1, 3]} : f32[3]
  %1 = strong_mul(%0, %x) : f32[3]
  %2 = convert(%p) {dtype = f32} : f32[3]
  %3 = strong_mul(%2, %x) : f32[3]
  %4 = constant() {value = f32[3] [2, 0, 3]} : f32[3]
  %5 = strong_mul(%2, %4) : f32[3]
  %6 = select(%p, %0, %2) : f32[3]
  %7 = strong_mul(%6, %2) : f32[3]
  %8 = strong_mul(%n, %n) : i32[3]
  return %1, %3, %5, %7, %8
})",
              R"(calx 1
func f(%x: f32[3], %p: bool[3], %n: i32[3]) -> (f32[3], f32[3], f32[3], f32[3], i32[3]) {
  %0 = constant() {value = f32[3] [2, -1, 3]} : f32[3]
  %1 = constant() {value = f32[3] [2, 0, 3]} : f32[3]
  %2 = mul(%0, %x) : f32[3]
  %3 = convert(%p) {dtype = f32} : f32[3]
  %4 = strong_mul(%3, %x) : f32[3]
  %5 = mul(%3, %1) : f32[3]
  %6 = select(%p, %0, %3) : f32[3]
  %7 = mul(%6, %3) : f32[3]
  %8 = mul(%n, %n) : i32[3]
  return %2, %4, %5, %7, %8
})");
}

TEST(Simplify, ReachesIntoRegions) {
  expect_pass(simplify, R"(calx 1
func f(%x: f32[3]) -> (f32[3], f32[3]) {
  %0 = checkpoint(%x) {
    body = func body(%a: f32[3]) -> (f32[3]) {
      %0 = neg(%a) : f32[3]
      %1 = neg(%0) : f32[3]
      %2 = mul(%1, %a) : f32[3]
      return %2
    }
  } : f32[3]
  %1 = checkpoint(%0) {
    body = func body(%a: f32[3]) -> (f32[3]) {
      %0 = neg(%a) : f32[3]
      %1 = neg(%0) : f32[3]
      %2 = mul(%1, %a) : f32[3]
      return %2
    }
  } : f32[3]
  return %0, %1
})",
              R"(calx 1
func f(%x: f32[3]) -> (f32[3], f32[3]) {
  %0 = checkpoint(%x) {
    body = func body(%a: f32[3]) -> (f32[3]) {
      %0 = mul(%a, %a) : f32[3]
      return %0
    }
  } : f32[3]
  %1 = checkpoint(%0) {
    body = func body(%a: f32[3]) -> (f32[3]) {
      %0 = mul(%a, %a) : f32[3]
      return %0
    }
  } : f32[3]
  return %0, %1
})");
}

TEST(ExpandComposites, DownToPrimitives) {
  const Function f = parse(R"(calx 1
func f(%x: f32[2,3]) -> (f32[2,3]) {
  %0 = softmax(%x) : f32[2,3]
  return %0
})");
  const Function g = expand_composites(f);
  EXPECT_GT(g.equations().size(), 1u);
  for (const Equation& equation : g.equations()) EXPECT_EQ(equation.op->composite(), nullptr) << equation.op->name;
  EXPECT_TRUE(expand_composites(f, [](const OpDef& op) { return op.name == "softmax"; }) == f);
}

}  // namespace
}  // namespace calx::passes_golden_test
