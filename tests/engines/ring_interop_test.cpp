// SPDX-License-Identifier: MIT
// Ring reads in encoders of the program's own: sent, announced, never sent, sent too late.
#include <array>

#include "raw_engine.hpp"
#include "ring_fixture.hpp"

namespace ferry::test {
namespace {

/// An encoder of the program's own that ferry records into.
class OwnEncoder {
public:
    explicit OwnEncoder(Device& device)
        : raw_(interop::raw(device)), encoder_(raw_engine().get<WGPUProcDeviceCreateCommandEncoder>(
                                          "wgpuDeviceCreateCommandEncoder")(raw_.device, nullptr)),
          commands(must(interop::record_into(device, encoder_, "mine"))) {}
    OwnEncoder(const OwnEncoder&) = delete;
    OwnEncoder& operator=(const OwnEncoder&) = delete;
    ~OwnEncoder() {
        if (encoder_ != nullptr)
            raw_engine().get<WGPUProcCommandEncoderRelease>("wgpuCommandEncoderRelease")(encoder_);
        if (finished_ != nullptr)
            raw_engine().get<WGPUProcCommandBufferRelease>("wgpuCommandBufferRelease")(finished_);
    }

    WGPUCommandBuffer finish() {
        finished_ = raw_engine().get<WGPUProcCommandEncoderFinish>("wgpuCommandEncoderFinish")(
            encoder_, nullptr);
        return finished_;
    }
    void submit_raw() {
        raw_engine().get<WGPUProcQueueSubmit>("wgpuQueueSubmit")(raw_.queue, 1, &finished_);
    }

private:
    interop::RawDevice raw_;
    WGPUCommandEncoder encoder_;
    WGPUCommandBuffer finished_ = nullptr;

public:
    Commands commands;
};

class RingInterop : public SharedDevice {
protected:
    void SetUp() override {
        FERRY_NEEDS_RAW_ENGINE();
        source = make_filled(device(), pattern(32));
        ring = must(ReadbackRing::create(device(), {.size_bytes = 32, .slots = 2}));
    }
    void TearDown() override {
        if (ring.is_open()) {
            expect_sum(ring.stats());
            read_once(device(), ring, source, 999); // every slot is good again
            EXPECT_EQ(ring.latest<std::byte>()->tag(), 999U);
            EXPECT_EQ(to_vector(ring.latest<std::byte>()->span()), pattern(32));
        }
        ring = {};
        source = {};
        SharedDevice::TearDown();
    }
    void record(OwnEncoder& own, std::uint64_t tag = 0) {
        EXPECT_EQ(ring.record(own.commands, BufferView{source, {3, 17}}, tag),
                  RingRecord::recorded);
        own.finish();
    }
    void expect_bytes(std::uint64_t tag) {
        const auto result = next(device(), ring);
        EXPECT_EQ(result.tag(), tag);
        EXPECT_EQ(to_vector(result.span()), part(pattern(32), 3, 17));
    }
    /// The read has ended as not submitted, and gave no bytes.
    void expect_not_submitted(std::uint64_t failed) {
        EXPECT_TRUE(poll_until(device(), [&] { return ring.stats().in_flight == 0; }));
        EXPECT_EQ(ring.stats().failed, failed);
        ASSERT_TRUE(ring.last_error());
        EXPECT_TRUE(is_refusal(*ring.last_error(), {{Errc::not_submitted}, "Q-09", {"submit"}}));
    }

