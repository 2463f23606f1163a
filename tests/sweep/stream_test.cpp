// SPDX-License-Identifier: MIT
// Streams on an engine that does as it is told: memory, time, loss, and what the case A10 asks for.
#include <cstring>

#include "engines/stream_fixture.hpp"
#include "fake_world.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;
constexpr std::uint64_t total = 1'000, chunk = 100, chunks = 10;

class Streams : public OnFake {
protected:
    [[nodiscard]] Buffer buffer_of(Device& device, std::uint64_t size_bytes) const {
        return make_buffer(device, size_bytes, copied, "mesh");
    }
};

/// Fills with numbers that go on from call to call, and tells whether they come back so.
struct Numbers {
    std::uint64_t given = 0, taken = 0;
    bool right = true;

    [[nodiscard]] StreamSource source() {
        return StreamSource([this](std::span<std::byte> memory) -> Result<std::size_t> {
            for (std::size_t at = 0; at < memory.size(); at += 4, ++given) {
                const auto number = static_cast<std::uint32_t>(given);
                std::memcpy(memory.data() + at, &number,
                            std::min<std::size_t>(4, memory.size() - at));
            }
            return memory.size();
        });
    }
    [[nodiscard]] StreamTarget target() {
        return StreamTarget([this](std::span<const std::byte> bytes) -> Result<> {
            for (std::size_t at = 0; at < bytes.size(); at += 4, ++taken) {
                const auto number = static_cast<std::uint32_t>(taken);
                right = right && std::memcmp(bytes.data() + at, &number,
                                             std::min<std::size_t>(4, bytes.size() - at)) == 0;
            }
            return {};
        });
    }
};

/// What a stream of 24 chunks takes beside its buffer, on a GPU that is slower than the host.
std::uint64_t peak_of_stream(std::uint64_t chunk_bytes, std::uint32_t depth, bool sends) {
    World world;
    Device device = world.open();
    const Buffer buffer = make_buffer(device, 24 * chunk_bytes, copied);
    const std::uint64_t before = world.bytes();
    world.set_submission_time(1ms);
    world.set_pump_step(100us);
    Numbers numbers;
    auto source = numbers.source();
    auto target = StreamTarget([](auto) -> Result<> { return {}; });
    const StreamOptions options{.chunk_bytes = chunk_bytes, .depth = depth};
    const VirtualTime time([&](auto slept) { world.advance(slept); });
    const auto report = must(sends ? upload(device, source, buffer, options)
                                   : download(device, buffer, target, options));
    EXPECT_EQ(report.chunks, 24U);
    EXPECT_LE(report.staging_bytes, depth * chunk_bytes * 5 / 4);
    EXPECT_GE(report.staging_bytes, depth * chunk_bytes) << "the depth was used";
    return world.peak_bytes() - before;
}

TEST(StreamMemory, IsAboutTheDepthTimesTheChunkHoweverMuchIsMoved) {
    for (const std::uint64_t chunk_bytes : {64 * KiB, 100 * KiB, MiB - 4, MiB, MiB + 4, 3 * MiB}) {
        for (const std::uint32_t depth : {1U, 2U, 4U}) {
            const std::uint64_t most = depth * chunk_bytes * 5 / 4;
            EXPECT_LE(peak_of_stream(chunk_bytes, depth, true), most)
                << "up, " << chunk_bytes << " x " << depth;
            EXPECT_LE(peak_of_stream(chunk_bytes, depth, false), most)
                << "down, " << chunk_bytes << " x " << depth;
        }
    }
}

TEST_F(Streams, OverlapTheSourceWithTheGpu) {
    Device device = world.open();
    const Buffer buffer = buffer_of(device, total);
    world.hang_submissions();
    StreamSource source([](std::span<std::byte> memory) -> Result<std::size_t> {
        std::fill(memory.begin(), memory.end(), std::byte{1});
        return memory.size();
    });
    auto sending = must(Upload::begin(device, source, buffer, {.chunk_bytes = chunk, .depth = 3}));
    for (std::uint64_t step = 1; step <= 5; ++step) {
        EXPECT_EQ(must(sending.step()), false);
        EXPECT_EQ(sending.progress().done_bytes, std::min<std::uint64_t>(step, 3) * chunk);
    }
}

