// SPDX-License-Identifier: MIT
#include "base/error.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace ferry {
namespace {

constexpr Errc all_codes[] = {Errc::invalid_argument,
                              Errc::wrong_state,
                              Errc::not_submitted,
                              Errc::busy,
                              Errc::unsupported,
                              Errc::limit_exceeded,
                              Errc::out_of_memory,
                              Errc::timeout,
                              Errc::cancelled,
                              Errc::device_lost,
                              Errc::io,
                              Errc::engine,
                              Errc::internal};

TEST(ErrorCode, EachHasANameOfItsOwn) {
    std::set<std::string_view> names;
    for (Errc code : all_codes) {
        EXPECT_FALSE(name(code).empty());
        EXPECT_TRUE(names.insert(name(code)).second) << name(code);
    }
}

TEST(ErrorCode, IsNamedAsItIsSpelled) {
    EXPECT_EQ(name(Errc::invalid_argument), "invalid_argument");
    EXPECT_EQ(name(Errc::not_submitted), "not_submitted");
    EXPECT_EQ(name(Errc::device_lost), "device_lost");
    EXPECT_EQ(name(Errc::io), "io");
}

TEST(ErrorCode, OfNoKnownValueStillHasAName) { EXPECT_FALSE(name(Errc{200}).empty()); }

TEST(ErrorText, HasEveryPartThatIsThere) {
    Error error{Errc::invalid_argument, "M-05", "The offset (20) is odd.", "Use 16 or 24.",
                "while mapping \"x\"",  {}};
    const std::string text = to_string(error);
    for (auto part : {"invalid_argument", "M-05", "The offset (20) is odd.", "Use 16 or 24.",
                      "while mapping \"x\""}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << " in:\n" << text;
    }
}

TEST(ErrorText, NamesTheLine) {
    Error error;
    error.where = std::source_location::current();
    EXPECT_NE(to_string(error).find("error_test.cpp:" + std::to_string(error.where.line())),
              std::string::npos);
}

TEST(ErrorText, WithoutTheOtherPartsIsOneLine) {
    const std::string text = to_string(Error{.code = Errc::timeout, .what = "It took too long."});
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    EXPECT_NE(text.find("timeout"), std::string::npos);
}

TEST(ErrorText, HasItsPartsInOrder) {
    Error error{Errc::io, {}, "one", "two", "three", std::source_location::current()};
    const std::string text = to_string(error);
    EXPECT_LT(text.find("one"), text.find("two"));
    EXPECT_LT(text.find("two"), text.find("three"));
    EXPECT_LT(text.find("three"), text.find("error_test.cpp"));
}

TEST(Fail, NamesTheLineThatItIsGivenAndNeverOneOfFerrysOwn) {
    const Error error = base::fail(Errc::busy, "X-1", "what", "fix").error();
    EXPECT_EQ(error.code, Errc::busy);
    EXPECT_EQ(error.rule, "X-1");
    EXPECT_EQ(error.what, "what");
    EXPECT_EQ(error.fix, "fix");
    EXPECT_TRUE(error.trail.empty());
    EXPECT_EQ(error.where.line(), 0U);
    EXPECT_EQ(to_string(error).find("at:"), std::string::npos);

    const auto here = std::source_location::current();
    EXPECT_EQ(base::fail(Errc::busy, {}, "what", "fix", here).error().where.line(), here.line());
}

TEST(Fail, AddsContextInnermostFirst) {
    const Error inner = base::fail(Errc::io, {}, "what").error();
    const Error middle = base::fail(inner, "while reading").error();
    const Error outer = base::fail(middle, "while loading").error();
    EXPECT_EQ(outer.trail, "while reading\nwhile loading");
    EXPECT_EQ(outer.what, "what");
    EXPECT_EQ(outer.code, Errc::io);
}

TEST(Results, ThrowOnlyWhereTheCallerAsksForTheValue) {
    const Result<int> failed = base::fail(Errc::busy, {}, "what");
    EXPECT_FALSE(failed);
    EXPECT_THROW((void)failed.value(), std::bad_expected_access<Error>);
}

} // namespace
} // namespace ferry
