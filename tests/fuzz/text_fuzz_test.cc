// Mutations of valid programs and weight files: each gives an Error or a valid value, never a crash, an
// internal error or a foreign exception. Seeded; CALX_FUZZ_ROUNDS and CALX_FUZZ_SEED change the amount and
// the start.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>

#include "calx/base/format.h"
#include "calx/core/bind.h"
#include "calx/core/text.h"
#include "calx/core/trace.h"
#include "calx/core/verify.h"
#include "calx/io/safetensors.h"

namespace calx {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// One program per op and sample, in f32 where the sample leaves the dtype open.
std::vector<std::string> programs() {
  std::vector<std::string> texts = {
      "calx 1\nfunc g(%x: f32[B]) -> (f32[B]) {\n  %0 = neg(%x) : f32[B]\n  return %0\n}\n"
      "func main(%x: f32[B], %y: f32[B]) -> (a: f32[B], b: f32[B]) donates (%x -> 0) where B >= 2 {\n"
      "  %0 = call(%x) {function = @g} : f32[B]\n  %1 = call(%y) {function = @g} : f32[B]\n  return %0, "
      "%1\n}\n"};
  for (const OpDef* op : op_table()) {
    for (const Sample& sample : op->samples()) {
      std::vector<Argument> arguments;
      for (std::size_t i = 0; i < sample.operands.size(); ++i) {
        const OperandSpec& spec = op->operands[std::min(i, op->operands.size() - 1)];
        const DType fill = accepts(spec.dtypes, f32)   ? f32
                           : accepts(spec.dtypes, i32) ? i32
                           : accepts(spec.dtypes, u64) ? u64
                                                       : boolean;
        arguments.push_back(
            {format("x{}", i), {sample.operands[i].dtype.value_or(fill), sample.operands[i].shape}});
      }
      try {
        texts.push_back(print(trace_flat(arguments, [&](std::span<const Tensor> x) {
                                return apply(*op, Tensors(x.begin(), x.end()), sample.attrs);
                              }).function));
      } catch (const Error&) {
        continue;
      }
    }
  }
  return texts;
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }

  std::string mutate(std::string text, const std::string& other) {
    static constexpr std::string_view kPieces[] = {"{",
                                                   "}",
                                                   "(",
                                                   ")",
                                                   "[",
                                                   "]",
                                                   "%",
                                                   "@",
                                                   "\"",
                                                   ",",
                                                   "=",
                                                   ":",
                                                   "->",
                                                   "-1",
                                                   "0",
                                                   "1",
                                                   "9223372036854775807",
                                                   "-9223372036854775808",
                                                   "18446744073709551616",
                                                   "1e999",
                                                   "nan(0x",
                                                   "inf",
                                                   "none",
                                                   "true",
                                                   "func",
                                                   "return",
                                                   "%0",
                                                   "%x0",
                                                   "f32[",
                                                   "B",
                                                   "floor(",
                                                   "min(",
                                                   "*",
                                                   "^9",
                                                   "/0",
                                                   "#",
                                                   "\\x",
                                                   "\xff",
                                                   "base64 \"",
                                                   "f64",
                                                   "bool",
                                                   "i8",
                                                   "u64[]"};
    for (std::size_t count = 1 + below(4); count > 0; --count) {
      const std::size_t at = below(text.size() + 1);
      const std::size_t length = std::min(below(12), text.size() - at);
      switch (below(10)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, kPieces[below(std::size(kPieces))]);
          break;
        case 2:
          text.replace(at, length, kPieces[below(std::size(kPieces))]);
          break;
        case 3:
          text.insert(at, text.substr(below(text.size() + 1), below(40)));
          break;
        case 4:
          text.insert(at, other.substr(below(other.size() + 1), below(60)));
          break;
        case 5:
          if (at < text.size()) text[at] = static_cast<char>(below(256));
          break;
        case 6: {
          // Another number in place of one.
          const std::size_t digit = text.find_first_of("0123456789", at);
          if (digit == std::string::npos) break;
          const std::size_t end = std::min(text.find_first_not_of("0123456789", digit), text.size());
          static constexpr std::string_view kNumbers[] = {
              "0", "1", "2", "3", "5", "7", "64", "65535", "2147483648", "4611686018427387904", "-1", "-2"};
          text.replace(digit, end - digit, kNumbers[below(std::size(kNumbers))]);
          break;
        }
        // What keeps the grammar, so that types and attributes are reached: a dtype everywhere, a size everywhere, space.
        case 7: {
          static constexpr std::string_view kDTypes[] = {"f16[", "bf16[", "f32[", "f64[", "i8[",  "i32[",
                                                         "i64[", "u8[",   "u64[", "bool["};
          replace_everywhere(text, kDTypes[below(std::size(kDTypes))], kDTypes[below(std::size(kDTypes))]);
          break;
        }
        case 8: {
          static constexpr std::string_view kBefore[] = {"[1", "[2", "[3", "[4", ",1", ",2", ",3", ",4"};
          static constexpr std::string_view kDigits[] = {"0", "1", "2", "3", "4", "5", "B", "2*B+1"};
          const std::string_view size = kBefore[below(std::size(kBefore))];
          const std::string_view other_size = kDigits[below(std::size(kDigits))];
          for (const char* mark : {"[", ","}) {
            replace_everywhere(text, format("{}{}]", mark, size[1]), format("{}{}]", mark, other_size));
            replace_everywhere(text, format("{}{},", mark, size[1]), format("{}{},", mark, other_size));
          }
          break;
        }
        case 9: {
          const std::size_t space = text.find(' ', at);
          if (space != std::string::npos) text.insert(space, below(2) == 0 ? "  \t" : " # a comment\n");
          break;
        }
      }
    }
    return text;
  }

 private:
  static void replace_everywhere(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t i = text.find(from); i != std::string::npos; i = text.find(from, i + to.size())) {
      text.replace(i, from.size(), to);
    }
  }

  std::mt19937_64 random_;
};