    Buffer source;
    ReadbackRing ring;
};

TEST_F(RingInterop, SentThroughFerry) {
    for (std::uint64_t tag = 0; tag < 5; ++tag) {
        OwnEncoder own(device());
        EXPECT_EQ(ring.record(own.commands, BufferView{source, {3, 17}}, tag),
                  RingRecord::recorded);
        const std::array all{own.finish()};
        EXPECT_TRUE(ok(interop::submit(device(), all, std::move(own.commands))));
        expect_bytes(tag);
    }
}

TEST_F(RingInterop, SentByTheProgramAndAnnounced) {
    for (std::uint64_t tag = 0; tag < 5; ++tag) {
        OwnEncoder own(device());
        record(own, tag);
        own.submit_raw();
        EXPECT_TRUE(ok(interop::submitted(device(), std::move(own.commands))));
        expect_bytes(tag);
    }
}

TEST_F(RingInterop, AnnouncedAndNeverSentIsToldFromDataInEverySlot) {
    for (std::uint64_t turn = 1; turn <= 6; ++turn) {
        read_once(device(), ring, source); // old bytes, which must not come again
        (void)ring.latest<std::byte>();
        const std::uint64_t version = ring.version();
        OwnEncoder own(device());
        record(own);
        EXPECT_TRUE(ok(interop::submitted(device(), std::move(own.commands))));
        expect_not_submitted(turn);
        EXPECT_EQ(ring.version(), version) << "old bytes are no new version";
    }
}

TEST_F(RingInterop, WhatIsSentAfterAllMeetsNoSlotThatIsInUse) {
    ring = must(ReadbackRing::create(device(), {.size_bytes = 32, .slots = 1}));
    OwnEncoder own(device());
    record(own);
    EXPECT_TRUE(ok(interop::submitted(device(), std::move(own.commands))));
    expect_not_submitted(1);
    auto commands = device().record();
    EXPECT_EQ(ring.record(commands, source, 1), RingRecord::recorded);
    must(device().submit(std::move(commands))); // its slot is pending or mapped
    own.submit_raw();
    EXPECT_TRUE(poll_until(device(), [&] { return ring.version() > 0; }));
    EXPECT_EQ(to_vector(next(device(), ring).span()), pattern(32));
}

TEST_F(RingInterop, DroppedIsCancelledAndItsSlotIsNotUsedAgainForOtherBytes) {
    OwnEncoder own(device());
    record(own);
    own.commands = {};
    EXPECT_EQ(ring.stats().cancelled, 1U);
    // Two reads that take both slots, then the late bytes, then their results.
    const Buffer other = make_filled(device(), pattern(32, 5));
    auto commands = device().record();
    EXPECT_EQ(ring.record(commands, other, 1), RingRecord::recorded);
    must(device().submit(std::move(commands)));
    EXPECT_EQ(to_vector(next(device(), ring).span()), pattern(32, 5));
    own.submit_raw();
    read_once(device(), ring, other, 2);
    EXPECT_EQ(to_vector(ring.latest<std::byte>()->span()), pattern(32, 5));
    EXPECT_EQ(ring.stats().slots, 2U);
}

TEST_F(RingInterop, SubmittedTwiceIsRefused) {
    OwnEncoder own(device());
    EXPECT_EQ(ring.record(own.commands, source), RingRecord::recorded);
    WGPUCommandBuffer finished = own.finish();
    const std::array same{finished, finished};
    EXPECT_TRUE(refused(interop::submit(device(), same, std::move(own.commands)),
                        invalid("S-04", {"twice"})));
}

TEST_F(RingInterop, TheWrongSubmitEndsTheRead) {
    OwnEncoder own(device());
    record(own);
    EXPECT_TRUE(refused(device().submit(std::move(own.commands)), wrong_state({}, {"interop"})));
    EXPECT_EQ(ring.stats().failed, 1U);
    EXPECT_FALSE(ring.latest<std::byte>());
    auto commands = device().record();
    EXPECT_EQ(ring.record(commands, source), RingRecord::recorded);
    EXPECT_TRUE(refused(interop::submitted(device(), std::move(commands)), wrong_state()));
    EXPECT_EQ(ring.stats().failed, 2U);
}

TEST_F(RingInterop, RawPassesStandBesideTheRead) {
    auto commands = device().record("frame");
    EXPECT_EQ(ring.record(commands, source, 4), RingRecord::recorded);
    WGPUComputePassEncoder pass = raw_engine().get<WGPUProcCommandEncoderBeginComputePass>(
        "wgpuCommandEncoderBeginComputePass")(commands.raw_encoder(), nullptr);
    raw_engine().get<WGPUProcComputePassEncoderEnd>("wgpuComputePassEncoderEnd")(pass);
    raw_engine().get<WGPUProcComputePassEncoderRelease>("wgpuComputePassEncoderRelease")(pass);
    EXPECT_EQ(ring.record(commands, source, 5), RingRecord::recorded);
    must(device().submit(std::move(commands)));
    EXPECT_TRUE(poll_until(device(), [&] { return ring.version() >= 1; }));
    EXPECT_TRUE(poll_until(device(), [&] { return ring.stats().in_flight <= 1; }));
    const auto latest = ring.latest<std::byte>();
    EXPECT_EQ(to_vector(latest->span()), pattern(32));
    EXPECT_TRUE(poll_until(device(), [&] { return ring.latest<std::byte>()->tag() == 5; }));
}

/// Asks for work-done; its callback takes a result, sends the next read and asks again.
struct Chain {
    Device& device;
    ReadbackRing& ring;
    const Buffer& source;
    std::uint64_t sent = 0, taken = 0, calls = 0;

    void ask() {
        raw_engine().get<WGPUProcQueueOnSubmittedWorkDone>("wgpuQueueOnSubmittedWorkDone")(
            interop::raw(device).queue, {nullptr, WGPUCallbackMode_AllowProcessEvents,
                                         [](WGPUQueueWorkDoneStatus, WGPUStringView, void* self,
                                            void*) { static_cast<Chain*>(self)->go_on(); },
                                         this, nullptr});
    }
    void go_on() {
        ++calls;
        if (auto result = ring.next<std::byte>()) {
            ++taken;
            EXPECT_EQ(result->tag(), taken);
        }
        if (sent == 100) return;
        auto commands = device.record();
        EXPECT_EQ(ring.record(commands, source, ++sent), RingRecord::recorded);
        EXPECT_TRUE(ok(device.submit(std::move(commands))));
        ask();
    }
};

TEST_F(RingInterop, A22_FromTheCompletionOfAReadTheNextIsRequestedAHundredTimes) {
    ring = must(
        ReadbackRing::create(device(), {.size_bytes = 32, .slots = 128, .order = RingOrder::all}));
    Chain chain{device(), ring, source};
    chain.ask();
    const auto process =
        raw_engine().get<WGPUProcInstanceProcessEvents>("wgpuInstanceProcessEvents");
    EXPECT_TRUE(poll_until(device(), [&] {
        process(interop::raw(device()).instance);
        return chain.calls == 101;
    }));
    EXPECT_TRUE(poll_until(device(), [&] { return ring.stats().in_flight + chain.taken == 100; }));
    while (chain.taken < 100) {
        EXPECT_EQ(next(device(), ring).tag(), chain.taken + 1);
        ++chain.taken;
    }
    EXPECT_EQ(ring.stats().delivered, 100U);
}

} // namespace
} // namespace ferry::test
