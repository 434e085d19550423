// Dim by example: canonical forms, printing and parsing, evaluation, errors.
#include "calx/types/dim.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>

#include "calx/base/error.h"
#include "calx/types/type.h"

namespace calx::dim_test {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

Dim read(std::string_view text) {
  const auto dim = parse_dim(text);
  EXPECT_TRUE(dim) << text;
  return dim.value_or(Dim(-12345));
}

std::string canonical(std::string_view text) { return read(text).to_string(); }

ErrorId id_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.id();
  }
  ADD_FAILURE() << "nothing was raised";
  return ErrorId::internal;
}

template <class T>
void expect_converts() {
  const Dim implicit = T{5};
  EXPECT_EQ(implicit, Dim(5));
  EXPECT_EQ(Dim::symbol("B") + T{2}, Dim::symbol("B") + 2);
  EXPECT_EQ(T{2} * Dim::symbol("B"), 2 * Dim::symbol("B"));
  EXPECT_EQ(max(Dim(3), T{7}), Dim(7));
  const Shape shape = {T{2}, 3, T{4}};
  EXPECT_EQ(shape.to_string(), "[2,3,4]");
}

TEST(Dim, EveryIntegerTypeIsASize) {
  expect_converts<signed char>();
  expect_converts<unsigned char>();
  expect_converts<short>();
  expect_converts<unsigned short>();
  expect_converts<int>();
  expect_converts<unsigned>();
  expect_converts<long>();
  expect_converts<unsigned long>();
  expect_converts<long long>();
  expect_converts<unsigned long long>();
  expect_converts<std::size_t>();
  expect_converts<std::ptrdiff_t>();
  EXPECT_EQ(Dim(std::vector<int>(3).size()), Dim(3));
  EXPECT_EQ(Dim(static_cast<std::size_t>(kMax)), Dim(kMax));
  static_assert(!std::is_convertible_v<double, Dim> && !std::is_convertible_v<const char*, Dim>);
}

TEST(Dim, SizesBeyond63Bits) {
  for (const std::size_t size : {std::size_t{1} << 63, ~std::size_t{0}}) {
    try {
      (void)(Dim(1) + size);
      ADD_FAILURE() << "nothing was raised";
    } catch (const Error& error) {
      EXPECT_EQ(error.id(), ErrorId::size_overflow);
      EXPECT_EQ(error.message(), "the size " + std::to_string(size) + " exceeds 63 bits");
      EXPECT_EQ(to_string(error.where()), "dim_test.cc:" + std::to_string(__LINE__ - 5));
    }
  }
}

TEST(Dim, Constants) {
  EXPECT_TRUE(Dim().is_constant());
  EXPECT_EQ(Dim().value(), 0);
  EXPECT_EQ((Dim(3) * Dim(4) - 5).value(), 7);
  EXPECT_EQ(floor_div(-7, Dim(2)).value(), -4);
  EXPECT_EQ(ceil_div(7, Dim(2)).value(), 4);
  EXPECT_EQ(mod(-7, Dim(4)).value(), 1);
  EXPECT_EQ(min(Dim(3), 2).value(), 2);
  EXPECT_EQ(max(Dim(3), 2).value(), 3);
  EXPECT_EQ(Dim(kMin).to_string(), "-9223372036854775808");
  EXPECT_LE(sizeof(Dim), 24u);
  EXPECT_EQ(Dim::symbol("B").constant(), std::nullopt);
}

TEST(Dim, PrintsInCanonicalForm) {
  EXPECT_EQ(canonical(" 1 + T*2 "), "2*T+1");
  EXPECT_EQ(canonical("H*B"), "B*H");
  EXPECT_EQ(canonical("(T+1)*(T+1)"), "T^2+2*T+1");
  EXPECT_EQ(canonical("T-T+0*B"), "0");
  EXPECT_EQ(canonical("5-H"), "5-H");
  EXPECT_EQ(canonical("-H-5"), "-H-5");
  EXPECT_EQ(canonical("-(B-T)"), "T-B");
  EXPECT_EQ(canonical("1-2*B*T"), "1-2*B*T");
}

