// The form of error messages and the subclass that each id belongs to.
#include "calx/base/error.h"

#include <gtest/gtest.h>

#include "calx/base/printable.h"

namespace calx::error_test {
namespace {

Error::Parts parts_with(ErrorId id) { return {.id = id, .op = "matmul", .message = "sizes differ"}; }

TEST(Error, MessageHasEveryPartInOrder) {
  SourceLoc where;
  where.file = "/home/user/train.cc";
  where.line = 41;
  const Error error({.id = ErrorId::contracted_size,
                     .op = "matmul",
                     .message = "sizes differ",
                     .where = where,
                     .hint = "transpose `rhs`?",
                     .facts = {{"lhs", "f32[8,3]"}},
                     .notes = {"3 and 4"}});
  EXPECT_STREQ(error.what(),
               "matmul: sizes differ · train.cc:41 · hint: transpose `rhs`? · note: 3 and 4 · CALX-E207");
  EXPECT_EQ(error.facts().at(0).second, "f32[8,3]");
}

TEST(Error, UnknownPartsAreLeftOut) {
  const Error error({.id = ErrorId::value, .op = "", .message = "too large"});
  EXPECT_STREQ(error.what(), "too large · CALX-E305");
}

TEST(Error, WhatItQuotesIsPrintable) {
  using namespace std::string_literals;
  const Error error({.id = ErrorId::value,
                     .op = "a\0b"s,
                     .message = "`\x1b[31m` of \"\xff\u00e9\u009b\n\"",
                     .hint = "\x7f",
                     .facts = {{"name", "a\0b"s}},
                     .notes = {"\t"}});
  const std::string expected = "a\\x00b: `\\x1b[31m` of \"\\xff\u00e9\\xc2\\x9b\\n\" · hint: \\x7f · note: \\t · CALX-E305";
  EXPECT_EQ(std::string(error.what()), expected);
  EXPECT_EQ(error.op(), "a\\x00b");
  EXPECT_EQ(error.facts().at(0).second, "a\0b"s);
  // Told again, it is the same.
  EXPECT_EQ(std::string(Error(error.parts()).what()), expected);
}

TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(shown("abc", 3), "abc");
  EXPECT_EQ(shown("abcd", 3), "abc...");
  EXPECT_EQ(shown("ab\u00e9d", 3), "ab...");
  EXPECT_EQ(shown(std::string(100, '\xff'), 2), "\\xff\\xff...");
  EXPECT_EQ(shown(std::string(200, 'x')).size(), 83U);
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(printable("\\x41 \U0001F600"), "\\x41 \U0001F600");
}

TEST(Error, RaisesTheSubclassOfTheId) {
  EXPECT_THROW(raise(parts_with(ErrorId::dtype)), DTypeError);
  EXPECT_THROW(raise(parts_with(ErrorId::axis)), ShapeError);
  EXPECT_THROW(raise(parts_with(ErrorId::attribute)), ValueError);
  EXPECT_THROW(raise(parts_with(ErrorId::index_out_of_range)), IndexError);
  EXPECT_THROW(raise(parts_with(ErrorId::no_rule)), UnsupportedError);
  EXPECT_THROW(raise(parts_with(ErrorId::file_open)), FileError);
  EXPECT_THROW(raise(parts_with(ErrorId::unsupported)), UnsupportedError);
  EXPECT_THROW(raise(parts_with(ErrorId::parse)), Error);
}

TEST(Error, BrokenInvariantNamesItsCondition) {
  try {
    CALX_ASSERT(1 == 2, "numbers");
    FAIL() << "did not throw";
  } catch (const InternalError& error) {
    EXPECT_EQ(error.id(), ErrorId::internal);
    EXPECT_NE(std::string(error.what()).find("broken invariant: 1 == 2: numbers"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("error_test.cc:"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace calx::error_test
