// The safetensors reader's memory: what is adopted, what is copied, how long it lives.
#include "calx/io/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>

namespace calx::safetensors_test {
namespace {

/// A file with one f32[2] `a` (1, 2) whose header is padded so that the data starts at a multiple of 8, plus `shift`.
std::vector<std::byte> file(std::size_t shift) {
  std::string header = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  while (header.size() % 8 != shift) header += ' ';
  std::vector<std::byte> bytes(8 + header.size() + 8);
  const std::uint64_t size = header.size();
  const float values[] = {1, 2};
  std::memcpy(bytes.data(), &size, 8);
  std::memcpy(bytes.data() + 8, header.data(), header.size());
  std::memcpy(bytes.data() + 8 + header.size(), values, 8);
  return bytes;
}

bool inside(const Array& array, const std::vector<std::byte>& bytes) {
  return array.bytes().data() >= bytes.data() && array.bytes().data() < bytes.data() + bytes.size();
}

TEST(Safetensors, AlignedDataOfAnOwnerIsAdoptedAndKeptAlive) {
  auto owner = std::make_shared<std::vector<std::byte>>(file(0));
  const std::weak_ptr<std::vector<std::byte>> alive = owner;
  Safetensors read = parse_safetensors(*owner, owner, "memory");
  EXPECT_TRUE(inside(read.tensors.at("a"), *owner));
  owner.reset();
  EXPECT_FALSE(alive.expired());
  EXPECT_EQ(read.tensors.at("a").values<float>()[1], 2);
  read.tensors.clear();
  EXPECT_TRUE(alive.expired());
}

TEST(Safetensors, DataWithoutAnOwnerIsCopied) {
  std::vector<std::byte> bytes = file(0);
  const Safetensors read = parse_safetensors(bytes, nullptr, "memory");
  EXPECT_FALSE(inside(read.tensors.at("a"), bytes));
  std::fill(bytes.begin(), bytes.end(), std::byte{0});
  EXPECT_EQ(read.tensors.at("a").values<float>()[1], 2);
}

TEST(Safetensors, DataThatIsNotAlignedIsCopied) {
  const auto owner = std::make_shared<std::vector<std::byte>>(file(1));
  const Safetensors read = parse_safetensors(*owner, owner, "memory");
  EXPECT_FALSE(inside(read.tensors.at("a"), *owner));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(read.tensors.at("a").bytes().data()) % 4, 0u);
  EXPECT_EQ(read.tensors.at("a").values<float>()[0], 1);
}

/// Every prefix of a file is refused, as a file.
TEST(Safetensors, EveryTruncationIsRefused) {
  const std::vector<std::byte> whole = file(0);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::vector<std::byte> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_THROW((void)parse_safetensors(part, nullptr, "memory"), FileError) << size;
  }
  EXPECT_EQ(parse_safetensors(whole, nullptr, "memory").tensors.size(), 1u);
}

/// A file with one byte changed is refused, or read as another: never anything else.
TEST(Safetensors, EveryChangedByteIsRefusedOrRead) {
  const std::vector<std::byte> whole = file(0);
  int refused = 0;
  for (std::size_t at = 0; at + 8 < whole.size(); ++at) {
    for (unsigned value : {0x00U, 0x20U, 0x22U, 0x39U, 0x7DU, 0xFFU}) {
      std::vector<std::byte> bytes = whole;
      bytes[at] = std::byte(value);
      try {
        (void)parse_safetensors(bytes, nullptr, "memory");
      } catch (const FileError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace calx::safetensors_test
