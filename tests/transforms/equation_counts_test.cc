// Derivatives are closed in constant size: for every composite of the table, the numbers of equations of the op and of its
// first, second and third derivatives stay the same when sizes double.
#include <gtest/gtest.h>

#include <map>

#include "../../bench/_equation_counts.h"

namespace calx::equation_counts_test {
namespace {

/// Composites that have a sample whose counts grow once, and why: they are counted from the doubled sample on.
const std::map<std::string_view, std::string_view>& coincidences() {
  static const std::map<std::string_view, std::string_view> all = {
      {"max_pool", "a dilated sample's result has by chance the shape of its operand: their zeros are one equation"},
      {"top_k", "one sample takes all 3 of 3 entries: nothing is padded"}};
  return all;
}

std::string text(const bench::Application& application) {
  std::string types;
  for (const Type& type : application.types) types += (types.empty() ? "" : ", ") + type.to_string();
  return types;
}

std::vector<const OpDef*> composites() {
  std::vector<const OpDef*> all;
  for (const OpDef* op : op_table()) {
    if (op->composite() != nullptr) all.push_back(op);
  }
  return all;
}

class EquationCounts : public testing::TestWithParam<const OpDef*> {};

TEST_P(EquationCounts, DoNotDependOnSizes) {
  const OpDef& op = *GetParam();
  int doubled_samples = 0;
  int grown = 0;
  for (const Sample& sample : op.samples()) {
    const std::optional<bench::Application> application = bench::application_of(op, sample);
    ASSERT_TRUE(application);
    const std::optional<bench::Application> larger = bench::doubled(op, *application);
    if (!larger) continue;
    ++doubled_samples;
    const std::optional<bench::Application> largest = bench::doubled(op, *larger);
    ASSERT_TRUE(largest);
    const bench::EquationCounts counts = bench::count_equations(op, *larger);
    EXPECT_EQ(counts, bench::count_equations(op, *largest)) << text(*larger) << " against " << text(*largest);
    if (bench::count_equations(op, *application) == counts) continue;
    ++grown;
    EXPECT_TRUE(coincidences().contains(op.name)) << text(*application) << " against " << text(*larger);
  }
  EXPECT_GT(doubled_samples, 0);
  EXPECT_EQ(grown > 0, coincidences().contains(op.name)) << "grown: " << grown;
}

INSTANTIATE_TEST_SUITE_P(Composites, EquationCounts, testing::ValuesIn(composites()),
                         [](const auto& one) { return std::string(one.param->name); });

TEST(EquationCountsOfTheTable, SeveralCompositesAreThere) { EXPECT_GE(composites().size(), 40u); }

}  // namespace
}  // namespace calx::equation_counts_test