TEST(Fuzz, ProgramsInText) {
  const std::vector<std::string> seeds = programs();
  ASSERT_GT(seeds.size(), 20u);
  const std::uint64_t seed = from_environment("CALX_FUZZ_SEED", 1);
  const std::uint64_t rounds = from_environment("CALX_FUZZ_ROUNDS", 20'000);
  Mutator mutator(seed);
  std::uint64_t parsed = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::string text =
        mutator.mutate(seeds[mutator.below(seeds.size())], seeds[mutator.below(seeds.size())]);
    try {
      const Function f = parse(text, "fuzz.calx");
      ++parsed;
      const Function again = parse(print(f));
      ASSERT_TRUE(again == f) << "seed " << seed << " round " << round << "\n"
                              << text << "\nprinted\n"
                              << print(f);
      verify(f);
    } catch (const InternalError& error) {
      ADD_FAILURE() << "seed " << seed << " round " << round << ": " << error.what() << "\n" << text;
    } catch (const Error& error) {
      if (error.id() != ErrorId::parse && error.id() != ErrorId::verify) {
        ADD_FAILURE() << "seed " << seed << " round " << round << ": " << error.what() << "\n" << text;
      }
    } catch (const std::exception& error) {
      ADD_FAILURE() << "seed " << seed << " round " << round << ": " << error.what() << "\n" << text;
    }
    if (testing::Test::HasFailure() && round > 0 &&
        testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count() > 10)
      break;
  }
  EXPECT_GT(parsed, rounds / 50);
}

TEST(Fuzz, WeightFiles) {
  const std::string header =
      R"({"__metadata__":{"format":"calx"},"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"b":{"dtype":"BOOL","shape":[3],"data_offsets":[16,19]},"c":{"dtype":"I64","shape":[0],"data_offsets":[19,19]}})";
  const std::string data = std::string(16, 'x') + std::string("\1\0\1", 3);
  const std::uint64_t seed = from_environment("CALX_FUZZ_SEED", 1);
  Mutator mutator(seed);
  std::uint64_t read = 0;
  const std::uint64_t rounds = from_environment("CALX_FUZZ_ROUNDS", 20'000);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::string mutated = mutator.below(10) == 0 ? header : mutator.mutate(header, header);
    const std::uint64_t size = mutator.below(8) == 0 ? mutator.below(400) : mutated.size();
    std::string file(8, '\0');
    std::memcpy(file.data(), &size, 8);
    file += mutated + data.substr(0, mutator.below(10) == 0 ? mutator.below(20) : data.size());
    try {
      const Safetensors content =
          parse_safetensors(std::as_bytes(std::span(file.data(), file.size())), nullptr, "fuzz");
      for (const auto& [name, array] : content.tensors) (void)array.hash();
      ++read;
    } catch (const FileError&) {
    } catch (const std::exception& error) {
      FAIL() << "seed " << seed << " round " << round << ": " << error.what() << "\n" << mutated;
    }
  }
  EXPECT_GT(read, rounds / 100);
}

}  // namespace
}  // namespace calx
