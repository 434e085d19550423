// What CALX_DEBUG prints of the passes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "calx/calx.h"

namespace calx::passes_debug_test {
namespace {

std::string printed(const char* topics) {
  const Function f =
      trace([](const Tensor& x) { return transpose(transpose(x, {1, 0}), {1, 0}) * 2.0; }, spec(f32, {2, 3}));
  setenv("CALX_DEBUG", topics, 1);
  testing::internal::CaptureStderr();
  (void)optimize(f);
  std::string text = testing::internal::GetCapturedStderr();
  unsetenv("CALX_DEBUG");
  return text;
}

std::size_t count(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return static_cast<std::size_t>(std::distance(std::sregex_iterator(text.begin(), text.end(), regex), {}));
}

TEST(PassesDebug, TimesHasALineForEachPass) {
  const std::string text = printed("times");
  EXPECT_EQ(count(text, "# [a-z_]+: \\d+ -> \\d+ equations, \\d+\\.\\d{3} ms\n"), default_pipeline().size()) << text;
  EXPECT_EQ(count(text, "func f"), 0u) << text;
}

TEST(PassesDebug, PassesPrintsTheProgramBeforeAndAfterEach) {
  const std::string text = printed("other,passes");
  EXPECT_EQ(count(text, "func f"), default_pipeline().size() + 1) << text;
  EXPECT_NE(text.find("# before the passes"), std::string::npos) << text;
  // Two transposes at first, none at the end.
  EXPECT_GE(count(text, "= transpose\\("), 2u) << text;
  EXPECT_EQ(text.find("transpose", text.rfind("func f")), std::string::npos) << text;
}

TEST(PassesDebug, OtherWordsPrintNothing) { EXPECT_EQ(printed("passes_of_others,time"), ""); }

}  // namespace
}  // namespace calx::passes_debug_test
