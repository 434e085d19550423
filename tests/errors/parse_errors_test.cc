// Every mistake in a program's text is an Error with id parse, line and column.
#include <gtest/gtest.h>

#include "calx/base/format.h"
#include "calx/core/text.h"

namespace calx::parse_errors_test {
namespace {

std::string fact(const Error& error, std::string_view name) {
  for (const auto& [key, value] : error.facts()) {
    if (key == name) return value;
  }
  return "";
}

void expect_parse_error(std::string_view text, int line, int column, std::string_view message) {
  SCOPED_TRACE(text.substr(0, 200));
  try {
    (void)parse(text, "program.calx");
    ADD_FAILURE() << "parsed";
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), ErrorId::parse) << error.what();
    EXPECT_EQ(fact(error, "line"), std::to_string(line)) << error.what();
    EXPECT_EQ(fact(error, "column"), std::to_string(column)) << error.what();
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(format("program.calx:{}", line)), std::string::npos)
        << error.what();
  }
}

/// The equation stands in line 3.
std::string with_equation(std::string_view equation) {
  return format("calx 1\nfunc f(%x: f32[2,3], %i: i32[]) -> (f32[2,3]) {{\n  {}\n  return %x\n}}\n",
                equation);
}

TEST(ParseErrors, FirstLine) {
  expect_parse_error("", 1, 1, "a program starts with the line `calx 1`");
  expect_parse_error("func f() -> () {\n return\n}", 1, 1, "a program starts with the line `calx 1`");
  expect_parse_error("calx 2\nfunc f() -> () { return }", 1, 6, "version `2` is not known");
  expect_parse_error("calx 1\n", 2, 1, "expected `func`, found the end of the text");
  expect_parse_error("calx 1\nfunc f() -> () { return } trailing", 2, 27,
                     "expected `func`, found \"trailing\"");
}

TEST(ParseErrors, Headers) {
  expect_parse_error("calx 1\nfunc f(x: f32[]) -> () { return }", 2, 8, "expected `%` before a value's name");
  expect_parse_error("calx 1\nfunc f(%0: f32[]) -> () { return }", 2, 8,
                     "an argument's name is not a number");
  expect_parse_error("calx 1\nfunc f(%x: f32[], %x: f32[]) -> () { return }", 2, 19,
                     "two arguments are named `x`");
  expect_parse_error("calx 1\nfunc f(%x: f33[]) -> () { return }", 2, 12, "`f33[]` is no type");
  expect_parse_error("calx 1\nfunc f(%x: f32[-1]) -> () { return }", 2, 12, "negative size");
  expect_parse_error("calx 1\nfunc f(%x: f32[99999999999999999999]) -> () { return }", 2, 12, "is no type");
  expect_parse_error("calx 1\nfunc f(%x: f32[2) -> () { return }", 2, 12, "expected a type");
  expect_parse_error("calx 1\nfunc f(%x: f32[]) { return }", 2, 19, "expected `->`");
  expect_parse_error("calx 1\nfunc f(%x: f32[]) -> (f32[]) donates (%x -> 1) { return %x }", 2, 39,
                     "there is no result 1");
  expect_parse_error("calx 1\nfunc f(%x: f32[H]) -> (f32[H]) where H > 2 { return %x }", 2, 40,
                     "expected `>=`");
  expect_parse_error("calx 1\nfunc f() -> () { return }\nfunc f() -> () { return }", 3, 6, "two funcs");
  expect_parse_error("calx 1\nfunc f(%x: f32[2]) -> (f32[3]) {\n  return %x\n}", 3, 10, "result 0 is f32[2]");
  expect_parse_error("calx 1\nfunc f(%x: f32[2]) -> (f32[2]) {\n  return\n}", 4, 1,
                     "0 value(s) are returned");
}

