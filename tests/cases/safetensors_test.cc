// Public reports B124 (files whose checks were skipped: hidden tensors, overlaps, overflows) and B125 (empty
// tensors refused), and files that are something else.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "calx/base/format.h"
#include "calx/io/safetensors.h"

namespace calx::safetensors_test {
namespace {

std::string file_with(std::string header, std::string_view data, std::optional<std::uint64_t> length = {}) {
  std::string file(8, '\0');
  const std::uint64_t size = length.value_or(header.size());
  std::memcpy(file.data(), &size, 8);
  return file + header + std::string(data);
}

Safetensors parse_text(std::string_view file) {
  return parse_safetensors(std::as_bytes(std::span(file.data(), file.size())), nullptr,
                           "weights.safetensors");
}

void expect_refused(std::string_view file, std::string_view message) {
  SCOPED_TRACE(message);
  try {
    (void)parse_text(file);
    ADD_FAILURE() << "was read";
  } catch (const FileError& error) {
    EXPECT_EQ(error.id(), ErrorId::file_format) << error.what();
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("weights.safetensors"), std::string::npos) << error.what();
  }
}

std::string tensor(std::string_view name, std::string_view dtype, std::string_view shape,
                   std::string_view offsets) {
  return format(R"("{}":{{"dtype":"{}","shape":{},"data_offsets":{}}})", name, dtype, shape, offsets);
}
std::string header(std::initializer_list<std::string> tensors) {
  return format("{{{}}}", join(tensors, ","));
}

TEST(B124, NamesWithNul) {
  expect_refused(file_with(header({tensor("a\\u0000b", "U8", "[1]", "[0,1]")}), "x"), "holds a NUL");
}
TEST(B124, DuplicateNames) {
  expect_refused(
      file_with(header({tensor("a", "U8", "[1]", "[0,1]"), tensor("a", "U8", "[1]", "[1,2]")}), "xy"),
      "the name `a` occurs twice");
  expect_refused(file_with(R"({"a":{"dtype":"U8","dtype":"I8","shape":[1],"data_offsets":[0,1]}})", "x"),
                 "the name `dtype` occurs twice");
  expect_refused(file_with(R"({"__metadata__":{"k":"1","k":"2"}})", ""), "the name `k` occurs twice");
}
TEST(B124, OverlappingRanges) {
  expect_refused(
      file_with(header({tensor("A", "U8", "[100]", "[0,100]"), tensor("B", "U8", "[100]", "[50,150]")}),
                std::string(150, 'x')),
      "tensor `B` starts at byte 50 of the data, the one before ends at 100: they overlap");
}
TEST(B124, Holes) {
  expect_refused(
      file_with(header({tensor("a", "U8", "[1]", "[0,1]"), tensor("b", "U8", "[1]", "[2,3]")}), "xyz"),
      "there is a hole");
  expect_refused(file_with(header({tensor("a", "U8", "[1]", "[1,2]")}), "xy"), "there is a hole");
}
TEST(B124, TrailingBytes) {
  expect_refused(file_with(header({tensor("a", "U8", "[1]", "[0,1]")}), "xyz"),
                 "2 bytes follow the last tensor");
  expect_refused(file_with("{}", "x"), "1 bytes follow the last tensor");
}
TEST(B124, StartAfterEnd) {
  expect_refused(file_with(header({tensor("a", "U8", "[1]", "[2,1]")}), "xy"), "starts at 2 and ends at 1");
}
TEST(B124, EndBeyondFile) {
  const std::string file = file_with(header({tensor("a", "F32", "[2]", "[0,8]")}), "1234");
  expect_refused(file, format("it is truncated: it has {} bytes, but tensor `a` ends at byte {}", file.size(),
                              file.size() + 4));
}
TEST(B124, UnknownDTypeWithHugeOffsets) {
  expect_refused(file_with(header({tensor("a", "F7", "[1]", "[0,18446744073709551615]")}), "x"),
                 "dtype `F7`, which is not supported");
  expect_refused(file_with(header({tensor("a", "U8", "[1]", "[0,18446744073709551615]")}), "x"),
                 "exceeds 63 bits");
  expect_refused(file_with(header({tensor("a", "U8", "[1]", "[0,99999999999999999999]")}), "x"),
                 "holds a number that is no integer");
  expect_refused(file_with(header({tensor("a", "U8", "[1]", "[0,-1]")}), "x"), "the negative number -1");
}
TEST(B124, ShapeProductOverflow) {
  expect_refused(file_with(header({tensor("a", "F64", "[4294967296,4294967296]", "[0,0]")}), ""),
                 "more bytes than 63 bits count");
  expect_refused(file_with(header({tensor("a", "F64", "[2305843009213693952]", "[0,0]")}), ""),
                 "more bytes than 63 bits count");
  expect_refused(file_with(header({tensor("a", "F32", "[3]", "[0,8]")}), "12345678"),
                 "takes 12 bytes, but its offsets 0 to 8 hold 8");
}
TEST(B124, MalformedHeaders) {
  expect_refused(file_with("[]", ""), "does not start with `{`");
  expect_refused(file_with("", ""), "does not start with `{`");
  expect_refused(file_with("{\"a\":1}", ""), "`a` is a number instead of an object");
  expect_refused(file_with("{\"a\":{}}", ""), "tensor `a` has no `dtype`");
  expect_refused(file_with("{\"a\":[", ""), "`a` is a list instead of an object");
  expect_refused(file_with("{\"a\":", ""), "its header is no JSON at byte");
  expect_refused(file_with("{\"\xff\":{}}", ""), "its header is no JSON at byte");
  expect_refused(file_with("{}{}", ""), "its header is no JSON at byte");
  expect_refused(file_with(header({R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"extra":1})"}), "x"),
                 "unknown field `extra`");
  expect_refused(file_with(header({tensor("a", "U8", "[1]", "[0,1,2]")}), "x"),
                 "has 3 data_offsets instead of 2");
  expect_refused(file_with(header({tensor("a", "U8", "[[1]]", "[0,1]")}), "x"), "holds");
  expect_refused(file_with("{\"__metadata__\":{\"k\":1}}", ""), "metadata `k` is a number instead of a text");
  expect_refused(file_with(header({tensor("a", "BOOL", "[1]", "[0,1]")}), "\x02"),
                 "a boolean that is neither 0 nor 1");
  expect_refused(file_with(std::string(1000, '{'), ""), "its header is no JSON");
}

TEST(B125, EmptyTensorWithEqualOffsets) {
  const Safetensors read =
      parse_text(file_with(header({tensor("empty", "F32", "[2,0]", "[0,0]"),
                                   tensor("a", "U8", "[2]", "[0,2]"), tensor("last", "F64", "[0]", "[2,2]")}),
                           "xy"));
  EXPECT_EQ(read.tensors.at("empty").sizes(), (std::vector<std::int64_t>{2, 0}));
  EXPECT_TRUE(read.tensors.at("empty").defined());
  EXPECT_EQ(read.tensors.at("last").dtype(), f64);
  EXPECT_EQ(read.tensors.at("a").num_elements(), 2);
}

TEST(Safetensors, SaysWhatTheFileIs) {
  expect_refused("version https://git-lfs.github.com/spec/v1\noid sha256:0", "it is a Git LFS pointer");
  expect_refused("<!DOCTYPE html><html></html>", "it is an HTML page");
  expect_refused("\n <HTML lang=en>", "it is an HTML page");
  expect_refused("PK\x03\x04 a zip archive", "it is a zip archive");
  expect_refused("\x80\x02}q\x01 a pickle", "it is a Python pickle");
  expect_refused(std::string_view("GGUF\x03\0\0\0\0\0", 10), "it is a GGUF file");
  expect_refused("{\"a\": 1}", "it is a JSON text");
  expect_refused("", "it is truncated: it has 0 bytes");
  expect_refused("1234567", "it is truncated: it has 7 bytes");
  expect_refused(file_with("{}", "", 1000), "it is truncated: it has 10 bytes, its header alone needs 1008");
  expect_refused(file_with("{}", "", ~std::uint64_t{0}), "its header would have 18446744073709551615 bytes");
}

class SafetensorsFile : public testing::Test {
 protected:
  std::string path =
      (std::filesystem::temp_directory_path() / format("calx_safetensors_{}.safetensors", ::getpid()))
          .string();
  void TearDown() override { std::filesystem::remove(path); }
};

TEST_F(SafetensorsFile, WritesAndReadsEveryDType) {
  Safetensors content;
  for (DType dtype : kAllDTypes) {
    content.tensors.emplace(std::string(dtype.name()), Array::zeros(dtype, {3}));
    content.tensors.emplace(format("{}.scalar", dtype.name()), Array::zeros(dtype, {}));
    content.tensors.emplace(format("{}.empty", dtype.name()), Array::zeros(dtype, {0, 7}));
  }
  content.tensors.emplace(
      "w\u00e9 \"quoted\"",
      Array::from<float>({2, 2}, {1.0f, -0.0f, 3.0f, std::numeric_limits<float>::quiet_NaN()}));
  content.metadata["format"] = "calx";
  write_safetensors(path, content.tensors, content.metadata);
  const Safetensors again = read_safetensors(path);
  EXPECT_EQ(again.tensors, content.tensors);
  EXPECT_EQ(again.metadata, content.metadata);
  // Every array is aligned in the file, so none was copied.
  std::ifstream file(path, std::ios::binary);
  std::uint64_t header_size = 1;
  file.read(reinterpret_cast<char*>(&header_size), 8);
  EXPECT_EQ(header_size % 8, 0u);
}

TEST_F(SafetensorsFile, ValuesOutliveTheFile) {
  write_safetensors(path, {{"a", Array::from<float>({2}, {1.0f, 2.0f})}});
  const Safetensors read = read_safetensors(path);
  std::filesystem::remove(path);
  EXPECT_EQ(read.tensors.at("a").values<float>()[1], 2.0f);
}

TEST_F(SafetensorsFile, Refusals) {
  const auto id_of = [](auto action) {
    try {
      action();
    } catch (const Error& error) {
      return error.id();
    }
    return ErrorId::internal;
  };
  EXPECT_EQ(id_of([] { (void)read_safetensors("/no/such/file"); }), ErrorId::file_open);
  EXPECT_EQ(id_of([] { (void)read_safetensors("/"); }), ErrorId::file_open);
  EXPECT_EQ(id_of([] { (void)read_safetensors("/dev/null"); }), ErrorId::file_open);
  EXPECT_EQ(id_of([] { write_safetensors("/no/such/folder/file", {}); }), ErrorId::file_open);
  EXPECT_EQ(id_of([&] {
              write_safetensors(path, {{"__metadata__", Array::zeros(f32, {})}});
            }),
            ErrorId::value);
  EXPECT_EQ(id_of([&] { write_safetensors(path, {{"\xff", Array::zeros(f32, {})}}); }), ErrorId::value);
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace calx::safetensors_test
