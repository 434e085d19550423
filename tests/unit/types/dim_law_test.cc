// Laws of Dim over random expressions, each carried along with a plain evaluator that knows no canonical
// forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "calx/base/checked.h"
#include "calx/base/error.h"
#include "calx/types/dim.h"

namespace calx::dim_law_test {
namespace {

constexpr const char* kNames[] = {"A", "B", "H"};

struct Expression {
  Dim dim;
  std::function<std::optional<std::int64_t>(const Bindings&)> value;  // nullopt where a divisor is < 1
};

using Operation = std::int64_t (*)(std::int64_t, std::int64_t);

Expression combine(Dim dim, const Expression& a, const Expression& b, Operation operation,
                   bool divides = false) {
  return {std::move(dim), [=, x = a.value, y = b.value](const Bindings& at) -> std::optional<std::int64_t> {
            const auto left = x(at);
            const auto right = y(at);
            if (!left || !right || (divides && *right < 1)) return std::nullopt;
            return operation(*left, *right);
          }};
}

class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }

  Expression leaf() {
    if (below(3) == 0) {
      const std::int64_t value = below(9) - 3;
      return {value, [value](const Bindings&) { return std::optional(value); }};
    }
    const std::string name = kNames[below(3)];
    return {Dim::symbol(name), [name](const Bindings& at) { return std::optional(at.at(name)); }};
  }

  Expression expression(int depth) {
    if (depth == 0) return leaf();
    const Expression a = expression(depth - 1 - below(2) * (depth > 1));
    const Expression b = expression(depth - 1 - below(2) * (depth > 1));
    switch (below(9)) {
      case 0:
      case 1:
        return combine(a.dim + b.dim, a, b, [](std::int64_t x, std::int64_t y) { return x + y; });
      case 2:
        return combine(a.dim - b.dim, a, b, [](std::int64_t x, std::int64_t y) { return x - y; });
      case 3:
        return combine(a.dim * b.dim, a, b, [](std::int64_t x, std::int64_t y) { return x * y; });
      case 4:
        return combine(min(a.dim, b.dim), a, b,
                       [](std::int64_t x, std::int64_t y) { return std::min(x, y); });
      case 5:
        return combine(max(a.dim, b.dim), a, b,
                       [](std::int64_t x, std::int64_t y) { return std::max(x, y); });
      case 6:
        if (!b.dim.is_constant()) {
          return combine(
              floor_div(a.dim, b.dim), a, b, [](std::int64_t x, std::int64_t y) { return floor_div(x, y); },
              true);
        }
        [[fallthrough]];
      default: {
        const std::int64_t divisor = 1 + below(5);
        const Expression by{divisor, [divisor](const Bindings&) { return std::optional(divisor); }};
        if (below(2) == 0) {
          return combine(ceil_div(a.dim, divisor), a, by,
                         [](std::int64_t x, std::int64_t y) { return -floor_div(-x, y); });
        }
        return combine(floor_div(a.dim, divisor), a, by,
                       [](std::int64_t x, std::int64_t y) { return floor_div(x, y); });
      }
    }
  }

  Bindings bindings() {
    Bindings at;
    for (const char* name : kNames) at.emplace(name, below(4) == 0 ? below(100) : below(8));
    return at;
  }

 private:
  std::mt19937 random_;
};

std::optional<std::int64_t> evaluate(const Dim& dim, const Bindings& at) {
  try {
    return dim.evaluate(at);
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), ErrorId::dim_binding) << dim.to_string();
    return std::nullopt;
  }
}

constexpr int kRounds = 400;

// Draws until an expression is built: some are refused (divisor proven not positive).
Expression draw(Generator& generator, int depth) {
  for (;;) {
    try {
      return generator.expression(depth);
    } catch (const ValueError&) {
    }
  }
}

TEST(DimLaws, CanonicalFormKeepsTheValue) {
  Generator generator(1);
  for (int round = 0; round < kRounds; ++round) {
    const Expression e = draw(generator, 1 + round % 4);
    for (int i = 0; i < 20; ++i) {
      const Bindings at = generator.bindings();
      const auto expected = e.value(at);
      if (!expected) continue;
      EXPECT_EQ(evaluate(e.dim, at), expected)
          << e.dim.to_string() << " A=" << at.at("A") << " B=" << at.at("B") << " H=" << at.at("H")
          << " round " << round;
    }
  }
}

