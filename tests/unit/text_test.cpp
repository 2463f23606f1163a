// SPDX-License-Identifier: MIT
#include "base/text.hpp"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "base/align.hpp"

namespace ferry::base {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

TEST(Text, JoinsStringsCharactersAndNumbers) {
    EXPECT_EQ(text("offset ", 20, ", size ", std::uint64_t{8}, '.'), "offset 20, size 8.");
    EXPECT_EQ(text(std::string("a"), std::string_view("b"), 'c'), "abc");
    EXPECT_EQ(text(), "");
    EXPECT_EQ(text(-1, ' ', most), "-1 18446744073709551615");
}

TEST(Grouped, SetsACommaBeforeEveryThirdDigit) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(65'536), "65,536");
    EXPECT_EQ(grouped(123'456), "123,456");
    EXPECT_EQ(grouped(1'234'567), "1,234,567");
    EXPECT_EQ(grouped(446'236'308), "446,236,308");
    EXPECT_EQ(grouped(most), "18,446,744,073,709,551,615");
}

TEST(Align, RoundsUpToTheStep) {
    for (std::uint64_t value : {0U, 1U, 2U, 3U, 4U, 5U, 255U, 256U, 257U}) {
        for (std::uint64_t step : {1U, 2U, 4U, 8U, 256U}) {
            EXPECT_EQ(round_up(value, step), (value + step - 1) / step * step)
                << value << ", " << step;
        }
    }
}

TEST(Align, SaysWhenTheRoundedValueDoesNotFit) {
    EXPECT_EQ(round_up(most - 3, 4), most - 3);
    EXPECT_EQ(round_up(most - 2, 4), std::nullopt);
    EXPECT_EQ(round_up(most, 4), std::nullopt);
    EXPECT_EQ(round_up(most, 1), most);
    EXPECT_EQ(round_up(most - 255, 256), most - 255);
    EXPECT_EQ(round_up(most - 254, 256), std::nullopt);
}

TEST(Align, RoundsDownToTheStep) {
    EXPECT_EQ(round_down(0, 8), 0U);
    EXPECT_EQ(round_down(7, 8), 0U);
    EXPECT_EQ(round_down(8, 8), 8U);
    EXPECT_EQ(round_down(most, 8), most - 7);
}

TEST(Fits, IsTrueForEverySmallRangeInside) {
    for (std::uint64_t limit = 0; limit <= 9; ++limit) {
        for (std::uint64_t offset = 0; offset <= 10; ++offset) {
            for (std::uint64_t size = 0; size <= 10; ++size) {
                EXPECT_EQ(fits(offset, size, limit), offset + size <= limit)
                    << offset << ", " << size << ", " << limit;
            }
        }
    }
}

TEST(Fits, DoesNotWrapAround) {
    EXPECT_FALSE(fits(8, most - 7, 16)) << "8 + (2^64 - 8) is 0 in 64 bits";
    EXPECT_FALSE(fits(most, 1, 16));
    EXPECT_FALSE(fits(most, most, most));
    EXPECT_TRUE(fits(most, 0, most));
    EXPECT_TRUE(fits(0, most, most));
    EXPECT_TRUE(fits(1, most - 1, most));
}

} // namespace
} // namespace ferry::base
