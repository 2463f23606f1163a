// SPDX-License-Identifier: MIT
// UploadPool on an engine and a clock that do as they are told: mapped memory that the engine does
// not give, maps that fail or never come, frames of a second, and idling.
#include <thread>

#include "engines/upload_fixture.hpp"

#include "fake_world.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;
constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB;
const Refusal no_memory{{Errc::out_of_memory}};

class UploadOnFake : public OnFake {
protected:
    /// Ten uploads of 64 MiB, for three of which the engine gives no mapped memory.
    void ten_large_uploads(PoolPolicy policy) {
        Device device = world.open();
        const Buffer target = make_buffer(device, 64 * MiB, copied);
        auto pool = must(UploadPool::create(device, {.cap_bytes = 100 * MiB, .when_full = policy}));
        for (std::uint64_t nth : {2U, 5U, 9U})
            world.script("wgpuBufferGetMappedRange", {.nth = nth, .action = FERRY_FAKE_NULL});
        for (int turn = 1; turn <= 10; ++turn) {
            SCOPED_TRACE(turn);
            const bool null = turn == 2 || turn == 5 || turn == 9;
            auto staged = pool.acquire<std::uint64_t>(8 * MiB);
            sums(pool);
            if (null && policy == PoolPolicy::refuse) {
                EXPECT_TRUE(refused(staged, {{Errc::out_of_memory}, "B-02", {}, {64 * MiB}}));
                continue;
            }
            ASSERT_TRUE(ok(staged));
            EXPECT_EQ(staged->way(), null ? StagingWay::queue_write : StagingWay::one_use);
            const std::vector<std::uint64_t> values(8 * MiB, static_cast<std::uint64_t>(turn));
            fill(*staged, values);
            auto commands = device.record();
            commands.copy(*std::move(staged), target);
            must(device.submit(std::move(commands)));
            EXPECT_TRUE(read_all<std::uint64_t>(device, target) == values);
        }
        const UploadStats stats = sums(pool);
        EXPECT_EQ(stats.one_use, 7U);
        EXPECT_EQ(stats.queue_writes, policy == PoolPolicy::refuse ? 0U : 3U);
        EXPECT_EQ(stats.failed, policy == PoolPolicy::refuse ? 3U : 0U);
        EXPECT_EQ(stats.buffers, 0U);
        EXPECT_EQ(stats.host_bytes, 0U);
        EXPECT_EQ(world.faults_applied(), 3U);
    }
};

TEST_F(UploadOnFake, A11_WithoutMappedMemoryTheQueueWrites) {
    ten_large_uploads(PoolPolicy::queue_write);
}
TEST_F(UploadOnFake, A11_WithoutMappedMemoryItIsSaidAndThePoolStaysUsable) {
    ten_large_uploads(PoolPolicy::refuse);
}

TEST_F(UploadOnFake, A11_NoMemoryForABufferAtAll) {
    Device device = world.open();
    const Buffer target = make_buffer(device, 64, copied);
    auto pool = must(UploadPool::create(device, {.when_full = PoolPolicy::refuse}));
    for (FerryFakeAction action : {FERRY_FAKE_NULL, FERRY_FAKE_OUT_OF_MEMORY}) {
        world.script("wgpuDeviceCreateBuffer", {.action = action});
        EXPECT_TRUE(refused(pool.acquire<float>(4), no_memory));
        sums(pool);
    }
    // Neither mapped memory nor a buffer for a queue write: the commands tell.
    auto willing = must(UploadPool::create(device));
    world.script("wgpuDeviceCreateBuffer", {.times = 2, .action = FERRY_FAKE_OUT_OF_MEMORY});
    auto staged = stage(willing, pattern(64));
    EXPECT_EQ(staged.way(), StagingWay::queue_write);
    auto commands = device.record();
    commands.copy(std::move(staged), target);
    EXPECT_TRUE(refused(device.submit(std::move(commands)), no_memory));
    EXPECT_EQ(sums(willing).dropped, 1U);
    upload(device, pool, pattern(64), target);
    upload(device, willing, pattern(64, 2), target);
    EXPECT_EQ(read_all(device, target), pattern(64, 2));
}