TEST(Dim, FloorsAreCanonical) {
  EXPECT_EQ(canonical("floor(H/2)"), "floor(H/2)");
  EXPECT_EQ(canonical("floor((H+1)/2)"), "floor((H+1)/2)");
  EXPECT_EQ(canonical("floor((2*H)/(4))"), "floor(H/2)");
  EXPECT_EQ(canonical("floor((2*H+1)/4)"), "floor(H/2)");
  EXPECT_EQ(canonical("floor((4*T+H+5)/4)"), "T+floor((H+1)/4)+1");
  EXPECT_EQ(canonical("floor((H-1)/2)"), "floor((H+1)/2)-1");
  EXPECT_EQ(canonical("floor(floor(H/2)/3)"), "floor(H/6)");
  EXPECT_EQ(canonical("floor((floor((H+1)/2)+1)/2)"), "floor((H+3)/4)");
  EXPECT_EQ(canonical("floor(2*H/3)"), "floor(2*H/3)");
  EXPECT_EQ(canonical("-floor(-H/3)"), "floor((H+2)/3)");
  EXPECT_EQ(canonical("floor(B*T/B)"), "T");
  EXPECT_EQ(canonical("floor((B*T+H)/B)"), "T+floor(H/B)");
  EXPECT_EQ(canonical("floor(2*B*T/(4*B*H))"), "floor(T/(2*H))");
  EXPECT_EQ(canonical("floor((B*B-1)/(B+1))"), "B-1");
  EXPECT_EQ(canonical("floor(0/B)"), "0");
  EXPECT_EQ(canonical("floor(floor(H/B)/2)"), "floor(H/(2*B))");
  EXPECT_EQ(ceil_div(Dim::symbol("H"), 2), floor_div(Dim::symbol("H") + 1, 2));
  EXPECT_EQ(ceil_div(Dim::symbol("H"), Dim::symbol("B")),
            floor_div(Dim::symbol("H") + Dim::symbol("B") - 1, Dim::symbol("B")));
  EXPECT_EQ(floor_div(mod(Dim::symbol("H"), 3), 3), Dim(0));
  EXPECT_EQ(floor_div(mod(Dim::symbol("H"), Dim::symbol("B")), Dim::symbol("B")), Dim(0));
  EXPECT_EQ(mod(mod(Dim::symbol("H"), 6), 3), mod(Dim::symbol("H"), 3));
}

TEST(Dim, MinimaAndMaximaAreCanonical) {
  EXPECT_EQ(canonical("min(4,B)"), "min(B,4)");
  EXPECT_EQ(canonical("max(4,B)"), "max(B,4)");
  EXPECT_EQ(canonical("min(B,B+1)"), "B");
  EXPECT_EQ(canonical("max(B,B+1)"), "B+1");
  EXPECT_EQ(canonical("max(B,0)"), "B");
  EXPECT_EQ(canonical("min(B+1,C+1)"), "min(B,C)+1");
  EXPECT_EQ(canonical("min(2*B,2*C)"), "2*min(B,C)");
  EXPECT_EQ(canonical("min(A*B,A*C)"), "A*min(B,C)");
  EXPECT_EQ(canonical("min(min(C,B),min(A,B))"), "min(A,B,C)");
  EXPECT_EQ(canonical("max(max(C,B)+1,A)"), "max(A,B+1,C+1)");
  EXPECT_EQ(canonical("-min(-A,-B)"), "max(A,B)");
  EXPECT_EQ(canonical("min(A,B)+max(A,B)"), "A+B");
  EXPECT_EQ(canonical("B*max(A,4)+1"), "B*max(A,4)+1");
  EXPECT_EQ(canonical("floor(min(H,4)/2)"), "min(floor(H/2),2)");
  EXPECT_EQ(canonical("floor(max(A,2*B)/2)"), "max(B,floor(A/2))");
  EXPECT_EQ(canonical("min(floor(H/2),H)"), "floor(H/2)");
}