TEST(ParseErrors, Equations) {
  expect_parse_error(with_equation("%0 = mull(%x, %x) : f32[2,3]"), 3, 8,
                     "there is no op `mull` · program.calx:3 · hint: perhaps `mul`?");
  expect_parse_error(with_equation("%0 = mul(%x, %y) : f32[2,3]"), 3, 16, "`%y` is not defined here");
  expect_parse_error(with_equation("%0 = mul(%x, %0) : f32[2,3]"), 3, 16, "`%0` is not defined here");
  expect_parse_error(with_equation("%0 = mul(%x, %i) : f32[2,3]"), 3, 8, "mul: ");
  expect_parse_error(with_equation("%0 = mul(%x) : f32[2,3]"), 3, 8, "operand(s)");
  expect_parse_error(with_equation("%0 = mul(%x, %x) : f32[3,2]"), 3, 22,
                     "the text says f32[3,2], but `mul` gives f32[2,3]");
  expect_parse_error(with_equation("%0 = mul(%x, %x) : f16[2,3]"), 3, 22, "the text says f16[2,3]");
  expect_parse_error(with_equation("%0, %1 = mul(%x, %x) : f32[2,3]"), 3, 12,
                     "`mul` has 1 result(s) here, but 2 are named");
  expect_parse_error(with_equation("%x = neg(%x) : f32[2,3]"), 3, 3, "`%x` is defined twice");
  expect_parse_error(with_equation("%0 = neg(%x %x) : f32[2,3]"), 3, 15, "expected `)` after the operands");
  expect_parse_error(with_equation("# é é\n  %é = neg(%x)"), 4, 4, "expected the name of a value");
  expect_parse_error("calx 1\nfunc f() -> () {\n", 3, 1,
                     "expected an equation or `return`, found the end of the text");
}

TEST(ParseErrors, Attributes) {
  expect_parse_error(with_equation("%0 = transpose(%x) {perm = [1, 0]}"), 3, 23,
                     "`transpose` has no attribute `perm`");
  expect_parse_error(with_equation("%0 = transpose(%x) : f32[2,3]"), 3, 8,
                     "attribute `permutation` is missing");
  expect_parse_error(with_equation("%0 = transpose(%x) {permutation = [1, 0], permutation = [1, 0]}"), 3, 45,
                     "given twice");
  expect_parse_error(with_equation("%0 = transpose(%x) {permutation = [1, 0x]}"), 3, 41,
                     "expected an integer");
  expect_parse_error(with_equation("%0 = transpose(%x) {permutation = [1, 99999999999999999999]}"), 3, 41,
                     "does not fit 64 bits");
  expect_parse_error(with_equation("%0 = transpose(%x) {permutation = [1, 1]}"), 3, 8, "transpose: ");
  expect_parse_error(with_equation("%0 = compare(%x, %x) {comparison = lest}"), 3, 38,
                     "`comparison` is one of eq, ne, lt");
  expect_parse_error(with_equation("%0 = convert(%x) {dtype = f33}"), 3, 29, "expected a dtype");
  expect_parse_error(with_equation("%0 = size() {dim = 2*}"), 3, 22, "`2*` is no size");
  expect_parse_error(with_equation("%0 = call(%x) {function = @g}"), 3, 30, "there is no func `g` above");
}

TEST(ParseErrors, Constants) {
  const auto constant = [](std::string_view value) {
    return with_equation(format("%0 = constant() {{value = {}}}", value));
  };
  expect_parse_error(constant("f32[2] [1]"), 3, 37, "expected `,` between elements");
  expect_parse_error(constant("f32[2] [1, 2, 3]"), 3, 40, "expected `]`");
  expect_parse_error(constant("f32[2,1] [1, 2]"), 3, 38, "expected `[`");
  expect_parse_error(constant("f32[B] [1]"), 3, 28, "the sizes of a constant are numbers");
  expect_parse_error(constant("f32[1000000000000] [1]"), 3, 28, "the text ends before the data");
  expect_parse_error(constant("f32[1000000,1000000,1000000,1000000] [1]"), 3, 28, "");
  expect_parse_error(constant("f64[1152921504606846977] base64 \"AA==\""), 3, 60, "characters instead of");
  expect_parse_error(constant("i8[] 128"), 3, 33, "`128` is no i8");
  expect_parse_error(constant("u8[] -1"), 3, 33, "`-1` is no u8");
  expect_parse_error(constant("f32[] 1e400"), 3, 34, "is no f32");
  expect_parse_error(constant("f16[] 70000"), 3, 34, "is no f16");
  expect_parse_error(constant("f32[] nan(0x3f800000)"), 3, 34, "is no f32");
  expect_parse_error(constant("bool[] 1"), 3, 35, "is no bool");
  expect_parse_error(constant("u8[2] base64 \"AAA\""), 3, 41, "has 3 characters instead of 4");
  expect_parse_error(constant("u8[2] base64 \"A!A=\""), 3, 41, "the payload is not base64");
  expect_parse_error(constant("u8[2] base64 \"AAB=\""), 3, 41, "the payload is not base64");
  expect_parse_error(constant("bool[2] base64 \"AAI=\""), 3, 43, "a boolean is 0 or 1");
  expect_parse_error(constant("u8[2] base64 \"AAA="), 3, 42, "no closing quote");
}

