// SPDX-License-Identifier: MIT
// The five errors of document 001, as programs, and what ferry does about each:
// docs/five-errors.md.
#include "ring_fixture.hpp"
#include "slow_job.hpp"

namespace ferry::test {
namespace {

constexpr Usage all_uses = Usage::storage | Usage::copy_src | Usage::copy_dst;
constexpr Usage staging_uses = Usage::map_read | Usage::copy_dst;

class FiveErrors : public SharedDevice {
protected:
    void SetUp() override {
        kernel = must(device().create_kernel(wgsl::two_buffers));
        source = make_filled(device(), counting<std::uint32_t>(4, 10), Usage::storage);
        work = make_buffer(device(), 16, all_uses, "work");
        bindings = must(device().bind(kernel, {{"source", source}, {"target_", work}}));
    }
    void TearDown() override {
        bindings = {};
        kernel = {};
        source = {};
        work = {};
        SharedDevice::TearDown();
    }
    /// work[i] = source[i] + 1, which is `right`.
    void dispatch(Commands& commands) { commands.dispatch(kernel, bindings, {.threads = 4}); }
    const std::vector<std::uint32_t> right{11, 12, 13, 14};

    Kernel kernel;
    Buffer source, work;
    Bindings bindings;
};

TEST_F(FiveErrors, E1_StagingMadeInTheLoopIsFreedWithItsMapPendingAndARingMakesItOnce) {
    for (int frame = 0; frame < 50; ++frame) {
        Buffer staging = make_buffer(device(), 16, staging_uses, "made in the loop");
        auto commands = device().record();
        dispatch(commands);
        commands.copy(work, staging);
        must(device().submit(std::move(commands)));
        (void)staging.map_read(); // dropped, and so is the buffer: legal, and nothing is left
    }
    auto ring = must(ReadbackRing::create(device(), {.size_bytes = 16}));
    for (int frame = 0; frame < 50; ++frame) {
        auto commands = device().record();
        dispatch(commands);
        (void)ring.record(commands, work);
        must(device().submit(std::move(commands)));
        (void)ring.latest<std::uint32_t>();
    }
    EXPECT_EQ(ring.stats().slots, 4U);
    ASSERT_TRUE(poll_until(device(), [&] { return ring.latest<std::uint32_t>().has_value(); }));
    EXPECT_TRUE(std::ranges::equal(ring.latest<std::uint32_t>()->span(), right));
}

TEST_F(FiveErrors, E1_ARingMadeInTheLoopGivesNothingAndSaysWhatBecameOfItsReads) {
    for (int frame = 0; frame < 10; ++frame) {
        auto ring = must(ReadbackRing::create(device(), {.size_bytes = 16}));
        auto commands = device().record();
        (void)ring.record(commands, work);
        must(device().submit(std::move(commands)));
        ring.close();
        EXPECT_EQ(ring.stats().cancelled + ring.stats().delivered, 1U);
        EXPECT_EQ(ring.diagnose().health, RingHealth::closed);
    }
}

TEST_F(FiveErrors, E2_WaitingInTheFrameIsCountedAndNamedByTheRing) {
    const SlowJob job(device(), 30ms);
    auto ring = must(ReadbackRing::create(device(), {.size_bytes = 4}));
    auto frame = [&](bool waits) {
        auto commands = device().record();
        job.record(commands);
        (void)ring.record(commands, job.result());
        auto waited = commands.read<std::uint32_t>(job.result());
        must(device().submit(std::move(commands)));
        if (waits) {
            EXPECT_EQ(must(waited.wait(patience)), std::vector<std::uint32_t>{7});
        }
        (void)ring.latest<std::uint32_t>();
    };
    for (int turn = 0; turn < 4; ++turn) frame(false);
    EXPECT_EQ(ring.stats().waits_in_frame, 0U);
    EXPECT_NE(ring.diagnose().health, RingHealth::waits_in_frame);
    for (int turn = 0; turn < 4; ++turn) frame(true);
    EXPECT_EQ(ring.stats().waits_in_frame, 4U);
    EXPECT_EQ(ring.diagnose().health, RingHealth::waits_in_frame);
}

TEST_F(FiveErrors, E3_AMapBeforeTheSubmitNeverSeesOldBytes) {
    Buffer staging = make_buffer(device(), 16, staging_uses, "staging");
    auto commands = device().record("frame");
    dispatch(commands);
    commands.copy(work, staging);
    auto map = staging.map_read();
    EXPECT_TRUE(refused(map.wait(patience),
                        {{Errc::not_submitted, Errc::wrong_state}, {}, {"staging", "submit"}}));
    map = {};
    ASSERT_TRUE(ok(device().submit(std::move(commands)))) << "and the frame's work is not lost";
    auto mapping = must(staging.map_read().wait(patience));
    EXPECT_EQ(must(must(mapping.as<std::uint32_t>()).copy()), right);
}

TEST_F(FiveErrors, E3_ASubmitThatUsesABufferWhoseMapIsPendingIsRefusedWithTheOrder) {
    Buffer staging = make_buffer(device(), 16, staging_uses, "staging");
    auto map = staging.map_read();
    auto commands = device().record("frame");
    commands.copy(work, staging);
    const auto sent = device().submit(std::move(commands));
    EXPECT_TRUE(refused(sent, wrong_state("S-02", {"staging", "five_errors_test.cpp"})));
    EXPECT_TRUE(names(sent.error(), "pending") || names(sent.error(), "mapped"));
}

TEST_F(FiveErrors, E3_ARingMapsAtTheSubmitAndNowhereElse) {
    auto ring = must(ReadbackRing::create(device(), {.size_bytes = 16}));
    auto commands = device().record();
    dispatch(commands);
    EXPECT_EQ(ring.record(commands, work), RingRecord::recorded);
    for (int look = 0; look < 20; ++look) EXPECT_FALSE(ring.latest<std::uint32_t>());
    must(device().submit(std::move(commands)));
    ASSERT_TRUE(poll_until(device(), [&] { return ring.version() == 1; }));
    EXPECT_TRUE(std::ranges::equal(ring.latest<std::uint32_t>()->span(), right));
}

TEST_F(FiveErrors, E4_E5_AViewSaysThatItIsDetachedInsteadOfBeingEmpty) {
    Buffer staging = make_filled(device(), right, staging_uses, "staging");
    auto mapping = must(staging.map_read().wait(patience));
    auto view = must(mapping.as<std::uint32_t>());
    EXPECT_EQ(view.size(), 4U);
    must(mapping.unmap());                                                    // (4)
    EXPECT_TRUE(refused(view.copy(), wrong_state({}, {"unmap was called"}))); // (5)
    EXPECT_TRUE(refused(view.at(0), wrong_state()));
    EXPECT_TRUE(refused(view.span(), wrong_state()));
    EXPECT_EQ(view.size(), 0U);
}

TEST_F(FiveErrors, E4_E5_AResultOfARingIsACopyAndALeaseUnmapsWhenItIsDropped) {
    auto ring = must(ReadbackRing::create(device(), {.size_bytes = 16, .slots = 2}));
    auto commands = device().record();
    dispatch(commands);
    (void)ring.record(commands, work, 1);
    must(device().submit(std::move(commands)));
    const auto kept = next<std::uint32_t>(device(), ring);
    for (int turn = 0; turn < 8; ++turn) { // its slot is used again
        must(device().write(work, std::vector<std::uint32_t>(4, 99)));
        read_once(device(), ring, work, 2);
        (void)ring.latest<std::uint32_t>();
    }
    EXPECT_TRUE(std::ranges::equal(kept.span(), right));
    read_once(device(), ring, work, 3);
    auto lease = next_mapped(device(), ring);
    const MappedReadback owner(std::move(lease));
    EXPECT_TRUE(refused(lease.bytes(), invalid({}, {"empty"}))); // NOLINT: moved from
    EXPECT_EQ(must(owner.bytes()).size(), 16U);
}

} // namespace
} // namespace ferry::test