TEST(Dim, ParserRefusesWhatIsNoDim) {
  for (std::string_view text : {"",
                                " ",
                                "+",
                                "-",
                                "B+",
                                "*B",
                                "B B",
                                "2B",
                                "(B",
                                "B)",
                                "B/2",
                                "floor(B)",
                                "floor(B/0)",
                                "floor(B/-1)",
                                "floor(H+1/2)",
                                "min(B)",
                                "min(B,)",
                                "min",
                                "floor",
                                "max*2",
                                "B^0",
                                "B^64",
                                "B^",
                                "B^T",
                                "9223372036854775808",
                                "9223372036854775807+1",
                                "99999999999999999999",
                                "4000000000*B*4000000000",
                                "B[0]",
                                "B\x01",
                                "ceil(B)",
                                "floor(B/(0*T))",
                                "2^3",
                                "--B-"}) {
    EXPECT_FALSE(parse_dim(text)) << text;
  }
}

TEST(Dim, ParserSurvivesHostileText) {
  EXPECT_FALSE(parse_dim(std::string(1000000, '(')));
  EXPECT_FALSE(parse_dim(std::string(1000000, '-')));
  std::string nested;
  for (int i = 0; i < 100000; ++i) nested += "min(B,";
  EXPECT_FALSE(parse_dim(nested));
  std::string product = "(A+B+C+D+E)";
  for (int i = 0; i < 62; ++i) product += "*(A+B+C+D+E)";
  EXPECT_FALSE(parse_dim(product));
  std::string powers = "B";
  for (int i = 0; i < 100; ++i) powers += "*B";
  EXPECT_FALSE(parse_dim(powers));
  std::string many = "min(a0";
  for (int i = 1; i < 1000; ++i) many += ",a" + std::to_string(i);
  EXPECT_FALSE(parse_dim(many + ")"));
  std::string sum = "a0";
  for (int i = 1; i < 5000; ++i) sum += "+a" + std::to_string(i);
  EXPECT_FALSE(parse_dim(sum));
}

TEST(Dim, ParserTakesTheLimits) {
  EXPECT_EQ(read("-9223372036854775808"), Dim(kMin));
  EXPECT_EQ(read("B-9223372036854775808"), Dim::symbol("B") + Dim(kMin));
  EXPECT_EQ(read("-9223372036854775808*B"), Dim::symbol("B") * Dim(kMin));
  EXPECT_EQ(read("9223372036854775807"), Dim(kMax));
  Dim nested = Dim::symbol("H");
  for (int i = 0; i < 31; ++i) nested = floor_div(nested * nested + Dim::symbol("W"), 2 + i);
  EXPECT_EQ(read(nested.to_string()), nested);
}

TEST(Dim, OverflowIsRaised) {
  const Dim b = Dim::symbol("B");
  const auto overflows = [](const std::function<void()>& action) {
    return id_of(action) == ErrorId::size_overflow;
  };
  EXPECT_TRUE(overflows([] { (void)(Dim(kMax) + 1); }));
  EXPECT_TRUE(overflows([] { (void)(Dim(kMin) - 1); }));
  EXPECT_TRUE(overflows([] { (void)(-Dim(kMin)); }));
  EXPECT_TRUE(overflows([] { (void)(Dim(kMax) * 2); }));
  EXPECT_TRUE(overflows([&] { (void)(b * kMax * 2); }));
  EXPECT_TRUE(overflows([&] { (void)(b * kMax + b); }));
  EXPECT_TRUE(overflows([&] { (void)(b * b).evaluate({{"B", std::int64_t{1} << 32}}); }));
  EXPECT_TRUE(overflows([&] { (void)(b - Dim(kMin)); }));
  EXPECT_EQ(proven_equal(b + Dim(kMax), b - Dim(kMax)), Proof::unknown);
  EXPECT_EQ((b * b - b * b + 3).evaluate({{"B", kMax}}), 3);
}