TEST_F(Streams, AGpuThatNeverFinishesIsATimeout) {
    Device device = world.open();
    const Buffer buffer = buffer_of(device, total);
    world.hang_submissions();
    Numbers numbers;
    auto source = numbers.source();
    auto target = numbers.target();
    StreamOptions options{.chunk_bytes = chunk, .depth = 3, .patience = 2s};
    const VirtualTime time([&](auto slept) { world.advance(slept); });
    auto start = VirtualTime::now();
    EXPECT_TRUE(refused(upload(device, source, buffer, options),
                        {{Errc::timeout}, "", {".patience", "2000 ms"}, {300, total}}));
    EXPECT_GE(VirtualTime::now() - start, 2s);
    EXPECT_LT(VirtualTime::now() - start, 2100ms);
    start = VirtualTime::now();
    EXPECT_TRUE(refused(download(device, buffer, target, options),
                        {{Errc::timeout}, "", {".patience", "2000 ms"}, {0, total}}));
    EXPECT_LT(VirtualTime::now() - start, 2100ms);
    std::stop_source stop;
    options.stop = stop.get_token();
    options.progress = [&](const StreamProgress& now) {
        if (now.done_bytes == 300) stop.request_stop();
    };
    EXPECT_TRUE(refused(upload(device, source, buffer, options), {{Errc::cancelled}}));
}

TEST_F(Streams, PatienceIsForEachChunkAndNotForAll) {
    Device device = world.open();
    const Buffer buffer = buffer_of(device, total);
    world.set_submission_time(900ms);
    Numbers numbers;
    const VirtualTime time([&](auto slept) { world.advance(slept); });
    const StreamOptions options{.chunk_bytes = chunk, .depth = 1, .patience = 1s};
    auto source = numbers.source();
    auto target = numbers.target();
    EXPECT_TRUE(ok(upload(device, source, buffer, options)));
    world.set_submission_time(0ms);
    EXPECT_TRUE(ok(device.done().wait(10s)));
    world.set_submission_time(900ms);
    EXPECT_TRUE(ok(download(device, buffer, target, options)));
    EXPECT_TRUE(numbers.right);
}

/// With an event inside a call of the source or target at each chunk.
template <class Event>
void with_events(World& world, bool sends, Event event) {
    for (std::uint64_t at = 0; at < chunks; ++at) {
        for (const std::uint32_t depth : {1U, 3U}) {
            SCOPED_TRACE("chunk " + std::to_string(at) + ", depth " + std::to_string(depth));
            Device device = world.open();
            const Buffer buffer = make_buffer(device, total, copied, "mesh");
            std::uint64_t moved = 0;
            StreamSource source([&](std::span<std::byte> memory) -> Result<std::size_t> {
                std::fill(memory.begin(), memory.end(), std::byte{1});
                if (moved++ == at) event(device);
                return memory.size();
            });
            StreamTarget target([&](auto) -> Result<> {
                if (moved++ == at) event(device);
                return {};
            });
            const StreamOptions options{.chunk_bytes = chunk, .depth = depth};
            const auto end = sends ? upload(device, source, buffer, options)
                                   : download(device, buffer, target, options);
            if (end) {
                EXPECT_TRUE(!sends && at == chunks - 1);
            } else {
                EXPECT_TRUE(is_refusal(end.error(), {{Errc::device_lost}, "", {"mesh"}}));
                const std::uint64_t done = sends ? at : at + 1;
                EXPECT_TRUE(names(end.error(),
                                  "after (" + std::to_string(done * chunk) + ") of (1000) bytes"));
            }
        }
    }
}

TEST_F(Streams, EndWhenTheDeviceIsLostAtAnyChunk) {
    for (const bool sends : {true, false}) {
        with_events(world, sends, [&](Device&) { world.lose_devices(); });
        with_events(world, sends, [&](Device& device) {
            world.lose_devices();
            device.poll(); // ferry knows at once
        });
    }
}

TEST_F(Streams, WaitForEachOtherWhenTheUploadBuffersAreAllInUse) {
    Device device = world.open();
    constexpr std::uint64_t size = 12 * MiB;
    std::vector<Buffer> targets;
    std::vector<Numbers> numbers(8);
    std::vector<StreamSource> sources;
    std::vector<Upload> uploads;
    for (auto& each : numbers) {
        targets.push_back(buffer_of(device, size));
        sources.push_back(each.source());
    }
    world.set_submission_time(1s); // and time stands still
    for (std::size_t i = 0; i < 8; ++i)
        uploads.push_back(
            must(Upload::begin(device, sources[i], targets[i], {.chunk_bytes = MiB, .depth = 20})));
    for (Upload& each : uploads) {
        for (int turn = 0; turn < 20; ++turn) (void)must(each.step());
    }
    EXPECT_EQ(uploads.front().progress().done_bytes, size);
    EXPECT_EQ(uploads.back().progress().done_bytes, 0U) << "the buffers are full";
    EXPECT_LE(world.bytes(), 8 * size + 64 * MiB);
    for (int turn = 0; turn < 100; ++turn) {
        for (Upload& each : uploads) (void)must(each.step());
        world.advance(10s);
    }
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(must(uploads[i].step()), true);
        auto target = numbers[i].target();
        world.set_submission_time(0s);
        EXPECT_TRUE(ok(download(device, targets[i], target)));
        EXPECT_TRUE(numbers[i].right && numbers[i].taken == size / 4);
    }
}

