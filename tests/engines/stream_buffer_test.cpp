// SPDX-License-Identifier: MIT
// Streams between buffers and memory: every size of chunks, every depth, every range.
#include "stream_fixture.hpp"

namespace ferry::test {
namespace {

class StreamBuffer : public StreamTest {};

struct Moved {
    std::uint64_t size_bytes, chunk_bytes;

    [[nodiscard]] std::uint64_t chunks() const {
        return (size_bytes + chunk_bytes - 1) / chunk_bytes;
    }
};

constexpr Moved sizes[] = {{103, 4},       {4, 4},           {1, 4},
                           {20'003, 4096}, {16'384, 4096},   {20'003, 1 << 20},
                           {2, 1 << 20},   {300'001, 65'540}};

void expect_report(const StreamReport& report, const Moved& moved) {
    EXPECT_EQ(report.bytes, moved.size_bytes);
    EXPECT_EQ(report.chunks, moved.chunks());
    EXPECT_GE(report.staging_bytes, std::min(moved.size_bytes, moved.chunk_bytes));
}

TEST_F(StreamBuffer, UploadsMoveEveryByteInChunksOfAnySizeAndDepth) {
    for (const Moved& moved : sizes) {
        const Bytes data = pattern(moved.size_bytes, 3);
        for (std::uint32_t depth = 1; depth <= 5; ++depth) {
            SCOPED_TRACE(std::to_string(moved.size_bytes) + " by " +
                         std::to_string(moved.chunk_bytes) + ", depth " + std::to_string(depth));
            const Buffer target = target_of(moved.size_bytes);
            const auto report = must(
                upload(device(), data, target, {.chunk_bytes = moved.chunk_bytes, .depth = depth}));
            expect_report(report, moved);
            EXPECT_EQ(bytes_of(target), data);
        }
    }
}

TEST_F(StreamBuffer, DownloadsMoveEveryByteInChunksOfAnySizeAndDepth) {
    for (const Moved& moved : sizes) {
        const Bytes data = pattern(moved.size_bytes, 4);
        const Buffer source = make_filled(device(), data);
        for (std::uint32_t depth = 1; depth <= 5; ++depth) {
            SCOPED_TRACE(std::to_string(moved.size_bytes) + " by " +
                         std::to_string(moved.chunk_bytes) + ", depth " + std::to_string(depth));
            Bytes back(moved.size_bytes);
            const auto report = must(download(device(), source, back,
                                              {.chunk_bytes = moved.chunk_bytes, .depth = depth}));
            expect_report(report, moved);
            EXPECT_LE(report.staging_bytes, depth * moved.chunk_bytes);
            EXPECT_EQ(back, data);
        }
    }
}

TEST_F(StreamBuffer, AnUploadToARangeLeavesTheRestAlone) {
    const Bytes before = pattern(4'003, 1);
    for (const ByteRange range : {ByteRange{0, 4},
                                  {4, 100},
                                  {100, 2'000},
                                  {3'996, 7},
                                  {4'000, 3},
                                  {8, {}},
                                  {1'000, 3'000}}) {
        const Buffer target = make_filled(device(), before);
        const std::uint64_t size = range.size_bytes.value_or(4'003 - range.offset_bytes);
        const Bytes data = pattern(size, 5);
        must(upload(device(), data, {target, range}, {.chunk_bytes = 64, .depth = 2}));
        Bytes expected = before;
        std::copy(data.begin(), data.end(),
                  expected.begin() + static_cast<std::ptrdiff_t>(range.offset_bytes));
        EXPECT_EQ(bytes_of(target), expected) << range.offset_bytes << " and " << size;
    }
}

TEST_F(StreamBuffer, ADownloadBeginsAndEndsAtAnyByte) {
    const Bytes data = pattern(103, 6);
    const Buffer source = make_filled(device(), data);
    for (std::uint64_t offset : {0U, 1U, 2U, 3U, 4U, 5U, 90U, 101U, 102U, 103U}) {
        for (std::uint64_t size = 0; size <= 13 && offset + size <= 103; ++size) {
            Bytes back;
            const auto report = must(download(device(), {source, {offset, size}}, Keep{&back},
                                              {.chunk_bytes = 4, .depth = 3}));
            EXPECT_EQ(back, part(data, offset, size)) << offset << " and " << size;
            // The words of the buffer that hold some of the bytes.
            const std::uint64_t words = size == 0 ? 0 : (offset + size - 1) / 4 - offset / 4 + 1;
            EXPECT_EQ(report.chunks, words) << offset << " and " << size;
            EXPECT_LE(report.staging_bytes, 12U);
        }
    }
}

TEST_F(StreamBuffer, AnEmptyRangeIsDoneAtOnceAndAsksNobody) {
    const Buffer buffer = target_of(64);
    const auto never_read = [](std::span<std::byte>) -> Result<std::size_t> {
        ADD_FAILURE() << "the source is asked";
        return 0;
    };
    const auto never_write = [](std::span<const std::byte>) -> Result<> {
        ADD_FAILURE() << "the target is given something";
        return {};
    };
    const StreamOptions options{
        .progress = [](const StreamProgress&) { ADD_FAILURE() << "there is no progress"; }};
    for (const std::uint64_t offset : {0U, 8U, 64U}) {
        const auto sent = must(upload(device(), never_read, {buffer, {offset, 0}}, options));
        EXPECT_EQ(sent.bytes + sent.chunks + sent.staging_bytes, 0U);
        const auto read = must(download(device(), {buffer, {offset, 0}}, never_write, options));
        EXPECT_EQ(read.bytes + read.chunks + read.staging_bytes, 0U);
    }
    StreamSource source(never_read);
    auto whole = must(Upload::begin(device(), source, {buffer, {64, {}}}));
    EXPECT_EQ(must(whole.step()), true);
}

TEST_F(StreamBuffer, ProgressGrowsByChunksAndEndsAtTheTotal) {
    std::vector<std::uint64_t> seen;
    const StreamOptions options{
        .chunk_bytes = 100, .depth = 3, .progress = [&](const StreamProgress& now) {
            EXPECT_EQ(now.total_bytes, 1'003U);
            seen.push_back(now.done_bytes);
        }};
    const std::vector<std::uint64_t> expected{100, 200, 300, 400,   500,  600,
                                              700, 800, 900, 1'000, 1'003};
    const Bytes data = pattern(1'003);
    const Buffer buffer = target_of(data.size());
    must(upload(device(), data, buffer, options));
    EXPECT_EQ(seen, expected);
    seen.clear();
    Bytes back(data.size());
    must(download(device(), buffer, back, options));
    EXPECT_EQ(seen, expected);
}

TEST_F(StreamBuffer, AMappableBufferCanBeUploadedTo) {
    const Bytes data = pattern(1'001);
    Buffer target = make_buffer(device(), data.size(), Usage::map_read | Usage::copy_dst);
    must(upload(device(), data, target, {.chunk_bytes = 128}));
    auto mapping = must(target.map_read().wait(patience));
    EXPECT_EQ(must(must(mapping.as<std::byte>()).copy()), data);
}

TEST_F(StreamBuffer, OrderIsKeptWithWritesAndCommandsBeforeAndBehind) {
    const Buffer buffer = target_of(1'000);
    const Bytes data = pattern(1'000, 7);
    for (int round = 0; round < 20; ++round) {
        must(device().write(buffer, Bytes(1'000, std::byte(round))));
        must(upload(device(), data, {buffer, {0, 500}}, {.chunk_bytes = 100, .depth = 2}));
        must(device().write(buffer, Bytes(8, std::byte(0xEE)), {.offset_bytes = 100}));
        Bytes back(1'000);
        must(download(device(), buffer, back, {.chunk_bytes = 300}));
        Bytes expected(1'000, std::byte(round));
        std::copy_n(data.begin(), 500, expected.begin());
        std::fill_n(expected.begin() + 100, 8, std::byte(0xEE));
        ASSERT_EQ(back, expected);
    }
}

} // namespace
} // namespace ferry::test