TEST(Dim, Symbols) {
  EXPECT_EQ(Dim::symbol("B").symbol_name(), "B");
  EXPECT_EQ((Dim::symbol("B") + 1).symbol_name(), std::nullopt);
  EXPECT_EQ((Dim::symbol("B") * 2).symbol_name(), std::nullopt);
  const auto affine = (2 * Dim::symbol("T") - 3).affine();
  ASSERT_TRUE(affine);
  EXPECT_EQ(affine->symbol, "T");
  EXPECT_EQ(affine->scale, 2);
  EXPECT_EQ(affine->offset, -3);
  EXPECT_FALSE((Dim::symbol("T") * Dim::symbol("B")).affine());
  EXPECT_FALSE((Dim::symbol("T") + Dim::symbol("B")).affine());
  EXPECT_FALSE(Dim(4).affine());
  EXPECT_EQ(read("floor((W+H)/3)*min(B,4)").symbols(), (std::vector<std::string>{"B", "H", "W"}));
  for (std::string_view name : {"", "1a", "floor", "min", "max", "a b", "a-b", "é"}) {
    EXPECT_EQ(id_of([&] { (void)Dim::symbol(name); }), ErrorId::value) << name;
  }
}

TEST(Dim, EvaluateAndSubstitute) {
  const Dim dim = read("floor((H+2*P-3)/2)+1");
  EXPECT_EQ(dim.evaluate({{"H", 8}, {"P", 1}}), 4);
  EXPECT_EQ(id_of([&] { (void)dim.evaluate({{"H", 8}}); }), ErrorId::dim_unbound);
  EXPECT_EQ(id_of([&] { (void)read("floor(H/B)").evaluate({{"H", 8}, {"B", 0}}); }), ErrorId::dim_binding);
  EXPECT_EQ(id_of([&] { (void)read("floor(H/B)").substitute({{"B", 0}}); }), ErrorId::value);
  EXPECT_EQ(id_of([&] { (void)floor_div(Dim::symbol("H"), -1); }), ErrorId::value);
  EXPECT_EQ(dim.substitute({{"P", 1}}), read("floor((H+1)/2)"));
  EXPECT_EQ(dim.substitute({{"H", read("8*h")}, {"P", 0}}).to_string(), "4*h-1");
  EXPECT_EQ(dim.substitute({{"H", Dim::symbol("P")}, {"P", Dim::symbol("H")}}), read("floor((P+2*H-3)/2)+1"));
}

TEST(Dim, ExactDivision) {
  EXPECT_EQ(exact_div(read("2*B*T"), read("2*T")), read("B"));
  EXPECT_EQ(exact_div(read("4*B+2"), 2), read("2*B+1"));
  EXPECT_EQ(exact_div(read("4*B+2"), -2), read("-2*B-1"));
  EXPECT_EQ(exact_div(read("B+1"), 2), std::nullopt);
  EXPECT_EQ(exact_div(12, 4), Dim(3));
  EXPECT_EQ(exact_div(12, 5), std::nullopt);
  EXPECT_EQ(exact_div(12, 0), std::nullopt);
  EXPECT_EQ(exact_div(read("B"), read("T")), std::nullopt);
}

TEST(Dim, OrderAndHashFollowForms) {
  EXPECT_EQ(read("B+T").hash(), read("T+B").hash());
  EXPECT_EQ(Dim::compare_forms(read("B"), read("B")), 0);
  EXPECT_LT(Dim::compare_forms(read("B"), read("T")), 0);
  EXPECT_LT(Dim::compare_forms(read("B"), 4), 0);
  EXPECT_GT(Dim::compare_forms(5, 4), 0);
  EXPECT_EQ(std::hash<Dim>{}(Dim(3)), std::hash<Dim>{}(Dim(3)));
}

Proof equal(std::string_view a, std::string_view b, const DimFacts& facts = {}) {
  return proven_equal(read(a), read(b), facts);
}
Proof less_equal(std::string_view a, std::string_view b, const DimFacts& facts = {}) {
  return proven_less_equal(read(a), read(b), facts);
}

