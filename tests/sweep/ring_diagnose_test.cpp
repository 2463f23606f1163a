// SPDX-License-Identifier: MIT
// What diagnose() says of scenes whose cause is known, and that its advice cures them.
#include <random>
#include <thread>

#include "ring_scene.hpp"

namespace ferry::test {
namespace {

constexpr int warm_up = 40;
constexpr int window = 200;

/// How one scene behaves: how long maps take, and how many reads are in each frame.
struct Load {
    std::chrono::nanoseconds map_latency{};
    int reads = 1;
};

std::uint64_t skips(const Load& load, std::uint32_t slots) {
    RingScene scene({.slots = slots});
    scene.world.set_map_latency(load.map_latency);
    scene.frames(warm_up + window, load.reads);
    return scene.ring.stats().skipped;
}

/// The smallest ring that never skips, by trying.
std::uint32_t smallest_enough(const Load& load) {
    for (std::uint32_t slots = 1;; ++slots) {
        if (skips(load, slots) == 0) return slots;
    }
}

class RingDepth : public testing::TestWithParam<int> {};

TEST_P(RingDepth, TheAdviceIsTheSmallestRingThatIsEnough) {
    for (int reads = 1; reads <= 3; ++reads) {
        const Load load{frame_time / 2 * GetParam() + 1ms, reads};
        const std::uint32_t enough = smallest_enough(load);
        for (std::uint32_t slots = 1; slots < enough; ++slots) {
            SCOPED_TRACE(testing::Message() << reads << " reads, " << slots << " slots");
            RingScene scene({.slots = slots});
            scene.world.set_map_latency(load.map_latency);
            scene.frames(warm_up, reads);
            (void)scene.ring.diagnose();
            scene.frames(window, reads);
            const RingDiagnosis diagnosis = scene.ring.diagnose();
            EXPECT_EQ(diagnosis.health, RingHealth::ring_too_small) << diagnosis.text;
            EXPECT_EQ(diagnosis.use_slots, enough) << diagnosis.text;
        }
        RingScene cured({.slots = enough});
        cured.world.set_map_latency(load.map_latency);
        cured.frames(window, reads);
        EXPECT_EQ(cured.ring.diagnose().health, RingHealth::healthy);
    }
}

INSTANTIATE_TEST_SUITE_P(HalfFrames, RingDepth, testing::Values(1, 2, 3, 4, 5, 7, 10, 14, 20));

TEST(Diagnose, TwoFramesInFlightSkipSteadilyWithTwoSlotsAndNeverWithFour) {
    const Load two_in_flight{frame_time * 2 + frame_time / 2, 1};
    EXPECT_GE(skips(two_in_flight, 2), std::uint64_t{(warm_up + window) / 3 - 2});
    EXPECT_EQ(skips(two_in_flight, 4), 0U);
}

TEST(Diagnose, A15_LatencyOfSevenFramesNeverBlocksCountsAndAdvises) {
    RingScene scene({.slots = 4});
    scene.world.set_map_latency(7 * frame_time - 1ms);
    const std::uint64_t buffers = scene.world.created("Buffer");
    scene.frames(600);
    const RingStats stats = scene.ring.stats();
    EXPECT_EQ(stats.requested, 600U);
    EXPECT_EQ(stats.waits_in_frame, 0U);
    EXPECT_EQ(stats.delivered + stats.in_flight, 300U) << "4 of 8 frames have a slot";
    EXPECT_EQ(stats.skipped, 300U);
    EXPECT_EQ(stats.latency.max_frames, 7U);
    EXPECT_EQ(scene.world.created("Buffer"), buffers);
    const RingDiagnosis diagnosis = scene.ring.diagnose();
    EXPECT_EQ(diagnosis.use_slots, 8U);
    for (const char* word : {"300 of 600", "Use 8 slots"})
        EXPECT_TRUE(says(diagnosis.text, word)) << diagnosis.text;
}

/// Frames whose submissions take their own times, the same in every run.
std::uint64_t uneven_skips(std::uint32_t slots, unsigned seed, RingDiagnosis* diagnosis = nullptr) {
    RingScene scene({.slots = slots});
    std::mt19937 random(seed);
    for (int i = 0; i < window; ++i) {
        const auto most = random() % 10 == 0 ? 60'000U : 15'000U;
        scene.world.set_submission_time(std::chrono::microseconds(random() % most));
        scene.frame();
    }
    if (diagnosis != nullptr) *diagnosis = scene.ring.diagnose();
    return scene.ring.stats().skipped;
}

TEST(Diagnose, WithUnevenTimesTheAdviceIsEnoughInTheEndAndAtMostOneSlotTooMuch) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        std::uint32_t enough = 1;
        while (uneven_skips(enough, seed) > 0) ++enough;
        std::uint32_t slots = 1;
        while (uneven_skips(slots, seed) > 0) {
            RingDiagnosis diagnosis;
            (void)uneven_skips(slots, seed, &diagnosis);
            ASSERT_EQ(diagnosis.health, RingHealth::ring_too_small) << diagnosis.text;
            ASSERT_GT(diagnosis.use_slots, slots);
            ASSERT_LE(diagnosis.use_slots, enough + 1) << diagnosis.text;
            slots = diagnosis.use_slots;
        }
    }
}

