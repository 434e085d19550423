// A bug of ours says so, names the equation and saves the program that caused it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "calx/calx.h"
#include "calx/core/lower.h"
#include "calx/core/reference.h"
#include "calx/core/samples.h"

namespace calx::internal_errors_test {
namespace {

/// An op whose rules break an invariant of ours.
const OpDef& broken_op() {
  static const OpDef& op = register_op(
      {.name = "broken_on_purpose",
       .family = "test",
       .operands = {{"x", DTypes::any}},
       .form = Primitive{.infer = infer::same_as(0),
                         .jvp = [](const Call&, const Tangents&) -> Tangents { raise_internal("its jvp is broken"); },
                         .linear = NotLinear{},
                         .batch = [](const BatchCall&) -> std::vector<Batched> { raise_internal("its batch is broken"); },
                         .simplify = [](const Call&) -> std::optional<Results> { raise_internal("its simplify is broken"); },
                         .reference = [](const ReferenceCall&) -> std::vector<Array> { raise_internal("it cannot run"); },
                         .lower = NotInterpretable{"a test"}},
       .samples = pointwise_samples(1, Draw::normal),
       .rejects = [] { return std::vector<Reject>{}; }});
  return op;
}

class InternalErrors : public testing::Test {
 protected:
  InternalErrors() : folder_(testing::TempDir() + "calx_reports." + std::to_string(getpid())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    setenv("CALX_REPORTS", folder_.c_str(), 1);
  }
  ~InternalErrors() override {
    unsetenv("CALX_REPORTS");
    std::filesystem::remove_all(folder_);
  }

  static Function program() {
    return trace_flat({{"x", {f32, {2}}}},
                      [](std::span<const Tensor> x) { return Tensors{apply_one(broken_op(), {core::mul(x[0], x[0])})}; })
        .function;
  }

  /// What `stage` raises; its program must be the one that failed.
  template <class Stage>
  std::string failure(Stage stage) {
    const Function f = program();
    try {
      stage(f);
    } catch (const InternalError& error) {
      std::string path;
      for (const auto& [name, value] : error.facts()) {
        if (name == "program") path = value;
      }
      std::ifstream file(path);
      std::stringstream text;
      text << file.rdbuf();
      EXPECT_EQ(std::filesystem::path(path).parent_path(), folder_);
      EXPECT_TRUE(parse(text.str()) == f) << text.str();
      return error.what();
    }
    ADD_FAILURE() << "nothing was raised";
    return {};
  }

  std::filesystem::path folder_;  // of this process alone: ctest runs several
};

TEST_F(InternalErrors, OfARunNamesEquationAndOperands) {
  const std::string what =
      failure([](const Function& f) { Interpreter().run(f, {Array::from<float>({2}, std::vector<float>{2, 3})}); });
  EXPECT_NE(what.find("it cannot run"), std::string::npos) << what;
  EXPECT_NE(what.find("%1 = broken_on_purpose(%0) : f32[2]"), std::string::npos) << what;
  EXPECT_NE(what.find("operand 0 is f32[2] [4, 9]"), std::string::npos) << what;
  EXPECT_NE(what.find("this is a bug in Calx"), std::string::npos) << what;
}

TEST_F(InternalErrors, OfTransformsAndPassesSaveTheProgram) {
  EXPECT_NE(failure([](const Function& f) { (void)jvp(f, {true}); }).find("its jvp is broken"), std::string::npos);
  EXPECT_NE(failure([](const Function& f) { (void)vmap(f, {0}, 3); }).find("its batch is broken"), std::string::npos);
  EXPECT_NE(failure([](const Function& f) { (void)optimize(f); }).find("its simplify is broken"), std::string::npos);
}

TEST_F(InternalErrors, AFolderThatCannotBeWrittenDoesNotHideTheError) {
  setenv("CALX_REPORTS", "/nowhere/at/all", 1);
  try {
    (void)jvp(program(), {true});
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("its jvp is broken"), std::string::npos);
    EXPECT_TRUE(error.facts().empty());
  }
}

}  // namespace
}  // namespace calx::internal_errors_test
