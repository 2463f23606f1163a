// SPDX-License-Identifier: MIT
// Making buffers: rules B-01 to B-12, cases A10 and A33.
#include "engine_fixture.hpp"

namespace ferry::test {
namespace {

constexpr std::uint64_t usage_combinations = 1024;

/// Rules B-04 to B-06.
bool is_legal(std::uint64_t bits) {
    if (bits == 0) return false;
    if ((bits & 0x1) != 0) return (bits & ~std::uint64_t{0x1 | 0x8}) == 0;
    if ((bits & 0x2) != 0) return (bits & ~std::uint64_t{0x2 | 0x4}) == 0;
    return true;
}

class BufferCreation : public SharedDevice {};

TEST_F(BufferCreation, B04_B05_B06_EveryCombinationOfUsagesIsMadeOrRefusedByTheRules) {
    for (std::uint64_t bits = 0; bits < usage_combinations; ++bits) {
        auto made = device().create_buffer({.usage = Usage{bits}, .size_bytes = 16});
        if (is_legal(bits)) {
            ASSERT_TRUE(ok(made)) << "usage " << bits;
            EXPECT_EQ(made->usage(), Usage{bits});
            EXPECT_EQ(made->map_state(), MapState::unmapped);
        } else {
            ASSERT_TRUE(refused(made, invalid())) << "usage " << bits;
        }
    }
}

TEST_F(BufferCreation, B04_NoUsageIsRefused) {
    EXPECT_TRUE(refused(device().create_buffer({.size_bytes = 16, .label = "idle"}),
                        invalid("B-04", {"idle"})));
}

TEST_F(BufferCreation, B04_UnknownBitsAreRefused) {
    for (std::uint64_t bit :
         {std::uint64_t{0x400}, std::uint64_t{1} << 32, std::uint64_t{1} << 63}) {
        auto made = device().create_buffer({.usage = Usage{bit | 0x8}, .size_bytes = 16});
        EXPECT_TRUE(refused(made, invalid("B-04"))) << bit;
    }
}

TEST_F(BufferCreation, B05_MapReadWithAnythingElseNamesCopyDst) {
    for (std::uint64_t bit = 0x4; bit <= 0x200; bit <<= 1) {
        if (bit == 0x8) continue;
        auto made =
            device().create_buffer({.usage = Usage::map_read | Usage{bit}, .size_bytes = 16});
        EXPECT_TRUE(refused(made, invalid("B-05", {"map_read", "copy_dst"}))) << bit;
    }
}

TEST_F(BufferCreation, B06_MapWriteWithAnythingElseNamesCopySrc) {
    for (std::uint64_t bit = 0x8; bit <= 0x200; bit <<= 1) {
        auto made =
            device().create_buffer({.usage = Usage::map_write | Usage{bit}, .size_bytes = 16});
        EXPECT_TRUE(refused(made, invalid("B-06", {"map_write", "copy_src"}))) << bit;
    }
}

TEST_F(BufferCreation, A33_StorageAndMapReadIsRefusedWithTheLegalPairAndTheTwoBufferWay) {
    auto made = device().create_buffer({.usage = Usage::storage | Usage::map_read | Usage::copy_dst,
                                        .size_bytes = 1024,
                                        .label = "result"});
    ASSERT_TRUE(refused(made, invalid("B-05", {"result", "map_read", "copy_dst"})));
    EXPECT_TRUE(says(made.error().fix, "copy")) << to_string(made.error());
}

TEST_F(BufferCreation, B09_AnySizeKeepsItsVisibleSize) {
    for (std::uint64_t size : {0U, 1U, 2U, 3U, 4U, 5U, 18U, 255U, 256U, 257U}) {
        EXPECT_EQ(make_buffer(device(), size, Usage::copy_src).size_bytes(), size);
    }
}

TEST_F(BufferCreation, B10_EveryByteOfANewBufferIsZero) {
    for (std::size_t size : {0U, 1U, 2U, 3U, 4U, 5U, 18U, 4096U, 4099U}) {
        const Buffer buffer = make_buffer(device(), size, Usage::copy_src);
        EXPECT_EQ(bytes_of(buffer), std::vector<std::byte>(size)) << size;
    }
}

TEST_F(BufferCreation, B07_TheLargestSizeOfTheDeviceIsMadeAndOneMoreIsRefused) {
    const std::uint64_t most = device().limits().max_buffer_size_bytes;
    for (std::uint64_t size : {most - 1, most}) {
        auto made = device().create_buffer({.usage = Usage::copy_dst, .size_bytes = size});
        ASSERT_TRUE(ok(made));
        EXPECT_EQ(made->size_bytes(), size);
        made->destroy();
    }
    for (std::uint64_t size : {most + 1, most + 4, ~std::uint64_t{0} - 2, ~std::uint64_t{0}}) {
        auto made = device().create_buffer({.usage = Usage::copy_dst, .size_bytes = size});
        EXPECT_TRUE(refused(made, over_limit("B-07", {size, most})));
    }
}

TEST_F(BufferCreation, B07_AMappedBufferOverTheLimitIsRefusedBeforeItsMemoryIsAskedFor) {
    const std::uint64_t most = device().limits().max_buffer_size_bytes;
    auto made = device().create_mapped_buffer({.usage = Usage::copy_src, .size_bytes = most + 1});
    EXPECT_TRUE(refused(made, over_limit("B-07", {most + 1, most})));
    made =
        device().create_mapped_buffer({.usage = Usage::copy_src, .size_bytes = ~std::uint64_t{0}});
    EXPECT_TRUE(refused(made, over_limit("B-07")));
}

TEST_F(BufferCreation, A10_OverTheStandardLimitNamesBothNumbersAndTheWayOut) {
    ASSERT_EQ(device().limits().max_buffer_size_bytes, 268'435'456U);
    auto made = device().create_buffer(
        {.usage = Usage::storage, .size_bytes = 446'236'308, .label = "weights"});
    ASSERT_TRUE(refused(made, over_limit("B-07", {446'236'308, 268'435'456})));
    EXPECT_TRUE(names(made.error(), "weights"));
    EXPECT_TRUE(says(made.error().fix, "limit")) << to_string(made.error());
}

TEST_F(BufferCreation, ASizeIsRequiredWithoutData) {
    EXPECT_TRUE(refused(device().create_buffer({.usage = Usage::copy_src}), invalid("", {"size"})));
    EXPECT_TRUE(
        refused(device().create_mapped_buffer({.usage = Usage::copy_src}), invalid("", {"size"})));
}

TEST_F(BufferCreation, AnErrorKnowsTheCallersLine) {
    auto made = device().create_buffer({.size_bytes = 16});
    const auto line = std::source_location::current().line() - 1;
    ASSERT_FALSE(made);
    EXPECT_EQ(std::string_view(made.error().where.file_name()), __FILE__);
    EXPECT_EQ(made.error().where.line(), line);
}

TEST_F(BufferCreation, TheHandleKnowsItsLabelAndUsage) {
    const Buffer buffer = make_buffer(device(), 4, Usage::index | Usage::copy_dst, "indices");
    EXPECT_EQ(buffer.label(), "indices");
    EXPECT_EQ(buffer.usage(), Usage::index | Usage::copy_dst);
    EXPECT_TRUE(has(buffer.usage(), Usage::index));
    EXPECT_FALSE(has(buffer.usage(), Usage::copy_src | Usage::index));
    EXPECT_TRUE(buffer);
}

TEST_F(BufferCreation, AMovedFromHandleIsEmpty) {
    Buffer first = make_buffer(device(), 4, Usage::copy_src);
    Buffer second = std::move(first);
    EXPECT_FALSE(first); // NOLINT(bugprone-use-after-move): what this test is about
    EXPECT_TRUE(second);
    EXPECT_EQ(bytes_of(second), std::vector<std::byte>(4));
}

TEST_F(BufferCreation, AnEmptyHandleAnswersInvalidArgumentEverywhere) {
    Buffer empty;
    EXPECT_EQ(empty.size_bytes(), 0U);
    EXPECT_EQ(empty.usage(), Usage::none);
    EXPECT_TRUE(empty.label().empty());
    EXPECT_TRUE(refused(empty.map_read().wait(patience), invalid()));
    EXPECT_TRUE(refused(empty.map_write().wait(patience), invalid()));
    EXPECT_TRUE(refused(device().write(empty, pattern(4)), invalid()));
    EXPECT_TRUE(refused(device().read<std::byte>(empty).wait(patience), invalid()));
    empty.destroy();
    auto commands = device().record();
    commands.clear(empty);
    EXPECT_TRUE(refused(device().submit(std::move(commands)), invalid()));
}

TEST_F(BufferCreation, ManyBuffersComeAndGo) {
    for (int turn = 0; turn < 2000; ++turn) {
        const Buffer buffer = make_buffer(device(), 64, Usage::storage);
        ASSERT_TRUE(buffer);
    }
}

} // namespace
} // namespace ferry::test