TEST(Diagnose, AGpuThatFallsBehindIsNamedWhateverTheDepth) {
    for (std::uint32_t slots : {2U, 3U, 4U, 8U, 32U}) {
        SCOPED_TRACE(slots);
        RingScene scene({.slots = slots});
        scene.world.set_submission_time(frame_time * 3 / 2); // each frame adds half a frame
        scene.frames(150);
        const RingDiagnosis diagnosis = scene.ring.diagnose();
        EXPECT_EQ(diagnosis.health, RingHealth::queue_saturated) << diagnosis.text;
        EXPECT_EQ(diagnosis.use_slots, 0U);
        scene.world.set_submission_time(frame_time / 2); // "submit less": the queue drains
        scene.frames(200);
        (void)scene.ring.diagnose();
        scene.frames(100);
        EXPECT_EQ(scene.ring.diagnose().health, RingHealth::healthy);
    }
}

TEST(Diagnose, LeasesThatAreHeld) {
    RingScene scene({.slots = 3});
    std::vector<MappedReadback> held;
    for (int i = 0; i < 60; ++i) {
        scene.submit();
        if (auto lease = scene.ring.next_mapped()) held.push_back(*std::move(lease));
        scene.world.advance(frame_time);
    }
    ASSERT_EQ(held.size(), 3U);
    const RingDiagnosis diagnosis = scene.ring.diagnose();
    EXPECT_EQ(diagnosis.health, RingHealth::leases_held) << diagnosis.text;
    EXPECT_TRUE(says(diagnosis.text, "57 of 60")) << diagnosis.text;
    EXPECT_TRUE(says(diagnosis.text, "holds 3")) << diagnosis.text;
    held.clear();
    scene.frames(60);
    EXPECT_EQ(scene.ring.diagnose().health, RingHealth::healthy);
}

TEST(Diagnose, ResultsThatNobodyTakes) {
    for (RingPolicy policy : {RingPolicy::skip, RingPolicy::drop_oldest, RingPolicy::grow}) {
        RingScene scene({.slots = 3, .max_slots = 6, .when_full = policy, .order = RingOrder::all});
        auto frames = [&](bool takes) {
            for (int i = 0; i < 60; ++i) {
                scene.submit();
                while (takes && scene.ring.next<std::byte>()) {
                }
                scene.device.poll();
                scene.world.advance(frame_time);
            }
        };
        frames(false);
        const RingDiagnosis diagnosis = scene.ring.diagnose();
        EXPECT_EQ(diagnosis.health, RingHealth::results_not_taken) << diagnosis.text;
        frames(true);
        (void)scene.ring.diagnose();
        frames(true);
        EXPECT_EQ(scene.ring.diagnose().health, RingHealth::healthy);
    }
}

TEST(Diagnose, ReadsThatNobodySubmits) {
    RingScene scene({.slots = 4});
    std::vector<Commands> kept;
    for (int i = 0; i < 3; ++i) {
        kept.push_back(scene.device.record());
        (void)scene.ring.record(kept.back(), scene.source);
    }
    const RingDiagnosis diagnosis = scene.ring.diagnose();
    EXPECT_EQ(diagnosis.health, RingHealth::not_submitted);
    EXPECT_TRUE(says(diagnosis.text, "3 reads are recorded")) << diagnosis.text;
    for (Commands& commands : kept) must(scene.device.submit(std::move(commands)));
    scene.frames(10);
    EXPECT_EQ(scene.ring.diagnose().health, RingHealth::healthy);
}

TEST(Diagnose, AGpuThatHangsIsNotARingThatIsTooSmall) {
    RingScene scene({.slots = 2});
    const VirtualTime time;
    scene.world.hang_submissions();
    scene.frames(300);
    const RingDiagnosis diagnosis = scene.ring.diagnose();
    EXPECT_EQ(diagnosis.health, RingHealth::events_not_running) << diagnosis.text;
    EXPECT_TRUE(says(diagnosis.text, "299 frames")) << diagnosis.text;
}