TEST_F(UploadOnFake, A17_APoolIsDroppedWithFourMapsPending) {
    for (FerryFakeDelivery delivery : {FERRY_FAKE_DELIVER_IN_PUMPS, FERRY_FAKE_DELIVER_SPONTANEOUS,
                                       FERRY_FAKE_DELIVER_ANYWHERE}) {
        world.set_delivery(delivery);
        world.set_map_latency(std::chrono::hours(1000));
        Device device = world.open();
        const Buffer target = make_buffer(device, MiB, copied);
        {
            auto pool = must(UploadPool::create(device));
            auto commands = device.record();
            for (int i = 0; i < 4; ++i) commands.copy(stage(pool, pattern(MiB)), target);
            must(device.submit(std::move(commands)));
            EXPECT_EQ(sums(pool).buffers, 4U);
            EXPECT_EQ(sums(pool).free_buffers, 0U);
        }
        for (int turn = 0; turn < 10; ++turn) device.poll();
        EXPECT_EQ(world.live("Buffer"), 1U);
        EXPECT_EQ(world.pending_callbacks(), 0U);
        EXPECT_TRUE(device.take_uncaptured_errors().empty());
    }
}

TEST_F(UploadOnFake, ABufferThatIsNotMappedAgainIsLetGoOfAndReplaced) {
    Device device = world.open();
    const Buffer target = make_buffer(device, 64, copied);
    auto pool = must(UploadPool::create(device));
    for (FerryFakeAction action : {FERRY_FAKE_ABORT, FERRY_FAKE_NULL, FERRY_FAKE_TWICE}) {
        const bool fails = action != FERRY_FAKE_TWICE;
        const UploadStats before = sums(pool);
        world.script(action == FERRY_FAKE_NULL ? "wgpuBufferGetMappedRange" : "wgpuBufferMapAsync",
                     {.nth = action == FERRY_FAKE_NULL && before.free_buffers == 0 ? 2U : 1U,
                      .action = action});
        upload(device, pool, pattern(64), target);
        EXPECT_TRUE(all_come_back(device, pool));
        EXPECT_EQ(sums(pool).map_failures, before.map_failures + (fails ? 1 : 0));
        EXPECT_EQ(sums(pool).buffers, fails ? 0U : 1U);
        EXPECT_EQ(read_all(device, target), pattern(64));
    }
    EXPECT_EQ(sums(pool).map_failures, 2U);
}

TEST_F(UploadOnFake, MapsThatNeverComeFillThePoolAndTheQueueWritesGoOn) {
    Device device = world.open();
    const Buffer target = make_buffer(device, 64 * KiB, copied);
    world.set_map_latency(std::chrono::hours(1000));
    auto pool = must(UploadPool::create(device, {.cap_bytes = 256 * KiB}));
    for (unsigned seed = 0; seed < 20; ++seed)
        upload(device, pool, pattern(64 * KiB, seed), target);
    EXPECT_EQ(sums(pool).made, 4U);
    EXPECT_EQ(sums(pool).queue_writes, 16U);
    EXPECT_EQ(sums(pool).peak_bytes, 256 * KiB);
    world.set_map_latency(0ns);
    EXPECT_TRUE(read_all(device, target) == pattern(64 * KiB, 19));
}

/// Frames with uploads on a clock of their own.
class UploadFrames : public UploadOnFake {
protected:
    void TearDown() override {
        pool = {};
        target = {};
        device = {};
        UploadOnFake::TearDown();
    }
    void frame(std::chrono::milliseconds rate, int uploads, std::size_t size) {
        auto commands = device.record();
        for (int i = 0; i < uploads; ++i) {
            auto staged = must(pool.acquire<std::byte>(size));
            commands.copy(std::move(staged), target);
        }
        must(device.submit(std::move(commands)));
        sums(pool);
        std::this_thread::sleep_for(rate); // virtual
    }

    Device device = world.open();
    VirtualTime time{[this](auto slept) { world.advance(slept); }};
    Buffer target = make_buffer(device, 16 * MiB, copied);
    UploadPool pool = must(UploadPool::create(device, {.cap_bytes = 64 * MiB}));
};

