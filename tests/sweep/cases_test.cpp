// SPDX-License-Identifier: MIT
// Cases from the field with their exact outcomes, on an engine that does as it is told.
#include <cstring>

#include "ferry/interop.hpp"

#include "fake_world.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;
constexpr Usage readable = Usage::map_read | Usage::copy_dst;
constexpr Usage writable = Usage::map_write | Usage::copy_src;

const Refusal timed_out{{Errc::timeout}};
const Refusal cancelled{{Errc::cancelled}};
const Refusal is_lost{{Errc::device_lost}};

class Cases : public OnFake {};

TEST_F(Cases, A02_ShortWaitsTimeOutAndTheLongOneDelivers) {
    Device device = world.open();
    const Buffer buffer = make_filled(device, std::vector<std::uint32_t>{7});
    const VirtualTime time([&](auto slept) { world.advance(slept); });
    const auto start = VirtualTime::now();
    world.set_submission_time(2s); // the job
    auto job = device.record("two seconds");
    job.clear(make_buffer(device, 4, copied));
    must(device.submit(std::move(job)));
    world.set_submission_time(0ns);
    auto read = device.read<std::uint32_t>(buffer);
    EXPECT_TRUE(refused(read.wait(0ms), timed_out));
    EXPECT_TRUE(refused(read.wait(1ms), timed_out));
    EXPECT_TRUE(read) << "it is still pending";
    EXPECT_LT(VirtualTime::now() - start, 100ms);
    EXPECT_EQ(must(read.wait(10s)), std::vector<std::uint32_t>{7});
    EXPECT_GE(VirtualTime::now() - start, 2s);
    EXPECT_LT(VirtualTime::now() - start, 2500ms) << "no later than the GPU";
    EXPECT_FALSE(read);
}

/// Three reads whose maps take for ever.
std::vector<Ticket<std::vector<std::byte>>> three_pending_reads(World& world, Device& device) {
    world.set_map_latency(std::chrono::hours(1000));
    const Buffer buffer = make_filled(device, pattern(64));
    std::vector<Ticket<std::vector<std::byte>>> reads;
    for (std::uint64_t each = 0; each < 3; ++each)
        reads.push_back(device.read<std::byte>({buffer, {16 * each, 16}}));
    for (auto& read : reads) EXPECT_FALSE(read.ready());
    return reads;
}

void expect_each_ends_once(Device& device, std::vector<Ticket<std::vector<std::byte>>>& reads,
                           const Refusal& end) {
    for (auto& read : reads) {
        EXPECT_TRUE(read.ready());
        EXPECT_TRUE(refused(read.wait(0ms), end));
    }
    for (int turn = 0; turn < 100; ++turn) device.poll();
    for (auto& read : reads) {
        EXPECT_FALSE(read);
        EXPECT_TRUE(refused(read.wait(0ms), wrong_state()));
    }
}

TEST_F(Cases, A16_ThreePendingReadsEndOnceWhenTheDeviceIsClosed) {
    Device device = world.open();
    auto reads = three_pending_reads(world, device);
    device.close();
    expect_each_ends_once(device, reads, cancelled);
}

TEST_F(Cases, A16_ThreePendingReadsEndOnceWhenTheDeviceIsDestroyedFromUnderFerry) {
    Device device = world.open();
    auto reads = three_pending_reads(world, device);
    const auto destroy =
        reinterpret_cast<WGPUProcDeviceDestroy>(ferry_fake_symbol(nullptr, "wgpuDeviceDestroy"));
    destroy(interop::raw(device).device);
    device.poll();
    expect_each_ends_once(device, reads, is_lost);
}

TEST_F(Cases, A16_ThreePendingReadsEndOnceWhenTheDeviceIsLost) {
    for (FerryFakeDelivery delivery : {FERRY_FAKE_DELIVER_IN_PUMPS, FERRY_FAKE_DELIVER_SPONTANEOUS,
                                       FERRY_FAKE_DELIVER_ANYWHERE}) {
        world.set_delivery(delivery);
        Device device = world.open();
        auto reads = three_pending_reads(world, device);
        world.lose_devices();
        expect_each_ends_once(device, reads, is_lost);
        world.set_map_latency(0ns);
    }
}

TEST_F(Cases, A17_FourPendingWriteMapsAreDroppedWithTheirPool) {
    Device device = world.open();
    world.set_map_latency(std::chrono::hours(1000));
    std::vector<Buffer> pool;
    std::vector<Ticket<WriteMapping>> maps;
    for (int each = 0; each < 4; ++each) {
        pool.push_back(make_buffer(device, 1 << 20, writable, "upload"));
        maps.push_back(pool.back().map_write());
        EXPECT_EQ(pool.back().map_state(), MapState::pending);
    }
    for (Buffer& buffer : pool) buffer.destroy();
    pool.clear();
    for (int turn = 0; turn < 10; ++turn) device.poll();
    for (auto& map : maps) EXPECT_TRUE(refused(map.wait(0ms), cancelled));
    EXPECT_EQ(world.live("Buffer"), 0U);
    EXPECT_TRUE(device.take_uncaptured_errors().empty());
}