TEST_F(Streams, TakeChunksInOrderHoweverTheyCome) {
    for (const auto order :
         {FERRY_FAKE_MAPS_IN_ORDER, FERRY_FAKE_MAPS_REVERSED, FERRY_FAKE_MAPS_SHUFFLED,
          FERRY_FAKE_MAPS_ALL_AT_ONCE, FERRY_FAKE_MAPS_ONE_PER_PUMP}) {
        for (const auto delivery : {FERRY_FAKE_DELIVER_IN_PUMPS, FERRY_FAKE_DELIVER_SPONTANEOUS,
                                    FERRY_FAKE_DELIVER_ANYWHERE}) {
            Device device = world.open();
            world.set_map_order(order, 7);
            world.set_delivery(delivery);
            world.set_submission_time(10us);
            world.set_pump_step(5us);
            const Bytes data = pattern(5'003);
            const Buffer buffer = buffer_of(device, data.size());
            EXPECT_TRUE(ok(upload(device, data, buffer, {.chunk_bytes = 400, .depth = 4})));
            Bytes back(data.size());
            EXPECT_TRUE(ok(download(device, buffer, back, {.chunk_bytes = 400, .depth = 4})));
            EXPECT_EQ(back, data);
        }
    }
    world.set_map_order(FERRY_FAKE_MAPS_IN_ORDER);
    world.set_delivery(FERRY_FAKE_DELIVER_IN_PUMPS);
}

TEST_F(Streams, UploadBuffersThatStayAreUsedAgain) {
    Device device = world.open();
    const Buffer buffer = buffer_of(device, total);
    Numbers numbers;
    auto source = numbers.source();
    const StreamOptions options{.chunk_bytes = chunk, .depth = 4};
    must(upload(device, source, buffer, options));
    must(device.done().wait(1s));
    const std::uint64_t made = world.created("Buffer");
    for (int round = 0; round < 10; ++round) must(upload(device, source, buffer, options));
    EXPECT_EQ(world.created("Buffer"), made);
}

TEST_F(Streams, ATextureThatNoBufferCanHoldMovesInBands) {
    WGPULimits limits = WGPU_LIMITS_INIT;
    limits.maxBufferSize = MiB;
    world.set_limits(limits);
    Device device = world.open();
    const Texture texture =
        must(device.create_texture({.format = Format::rgba8_unorm,
                                    .size = {500, 300, 5},
                                    .usage = TextureUsage::copy_src | TextureUsage::copy_dst}));
    const Bytes data = pattern(500 * 300 * 5 * 4);
    EXPECT_TRUE(refused(device.read<std::byte>(texture).wait(1s), over_limit("B-07", {MiB})));
    must(upload(device, data, texture));
    Bytes back(data.size());
    must(download(device, texture, back));
    EXPECT_EQ(back, data);
}

TEST_F(Streams, A10_WhatIsTooLargeForABufferMovesThroughASmallOne) {
    constexpr std::uint64_t limit = 268'435'456, amount = 446'236'308;
    WGPULimits limits = WGPU_LIMITS_INIT;
    limits.maxBufferSize = limit;
    world.set_limits(limits);
    Device device = world.open();
    ASSERT_EQ(device.limits().max_buffer_size_bytes, limit);
    const auto refusal = device.create_buffer({.usage = copied, .size_bytes = amount});
    EXPECT_TRUE(refused(refusal, over_limit("B-07", {amount, limit})));

    constexpr std::uint64_t band = 32 * MiB;
    const Buffer buffer = buffer_of(device, band);
    Numbers numbers;
    auto source = numbers.source();
    auto target = numbers.target();
    std::uint64_t sent = 0, come = 0;
    while (sent < amount) {
        const BufferView part(buffer, {0, std::min(band, amount - sent)});
        sent += must(upload(device, source, part)).bytes;
        come += must(download(device, part, target)).bytes;
    }
    EXPECT_EQ(sent, amount);
    EXPECT_EQ(come, amount);
    EXPECT_EQ(numbers.taken, amount / 4);
    EXPECT_TRUE(numbers.right);
    EXPECT_LE(world.peak_bytes(), band + 64 * MiB);
}

} // namespace
} // namespace ferry::test
