// SPDX-License-Identifier: MIT
// Where the bytes of streams come from and go to, and streams that take turns with other work.
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>

#include "stream_fixture.hpp"

namespace ferry::test {
namespace {

class StreamEnds : public StreamTest {
protected:
    TempFolder folder;
};

/// Sources of the same bytes; each upload must see them all.
TEST_F(StreamEnds, MemoryFilesAndFunctionsAreSources) {
    const Bytes data = pattern(2'500'001, 2);
    write_file(folder / "data", data);
    std::vector<std::pair<std::string, StreamSource>> sources;
    sources.emplace_back("memory", StreamSource(data));
    sources.emplace_back("file", must(StreamSource::file(folder / "data")));
    sources.emplace_back("function", StreamSource(GiveParts{data, 99'991}));
    sources.emplace_back("all at once", StreamSource(GiveParts{data, data.size()}));
    for (auto& [name, source] : sources) {
        const Buffer target = target_of(data.size());
        const auto report = must(upload(device(), source, target, {.chunk_bytes = 1'200'000}));
        EXPECT_EQ(report.chunks, 3U) << name;
        EXPECT_EQ(bytes_of(target), data) << name;
    }
}

TEST_F(StreamEnds, AFileIsReadFromAnyByte) {
    const Bytes data = pattern(5'000, 2);
    write_file(folder / "data", data);
    for (const std::uint64_t offset : {0U, 1U, 4'095U, 4'990U}) {
        auto source = must(StreamSource::file(folder / "data", offset));
        const Buffer target = target_of(10);
        must(upload(device(), source, target, {.chunk_bytes = 4}));
        EXPECT_EQ(bytes_of(target), part(data, offset, 10)) << offset;
    }
}

TEST_F(StreamEnds, APipeIsASource) {
    const Bytes data = pattern(300'001, 2);
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    std::thread writer([&] { write_file(folder / "pipe", data); });
    auto source = StreamSource::file(folder / "pipe");
    const Buffer target = target_of(data.size());
    auto report = upload(device(), must(std::move(source)), target, {.chunk_bytes = 100'000});
    writer.join();
    EXPECT_EQ(must(std::move(report)).chunks, 4U);
    EXPECT_EQ(bytes_of(target), data);
}

TEST_F(StreamEnds, ADeviceFileOfZerosIsASource) {
    const Buffer target = make_filled(device(), pattern(100));
    must(upload(device(), must(StreamSource::file("/dev/zero")), target));
    EXPECT_EQ(bytes_of(target), Bytes(100));
}

TEST_F(StreamEnds, MemoryFilesAndFunctionsAreTargets) {
    const Bytes data = pattern(2'500'001, 3);
    const Buffer source = make_filled(device(), data);
    const StreamOptions options{.chunk_bytes = 1'200'000};
    Bytes memory(data.size() + 5, std::byte{0xA5}), kept;
    must(download(device(), source, memory, options));
    EXPECT_EQ(part(memory, 0, data.size()), data);
    EXPECT_EQ(part(memory, data.size(), 5), Bytes(5, std::byte{0xA5}));
    must(download(device(), source, Keep{&kept}, options));
    EXPECT_EQ(kept, data);
    auto file = must(StreamTarget::file(folder / "out"));
    must(download(device(), source, file, options));
    EXPECT_EQ(folder.names(), std::vector<std::string>{"out.part"});
    must(file.close());
    EXPECT_EQ(folder.names(), std::vector<std::string>{"out"});
    EXPECT_EQ(file_bytes(folder / "out"), data);
}

TEST_F(StreamEnds, AFileTakesThePlaceOfAnOlderOneWhenItIsClosed) {
    const Bytes old = pattern(9'000, 1), data = pattern(100, 2);
    write_file(folder / "out", old);
    const Buffer source = make_filled(device(), data);
    auto file = must(StreamTarget::file(folder / "out"));
    must(download(device(), source, file));
    EXPECT_EQ(file_bytes(folder / "out"), old);
    must(file.close());
    EXPECT_EQ(file_bytes(folder / "out"), data);
}

TEST_F(StreamEnds, OneSourceFeedsSeveralUploadsAndOneTargetTakesSeveralDownloads) {
    const Bytes data = pattern(1'000, 4);
    write_file(folder / "data", data);
    auto file_source = must(StreamSource::file(folder / "data"));
    StreamSource memory_source(data), function_source(GiveParts{data, 7});
    Bytes memory(1'000), kept;
    StreamTarget memory_target(memory), function_target(Keep{&kept});
    auto file_target = must(StreamTarget::file(folder / "out"));
    std::uint64_t first = 0;
    for (const std::uint64_t size : {1U, 8U, 0U, 491U, 500U}) {
        const Buffer buffer = target_of(size + 4);
        for (StreamSource* source : {&file_source, &memory_source, &function_source}) {
            must(upload(device(), *source, {buffer, {4, size}}, {.chunk_bytes = 64}));
            EXPECT_EQ(bytes_of({buffer, {4, size}}), part(data, first, size));
        }
        for (StreamTarget* target : {&file_target, &memory_target, &function_target})
            must(download(device(), {buffer, {4, size}}, *target, {.chunk_bytes = 64}));
        first += size;
    }
    must(file_target.close());
    EXPECT_EQ(file_bytes(folder / "out"), data);
    EXPECT_EQ(memory, data);
    EXPECT_EQ(kept, data);
}

/// A sum that tells the order of its words.
struct Sum {
    std::uint64_t value = 0;

    void add(std::span<const std::byte> bytes) {
        for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + at, 8);
            value = (value ^ word) * 0x9E3779B97F4A7C15ULL;
        }
    }
};

TEST_F(StreamEnds, MuchMoreThanTheBufferMovesThroughItInPieces) {
    constexpr std::uint64_t pieces = 64;
    Sum sent, come;
    std::uint64_t number = 0;
    StreamSource source([&](std::span<std::byte> memory) -> Result<std::size_t> {
        Bytes piece(memory.size());
        for (std::size_t at = 0; at + 8 <= piece.size(); at += 8, ++number)
            std::memcpy(piece.data() + at, &number, 8);
        sent.add(piece);
        std::copy(piece.begin(), piece.end(), memory.begin());
        return piece.size();
    });
    StreamTarget target([&](std::span<const std::byte> bytes) -> Result<> {
        come.add(bytes);
        return {};
    });
    const Buffer buffer = target_of(MiB);
    const StreamOptions options{.chunk_bytes = 256 * KiB, .depth = 2};
    std::uint64_t bytes = 0;
    for (std::uint64_t piece = 0; piece < pieces; ++piece) {
        must(upload(device(), source, buffer, options));
        bytes += must(download(device(), buffer, target, options)).bytes;
        ASSERT_EQ(come.value, sent.value) << "piece " << piece;
    }
    EXPECT_EQ(bytes, 64 * MiB);
    EXPECT_EQ(number, 64 * MiB / 8);
}

TEST_F(StreamEnds, A10_WhatIsTooLargeForABufferMovesThroughASmallOne) {
    constexpr std::uint64_t limit = 268'435'456, amount = 446'236'308;
    ASSERT_EQ(device().limits().max_buffer_size_bytes, limit) << "the standard's default";
    EXPECT_TRUE(refused(device().create_buffer({.usage = copied, .size_bytes = amount}),
                        over_limit("B-07", {amount, limit})));
    const Buffer buffer = target_of(32 * MiB);
    const Bytes data = pattern(32 * MiB + 8);
    Bytes back(32 * MiB);
    std::uint64_t sent = 0, come = 0;
    while (sent < amount) {
        const std::uint64_t size = std::min(buffer.size_bytes(), amount - sent);
        const BufferView part(buffer, {0, size});
        const std::size_t turned = sent / MiB % 7; // other bytes each time
        sent += must(upload(device(), std::span(data).subspan(turned), part)).bytes;
        come += must(download(device(), part, back)).bytes;
        ASSERT_EQ(std::memcmp(back.data(), data.data() + turned, size), 0);
    }
    EXPECT_EQ(sent, amount);
    EXPECT_EQ(come, amount);
}

TEST_F(StreamEnds, AnUploadGoesOnFrameByFrameBesideOtherCommands) {
    const Bytes data = pattern(10'000, 5);
    const Buffer target = target_of(data.size());
    const Buffer counter = target_of(4);
    StreamSource source(data);
    auto loading =
        must(Upload::begin(device(), source, target, {.chunk_bytes = 1'000, .depth = 2}));
    std::uint32_t frame = 0;
    for (bool done = false; !done; ++frame) {
        ASSERT_LT(frame, 1'000'000U);
        const std::uint64_t before = loading.progress().done_bytes;
        done = must(loading.step());
        const std::uint64_t now = loading.progress().done_bytes;
        ASSERT_TRUE(now == before || now == before + 1'000) << "one chunk at a time";
        auto commands = device().record("frame");
        commands.clear(counter);
        auto seen = commands.read<std::byte>({target, {0, now}});
        must(device().submit(std::move(commands)));
        must(device().write(counter, std::vector{frame}));
        EXPECT_EQ(must(seen.wait(patience)), part(data, 0, now));
    }
    EXPECT_EQ(must(loading.step()), true) << "and stays done";
    EXPECT_EQ(loading.report().chunks, 10U);
    EXPECT_EQ(bytes_of(target), data);
    EXPECT_EQ(must(device().read<std::uint32_t>(counter).wait(patience)), std::vector{frame - 1});
}

TEST_F(StreamEnds, ADownloadGoesOnFrameByFrameBesideOtherCommands) {
    const Bytes data = pattern(10'000, 6);
    const Buffer source = make_filled(device(), data);
    const Buffer other = target_of(64);
    Bytes kept;
    StreamTarget target(Keep{&kept});
    auto saving =
        must(Download::begin(device(), source, target, {.chunk_bytes = 1'000, .depth = 3}));
    std::uint32_t frame = 0;
    for (bool done = false; !done; ++frame) {
        ASSERT_LT(frame, 10'000'000U);
        done = must(saving.step());
        ASSERT_EQ(saving.progress().done_bytes, kept.size());
        auto commands = device().record("frame");
        commands.copy({source, {0, 64}}, other);
        must(device().submit(std::move(commands)));
    }
    EXPECT_EQ(must(saving.step()), true) << "and stays done";
    EXPECT_EQ(kept, data);
    EXPECT_EQ(saving.report().chunks, 10U);
}

TEST_F(StreamEnds, ManyStreamsTakeTurnsOnOneDevice) {
    constexpr std::size_t count = 8;
    std::vector<Bytes> all;
    std::vector<StreamSource> sources;
    std::vector<Buffer> targets;
    std::vector<Upload> uploads;
    for (std::size_t i = 0; i < count; ++i) {
        all.push_back(pattern(3'000'001, static_cast<unsigned>(i)));
        targets.push_back(target_of(all[i].size()));
    }
    for (std::size_t i = 0; i < count; ++i) sources.emplace_back(all[i]);
    // More chunks in all than the device's own upload buffers hold.
    for (std::size_t i = 0; i < count; ++i)
        uploads.push_back(must(
            Upload::begin(device(), sources[i], targets[i], {.chunk_bytes = MiB, .depth = 8})));
    EXPECT_TRUE(poll_until(device(), [&] {
        bool done = true;
        for (Upload& each : uploads) done = must(each.step()) && done;
        return done;
    }));
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(bytes_of(targets[i]), all[i]) << i;
}

} // namespace
} // namespace ferry::test
