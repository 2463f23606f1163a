// SPDX-License-Identifier: MIT
// Completions of the program's own, which the engine calls in the middle of a call of ferry's.
#include "ferry/interop.hpp"
#include "ring_run.hpp"
#include "ring_scene.hpp"

namespace ferry::test {
namespace {

/// What a program's own completion does, called by the engine in the middle of a call of ferry's.
struct Completion {
    Words* scene = nullptr;
    std::optional<Commands> commands{};
    int left = 0;
    int calls = 0;
    void (*act)(Completion&) = nullptr;

    void ask() {
        FERRY_RAW(QueueOnSubmittedWorkDone)
        (interop::raw(scene->device).queue,
         {nullptr, WGPUCallbackMode_AllowProcessEvents,
          [](WGPUQueueWorkDoneStatus, WGPUStringView, void* self, void*) {
              auto& completion = *static_cast<Completion*>(self);
              ++completion.calls;
              completion.act(completion);
          },
          this, nullptr});
    }
};

TEST(RingReentry, A22_FromTheCompletionOfOneReadTheNextIsRequestedAHundredTimes) {
    Completion completion{.left = 100, .act = [](Completion& self) {
                              (void)self.scene->ring.latest<std::uint32_t>();
                              if (self.left-- <= 0) return;
                              self.scene->send(static_cast<std::uint32_t>(self.left));
                              self.ask();
                          }};
    Words scene({.slots = 2}, 4, wgpu_like_engine());
    scene.world.set_delivery(FERRY_FAKE_DELIVER_ANYWHERE); // as wgpu-native
    scene.world.set_map_latency(1ms);
    completion.scene = &scene;
    completion.ask();
    for (int turn = 0; turn < 1000 && completion.left >= 0; ++turn) {
        scene.device.poll();
        (void)scene.ring.latest<std::uint32_t>();
        scene.world.advance(2ms);
    }
    EXPECT_EQ(completion.calls, 101);
    (void)scene.ring.latest<std::uint32_t>();
    EXPECT_EQ(scene.ring.latest<std::uint32_t>()->front(), 0U) << "the last one sent";
    EXPECT_EQ(scene.ring.stats().requested, 100U);
    EXPECT_TRUE(adds_up(scene.ring.stats()));
}

/// A frame with a completion that is asked for at one point of it and comes `late`, at the end of
/// whichever call that is. Answers how often it came.
int run_frame(void (*act)(Completion&), int point, std::chrono::nanoseconds late) {
    Completion completion{.act = act};
    Words scene({.slots = 3, .when_full = RingPolicy::drop_oldest}, 4, wgpu_like_engine());
    completion.scene = &scene;
    scene.world.set_delivery(FERRY_FAKE_DELIVER_ANYWHERE);
    scene.send(1);
    scene.world.set_submission_time(late);
    scene.world.set_pump_step(1us);
    scene.send(2);
    if (point == 0) completion.ask();
    Commands commands = scene.device.record();
    if (point == 1) completion.ask();
    (void)scene.ring.record(commands, scene.source, 3);
    if (point == 2) completion.ask();
    (void)scene.device.submit(std::move(commands));
    if (point == 3) completion.ask();
    for (int turn = 0; turn < 50; ++turn) {
        (void)scene.ring.latest<std::uint32_t>();
        scene.device.poll();
        EXPECT_TRUE(adds_up(scene.ring.stats()));
    }
    FERRY_RAW(InstanceProcessEvents)(interop::raw(scene.device).instance);
    return completion.calls;
}

/// The ring is used, closed or dropped from inside a completion, whichever call it comes in.
TEST(RingReentry, ACompletionMayDoAnythingToTheRing) {
    constexpr void (*acts[])(Completion&) = {
        [](Completion& self) { self.scene->ring.close(); },
        [](Completion& self) { self.scene->ring = {}; },
        [](Completion& self) { (void)self.scene->ring.latest<std::uint32_t>(); },
        [](Completion& self) { (void)self.scene->ring.next_mapped(); },
        [](Completion& self) { self.scene->send(7); },
        [](Completion& self) {
            self.commands = self.scene->device.record();
            (void)self.scene->ring.record(*self.commands, self.scene->source, 7);
        },
        [](Completion& self) { self.scene->device.close(); },
    };
    int calls = 0;
    for (std::size_t act = 0; act < std::size(acts); ++act) {
        for (int step = 0; step < 48; ++step) {
            SCOPED_TRACE(testing::Message() << "act " << act << ", step " << step);
            calls += run_frame(acts[act], step % 4, std::chrono::microseconds(step / 4));
        }
    }
    EXPECT_EQ(calls, 7 * 48);
}

} // namespace
} // namespace ferry::test
