// The command `calx`, run as a user runs it: programs and weights in files, transforms by name, errors on
// stderr.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "calx/base/format.h"
#include "calx/core/text.h"
#include "calx/io/safetensors.h"

namespace calx {
namespace {

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

class Command : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / format("calx_command_{}", ::getpid());
    std::filesystem::create_directories(folder_);
    write("loss.calx",
          "calx 1\n"
          "func loss(%x: f32[B], %w: f32[B]) -> (loss: f32[]) {\n"
          "  %0 = mul(%x, %w)\n"
          "  %1 = mul(%0, %x)  # x^2 w\n"
          "  %2 = reduce_sum(%1) {axes = [0]}\n"
          "  return %2\n"
          "}\n");
    write_safetensors(path("in.safetensors"), {{"x", Array::from<float>({3}, {1, 2, 3})},
                                               {"w", Array::from<float>({3}, {1, 10, 100})},
                                               {"x.t", Array::from<float>({3}, {1, 0, 0})},
                                               {"w.t", Array::from<float>({3}, {0, 0, 0})}});
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(std::string_view name) const { return (folder_ / name).string(); }
  void write(std::string_view name, std::string_view text) const { std::ofstream(path(name)) << text; }
  static std::string read(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  [[nodiscard]] Outcome calx(const std::string& arguments) const {
    const std::string line =
        format("{}/bin/calx {} >{} 2>{}", CALX_BUILD_DIR, arguments, path("stdout"), path("stderr"));
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(path("stdout")), read(path("stderr"))};
  }
  [[nodiscard]] std::vector<float> result(std::string_view name) const {
    const NamedArrays tensors = read_safetensors(path("out.safetensors")).tensors;
    const auto found = tensors.find(std::string(name));
    if (found == tensors.end()) {
      ADD_FAILURE() << "no result " << name;
      return {};
    }
    return {found->second.values<float>().begin(), found->second.values<float>().end()};
  }

 private:
  std::filesystem::path folder_;
};

using Values = std::vector<float>;

TEST_F(Command, RunsAProgram) {
  const Outcome run = calx(format("run {} --in {}", path("loss.calx"), path("in.safetensors")));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "loss: f32[] 941\n");
  EXPECT_NE(run.err.find("note: `x.t`"), std::string::npos) << run.err;
}

TEST_F(Command, Gradients) {
  const Outcome run = calx(format("run {} --in {} --out {} --apply grad:x,w", path("loss.calx"),
                                  path("in.safetensors"), path("out.safetensors")));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(result("x.ct"), (Values{2, 40, 600}));
  EXPECT_EQ(result("w.ct"), (Values{1, 4, 9}));
}

TEST_F(Command, TransformsComposeInOrder) {
  const Outcome run = calx(format("run {} --in {} --out {} --apply grad:x --apply jvp:x,w", path("loss.calx"),
                                  path("in.safetensors"), path("out.safetensors")));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(result("x.ct"), (Values{2, 40, 600}));
  EXPECT_EQ(result("x.ct.t"), (Values{2, 0, 0}));  // a column of the Hessian
}

TEST_F(Command, Batches) {
  write_safetensors(path("batch.safetensors"), {{"x", Array::from<float>({2, 3}, {1, 2, 3, 0, 0, 1})},
                                                {"w", Array::from<float>({3}, {1, 10, 100})}});
  const Outcome run = calx(format("run {} --in {} --apply vmap:x@0 --apply optimize", path("loss.calx"),
                                  path("batch.safetensors")));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "loss: f32[2] [941, 100]\n");
}

TEST_F(Command, PrintsWhatItWouldRun) {
  const Outcome run = calx(format("run {} --apply bind:B=3 --print", path("loss.calx")));
  EXPECT_EQ(run.code, 0) << run.err;
  const Function f = parse(run.out);
  EXPECT_EQ(f.arguments()[0].type.to_string(), "f32[3]");
  EXPECT_EQ(print(f), run.out);
}

