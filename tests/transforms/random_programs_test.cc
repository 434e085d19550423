// The laws of transforms on random programs: what holds op by op must hold for compositions, and for
// transforms of transforms.
#include <gtest/gtest.h>

#include <cmath>

#include "calx/base/format.h"
#include "calx/core/text.h"
#include "calx/transforms/transforms.h"
#include "laws/law_functions.h"
#include "random_program.h"

namespace calx::random_programs_test {
namespace {

using laws::draw_normal;
using laws::evaluate;
using laws::Random;

constexpr std::uint64_t kSeeds = 48;

std::string describe(std::uint64_t seed, const RandomProgram& program) {
  std::string text = format("seed {}:", seed);
  for (const std::string& op : program.ops) text += " " + op;
  return text;
}

std::vector<Array> draw_arguments(const Function& f, Random& random) {
  std::vector<Array> values;
  for (const Argument& argument : f.arguments()) values.push_back(draw_normal(argument.type, random));
  return values;
}

std::vector<bool> all_arguments(const Function& f) { return std::vector<bool>(f.arguments().size(), true); }

std::vector<Array> joined(std::vector<Array> a, const std::vector<Array>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// jvp against differences, at a point; the first difference.
std::optional<std::string> jvp_differs(const Function& f, std::uint64_t seed, double relative) {
  Random random(seed);
  const std::vector<Array> x = draw_arguments(f, random), v = draw_arguments(f, random);
  const std::vector<Array> results = evaluate(jvp(f, all_arguments(f)), joined(x, v));
  const std::vector<Array> expected = laws::central_differences(f, x, all_arguments(f), v).tangents;
  for (std::size_t r = 0; r < expected.size(); ++r) {
    // Where differences are not finite the program left its domain: a window without elements gives -inf.
    auto found = laws::difference(results[f.results().size() + r], expected[r], {.relative = relative, .absolute = relative},
                                  laws::Compared::where_second_finite);
    if (found) return found;
  }
  return std::nullopt;
}

/// A point may lie on a kink of some op: two of three points must agree.
void expect_jvp(const Function& f, std::uint64_t seed, double relative, const std::string& label) {
  int failed = 0;
  std::string found;
  for (std::uint64_t point = 0; point < 3 && (point == 0 || failed > 0); ++point) {
    const auto differs = jvp_differs(f, seed * 31 + point, relative);
    if (differs) {
      ++failed;
      found = *differs;
    } else if (point > 0 && failed == 1) {
      return;
    }
  }
  EXPECT_LT(failed, 2) << label << ": jvp against differences: " << found;
}

void expect_vjp(const Function& f, std::uint64_t seed, const std::string& label) {
  Random random(seed);
  const std::vector<Array> x = draw_arguments(f, random), v = draw_arguments(f, random);
  std::vector<Array> w;
  for (const Type& type : f.result_types()) w.push_back(draw_normal(type, random));
  const std::vector<Array> forward = evaluate(jvp(f, all_arguments(f)), joined(x, v));
  const std::vector<Array> backward = evaluate(vjp(f, all_arguments(f)), joined(x, w));
  double left = 0, right = 0, scale = 1;
  for (std::size_t r = 0; r < w.size(); ++r) {
    left += laws::inner_product(forward[w.size() + r], w[r]);
    scale += std::abs(laws::inner_product(forward[w.size() + r], w[r]));
  }
  for (std::size_t i = 0; i < v.size(); ++i) {
    right += laws::inner_product(backward[w.size() + i], v[i]);
    scale += std::abs(laws::inner_product(backward[w.size() + i], v[i]));
  }
  EXPECT_LE(std::abs(left - right), 1e-9 * scale)
      << label << ": <J v, w> = " << left << ", <v, J^T w> = " << right;
}

void expect_vmap(const Function& f, std::uint64_t seed, const std::string& label) {
  Random random(seed);
  std::vector<std::vector<Array>> lanes;
  for (int lane = 0; lane < 3; ++lane) lanes.push_back(draw_arguments(f, random));
  std::vector<std::optional<int>> axes;
  std::vector<Array> stacked;
  const std::vector<Type> types = f.argument_types();
  for (std::size_t i = 0; i < types.size(); ++i) {
    const bool batched = i == 0 || random.integer(0, 3) != 0;
    const auto axis = static_cast<int>(random.integer(0, types[i].rank() + 1));
    axes.push_back(batched ? std::optional<int>(axis) : std::nullopt);
    if (!batched) {
      for (auto& lane : lanes) lane[i] = lanes[0][i];
      stacked.push_back(lanes[0][i]);
    } else {
      stacked.push_back(laws::stack({lanes[0][i], lanes[1][i], lanes[2][i]}, axis, types[i]));
    }
  }
  const std::vector<Array> results = evaluate(vmap(f, axes, Dim(3)), stacked);
  for (int lane = 0; lane < 3; ++lane) {
    const std::vector<Array> expected = evaluate(f, lanes[static_cast<std::size_t>(lane)]);
    for (std::size_t r = 0; r < expected.size(); ++r) {
      const auto found = laws::difference(laws::take_lane(results[r], 0, lane), expected[r], {.relative = 1e-10, .absolute = 1e-10});
      EXPECT_FALSE(found) << label << ": vmap, lane " << lane << ": " << *found;
    }
  }
}

void expect_text(const Function& f, const std::string& label) {
  const std::string text = print(f);
  EXPECT_TRUE(parse(text) == f) << label << ":\n" << text;
  EXPECT_EQ(print(parse(text)), text) << label;
}

enum class Transform { jvp, vjp, vmap };

Function transformed(const Function& f, Transform transform) {
  switch (transform) {
    case Transform::jvp:
      return jvp(f, all_arguments(f));
    case Transform::vjp:
      return vjp(f, all_arguments(f));
    case Transform::vmap:
      return vmap(f, std::vector<std::optional<int>>(f.arguments().size(), 0), Dim(2));
  }
  return f;
}

class RandomPrograms : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomPrograms, ObeyTheLaws) {
  for (std::uint64_t seed = GetParam(); seed < kSeeds; seed += 8) {
    const RandomProgram program = make_random_program(seed);
    const std::string label = describe(seed, program);
    try {
      expect_text(program.function, label);
      expect_jvp(program.function, seed, 1e-6, label);
      expect_vjp(program.function, seed, label);
      expect_vmap(program.function, seed, label);
    } catch (const std::exception& error) {
      ADD_FAILURE() << label << ": " << error.what();
    }
  }
}

TEST_P(RandomPrograms, ObeyTheLawsAfterTransforms) {
  constexpr std::size_t kLargest = 4000;
  for (std::uint64_t seed = GetParam(); seed < kSeeds; seed += 8) {
    const RandomProgram program = make_random_program(seed);
    std::string label = describe(seed, program);
    Random random(seed + 1000);
    Function f = program.function;
    try {
      for (int i = 0; i < 2 && f.count_equations() < kLargest; ++i) {
        const auto transform = static_cast<Transform>(random.integer(0, 3));
        constexpr std::string_view names[] = {"jvp", "vjp", "vmap"};
        label += format(" | {}", names[static_cast<int>(transform)]);
        f = transformed(f, transform);
      }
      expect_text(f, label);
      expect_jvp(f, seed, 1e-5, label);
      expect_vjp(f, seed, label);
      expect_vmap(f, seed, label);
    } catch (const std::exception& error) {
      ADD_FAILURE() << label << ": " << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range<std::uint64_t>(0, 8));

}  // namespace
}  // namespace calx::random_programs_test
