// The passes on random programs and their derivatives: values stay bit for bit, as passes.h promises; names decide nothing.
#include <gtest/gtest.h>

#include "calx/base/format.h"
#include "calx/core/verify.h"
#include "calx/passes/passes.h"
#include "calx/transforms/transforms.h"
#include "laws/law_functions.h"
#include "random_program.h"

namespace calx::random_passes_test {
namespace {

using laws::Random;

constexpr std::uint64_t kSeeds = 40;
constexpr std::uint64_t kShards = 8;

const std::vector<Pass>& all_passes() {
  static const std::vector<Pass> all = {
      {"eliminate_dead_code", eliminate_dead_code},
      {"simplify", simplify},
      {"fold_constants", fold_constants},
      {"merge_common_subexpressions", merge_common_subexpressions},
      {"expand_composites", [](const Function& f, SourceLoc where) { return expand_composites(f, {}, where); }},
      {"optimize", optimize},
      {"expand_composites, optimize", [](const Function& f, SourceLoc where) { return optimize(expand_composites(f), where); }}};
  return all;
}

std::vector<Array> draw_arguments(const Function& f, std::uint64_t seed) {
  Random random(seed);
  std::vector<Array> values;
  for (const Argument& argument : f.arguments()) values.push_back(laws::draw_normal(argument.type, random));
  return values;
}

std::string describe(std::uint64_t seed, const RandomProgram& program) {
  std::string text = format("seed {}:", seed);
  for (const std::string& op : program.ops) text += " " + op;
  return text;
}

void expect_same_values(const Function& f, std::uint64_t seed, const std::string& label) {
  const std::vector<Array> arguments = draw_arguments(f, seed);
  const std::vector<Array> expected = laws::evaluate(f, arguments);
  for (const Pass& pass : all_passes()) {
    const Function g = pass(f);
    verify(g);
    EXPECT_EQ(g.result_types(), f.result_types()) << label << " | " << pass.name;
    const std::vector<Array> found = laws::evaluate(g, arguments);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t r = 0; r < found.size(); ++r) {
      EXPECT_TRUE(laws::same_bits(found[r], expected[r]))
          << label << " | " << pass.name << ", result " << r << ": " << laws::show(found[r]) << " instead of "
          << laws::show(expected[r]);
    }
  }
}

/// f under other names of the Function, its arguments and its results.
Function renamed(const Function& f) {
  std::vector<std::string> arguments, results;
  for (std::size_t i = 0; i < f.arguments().size(); ++i) arguments.push_back(format("other{}", f.arguments().size() - i));
  for (std::size_t i = 0; i < f.results().size(); ++i) results.push_back(format("value{}", i));
  return f.with_name("named_otherwise").with_argument_names(arguments).with_result_names(results);
}

void expect_names_decide_nothing(const Function& f, const std::string& label) {
  for (const Pass& pass : all_passes()) {
    EXPECT_TRUE(renamed(pass(f)) == pass(renamed(f))) << label << " | " << pass.name;
  }
}

std::vector<bool> all_arguments(const Function& f) { return std::vector<bool>(f.arguments().size(), true); }

class RandomPasses : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomPasses, KeepValuesBitForBit) {
  for (std::uint64_t seed = GetParam(); seed < kSeeds; seed += kShards) {
    const RandomProgram program = make_random_program(seed + 5000);
    const std::string label = describe(seed + 5000, program);
    try {
      const Function& f = program.function;
      expect_same_values(f, seed, label);
      expect_same_values(jvp(f, all_arguments(f)), seed, label + " | jvp");
      expect_same_values(vjp(f, all_arguments(f)), seed, label + " | vjp");
      const std::vector<std::optional<int>> axes(f.arguments().size(), 0);
      expect_same_values(vmap(f, axes, Dim(2)), seed, label + " | vmap");
    } catch (const std::exception& error) {
      ADD_FAILURE() << label << ": " << error.what();
    }
  }
}

TEST_P(RandomPasses, CommuteWithRenaming) {
  for (std::uint64_t seed = GetParam(); seed < kSeeds; seed += kShards) {
    const RandomProgram program = make_random_program(seed + 5000);
    const std::string label = describe(seed + 5000, program);
    try {
      expect_names_decide_nothing(program.function, label);
      expect_names_decide_nothing(vjp(program.function, all_arguments(program.function)), label + " | vjp");
    } catch (const std::exception& error) {
      ADD_FAILURE() << label << ": " << error.what();
    }
  }
}

/// Optimised, differentiated, optimised again: as differentiated alone, up to rounding (sums may associate otherwise).
TEST_P(RandomPasses, CommuteWithDerivatives) {
  for (std::uint64_t seed = GetParam(); seed < kSeeds; seed += kShards) {
    const RandomProgram program = make_random_program(seed + 5000);
    const std::string label = describe(seed + 5000, program);
    try {
      const Function& f = program.function;
      const Function plain = vjp(f, all_arguments(f));
      const Function passed = optimize(vjp(optimize(f), all_arguments(f)));
      const std::vector<Array> arguments = draw_arguments(plain, seed);
      const std::vector<Array> expected = laws::evaluate(plain, arguments);
      const std::vector<Array> found = laws::evaluate(passed, arguments);
      for (std::size_t r = 0; r < expected.size(); ++r) {
        const auto differs = laws::difference(found[r], expected[r], {.relative = 1e-9, .absolute = 1e-9});
        EXPECT_FALSE(differs) << label << ", result " << r << ": " << *differs;
      }
    } catch (const std::exception& error) {
      ADD_FAILURE() << label << ": " << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPasses, testing::Range<std::uint64_t>(0, kShards));

}  // namespace
}  // namespace calx::random_passes_test
