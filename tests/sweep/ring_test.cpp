// SPDX-License-Identifier: MIT
// The ring in worlds that misbehave: maps late, twice, never, in another order; no memory; the
// program in the middle of a callback; a consumer that is too slow.
#include <mutex>
#include <thread>

#include "ferry/interop.hpp"
#include "ring_run.hpp"
#include "ring_scene.hpp"

namespace ferry::test {
namespace {

TEST(RingOrders, ResultsComeInOrderWhateverTheOrderOfTheMaps) {
    for (FerryFakeMapOrder order : {FERRY_FAKE_MAPS_REVERSED, FERRY_FAKE_MAPS_SHUFFLED,
                                    FERRY_FAKE_MAPS_ALL_AT_ONCE, FERRY_FAKE_MAPS_ONE_PER_PUMP}) {
        Words scene({.slots = 6, .order = RingOrder::all});
        scene.world.set_map_order(order, 5);
        scene.world.set_map_latency(1ms);
        std::vector<std::uint32_t> seen;
        for (std::uint32_t round = 0; round < 20; ++round) {
            for (std::uint32_t i = 1; i <= 6; ++i) scene.send(round * 6 + i);
            for (int look = 0; look < 8; ++look) {
                scene.world.advance(1ms);
                const auto some = scene.take_all();
                seen.insert(seen.end(), some.begin(), some.end());
            }
        }
        EXPECT_EQ(seen, counting<std::uint32_t>(120, 1)) << "order " << order;
    }
}

TEST(RingOrders, AnOlderMapThatComesLateIsDroppedAndLatestStays) {
    Words scene({.slots = 3});
    scene.world.script("wgpuBufferMapAsync", {.action = FERRY_FAKE_LATE, .delay = 1s});
    scene.send(1);
    scene.send(2);
    EXPECT_EQ(scene.ring.latest<std::uint32_t>()->front(), 2U);
    EXPECT_EQ(scene.ring.version(), 1U);
    scene.world.advance(2s);
    EXPECT_EQ(scene.ring.latest<std::uint32_t>()->front(), 2U);
    EXPECT_EQ(scene.ring.version(), 1U);
    EXPECT_EQ(scene.ring.stats().dropped, 1U);
    scene.send(3);
    EXPECT_EQ(scene.ring.latest<std::uint32_t>()->front(), 3U);
}

TEST(RingOrders, WhatIsOlderThanSomethingTakenIsNotHandedOutAnyMore) {
    for (RingOrder order : {RingOrder::newest, RingOrder::all}) {
        for (const bool lease : {false, true}) {
            Words scene({.slots = 3, .order = order});
            scene.world.script("wgpuBufferMapAsync", {.action = FERRY_FAKE_LATE, .delay = 1s});
            scene.send(1);
            scene.send(2);
            if (lease && order == RingOrder::newest) {
                EXPECT_EQ(scene.ring.next_mapped()->tag(), 2U);
            } else {
                EXPECT_EQ(scene.ring.latest<std::uint32_t>()->tag(), 2U);
            }
            scene.world.advance(2s);
            EXPECT_TRUE(scene.take_all().empty());
            EXPECT_FALSE(scene.ring.next_mapped());
            EXPECT_EQ(scene.ring.stats().dropped, 1U);
        }
    }
}

TEST(RingFaults, AMapThatFailsEndsItsReadAndTheSlotIsGoodAgain) {
    for (FerryFakeAction action : {FERRY_FAKE_FAIL, FERRY_FAKE_ABORT, FERRY_FAKE_NULL}) {
        Words scene({.slots = 1});
        for (std::uint32_t word = 1; word <= 30; ++word) {
            if (word % 3 == 0) scene.world.script("wgpuBufferMapAsync", {.action = action});
            scene.send(word);
            const auto latest = scene.ring.latest<std::uint32_t>();
            EXPECT_EQ(scene.last, RingRecord::recorded);
            EXPECT_EQ(latest->front(), word % 3 == 0 ? word - 1 : word);
        }
        EXPECT_EQ(scene.ring.stats().failed, 10U);
        EXPECT_EQ(scene.ring.stats().delivered, 20U);
        EXPECT_TRUE(scene.ring.last_error());
        EXPECT_EQ(scene.ring.stats().slots, 1U) << "the ring does not shrink";
    }
}

TEST(RingFaults, AMapThatAnswersTwiceIsOneResultAndOneThatNeverAnswersHoldsOneSlot) {
    Words scene({.slots = 2, .order = RingOrder::newest});
    scene.world.script("wgpuBufferMapAsync", {.times = 10, .action = FERRY_FAKE_TWICE});
    for (std::uint32_t word = 1; word <= 10; ++word) {
        scene.send(word);
        EXPECT_EQ(scene.take_all(), std::vector<std::uint32_t>{word});
    }
    scene.world.script("wgpuBufferMapAsync", {.action = FERRY_FAKE_NEVER_CALLS_BACK});
    for (std::uint32_t word = 11; word <= 20; ++word) {
        scene.send(word);
        EXPECT_EQ(scene.take_all().size(), word == 11 ? 0U : 1U);
    }
    EXPECT_EQ(scene.ring.stats().in_flight, 1U);
    scene.ring.close();
    EXPECT_EQ(scene.ring.stats().cancelled, 1U);
    EXPECT_TRUE(adds_up(scene.ring.stats()));
}

TEST(RingFaults, ASubmitThatTheEngineRefusesFailsItsReadAlsoWhenTheHandlesAreShared) {
    for (const bool shared : {false, true}) {
        Words scene({.slots = 2});
        if (shared) (void)interop::raw(scene.device);
        scene.send(1);
        EXPECT_EQ(scene.ring.latest<std::uint32_t>()->front(), 1U);
        scene.world.script("wgpuQueueSubmit", {});
        scene.send(2);
        EXPECT_EQ(scene.ring.latest<std::uint32_t>()->front(), 1U) << "old bytes as a new result";
        EXPECT_EQ(scene.ring.version(), 1U);
        EXPECT_EQ(scene.ring.stats().failed, 1U);
        scene.send(3);
        EXPECT_EQ(scene.ring.latest<std::uint32_t>()->front(), 3U);
    }
}

TEST(RingFaults, NoMemoryForOneMoreSlotIsASkipAndTheFrameGoesOn) {
    Words scene({.slots = 1, .max_slots = 4, .when_full = RingPolicy::grow});
    scene.world.set_map_latency(1s);
    scene.world.set_memory_cap(scene.world.bytes());
    scene.send(1);
    Commands commands = scene.device.record();
    EXPECT_EQ(scene.ring.record(commands, scene.source), RingRecord::skipped);
    EXPECT_EQ(scene.ring.last_error()->code, Errc::out_of_memory);
    EXPECT_TRUE(ok(scene.device.submit(std::move(commands))));
    EXPECT_EQ(scene.ring.stats().slots, 1U);
    scene.world.set_memory_cap(scene.world.bytes() + 1000);
    scene.send(2);
    EXPECT_EQ(scene.last, RingRecord::recorded);
    EXPECT_EQ(scene.ring.stats().slots, 2U);
}

TEST(RingFaults, ALossInTheMiddleOfAFrameEndsEverything) {
    for (int step = 0; step < 4; ++step) {
        Words scene({.slots = 4, .order = RingOrder::all});
        scene.send(1);
        scene.device.poll();
        scene.world.set_map_latency(1s);
        scene.send(2);
        Commands commands = scene.device.record();
        if (step == 0) scene.world.lose_devices();
        (void)scene.ring.record(commands, scene.source, 3);
        if (step == 1) scene.world.lose_devices();
        if (step == 2) scene.world.script("wgpuQueueSubmit", {.action = FERRY_FAKE_LOSE_DURING});
        (void)scene.device.submit(std::move(commands));
        if (step == 3) scene.world.lose_devices();
        EXPECT_FALSE(scene.ring.next<std::byte>());
        const RingStats stats = scene.ring.stats();
        EXPECT_TRUE(adds_up(stats));
        EXPECT_EQ(stats.failed, step == 0 ? 2U : 3U) << "step " << step;
        EXPECT_FALSE(scene.ring.is_open());
        EXPECT_EQ(scene.ring.last_error()->code, Errc::device_lost);
    }
}

TEST(RingFaults, A12_OneSlotWhoseMapIsPendingIsRefusedBeforeTheSubmit) {
    RingScene scene({.slots = 1, .when_full = RingPolicy::refuse}, 4096);
    scene.world.set_map_latency(1s);
    scene.frames(1);
    const std::uint64_t submits = scene.world.calls("wgpuQueueSubmit");
    for (std::uint64_t age = 1; age <= 3; ++age) {
        Commands commands = scene.device.record("again");
        EXPECT_EQ(scene.ring.record(commands, scene.source), RingRecord::refused);
        const auto sent = scene.device.submit(std::move(commands));
        EXPECT_TRUE(refused(sent, {{Errc::busy}, {}, {"scene", "pending", "again"}, {1}}));
        const std::string text = "pending for (" + std::to_string(age) + ") frames";
        EXPECT_TRUE(names(sent.error(), text)) << to_string(sent.error());
    }
    EXPECT_EQ(scene.world.calls("wgpuQueueSubmit"), submits);
}

TEST(RingConsumer, ASlowOneForTenThousandFramesUnderEachPolicy) {
    for (RingPolicy policy :
         {RingPolicy::skip, RingPolicy::drop_oldest, RingPolicy::grow, RingPolicy::refuse}) {
        for (RingOrder order : {RingOrder::newest, RingOrder::all}) {
            SCOPED_TRACE(testing::Message() << "policy " << int(policy) << " order " << int(order));
            Words scene({.slots = 4, .max_slots = 8, .when_full = policy, .order = order});
            scene.world.set_map_latency(2 * frame_time);
            std::uint64_t taken = 0, newest = 0;
            for (std::uint32_t frame = 1; frame <= 10'000; ++frame) {
                scene.send(frame);
                if (frame % 7 == 0) {
                    if (auto result = scene.ring.next<std::uint32_t>()) {
                        EXPECT_GT(result->sequence(), newest);
                        EXPECT_EQ(result->front(), result->tag());
                        newest = result->sequence();
                        ++taken;
                    }
                }
                const RingStats stats = scene.ring.stats();
                ASSERT_TRUE(adds_up(stats)) << frame;
                ASSERT_EQ(stats.requested, frame);
                ASSERT_EQ(stats.delivered, taken);
                scene.world.advance(frame_time);
            }
            EXPECT_GE(taken, 1'400U);
            EXPECT_LE(scene.ring.stats().slots, policy == RingPolicy::grow ? 8U : 4U);
        }
    }
}

/// A result that came just now is not dropped before anybody could look at it.
TEST(RingConsumer, OneThatLooksInEveryFrameGetsResultsUnderEachPolicyWhateverTheLatency) {
    for (RingPolicy policy :
         {RingPolicy::skip, RingPolicy::drop_oldest, RingPolicy::grow, RingPolicy::refuse}) {
        for (RingOrder order : {RingOrder::newest, RingOrder::all}) {
            SCOPED_TRACE(testing::Message() << "policy " << int(policy) << " order " << int(order));
            Words scene({.slots = 4, .max_slots = 4, .when_full = policy, .order = order});
            scene.world.set_map_latency(7 * frame_time);
            std::uint64_t taken = 0;
            for (std::uint32_t frame = 1; frame <= 600; ++frame) {
                scene.send(frame);
                if (scene.ring.next<std::uint32_t>()) ++taken;
                ASSERT_TRUE(adds_up(scene.ring.stats())) << frame;
                scene.world.advance(frame_time);
            }
            EXPECT_GE(taken, 250U); // four of seven frames find a slot, or nearly so
        }
    }
}

TEST(RingLabels, SlotsAreNumberedAndAUserWhoSendsTooLateIsToldWhich) {
    Words scene({.slots = 2});
    scene.world.set_map_latency(1s);
    scene.send(1); // takes slot 0
    const interop::RawDevice own = interop::raw(scene.device);
    WGPUCommandEncoder encoder = FERRY_RAW(DeviceCreateCommandEncoder)(own.device, nullptr);
    auto commands = must(interop::record_into(scene.device, encoder));
    EXPECT_EQ(scene.ring.record(commands, scene.source, 2), RingRecord::recorded);
    WGPUCommandBuffer finished = FERRY_RAW(CommandEncoderFinish)(encoder, nullptr);
    must(interop::submitted(scene.device, std::move(commands))); // a lie
    FERRY_RAW(QueueSubmit)(own.queue, 1, &finished);             // too late: the map is pending
    ASSERT_EQ(scene.world.errors().size(), 1U);
    EXPECT_TRUE(says(scene.world.errors()[0], "scene staging 1")) << scene.world.errors()[0];
    scene.world.advance(2s);
    EXPECT_EQ(scene.ring.latest<std::uint32_t>()->tag(), 1U);
    EXPECT_EQ(scene.ring.last_error()->code, Errc::not_submitted);
    EXPECT_EQ(scene.ring.stats().failed, 1U);
    FERRY_RAW(CommandBufferRelease)(finished);
    FERRY_RAW(CommandEncoderRelease)(encoder);
}

/// The stamps of a device repeat; one that is left in a slot must not be found there again.
TEST(RingLabels, AStampThatComesRoundIsNotTakenForTheNewOne) {
    constexpr int all_stamps = 4096;
    Words scene({.slots = 1});
    auto other = must(ReadbackRing::create(scene.device, {.size_bytes = 4, .slots = 1}));
    const interop::RawDevice own = interop::raw(scene.device);
    auto stamped = [&](ReadbackRing& ring, bool send) {
        WGPUCommandEncoder encoder = FERRY_RAW(DeviceCreateCommandEncoder)(own.device, nullptr);
        auto commands = must(interop::record_into(scene.device, encoder));
        EXPECT_EQ(ring.record(commands, scene.source), RingRecord::recorded);
        WGPUCommandBuffer finished = FERRY_RAW(CommandEncoderFinish)(encoder, nullptr);
        if (send) FERRY_RAW(QueueSubmit)(own.queue, 1, &finished);
        must(interop::submitted(scene.device, std::move(commands)));
        (void)ring.latest<std::uint32_t>();
        FERRY_RAW(CommandBufferRelease)(finished);
        FERRY_RAW(CommandEncoderRelease)(encoder);
    };
    stamped(scene.ring, true);
    EXPECT_EQ(scene.ring.version(), 1U);
    for (int i = 1; i < all_stamps; ++i) stamped(other, true);
    EXPECT_EQ(other.stats().delivered, 4095U);
    stamped(scene.ring, false);
    EXPECT_EQ(scene.ring.version(), 1U) << "old bytes for new ones";
    EXPECT_EQ(scene.ring.stats().failed, 1U);
}

/// A06: the memory that is named when the result is taken gets it, and no other.
TEST(RingCases, A06_TheTargetIsTheOneOfTheTake) {
    constexpr std::size_t bytes = std::size_t{4} << 20;
    RingScene scene({.slots = 1}, 64);
    const Buffer large = make_filled(scene.device, pattern(bytes));
    scene.world.set_map_latency(1ms);
    std::vector<std::byte> first(bytes), second;
    auto ticket = scene.device.read<std::byte>(large);
    EXPECT_FALSE(ticket.take_into(first));
    second.resize(2 * bytes);
    scene.world.advance(2ms);
    EXPECT_EQ(must(*ticket.take_into(second)), bytes);
    EXPECT_TRUE(std::ranges::equal(std::span(second).first(bytes), pattern(bytes)));
    EXPECT_EQ(first, std::vector<std::byte>(bytes)) << "the old one is untouched";
}

/// A23: one thread at a time, by a lock of the program's; ferry has none and needs none.
TEST(RingCases, A23_TwoThreadsInTurnReadTwoHundredTimesEach) {
    Words scene({.slots = 3, .order = RingOrder::all});
    std::mutex lock;
    std::vector<std::uint32_t> seen;
    auto work = [&](std::uint32_t first) {
        for (std::uint32_t i = 0; i < 200; ++i) {
            const std::lock_guard held(lock);
            scene.send(first + i);
            const auto some = scene.take_all();
            seen.insert(seen.end(), some.begin(), some.end());
        }
    };
    std::thread other(work, 1000);
    work(1);
    other.join();
    std::ranges::sort(seen);
    auto expected = counting<std::uint32_t>(200, 1);
    std::ranges::copy(counting<std::uint32_t>(200, 1000), std::back_inserter(expected));
    EXPECT_EQ(seen, expected);
}

} // namespace
} // namespace ferry::test