TEST(DimLaws, PrintedFormParsesToItself) {
  Generator generator(2);
  for (int round = 0; round < kRounds; ++round) {
    const Dim dim = draw(generator, 1 + round % 4).dim;
    const auto parsed = parse_dim(dim.to_string());
    ASSERT_TRUE(parsed) << dim.to_string();
    EXPECT_EQ(*parsed, dim) << dim.to_string() << " read as " << parsed->to_string();
    EXPECT_EQ(parsed->hash() == dim.hash(), *parsed == dim);
  }
}

TEST(DimLaws, SubstitutionComposesWithEvaluation) {
  Generator generator(3);
  for (int round = 0; round < kRounds; ++round) {
    const Expression e = draw(generator, 1 + round % 3);
    const Expression inner = draw(generator, 1);
    Dim substituted;
    try {
      substituted = e.dim.substitute({{"H", inner.dim}});
    } catch (const ValueError&) {
      continue;
    }
    for (int i = 0; i < 10; ++i) {
      const Bindings at = generator.bindings();
      Bindings composed = at;
      const auto h = inner.value(at);
      if (!h || *h < 0) continue;  // symbols are >= 0
      composed["H"] = *h;
      const auto expected = evaluate(e.dim, composed);
      if (expected) {
        EXPECT_EQ(evaluate(substituted, at), expected)
            << e.dim.to_string() << " H -> " << inner.dim.to_string() << " gives " << substituted.to_string();
      }
    }
  }
}

TEST(DimLaws, IdentitySubstitutionKeepsTheForm) {
  Generator generator(4);
  for (int round = 0; round < kRounds; ++round) {
    const Dim dim = draw(generator, 1 + round % 4).dim;
    const Dim renamed =
        dim.substitute({{"A", Dim::symbol("A_")}, {"B", Dim::symbol("B_")}, {"H", Dim::symbol("H_")}});
    const Dim back =
        renamed.substitute({{"A_", Dim::symbol("A")}, {"B_", Dim::symbol("B")}, {"H_", Dim::symbol("H")}});
    EXPECT_EQ(back, dim) << dim.to_string() << " became " << back.to_string();
  }
}

TEST(DimLaws, ProofsAreNeverContradicted) {
  Generator generator(5);
  int decided = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Expression a = draw(generator, 1 + round % 3);
    const Expression b = draw(generator, 1 + round % 3);
    DimFacts facts;
    if (round % 2 == 0) facts.non_negative.push_back(draw(generator, 1).dim);
    const Proof equal = proven_equal(a.dim, b.dim, facts);
    const Proof less_equal = proven_less_equal(a.dim, b.dim, facts);
    decided += less_equal != Proof::unknown;
    for (int i = 0; i < 30; ++i) {
      const Bindings at = generator.bindings();
      const auto x = a.value(at);
      const auto y = b.value(at);
      if (!x || !y) continue;
      if (!facts.non_negative.empty() && evaluate(facts.non_negative[0], at).value_or(-1) < 0) continue;
      const std::string what = a.dim.to_string() + " and " + b.dim.to_string();
      if (equal != Proof::unknown) {
        EXPECT_EQ(*x == *y, equal == Proof::yes) << what;
      }
      if (less_equal != Proof::unknown) {
        EXPECT_EQ(*x <= *y, less_equal == Proof::yes) << what;
      }
    }
  }
  EXPECT_GT(decided, kRounds / 8);
}

TEST(DimLaws, RingLawsHoldForForms) {
  Generator generator(6);
  int same_form = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Dim a = draw(generator, 1 + round % 3).dim;
    const Dim b = draw(generator, 1 + round % 2).dim;
    const Dim c = draw(generator, 1).dim;
    EXPECT_EQ(a + b, b + a);
    EXPECT_EQ(a * b, b * a);
    EXPECT_EQ((a + b) * c, a * c + b * c);
    EXPECT_EQ(a - a, Dim(0));
    EXPECT_EQ(-(-a), a);
    EXPECT_EQ(min(a, b), min(b, a));
    // Minima flatten where maxima do not, so this is a theorem about values and nearly always one about
    // forms.
    const Dim sum = min(a, b) + max(a, b);
    EXPECT_NE(proven_equal(sum, a + b), Proof::no) << a.to_string() << " and " << b.to_string();
    same_form += sum == a + b;
    EXPECT_EQ(Dim::compare_forms(a, b) < 0, Dim::compare_forms(b, a) > 0);
  }
  EXPECT_GT(same_form, kRounds - kRounds / 50);
}

}  // namespace
}  // namespace calx::dim_law_test