TEST_F(Command, Errors) {
  const auto expect_failure = [&](const std::string& arguments, std::string_view message) {
    const Outcome run = calx(arguments);
    EXPECT_EQ(run.code, 1) << arguments;
    EXPECT_NE(run.err.find(message), std::string::npos) << arguments << "\n" << run.err;
    EXPECT_EQ(run.out, "") << arguments;
  };
  const std::string loss = path("loss.calx");
  expect_failure("run /no/such/file.calx", "cannot read `/no/such/file.calx`: No such file");
  expect_failure(format("run {}", loss), "no value for `x` f32[B], `w` f32[B] · hint: name a file with --in");
  expect_failure(format("run {} --in {} --apply jvp:x,y", loss, path("in.safetensors")),
                 "`loss` has no argument `y` · hint: its arguments are x, w");
  expect_failure(format("run {} --in {} --apply vjp:x", loss, path("in.safetensors")),
                 "no value for `loss.ct` f32[]");
  expect_failure(format("run {} --apply frob:x", loss), "there is no transform `frob`");
  expect_failure(format("run {} --apply bind:C=3", loss), "has no size `C`");
  expect_failure(format("run {} --in {}", loss, loss), "is no valid safetensors file");
  expect_failure(format("run {} --in {} --out /no/such/folder/out", loss, path("in.safetensors")),
                 "cannot write");
  expect_failure("run", "program is required");
  expect_failure("", "A subcommand is required");
  write("bad.calx", "calx 1\nfunc f(%x: f32[2]) -> (f32[2]) {\n  %0 = mull(%x, %x)\n  return %0\n}\n");
  expect_failure(format("run {}", path("bad.calx")), "line 3, column 8: there is no op `mull`");
  write_safetensors(path("other.safetensors"),
                    {{"x", Array::zeros(f32, {3})}, {"w", Array::zeros(f32, {4})}});
  expect_failure(format("run {} --in {}", loss, path("other.safetensors")),
                 "`w` of type f32[B] was given sizes [4]");
  write_safetensors(path("half.safetensors"), {{"x", Array::zeros(f16, {3})}, {"w", Array::zeros(f32, {3})}});
  expect_failure(format("run {} --in {}", loss, path("half.safetensors")),
                 "argument `x` of type f32[B] was given f16[3]");
}

TEST_F(Command, FilesHaveNoLineOfOurs) {
  const std::string loss = path("loss.calx"), in = path("in.safetensors");
  for (const std::string& arguments :
       {format("run {} --in /no/such/file", loss), format("run {} --in {}", loss, loss),
        format("run {} --in {} --out /no/such/folder/out", loss, in), format("run {}", loss),
        std::string("run /no/such/file.calx"), format("run {} --apply grad:x --apply vmap:x --in {}", loss, in),
        format("run {} --apply transpose:x,w", loss), format("run {} --apply bind:B=-1", loss)}) {
    const Outcome run = calx(arguments);
    EXPECT_EQ(run.code, 1) << arguments;
    EXPECT_EQ(run.err.find(".cc:"), std::string::npos) << run.err;
  }
}

TEST_F(Command, IndexErrorsNameTheOp) {
  write("take.calx",
        "calx 1\n"
        "func f(%x: f32[3], %i: i32[2]) -> (out: f32[2]) {\n"
        "  %0 = take(%x, %i)\n"
        "  return %0\n"
        "}\n");
  write_safetensors(path("take.safetensors"),
                    {{"x", Array::from<float>({3}, {1, 2, 3})}, {"i", Array::from<std::int32_t>({2}, {0, 5})}});
  for (const std::string_view apply : {"", "--apply optimize"}) {
    const Outcome run = calx(format("run {} --in {} {}", path("take.calx"), path("take.safetensors"), apply));
    EXPECT_EQ(run.code, 1);
    EXPECT_NE(run.err.find("calx: error: take: index 5 at position 1 is outside [-3, 3) · take.calx:3 "), std::string::npos)
        << run.err;
  }
}

TEST_F(Command, TextsThatCannotBePrinted) {
  const auto told = [&](const std::string& arguments) {
    const Outcome run = calx(arguments);
    EXPECT_EQ(run.code, 1) << arguments;
    for (const char c : run.err) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << run.err;
    return run.err;
  };
  const std::string loss = path("loss.calx");
  const auto expect_told = [&](const std::string& arguments, std::string_view text) {
    const std::string err = told(arguments);
    EXPECT_NE(err.find(text), std::string::npos) << err;
  };
  expect_told(format("run '{}\x1b'", loss), "loss.calx\\x1b`: No such file");
  expect_told(format("run {} --apply 'jvp:\x07'", loss), "has no argument `\\x07`");
  expect_told(format("run {} '--\x1b'", loss), "--\\x1b");
  expect_told("ops '\x1b'", "there is no op `\\x1b`");
  write_safetensors(path("odd.safetensors"), {{"\x1b[1m", Array::zeros(f32, {3})}});
  expect_told(format("run {} --in {}", loss, path("odd.safetensors")), "holds \\x1b[1m");
  write_safetensors(path("more.safetensors"),
                    {{"\x1b[1m", Array::zeros(f32, {3})}, {"x", Array::zeros(f32, {3})}, {"w", Array::zeros(f32, {4})}});
  expect_told(format("run {} --in {}", loss, path("more.safetensors")), "note: `\\x1b[1m`");
}

TEST_F(Command, HelpAndOps) {
  const Outcome help = calx("--help");
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("run"), std::string::npos);
  const Outcome run_help = calx("run --help");
  EXPECT_NE(run_help.out.find("vmap[:x@0,w@1]"), std::string::npos) << run_help.out;
  const Outcome ops = calx("ops");
  EXPECT_EQ(ops.code, 0);
  EXPECT_NE(ops.out.find("\nmul "), std::string::npos);
  const Outcome one = calx("ops compare");
  EXPECT_NE(one.out.find("one of eq, ne, lt, le, gt, ge"), std::string::npos) << one.out;
  EXPECT_EQ(calx("ops no_such_op").code, 1);
}

}  // namespace
}  // namespace calx