TEST(Diagnose, IdleClosedAndHealthy) {
    RingScene scene({.slots = 2});
    EXPECT_EQ(scene.ring.diagnose().health, RingHealth::idle);
    scene.frames(10);
    EXPECT_EQ(scene.ring.diagnose().health, RingHealth::healthy);
    EXPECT_EQ(scene.ring.diagnose().health, RingHealth::idle) << "a window begins at each call";
    scene.ring.close();
    EXPECT_EQ(scene.ring.diagnose().health, RingHealth::closed);
    EXPECT_EQ(ReadbackRing().diagnose().health, RingHealth::closed);
}

TEST(Diagnose, ARingThatGrewSaysHowFar) {
    RingScene scene({.slots = 1, .max_slots = 10, .when_full = RingPolicy::grow});
    scene.world.set_map_latency(3 * frame_time - 1ms);
    (void)scene.ring.diagnose();
    scene.frames(60);
    EXPECT_EQ(scene.ring.stats().skipped, 0U);
    EXPECT_EQ(scene.ring.stats().slots, 4U);
    const RingDiagnosis diagnosis = scene.ring.diagnose();
    EXPECT_EQ(diagnosis.health, RingHealth::ring_too_small);
    EXPECT_EQ(diagnosis.use_slots, 4U);
    scene.frames(60);
    EXPECT_EQ(scene.ring.diagnose().health, RingHealth::healthy);
}

TEST(Diagnose, WrongReadsAreNotAnAskForSlots) {
    RingScene scene({.slots = 2});
    scene.frames(20);
    for (int i = 0; i < 20; ++i) {
        Commands commands = scene.device.record();
        EXPECT_EQ(scene.ring.record(commands, BufferView{scene.source, {0, 8}}),
                  RingRecord::refused);
    }
    EXPECT_EQ(scene.ring.diagnose().health, RingHealth::healthy);
    EXPECT_EQ(scene.ring.stats().refused, 20U);
}

/// A window shows what happened in it, as the document's five-second check does.
TEST(Diagnose, WindowsAreDifferencesOfSnapshots) {
    RingScene scene({.slots = 1});
    scene.world.set_map_latency(3 * frame_time - 1ms);
    scene.frames(40);
    const RingStats before = scene.ring.stats();
    scene.frames(40);
    const RingStats after = scene.ring.stats();
    EXPECT_EQ(after.skipped - before.skipped, 30U) << "one of four has the slot";
    EXPECT_EQ(after.delivered - before.delivered, 10U);
}

class RingEvents : public OnFake {};

TEST_F(RingEvents, A01_NothingIsDeliveredForFiveSecondsAndEveryCallReturnsAtOnce) {
    const VirtualTime time;
    Device device = world.open();
    const Texture picture =
        must(device.create_texture({.format = Format::rgba8_unorm,
                                    .size = {64, 64},
                                    .usage = TextureUsage::copy_src | TextureUsage::copy_dst}));
    const auto texels = pattern(64 * 64 * 4);
    must(device.write(picture, texels, {.tight = true}));
    auto ring = must(ReadbackRing::create(device, {.size_bytes = 64 * 64 * 4, .slots = 3}));
    Commands commands = device.record();
    EXPECT_EQ(ring.record(commands, picture), RingRecord::recorded);
    world.script("wgpuBufferMapAsync", {.action = FERRY_FAKE_LATE, .delay = 5s});
    must(device.submit(std::move(commands)));

    std::this_thread::sleep_for(2s); // virtual; nobody looks
    RingDiagnosis diagnosis = ring.diagnose();
    EXPECT_EQ(diagnosis.health, RingHealth::events_not_running);
    for (const char* word : {"1 map is pending", "2.0 s", "No events were processed"})
        EXPECT_TRUE(says(diagnosis.text, word)) << diagnosis.text;

    const auto before = VirtualTime::now();
    for (int i = 0; i < 1000; ++i) EXPECT_FALSE(ring.latest<std::byte>());
    EXPECT_LT(VirtualTime::now() - before, 50ms) << "it has waited";
    std::this_thread::sleep_for(3s);
    diagnosis = ring.diagnose();
    EXPECT_EQ(diagnosis.health, RingHealth::events_not_running);
    for (const char* word : {"1 map is pending", "5.0 s", "1000 looks"})
        EXPECT_TRUE(says(diagnosis.text, word)) << diagnosis.text;

    world.advance(5s);
    const auto latest = ring.latest<std::byte>();
    ASSERT_TRUE(latest);
    EXPECT_TRUE(std::ranges::equal(latest->span(), texels));
    EXPECT_EQ(ring.diagnose().health, RingHealth::idle);
}

} // namespace
} // namespace ferry::test