TEST_F(UploadFrames, OfAnyRateMakeNothingNewAfterTheFirst) {
    for (auto rate : {4ms, 16ms, 40ms, 400ms}) {
        SCOPED_TRACE(rate.count());
        pool = must(UploadPool::create(device, {.cap_bytes = 64 * MiB, .floor_bytes = 0}));
        world.set_submission_time(rate / 2);
        world.set_map_latency(2 * rate); // about three in flight
        for (int turn = 0; turn < 20; ++turn) frame(rate, 3, 256 * KiB);
        const std::uint64_t made = sums(pool).made;
        for (int turn = 0; turn < 80; ++turn) frame(rate, 1 + turn % 3, 256 * KiB);
        EXPECT_EQ(sums(pool).made, made);
        EXPECT_EQ(sums(pool).trimmed, 0U);
        EXPECT_LE(made, 12U);
        EXPECT_TRUE(ok(device.done().wait(patience)));
    }
}

TEST_F(UploadFrames, A19_AfterTwoGibibytesAndAnIdleThreeSecondsTheFloorIsLeft) {
    for (std::uint64_t floor : {std::uint64_t{0}, MiB, 20 * MiB}) {
        pool = must(UploadPool::create(device, {.cap_bytes = 64 * MiB, .floor_bytes = floor}));
        const int pieces = floor == 0 ? 128 : 12;
        for (int piece = 0; piece < pieces; ++piece) frame(1ms, 1, 16 * MiB);
        world.set_submission_time(50ms); // the last ones are together in flight
        for (int piece = 0; piece < 4; ++piece) frame(0ms, 1, 16 * MiB);
        world.set_submission_time(0ns);
        const UploadStats busy = sums(pool);
        EXPECT_GE(busy.bytes, 64 * MiB);
        EXPECT_EQ(busy.bytes_sent, static_cast<std::uint64_t>(pieces + 4) * 16 * MiB);
        EXPECT_EQ(busy.peak_bytes, 64 * MiB);
        std::uint64_t bytes = busy.bytes;
        for (int tick = 0; tick < 300; ++tick) {
            std::this_thread::sleep_for(10ms);
            device.poll();
            EXPECT_LE(sums(pool).bytes, bytes);
            bytes = sums(pool).bytes;
        }
        EXPECT_LE(bytes, floor);
        EXPECT_EQ(bytes, floor / (16 * MiB) * (16 * MiB));
    }
}

TEST_F(UploadOnFake, A18_QueueWritesWithoutASubmitAreFollowedByOneEach16MiB) {
    Device device = world.open();
    const Buffer target = make_buffer(device, 4096, copied);
    const std::uint64_t before = world.calls("wgpuQueueSubmit");
    std::uint64_t most = 0;
    for (unsigned turn = 0; turn < 10'000; ++turn) {
        must(device.write(target, pattern(4096, turn % 7)));
        most = std::max(most, device.unsent_bytes());
    }
    EXPECT_LE(most, 16 * MiB);
    EXPECT_EQ(world.calls("wgpuQueueSubmit") - before, 40'960'000U / (16 * MiB));
    EXPECT_EQ(device.unsent_bytes(), 40'960'000U % (16 * MiB));
    EXPECT_EQ(read_all(device, target), pattern(4096, 9'999 % 7));
    EXPECT_EQ(device.unsent_bytes(), 0U);
    EXPECT_EQ(Device().unsent_bytes(), 0U);
    (void)device.take_advice();
}

TEST_F(UploadOnFake, A18_RecordedWritesThroughTheQueueAreFollowedBySubmitsToo) {
    Device device = world.open({.staging_budget_bytes = 0});
    const Buffer target = make_buffer(device, MiB, copied);
    auto commands = device.record();
    for (unsigned turn = 0; turn < 40; ++turn) {
        commands.write(target, pattern(MiB, turn));
        EXPECT_LE(device.unsent_bytes(), 16 * MiB);
    }
    must(device.submit(std::move(commands)));
    EXPECT_TRUE(read_all(device, target) == pattern(MiB, 39));
}

} // namespace
} // namespace ferry::test