TEST(Dim, ProvesEquality) {
  EXPECT_EQ(equal("2*(B+1)", "2*B+2"), Proof::yes);
  EXPECT_EQ(equal("B", "T"), Proof::unknown);
  EXPECT_EQ(equal("B", "B+1"), Proof::no);
  EXPECT_EQ(equal("2*B", "2*T+1"), Proof::no);
  EXPECT_EQ(equal("B*T+B+1", "0"), Proof::no);
  EXPECT_EQ(equal("floor(H/2)", "H+1"), Proof::no);
  EXPECT_EQ(equal("B", "3"), Proof::unknown);
  EXPECT_EQ(equal("B", "3", {{read("B-4")}}), Proof::no);
  EXPECT_EQ(equal("B", "4", {{read("B-4"), read("4-B")}}), Proof::yes);
  EXPECT_EQ(equal("floor(H/2)+floor((H+1)/2)", "H"), Proof::yes);
  EXPECT_EQ(equal("floor(H/3)+floor((H+1)/3)+floor((H+2)/3)", "H"), Proof::yes);
  EXPECT_EQ(equal("min(H,3)", "floor(H/2)", {{read("H-8")}}), Proof::no);
  EXPECT_EQ(equal("max(H,3)", "H", {{read("H-3")}}), Proof::yes);
  EXPECT_EQ(equal("2*floor(H/2)", "H"), Proof::unknown);
  EXPECT_EQ(equal("floor((H*H+H)/2)*2", "H*H+H"), Proof::yes);
}

TEST(Dim, ProvesOrder) {
  EXPECT_EQ(less_equal("0", "B"), Proof::yes);
  EXPECT_EQ(less_equal("1", "B"), Proof::unknown);
  EXPECT_EQ(less_equal("B+1", "B"), Proof::no);
  EXPECT_EQ(less_equal("B", "B*T", {{read("T-1")}}), Proof::yes);
  EXPECT_EQ(less_equal("3*B", "B*H", {{read("H-3")}}), Proof::yes);
  EXPECT_EQ(less_equal("floor(H/2)", "H"), Proof::yes);
  EXPECT_EQ(less_equal("H-1", "2*floor(H/2)"), Proof::yes);
  EXPECT_EQ(less_equal("1", "floor(H/2)", {{read("H-2")}}), Proof::yes);
  EXPECT_EQ(less_equal("1", "floor((H-3)/2)+1", {{read("H-3")}}), Proof::yes);
  EXPECT_EQ(less_equal("floor(H/3)", "floor(H/2)"), Proof::yes);
  EXPECT_EQ(less_equal("floor(H/2)", "floor((H+W)/2)"), Proof::yes);
  EXPECT_EQ(less_equal("min(A,B)", "max(A,C)"), Proof::yes);
  EXPECT_EQ(less_equal("max(A,B)", "A+B"), Proof::yes);
  EXPECT_EQ(less_equal("max(A,B)+1", "min(A,C)"), Proof::no);
  EXPECT_EQ(less_equal("H-5*floor(H/5)", "4"), Proof::yes);
  EXPECT_EQ(less_equal("H-B*floor(H/B)", "B-1"), Proof::yes);
  EXPECT_EQ(less_equal("H", "5", {{read("H-6")}}), Proof::no);
  EXPECT_EQ(less_equal("floor(H/B)", "H"), Proof::yes);
}

TEST(Dim, DimsEqualRaisesWhenItCannotTell) {
  const Dim b = Dim::symbol("B");
  EXPECT_TRUE(dims_equal(b + b, 2 * b));
  EXPECT_FALSE(dims_equal(b, b + 1));
  try {
    (void)dims_equal(2 * b, 7 - Dim::symbol("T"), SourceLoc("model.cc", 12));
    FAIL();
  } catch (const ShapeError& error) {
    EXPECT_EQ(error.id(), ErrorId::dim_unknown);
    EXPECT_EQ(error.facts(), (Facts{{"left", "2*B"}, {"right", "7-T"}}));
    EXPECT_EQ(error.where().line, 12u);
  }
}

}  // namespace
}  // namespace calx::dim_test
