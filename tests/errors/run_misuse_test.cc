// Misuse of what runs programs and of files: jit, the interpreter, safetensors.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "calx/base/format.h"
#include "misuse.h"

namespace calx::run_misuse_test {
namespace {

using test::expect_error;
using test::fact;
using test::misuse;

struct Layer {
  Tensor weight;
  Tensor bias;
};
CALX_TREE(Layer, weight, bias);

Tensor row() { return tensor({1, 2, 3}); }

// ---- jit -----------------------------------------------------------------------------------------------------------------

TEST(RunMisuse, JitOfAnUndefinedTensor) {
  const auto f = [](const Tensor& x, const Layer& layer) { return x * layer.weight + layer.bias; };
  const Error error = misuse(ErrorId::undefined_tensor, "jit", [&] { (void)jit(f)(row(), Layer{row(), {}}); });
  EXPECT_EQ(error.facts(), (Facts{{"path", "arg1.bias"}}));
  EXPECT_FALSE(error.hint().empty());
  const Error whole = misuse(ErrorId::undefined_tensor, "jit", [&] { (void)jit(f)(Tensor(), Layer{row(), row()}); });
  EXPECT_EQ(fact(whole, "path"), "arg0");
}

TEST(RunMisuse, JitOfAnUndefinedResult) {
  const auto f = jit([](const Tensor& x) { return Layer{x, {}}; });
  expect_error(ErrorId::undefined_tensor, [&] { (void)f(row()); });
}

TEST(RunMisuse, JitOfALeakedTensor) {
  Tensor leaked;
  (void)trace([&](const Tensor& x) { return leaked = x + 1.0; }, row());
  misuse(ErrorId::leaked_tensor, "neg", [&] { (void)jit([](const Tensor& x) { return -x; })(leaked); });
  misuse(ErrorId::leaked_tensor, "add", [&] { (void)jit([&](const Tensor& x) { return x + leaked; })(row()); });
}

// ---- The interpreter -----------------------------------------------------------------------------------------------------

TEST(RunMisuse, ArgumentsThatDoNotFit) {
  Interpreter interpreter;
  const Function f = trace([](const Tensor& x, const Tensor& y) { return matmul(x, y); },
                           {.names = {"x", "y"}, .name = "f", .where = {Dim::symbol("K") - Dim(2)}}, spec(f32, {"B", "2*K"}),
                           spec(f32, {"2*K", 3}));
  const auto run = [&](std::vector<Array> arguments) { (void)interpreter.run(f, std::move(arguments)); };
  const auto floats = [](std::vector<std::int64_t> sizes) { return Array::zeros(f32, std::move(sizes)); };
  run({floats({2, 4}), floats({4, 3})});
  EXPECT_EQ(expect_error(ErrorId::arity, [&] { run({floats({2, 4})}); }).op(), "f");
  const Error dtype = expect_error(ErrorId::dtype, [&] { run({floats({2, 4}), Array::zeros(f64, {4, 3})}); });
  EXPECT_EQ(dtype.facts(), (Facts{{"argument", "y"}, {"type", "f32[2*K,3]"}}));
  EXPECT_EQ(fact(expect_error(ErrorId::rank, [&] { run({floats({4}), floats({4, 3})}); }), "argument"), "x");
  EXPECT_EQ(fact(expect_error(ErrorId::dim_binding, [&] { run({floats({2, 4}), floats({6, 3})}); }), "argument"), "y");
  EXPECT_EQ(fact(expect_error(ErrorId::dim_binding, [&] { run({floats({2, 4}), floats({4, 2})}); }), "argument"), "y");
  EXPECT_EQ(fact(expect_error(ErrorId::dim_binding, [&] { run({floats({2, 5}), floats({5, 3})}); }), "argument"), "x");
  EXPECT_EQ(fact(expect_error(ErrorId::dim_binding, [&] { run({floats({2, 2}), floats({2, 3})}); }), "where"), "K-2");
  EXPECT_EQ(fact(expect_error(ErrorId::undefined_tensor, [&] { run({Array(), floats({4, 3})}); }), "argument"), "x");
}

TEST(RunMisuse, AnUndefinedArrayIsNoScalar) {
  const Function f = trace([](const Tensor& x) { return x + 1.0; }, {.name = "f"}, scalar(1.0F));
  const Error error = expect_error(ErrorId::undefined_tensor, [&] { (void)default_evaluator().run(f, {Array()}); });
  EXPECT_EQ(fact(error, "type"), "f32[]");
  expect_error(ErrorId::value, [] { (void)default_evaluator().run(Function(), {}); });
}

TEST(RunMisuse, SizesThatNoArgumentDetermines) {
  const auto f = [](const Tensor& x) { return x + convert(core::size(Dim::symbol("M")), f32); };
  const Function traced = trace(f, {.name = "f"}, scalar(1.0F));
  const Array x = Array::zeros(f32, {});
  const Error error = expect_error(ErrorId::dim_unbound, [&] { (void)default_evaluator().run(traced, {x}); });
  EXPECT_EQ(error.facts(), (Facts{{"symbol", "M"}}));
  EXPECT_FALSE(error.hint().empty());
}

TEST(RunMisuse, TheFirstOfSeveralFailuresIsRaised) {
  const auto f = [](const Tensor& x, const Tensor& i, const Tensor& j) {
    const Tensor first = take(x, i), second = take(x, j);
    return first + second;
  };
  const auto at = [](std::int32_t value) { return tensor<std::int32_t>({0, value}); };
  for (int k = 0; k < 3; ++k) {
    const Error error = expect_error(ErrorId::index_out_of_range, [&] { (void)jit(f)(row(), at(7), at(8)); });
    EXPECT_EQ(fact(error, "value"), "7");
    EXPECT_EQ(fact(error, "position"), "1");
  }
}

// ---- Files ---------------------------------------------------------------------------------------------------------------

class FileMisuse : public testing::Test {
 protected:
  std::string folder = (std::filesystem::temp_directory_path() / format("calx_file_misuse_{}", ::getpid())).string();
  std::string path = folder + "/a.safetensors";
  void SetUp() override { std::filesystem::create_directory(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void write(std::string_view header, std::string_view data) const {
    std::ofstream file(path, std::ios::binary);
    const std::uint64_t size = header.size();
    file.write(reinterpret_cast<const char*>(&size), 8);
    file << header << data;
  }
};

TEST_F(FileMisuse, MissingFile) {
  const std::string missing = folder + "/none";
  const Error error = misuse(ErrorId::file_open, "", [&] { (void)read_safetensors(missing); });
  EXPECT_EQ(fact(error, "path"), missing);
  EXPECT_THROW((void)read_safetensors(missing), FileError);
  misuse(ErrorId::file_open, "", [&] { (void)read_safetensors(folder); });
  misuse(ErrorId::file_open, "", [&] { write_safetensors(folder + "/none/a", {}); });
  misuse(ErrorId::file_open, "", [&] { write_safetensors(folder, {}); });
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(FileMisuse, TruncatedFile) {
  write(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", "1234");
  const Error error = misuse(ErrorId::file_format, "", [&] { (void)read_safetensors(path); });
  const std::uint64_t size = std::filesystem::file_size(path);
  EXPECT_EQ(fact(error, "path"), path);
  EXPECT_EQ(fact(error, "actual size"), format("{}", size));
  EXPECT_EQ(fact(error, "expected size"), format("{}", size + 4));
}

TEST_F(FileMisuse, DuplicateNames) {
  write(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", "xy");
  const Error error = misuse(ErrorId::file_format, "", [&] { (void)read_safetensors(path); });
  EXPECT_EQ(error.facts(), (Facts{{"path", path}, {"name", "a"}}));
}

TEST_F(FileMisuse, WrongName) {
  const Array one = Array::zeros(f32, {});
  write_safetensors(path, {{"a.bias", one}, {"b.weight", one}, {"b.bias", one}, {"c", one}});
  const Safetensors read = read_safetensors(path);
  EXPECT_EQ(read.tensor("b.bias"), one);
  const Error error = misuse(ErrorId::value, "safetensors", [&] { (void)read.tensor("b.wieght"); });
  EXPECT_EQ(error.facts(), (Facts{{"name", "b.wieght"}}));
  EXPECT_EQ(error.hint(), "there is `b.weight`, `b.bias`, `a.bias`");
  EXPECT_EQ(misuse(ErrorId::value, "safetensors", [] { (void)Safetensors().tensor("a"); }).hint(), "the file holds no tensors");
}

TEST_F(FileMisuse, AnotherFormat) {
  std::ofstream(path) << "<!doctype html>";
  const Error error = misuse(ErrorId::file_format, "", [&] { (void)read_safetensors(path); });
  EXPECT_EQ(fact(error, "kind").substr(0, 12), "an HTML page");
  const std::string text = "PK\x03\x04 and more";
  const auto bytes = std::as_bytes(std::span(text));
  EXPECT_EQ(fact(misuse(ErrorId::file_format, "", [&] { (void)parse_safetensors(bytes, nullptr, "x"); }), "path"), "x");
}

TEST_F(FileMisuse, NamesThatTheFormatCannotHold) {
  const Array one = Array::zeros(f32, {});
  for (const std::string& name : {std::string("__metadata__"), std::string("a\0b", 3)}) {
    const Error error = misuse(ErrorId::value, "write_safetensors", [&] { write_safetensors(path, {{name, one}}); });
    EXPECT_EQ(fact(error, "name").substr(0, 1), name.substr(0, 1));
  }
  misuse(ErrorId::value, "write_safetensors", [&] { write_safetensors(path, {{"\xff", one}}); });
  misuse(ErrorId::value, "write_safetensors", [&] { write_safetensors(path, {{"a", one}}, {{"k", "\xff"}}); });
  misuse(ErrorId::value, "write_safetensors", [&] { write_safetensors(path, {}, {{std::string("k\0", 2), "v"}}); });
  const NamedArrays none = {{"a", Array()}};
  const Error error = misuse(ErrorId::undefined_tensor, "write_safetensors", [&] { write_safetensors(path, none); });
  EXPECT_EQ(error.facts(), (Facts{{"name", "a"}}));
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

}  // namespace
}  // namespace calx::run_misuse_test
