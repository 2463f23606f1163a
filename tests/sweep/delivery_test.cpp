// SPDX-License-Identifier: MIT
// Callbacks that come twice, late, never, in another order, or where nobody expects them.
#include "fake_world.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;
constexpr Usage readable = Usage::map_read | Usage::copy_dst;

const Refusal is_lost{{Errc::device_lost}};

class Delivery : public OnFake {
protected:
    using Reads = std::vector<Ticket<std::vector<std::uint32_t>>>;

    /// Reads of the words 0 to `count` - 1, each by a submission of its own.
    static Reads read_words(Device& device, std::size_t count) {
        const Buffer buffer = make_filled(device, counting<std::uint32_t>(count));
        Reads reads;
        for (std::uint64_t at = 0; at < count; ++at)
            reads.push_back(device.read<std::uint32_t>({buffer, {4 * at, 4}}));
        return reads;
    }
    static void expect_each_has_its_own(Reads& reads) {
        for (std::size_t at = reads.size(); at-- > 0;) {
            auto outcome = only_outcome(reads[at], 1s);
            ASSERT_TRUE(ok(outcome)) << at;
            EXPECT_EQ(*outcome, std::vector<std::uint32_t>{static_cast<std::uint32_t>(at)});
        }
    }
    /// Sixteen reads under way at once, in this order and place of delivery.
    void deliver(FerryFakeMapOrder order, FerryFakeDelivery where, std::uint64_t seed = 0) {
        world.set_map_order(order, seed);
        world.set_delivery(where);
        world.set_submission_time(10us);
        world.set_map_latency(5us);
        world.set_pump_step(3us);
        Device device = world.open();
        auto reads = read_words(device, 16);
        expect_each_has_its_own(reads);
    }
};

TEST_F(Delivery, WhateverTheOrderEachTicketGetsItsOwnBytes) {
    for (FerryFakeMapOrder order : {FERRY_FAKE_MAPS_IN_ORDER, FERRY_FAKE_MAPS_REVERSED,
                                    FERRY_FAKE_MAPS_ALL_AT_ONCE, FERRY_FAKE_MAPS_ONE_PER_PUMP}) {
        for (FerryFakeDelivery where : {FERRY_FAKE_DELIVER_IN_PUMPS, FERRY_FAKE_DELIVER_SPONTANEOUS,
                                        FERRY_FAKE_DELIVER_ANYWHERE}) {
            SCOPED_TRACE(testing::Message() << "order " << order << ", delivery " << where);
            deliver(order, where);
        }
    }
}

TEST_F(Delivery, ShuffledMapsGiveEachTicketItsOwnBytes) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        SCOPED_TRACE(seed);
        deliver(FERRY_FAKE_MAPS_SHUFFLED, FERRY_FAKE_DELIVER_IN_PUMPS, seed);
    }
}

TEST_F(Delivery, MapsOfBuffersOutOfOrderKeepTheirMemoryApart) {
    world.set_map_order(FERRY_FAKE_MAPS_REVERSED);
    Device device = world.open();
    std::vector<Buffer> buffers;
    std::vector<Ticket<ReadMapping>> maps;
    for (std::uint32_t each = 0; each < 8; ++each) {
        buffers.push_back(make_filled(device, std::vector<std::uint32_t>{each}, readable));
        maps.push_back(buffers.back().map_read());
    }
    for (std::uint32_t each = 0; each < 8; ++each) {
        auto mapping = must(only_outcome(maps[each], 1s));
        EXPECT_EQ(must(must(mapping.as<std::uint32_t>()).at(0)), each);
    }
}

TEST_F(Delivery, AMapThatCallsBackTwiceHasOneOutcome) {
    for (FerryFakeDelivery where : {FERRY_FAKE_DELIVER_IN_PUMPS, FERRY_FAKE_DELIVER_SPONTANEOUS,
                                    FERRY_FAKE_DELIVER_ANYWHERE}) {
        world.set_delivery(where);
        Device device = world.open();
        world.script("wgpuBufferMapAsync", {.times = 4, .action = FERRY_FAKE_TWICE});
        auto reads = read_words(device, 4);
        expect_each_has_its_own(reads);
        auto more = read_words(device, 8); // the second callbacks must not end these
        expect_each_has_its_own(more);
    }
}

TEST_F(Delivery, DoneThatCallsBackTwiceHasOneOutcome) {
    Device device = world.open();
    world.script("wgpuQueueOnSubmittedWorkDone", {.times = 3, .action = FERRY_FAKE_TWICE});
    for (int turn = 0; turn < 6; ++turn) {
        auto done = device.done();
        EXPECT_TRUE(ok(only_outcome(done, 1s)));
    }
}