TEST_F(Cases, A17_TicketsThatGoBeforeThePoolFreeItToo) {
    Device device = world.open();
    world.set_map_latency(std::chrono::hours(1000));
    {
        std::vector<Buffer> pool;
        std::vector<Ticket<WriteMapping>> maps;
        for (int each = 0; each < 4; ++each) {
            pool.push_back(make_buffer(device, 1 << 20, writable, "upload"));
            maps.push_back(pool.back().map_write());
        }
        maps.clear();
        for (Buffer& buffer : pool) EXPECT_EQ(buffer.map_state(), MapState::unmapped);
    }
    for (int turn = 0; turn < 10; ++turn) device.poll();
    EXPECT_EQ(world.live("Buffer"), 0U);
    EXPECT_EQ(world.pending_callbacks(), 0U);
}

/// The sizes that an engine is asked for.
struct Asked {
    std::size_t offset = 0, size = 0;
};
std::vector<Asked> maps_asked, ranges_asked;

WGPUFuture map_and_tell(WGPUBuffer buffer, WGPUMapMode mode, std::size_t offset, std::size_t size,
                        WGPUBufferMapCallbackInfo info) {
    maps_asked.push_back({offset, size});
    return reinterpret_cast<WGPUProcBufferMapAsync>(
        ferry_fake_symbol(nullptr, "wgpuBufferMapAsync"))(buffer, mode, offset, size, info);
}
const void* range_and_tell(WGPUBuffer buffer, std::size_t offset, std::size_t size) {
    ranges_asked.push_back({offset, size});
    return reinterpret_cast<WGPUProcBufferGetConstMappedRange>(
        ferry_fake_symbol(nullptr, "wgpuBufferGetConstMappedRange"))(buffer, offset, size);
}
void* find_telling(void*, const char* name) {
    if (std::strcmp(name, "wgpuBufferMapAsync") == 0) return reinterpret_cast<void*>(&map_and_tell);
    if (std::strcmp(name, "wgpuBufferGetConstMappedRange") == 0)
        return reinterpret_cast<void*>(&range_and_tell);
    return ferry_fake_symbol(nullptr, name);
}

TEST_F(Cases, A28_TheEngineIsAskedForExplicitNumbersAndABadRangeDoesNotReachIt) {
    DeviceOptions options{.engine = must(Engine::from(&find_telling, nullptr, "telling")),
                          .canary = false};
    Device device = must(Device::open(options));
    Buffer buffer = make_filled(device, pattern(24), readable, "whole");
    maps_asked.clear();
    ranges_asked.clear();
    {
        auto whole = must(buffer.map_read().wait(patience));
        ASSERT_EQ(maps_asked.size(), 1U);
        EXPECT_EQ(maps_asked[0].offset, 0U);
        EXPECT_EQ(maps_asked[0].size, 24U);
        EXPECT_EQ(must(must(whole.as<std::byte>()).copy()), pattern(24));
        EXPECT_TRUE(refused(whole.as<std::byte>({.offset_bytes = 16, .size_bytes = 16}),
                            invalid("G-05", {"whole"}, {16})));
        for (const Asked& range : ranges_asked) EXPECT_LE(range.offset + range.size, 24U);
    }
    {
        auto rest = must(buffer.map_read({.offset_bytes = 8}).wait(patience));
        ASSERT_EQ(maps_asked.size(), 2U);
        EXPECT_EQ(maps_asked[1].offset, 8U);
        EXPECT_EQ(maps_asked[1].size, 16U);
    }
    EXPECT_TRUE(refused(buffer.map_read({16, 16}).wait(patience), invalid("M-07", {"whole"})));
    EXPECT_TRUE(refused(buffer.map_read({0, ~std::uint64_t{0}}).wait(patience), invalid()));
    EXPECT_TRUE(refused(buffer.map_read({8, ~std::uint64_t{7}}).wait(patience), invalid("M-07")));
    EXPECT_TRUE(refused(buffer.map_read({32, {}}).wait(patience), invalid("M-07")));
    EXPECT_EQ(maps_asked.size(), 2U) << "refused by ferry, not by the engine";
    EXPECT_EQ(buffer.map_state(), MapState::unmapped);
}

} // namespace
} // namespace ferry::test
