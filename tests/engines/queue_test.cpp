// SPDX-License-Identifier: MIT
// Device::write: rules W-01 to W-09; document 004, first code blocks.
#include "guarded_memory.hpp"
#include "mapping_fixture.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;
constexpr std::size_t largest = ~std::size_t{0};

class QueueWrite : public MappingTest {};

TEST_F(QueueWrite, W01_SevenFloatsFromElementSixAreTwentyEightBytesFromByteTwentyFour) {
    const auto floats = counting<float>(20, 100.0F);
    const Buffer buffer = make_buffer(device(), 64, copied);
    ASSERT_TRUE(ok(device().write(buffer, floats, {.offset_bytes = 16, .first = 6, .count = 7})));
    std::vector<float> expected(16);
    std::copy_n(floats.begin() + 6, 7, expected.begin() + 4);
    EXPECT_EQ(read_all<float>(device(), buffer), expected);
}

TEST_F(QueueWrite, W01_ForBytesFirstAndCountAreBytes) {
    const Buffer buffer = make_buffer(device(), 16, copied);
    ASSERT_TRUE(
        ok(device().write(buffer, pattern(20), {.offset_bytes = 4, .first = 3, .count = 8})));
    auto expected = std::vector<std::byte>(4);
    const auto written = part(pattern(20), 3, 8);
    expected.insert(expected.end(), written.begin(), written.end());
    expected.resize(16);
    EXPECT_EQ(bytes_of(buffer), expected);
}

TEST_F(QueueWrite, W02_AnOmittedCountIsTheRest) {
    const auto words = counting<std::uint32_t>(10);
    const Buffer buffer = make_buffer(device(), 16, copied);
    ASSERT_TRUE(ok(device().write(buffer, words, {.first = 6})));
    EXPECT_EQ(read_all<std::uint32_t>(device(), buffer), counting<std::uint32_t>(4, 6));
    EXPECT_TRUE(ok(device().write(buffer, words, {.first = 10})))
        << "nothing is left, which is not an error";
}

TEST_F(QueueWrite, W03_ElementsThatTheDataDoesNotHaveAreRefused) {
    const auto words = counting<std::uint32_t>(10);
    const Buffer buffer = make_buffer(device(), 64, copied);
    EXPECT_TRUE(
        refused(device().write(buffer, words, {.first = 11}), invalid("W-03", {}, {11, 10})));
    EXPECT_TRUE(refused(device().write(buffer, words, {.first = 6, .count = 5}),
                        invalid("W-03", {}, {6, 5, 10})));
    EXPECT_TRUE(
        refused(device().write(buffer, words, {.first = largest, .count = 2}), invalid("W-03")));
    EXPECT_TRUE(
        refused(device().write(buffer, words, {.first = 1, .count = largest}), invalid("W-03")));
    EXPECT_TRUE(
        refused(device().write(buffer, words, {.count = largest / 4 + 2}), invalid("W-03")));
    EXPECT_EQ(bytes_of(buffer), std::vector<std::byte>(64));
}

TEST_F(QueueWrite, W04_ThreeShortsInsideABufferAreRefusedWithTheNearestLegalRange) {
    const Buffer buffer = make_buffer(device(), 8, copied, "shorts");
    auto written = device().write(buffer, counting<std::uint16_t>(3));
    ASSERT_TRUE(refused(written, invalid("W-04", {"shorts"}, {6})));
    EXPECT_TRUE(names_number(written.error(), 4) || names_number(written.error(), 8))
        << to_string(written.error());
}

TEST_F(QueueWrite, W09_AnOffsetThatIsNoMultipleOfFourIsRefusedWithTheNearestLegalOne) {
    const Buffer buffer = make_buffer(device(), 32, copied, "words");
    auto written = device().write(buffer, pattern(8), {.offset_bytes = 10});
    ASSERT_TRUE(refused(written, invalid("W-09", {"words"}, {10})));
    EXPECT_TRUE(names_number(written.error(), 8) || names_number(written.error(), 12))
        << to_string(written.error());
}

TEST_F(QueueWrite, W09_PastTheEndIsRefusedAlsoForNothing) {
    const Buffer buffer = make_buffer(device(), 16, copied);
    EXPECT_TRUE(refused(device().write(buffer, pattern(20)), invalid("W-09", {}, {20, 16})));
    EXPECT_TRUE(refused(device().write(buffer, pattern(8), {.offset_bytes = 12}),
                        invalid("W-09", {}, {12, 8, 16})));
    EXPECT_TRUE(refused(device().write(buffer, pattern(4), {.offset_bytes = ~std::uint64_t{3}}),
                        invalid("W-09")));
    EXPECT_TRUE(refused(device().write(buffer, pattern(0), {.offset_bytes = 20}), invalid("W-09")));
    EXPECT_TRUE(ok(device().write(buffer, pattern(0), {.offset_bytes = 16})));
    EXPECT_TRUE(ok(device().write(buffer, pattern(0)))) << "A32";
    EXPECT_EQ(bytes_of(buffer), std::vector<std::byte>(16));
}

