// SPDX-License-Identifier: MIT
// While the GPU is at work: what a pending map, read or done() means for everything else.
#include "mapping_fixture.hpp"
#include "slow_job.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;

/// A buffer whose map stays pending for a while, since a slow job writes to it first.
class WhilePending : public MappingTest {
protected:
    void SetUp() override {
        target_ = make_buffer(device(), 4, readable, "target");
        // On a machine that is busy elsewhere a short job may be over before the map is asked for.
        for (auto time : {200ms, 1000ms, 5000ms}) {
            map_ = {};
            job_.emplace(device(), time);
            start_job();
            map_ = target_.map_read();
            if (!map_.ready()) break;
        }
        ASSERT_EQ(target_.map_state(), MapState::pending);
    }

    void start_job() {
        auto commands = device().record("slow");
        job_->record(commands);
        commands.copy(job_->result(), target_);
        must(device().submit(std::move(commands)));
    }

    void expect_the_map_succeeds() {
        auto mapping = must(map_.wait(patience));
        EXPECT_EQ(must(must(mapping.as<std::uint32_t>()).copy()), std::vector<std::uint32_t>{7});
    }

    std::optional<SlowJob> job_;
    Buffer target_;
    Ticket<ReadMapping> map_;
};

TEST_F(WhilePending, M01_ASecondMapIsRefusedAsPendingAndTheFirstStillSucceeds) {
    EXPECT_TRUE(
        refused(target_.map_read().wait(patience), wrong_state("M-01", {"target", "pending"})));
    expect_the_map_succeeds();
}

TEST_F(WhilePending, W07_AWriteIsRefusedAsPending) {
    EXPECT_TRUE(
        refused(device().write(target_, pattern(4)), wrong_state("W-07", {"target", "pending"})));
    expect_the_map_succeeds();
}

TEST_F(WhilePending, A13_S02_ASubmitIsRefusedAsPendingAndNothingRuns) {
    auto commands = device().record("wrong order");
    commands.clear(target_);
    auto sent = device().submit(std::move(commands));
    EXPECT_TRUE(refused(sent, wrong_state("S-02", {"target", "pending"})));
    expect_the_map_succeeds();
}

TEST_F(WhilePending, M12_UnmapCancelsAtOnceAndTheBufferIsMappedAnew) {
    EXPECT_TRUE(ok(target_.unmap()));
    EXPECT_EQ(target_.map_state(), MapState::unmapped);
    EXPECT_TRUE(map_.ready());
    EXPECT_TRUE(refused(map_.wait(patience), {{Errc::cancelled}}));
    map_ = target_.map_read();
    expect_the_map_succeeds();
}

TEST_F(WhilePending, M12_DestroyCancelsAtOnce) {
    target_.destroy();
    EXPECT_TRUE(map_.ready());
    EXPECT_TRUE(refused(map_.wait(patience), {{Errc::cancelled}}));
    EXPECT_EQ(target_.map_state(), MapState::destroyed);
}

TEST_F(WhilePending, CancelOfTheTicketGivesTheBufferBack) {
    map_.cancel();
    EXPECT_TRUE(refused(map_.wait(patience), {{Errc::cancelled}}));
    EXPECT_TRUE(poll_until(device(), [&] { return target_.map_state() == MapState::unmapped; }));
    map_ = target_.map_read();
    expect_the_map_succeeds();
}

TEST_F(WhilePending, DroppingTheTicketAndTheBufferIsQuiet) {
    map_ = {};
    target_ = {};
    job_.reset();
}

TEST_F(WhilePending, AShortWaitTimesOutAndLeavesTheMapPending) {
    EXPECT_TRUE(refused(map_.wait(0ms), {{Errc::timeout}}));
    EXPECT_TRUE(refused(map_.wait(1ms), {{Errc::timeout}}));
    EXPECT_EQ(target_.map_state(), MapState::pending);
    expect_the_map_succeeds();
}

TEST_F(WhilePending, U02_DestroyOfASourceInUseLetsSubmittedWorkComplete) {
    Buffer source = make_filled(device(), pattern(16));
    auto read = device().read<std::byte>(source);
    source.destroy();
    EXPECT_EQ(must(read.wait(patience)), pattern(16));
    expect_the_map_succeeds();
}

TEST_F(WhilePending, Q05_DoneIsNotReadyBeforeTheJob) {
    auto done = device().done();
    EXPECT_FALSE(done.ready());
    EXPECT_TRUE(refused(done.wait(0ms), {{Errc::timeout}}));
    expect_the_map_succeeds();
    EXPECT_TRUE(ok(done.wait(patience)));
}

TEST_F(WhilePending, ACancelledReadEndsAsCancelledAndOthersArrive) {
    auto commands = device().record();
    const Buffer buffer = make_filled(device(), pattern(16));
    auto given_up = commands.read<std::byte>(buffer);
    auto kept = commands.read<std::byte>(buffer);
    must(device().submit(std::move(commands)));
    const bool was_there = given_up.ready(); // lavapipe may wait for the job inside the submit
    given_up.cancel();
    EXPECT_TRUE(given_up.ready());
    if (!was_there) {
        EXPECT_TRUE(refused(given_up.wait(patience), {{Errc::cancelled}}));
    }
    EXPECT_EQ(must(kept.wait(patience)), pattern(16));
    expect_the_map_succeeds();
}

TEST_F(WhilePending, MakingRecordingAndWritingElsewhereDoNotWait) {
    // Submitting is left out: lavapipe keeps a second submission waiting inside the call.
    for (int turn = 0; turn < 10; ++turn) {
        const Buffer other = make_filled(device(), pattern(16));
        ASSERT_TRUE(ok(device().write(other, pattern(16))));
        auto commands = device().record();
        commands.clear(other);
        auto ticket = commands.read<std::byte>(other);
        device().poll();
        ASSERT_FALSE(ticket.ready());
    }
    EXPECT_EQ(target_.map_state(), MapState::pending) << "none of it waited for the job";
    expect_the_map_succeeds();
}

TEST(ClosePending, EndsEveryTicketAsCancelledExactlyOnce) {
    Device device = open_device();
    const SlowJob job(device, 200ms);
    Buffer target = make_buffer(device, 4, Usage::map_read | Usage::copy_dst);
    auto commands = device.record();
    job.record(commands);
    commands.copy(job.result(), target);
    auto read = commands.read<std::uint32_t>(job.result());
    must(device.submit(std::move(commands)));
    auto map = target.map_read();
    auto done = device.done();
    device.close();
    device.close();
    EXPECT_TRUE(refused(read.wait(patience), {{Errc::cancelled}}));
    EXPECT_TRUE(refused(map.wait(patience), {{Errc::cancelled}}));
    EXPECT_TRUE(refused(done.wait(patience), {{Errc::cancelled}}));
    for (int turn = 0; turn < 100; ++turn) device.poll();
    EXPECT_FALSE(read || map || done);
    EXPECT_TRUE(refused(read.wait(patience), wrong_state()));
    EXPECT_EQ(target.map_state(), MapState::lost);
}

TEST(ClosePending, DroppingEverythingWhileTheGpuWorksIsQuiet) {
    Device device = open_device();
    std::optional<SlowJob> job(std::in_place, device, 200ms);
    auto commands = device.record();
    job->record(commands);
    auto read = commands.read<std::uint32_t>(job->result());
    must(device.submit(std::move(commands)));
    job.reset();
    device = {};
    read = {};
}

} // namespace
} // namespace ferry::test