TEST(ParseErrors, HostileText) {
  std::string deep = "calx 1\n";
  for (int i = 0; i < 100'000; ++i) deep += "func f() -> () { call() {function = ";
  EXPECT_THROW((void)parse(deep), Error);
  EXPECT_THROW((void)parse("calx 1\nfunc f(%x: f32[" + std::string(100'000, '(') + "]) -> () { return }"),
               Error);
  EXPECT_THROW((void)parse("calx 1\nfunc f() -> () { %0 = size() {dim = " + std::string(1'000'000, '-') +
                           "1} return }"),
               Error);
  std::string rank = "calx 1\nfunc f(%x: f32[1";
  for (int i = 0; i < 10'000; ++i) rank += ",1";
  EXPECT_THROW((void)parse(rank + "]) -> () { return }"), Error);
  EXPECT_THROW((void)parse(std::string("calx 1\0func", 11)), Error);
  EXPECT_THROW((void)parse("calx 1\nfunc \"" + std::string(1'000'000, 'a')), Error);
  // Calls that double at each level would be 2^60 equations.
  std::string tower = "calx 1\nfunc f0(%x: f32[]) -> (f32[]) { %0 = neg(%x) return %0 }\n";
  for (int i = 1; i <= 60; ++i) {
    tower += format(
        "func f{0}(%x: f32[]) -> (f32[]) {{ %0 = call(%x) {{function = @f{1}}} %1 = call(%0) {{function = "
        "@f{1}}} return %1 }}\n",
        i, i - 1);
  }
  EXPECT_THROW((void)parse(tower), Error);
}

TEST(ParseErrors, LenientWhereItIsHarmless) {
  // Comments, line ends of other systems, a byte order mark, omitted result types, named values.
  const Function f = parse(
      "\xEF\xBB\xBF# a program\r\ncalx 1\r\nfunc f(%x: f32[B]) -> (f32[B]) { # é\r\n  %twice = add(%x, "
      "%x)\r\n  return %twice }");
  EXPECT_EQ(print(f),
            "calx 1\nfunc f(%x: f32[B]) -> (f32[B]) {\n  %0 = add(%x, %x) : f32[B]\n  return %0\n}\n");
  EXPECT_EQ(f.equations()[0].where.line, 4u);
}

TEST(ParseErrors, TextsThatCannotBePrinted) {
  using namespace std::string_view_literals;
  const auto told = [](std::string_view text) {
    try {
      (void)parse(text, "pro\x1bgram.calx");
    } catch (const Error& error) {
      for (const char c : std::string_view(error.what())) EXPECT_GE(static_cast<unsigned char>(c), 0x20) << error.what();
      EXPECT_NE(std::string(error.what()).find("CALX-E701"), std::string::npos) << error.what();
      EXPECT_LT(std::string_view(error.what()).size(), 400U);
      return error.message();
    }
    ADD_FAILURE() << "parsed";
    return std::string();
  };
  EXPECT_EQ(told("calx 1\nfunc f() -> () { return }\0\x07"sv), R"(line 2, column 26: expected `func`, found "\x00\x07")");
  EXPECT_EQ(told("calx 1\nfunc f(%\"a\0b\": f32[], %\"a\0b\": f32[]) -> () { return }"sv),
            R"(line 2, column 23: two arguments are named `a\x00b`)");
  EXPECT_EQ(told("calx 1\nfunc f(%x: f32[B\0]) -> () { return }"sv), R"(line 2, column 12: `f32[B\x00]` is no type)");
  EXPECT_EQ(told(with_equation("%0 = iota() {shape = [\x1b], axis = 0}")), R"(line 3, column 25: `\x1b` is no size)");
  EXPECT_EQ(told(with_equation("%0 = neg(%\"\\x00\\xff\")")), R"(line 3, column 12: `%\x00\xff` is not defined here)");
  const std::string longest(100'000, 'n');
  for (const std::string& text :
       {"calx " + longest, "calx 1\nfunc f(%x: " + longest + "[]) -> () { return }", with_equation("%0 = " + longest + "(%x)"),
        with_equation("%0 = neg(%" + longest + ")"), with_equation("%0 = neg(%x) {" + longest + " = 1}"),
        with_equation("%0 = iota() {shape = [" + longest + "!], axis = 0}"),
        with_equation("%0 = constant() {value = f32[] " + longest + "}"),
        with_equation("%0 = iota() {axis = " + longest + "}")}) {
    EXPECT_NE(told(text).find("nnn..."), std::string::npos);
  }
}

}  // namespace
}  // namespace calx::parse_errors_test