TEST_F(QueueWrite, W09_ThePaddingOfAnOddBufferIsNotTheCallers) {
    const Buffer buffer = make_buffer(device(), 18, copied);
    EXPECT_TRUE(refused(device().write(buffer, pattern(20)), invalid("W-09", {}, {20, 18})));
    EXPECT_TRUE(refused(device().write(buffer, pattern(4), {.offset_bytes = 16}), invalid("W-09")));
}

TEST_F(QueueWrite, W04_W09_EverySmallWriteIsByteExactOrRefused) {
    for (std::size_t whole : {16U, 18U}) {
        const Buffer buffer = make_buffer(device(), whole, copied);
        std::vector<std::byte> model(whole);
        for (std::size_t offset = 0; offset <= 20; ++offset) {
            for (std::size_t size = 0; size <= 20; ++size) {
                const bool ends = offset + size == whole;
                const bool legal =
                    offset % 4 == 0 && offset + size <= whole && (size % 4 == 0 || ends);
                const auto data = pattern(size, static_cast<unsigned>(offset * 21 + size));
                auto written = device().write(buffer, data, {.offset_bytes = offset});
                ASSERT_EQ(written.has_value(), legal) << whole << ": " << offset << ", " << size;
                if (!legal) continue;
                std::copy(data.begin(), data.end(),
                          model.begin() + static_cast<std::ptrdiff_t>(offset));
                ASSERT_EQ(bytes_of(buffer), model) << whole << ": " << offset << ", " << size;
            }
        }
    }
}

TEST_F(QueueWrite, TheSourceIsNeverReadPastItsEnd) {
    for (std::size_t size : {1U, 2U, 3U, 5U, 6U, 7U, 9U, 13U, 255U, 4093U, 4099U, 65'539U}) {
        const GuardedMemory memory(size);
        const auto data = pattern(size);
        std::copy(data.begin(), data.end(), memory.as().begin());
        const Buffer buffer = make_buffer(device(), size, copied);
        ASSERT_TRUE(ok(device().write(buffer, memory.as())));
        EXPECT_EQ(bytes_of(buffer), data) << size;
    }
}

TEST_F(QueueWrite, W05_TheCallerMayReuseItsMemoryAtOnce) {
    for (std::size_t size : {4U, 4096U, 1U << 20, 20U << 20}) {
        auto data = pattern(size);
        const Buffer buffer = make_buffer(device(), size, copied);
        ASSERT_TRUE(ok(device().write(buffer, data)));
        std::fill(data.begin(), data.end(), std::byte{0});
        EXPECT_EQ(bytes_of(buffer), pattern(size)) << size;
    }
}

TEST_F(QueueWrite, W06_ABufferOfAnotherDeviceIsRefused) {
    Device other = open_device();
    const Buffer foreign = make_buffer(other, 16, copied, "foreign");
    EXPECT_TRUE(refused(device().write(foreign, pattern(16)), invalid("W-06", {"foreign"})));
    EXPECT_TRUE(
        refused(device().read<std::byte>(foreign).wait(patience), invalid("", {"foreign"})));
}

TEST_F(QueueWrite, W08_TheTargetNeedsCopyDst) {
    const Buffer buffer = make_buffer(device(), 16, Usage::storage | Usage::copy_src, "fixed");
    EXPECT_TRUE(
        refused(device().write(buffer, pattern(16)), invalid("W-08", {"fixed", "copy_dst"})));
}

TEST_F(QueueWrite, W07_AMappedPendingOrDestroyedTargetIsRefused) {
    Buffer buffer = make_buffer(device(), 16, readable, "target");
    auto ticket = start(buffer);
    EXPECT_TRUE(refused(device().write(buffer, pattern(16)), wrong_state("W-07", {"target"})));
    auto mapping = must(ticket.wait(patience));
    EXPECT_TRUE(
        refused(device().write(buffer, pattern(16)), wrong_state("W-07", {"target", "mapped"})));
    EXPECT_TRUE(ok(mapping.unmap()));
    EXPECT_TRUE(ok(device().write(buffer, pattern(16))));
    buffer.destroy();
    EXPECT_TRUE(
        refused(device().write(buffer, pattern(16)), wrong_state("W-07", {"target", "destroyed"})));
}

TEST_F(QueueWrite, W07_ABufferThatWasMadeMappedIsRefusedUntilItsFirstUnmap) {
    auto made = must(device().create_mapped_buffer({.usage = copied, .size_bytes = 16}));
    EXPECT_TRUE(refused(device().write(made.buffer, pattern(16)), wrong_state("W-07", {"mapped"})));
    EXPECT_TRUE(ok(made.mapping.unmap()));
    EXPECT_TRUE(ok(device().write(made.buffer, pattern(16))));
    EXPECT_EQ(bytes_of(made.buffer), pattern(16));
}

TEST_F(QueueWrite, ARefusalWhileMappedNamesTheLineThatMapped) {
    Buffer buffer = make_buffer(device(), 16, readable);
    auto mapping = must(buffer.map_read().wait(patience));
    auto written = device().write(buffer, pattern(16));
    ASSERT_FALSE(written);
    EXPECT_TRUE(names(written.error(), "queue_test.cpp")) << to_string(written.error());
}

} // namespace
} // namespace ferry::test