TEST_F(Delivery, AMapThatNeverCallsBackTimesOutAndEndsWithTheDevice) {
    Device device = world.open();
    world.script("wgpuBufferMapAsync", {.action = FERRY_FAKE_NEVER_CALLS_BACK});
    auto reads = read_words(device, 2);
    const VirtualTime time;
    EXPECT_TRUE(refused(reads[0].wait(10s), {{Errc::timeout}}));
    EXPECT_TRUE(reads[0]);
    EXPECT_EQ(must(only_outcome(reads[1], 1s)), std::vector<std::uint32_t>{1});
    device.close();
    EXPECT_TRUE(refused(only_outcome(reads[0], 10s), {{Errc::cancelled}}));
}

TEST_F(Delivery, ADroppedTicketThatIsNeverCalledBackLeavesNothing) {
    {
        Device device = world.open();
        world.script("wgpuBufferMapAsync", {.times = 3, .action = FERRY_FAKE_NEVER_CALLS_BACK});
        Buffer buffer = make_buffer(device, 16, readable);
        (void)buffer.map_read().take();
        EXPECT_EQ(buffer.map_state(), MapState::unmapped) << "its ticket is gone";
        EXPECT_TRUE(ok(device.write(buffer, pattern(16))));
        { auto dropped = read_words(device, 2); }
    }
    EXPECT_EQ(world.live(), 0U);
}

TEST_F(Delivery, SuccessAfterLossIsNotDelivered) {
    for (FerryFakeDelivery where : {FERRY_FAKE_DELIVER_IN_PUMPS, FERRY_FAKE_DELIVER_SPONTANEOUS,
                                    FERRY_FAKE_DELIVER_ANYWHERE}) {
        world.set_delivery(where);
        world.set_map_latency(1ms);
        Device device = world.open();
        Buffer buffer = make_filled(device, pattern(16), readable);
        world.script("wgpuBufferMapAsync", {.times = 3, .action = FERRY_FAKE_SUCCESS_AFTER_LOSS});
        auto reads = read_words(device, 2);
        auto map = buffer.map_read();
        world.lose_devices();
        world.advance(1s);
        for (auto& read : reads) EXPECT_TRUE(refused(only_outcome(read, 1s), is_lost));
        EXPECT_TRUE(refused(only_outcome(map, 1s), is_lost));
        EXPECT_EQ(buffer.map_state(), MapState::lost);
        world.set_map_latency(0ns);
    }
}

TEST_F(Delivery, ALateMapIsDeliveredLate) {
    Device device = world.open();
    world.script("wgpuBufferMapAsync", {.action = FERRY_FAKE_LATE, .delay = 3s});
    auto reads = read_words(device, 2);
    const VirtualTime time([&](auto slept) { world.advance(slept); });
    EXPECT_TRUE(refused(reads[0].wait(2s), {{Errc::timeout}}));
    EXPECT_TRUE(reads[1].ready());
    expect_each_has_its_own(reads);
}

TEST_F(Delivery, AnAbortedMapEndsAsCancelledAndTheBufferIsFree) {
    Device device = world.open();
    Buffer buffer = make_filled(device, pattern(16), readable);
    world.script("wgpuBufferMapAsync", {.action = FERRY_FAKE_ABORT});
    auto map = buffer.map_read();
    EXPECT_TRUE(refused(only_outcome(map, 1s), {{Errc::cancelled, Errc::engine}}));
    EXPECT_EQ(buffer.map_state(), MapState::unmapped);
    auto again = must(buffer.map_read().wait(1s));
    EXPECT_EQ(must(must(again.as<std::byte>()).copy()), pattern(16));
}

TEST_F(Delivery, TheThirdMapFailsAndTheOthersArrive) {
    Device device = world.open();
    world.script("wgpuBufferMapAsync", {.nth = 3});
    auto reads = read_words(device, 5);
    for (std::size_t at = 0; at < 5; ++at) {
        auto outcome = only_outcome(reads[at], 1s);
        EXPECT_EQ(outcome.has_value(), at != 2) << at;
        EXPECT_TRUE(outcome || outcome.error().code == Errc::engine) << at;
    }
}

TEST(Memory, ThatRunsOutIsAnErrorAndComesBack) {
    World world;
    {
        Device device = world.open({.staging_budget_bytes = 0});
        world.set_memory_cap(world.bytes() + 1000);
        const Buffer fits = make_filled(device, pattern(400), copied);
        EXPECT_TRUE(refused(device.create_buffer({.usage = copied, .size_bytes = 2000}),
                            {{Errc::out_of_memory}}));
        EXPECT_TRUE(refused(device.create_buffer(pattern(2000), {.usage = copied}),
                            {{Errc::out_of_memory}}));
        auto large = device.create_mapped_buffer({.usage = copied, .size_bytes = 500});
        auto read = device.read<std::byte>(fits); // its staging does not fit any more
        EXPECT_TRUE(refused(only_outcome(read, 1s), {{Errc::out_of_memory}}));
        large = std::unexpected(Error{});
        EXPECT_EQ(read_all(device, fits), pattern(400));
        EXPECT_TRUE(device.take_uncaptured_errors().empty());
    }
    EXPECT_EQ(world.findings(), "");
    EXPECT_EQ(world.errors().size(), 3U) << "the engine's own refusals, and nothing else";
}

} // namespace
} // namespace ferry::test
