// SPDX-License-Identifier: MIT
// Virtual time and the order of maps.
#include <algorithm>
#include <numeric>

#include "fake_fixture.hpp"

namespace fake_tests {
namespace {

class VirtualTime : public FakeTest {
protected:
    // Maps `count` buffers and pumps `pumps` times; the order in which they were delivered.
    std::vector<int> delivered(int count, int pumps = 1) {
        order.clear();
        std::vector<std::pair<VirtualTime*, int>> tags;
        for (int i = 0; i < count; ++i) tags.emplace_back(this, i);
        std::vector<Buffer> buffers;
        for (int i = 0; i < count; ++i) {
            buffers.emplace_back(make_buffer(4, read_usage));
            wgpuBufferMapAsync(buffers.back(), WGPUMapMode_Read, 0, 4,
                               {nullptr, in_pumps,
                                [](WGPUMapAsyncStatus status, WGPUStringView, void* tag, void*) {
                                    auto* const pair =
                                        static_cast<std::pair<VirtualTime*, int>*>(tag);
                                    if (status == WGPUMapAsyncStatus_Success)
                                        pair->first->order.push_back(pair->second);
                                },
                                &tags[static_cast<std::size_t>(i)], nullptr});
        }
        for (int i = 0; i < pumps; ++i) pump();
        const std::vector<int> result = order;
        buffers.clear();
        // The aborted ones come by the same order, perhaps one per pump.
        for (int i = 0; i < count; ++i) pump();
        return result;
    }
    std::vector<int> order;
};

TEST_F(VirtualTime, NothingHappensOnItsOwn) {
    fake.set_map_latency(1ns);
    EXPECT_EQ(delivered(1, 100), std::vector<int>());
    EXPECT_EQ(fake.now(), 0ns);
}

TEST_F(VirtualTime, APumpStepMovesTheClock) {
    fake.set_map_latency(5us);
    fake.set_pump_step(1us);
    EXPECT_EQ(delivered(1, 4).size(), 0U);
    EXPECT_EQ(delivered(1, 5).size(), 1U);
}

TEST_F(VirtualTime, MapsComeInTheScriptedOrder) {
    EXPECT_EQ(delivered(4), std::vector({0, 1, 2, 3}));
    fake.set_map_order(FERRY_FAKE_MAPS_REVERSED);
    EXPECT_EQ(delivered(4), std::vector({3, 2, 1, 0}));
    fake.set_map_order(FERRY_FAKE_MAPS_ONE_PER_PUMP);
    EXPECT_EQ(delivered(4, 2), std::vector({0, 1}));
    fake.set_map_order(FERRY_FAKE_MAPS_SHUFFLED, 7);
    const std::vector<int> shuffled = delivered(16);
    fake.set_map_order(FERRY_FAKE_MAPS_SHUFFLED, 7);
    EXPECT_EQ(delivered(16), shuffled) << "the same seed, the same order";
    std::vector<int> sorted(16);
    std::iota(sorted.begin(), sorted.end(), 0);
    EXPECT_NE(shuffled, sorted);
    EXPECT_TRUE(std::is_permutation(shuffled.begin(), shuffled.end(), sorted.begin()));
}

TEST_F(VirtualTime, AllAtOnceHoldsMapsUntilTheLastIsReady) {
    fake.set_map_order(FERRY_FAKE_MAPS_ALL_AT_ONCE);
    fake.script("wgpuBufferMapAsync", {.nth = 2, .action = FERRY_FAKE_LATE, .delay = 10us});
    const Buffer a = make_buffer(4, read_usage);
    const Buffer b = make_buffer(4, read_usage);
    Outcome first, second;
    wgpuBufferMapAsync(a, WGPUMapMode_Read, 0, 4, map_info(first));
    wgpuBufferMapAsync(b, WGPUMapMode_Read, 0, 4, map_info(second));
    pump();
    EXPECT_EQ(first.calls, 0);
    fake.advance(10us);
    pump();
    EXPECT_EQ(first.calls + second.calls, 2);
}

TEST_F(VirtualTime, SubmissionsQueueUpBehindEachOther) {
    fake.set_submission_time(10us);
    wgpuQueueSubmit(queue, 0, nullptr);
    wgpuQueueSubmit(queue, 0, nullptr);
    EXPECT_EQ(fake.pending_operations(), 2U);
    Outcome done;
    wgpuQueueOnSubmittedWorkDone(queue, done_info(done));
    fake.advance(19us);
    pump();
    EXPECT_EQ(done.calls, 0);
    EXPECT_EQ(fake.pending_operations(), 1U);
    fake.advance(1us);
    pump();
    EXPECT_EQ(done.calls, 1);
}

TEST_F(VirtualTime, AHangingSubmissionNeverEnds) {
    fake.hang_submissions();
    wgpuQueueSubmit(queue, 0, nullptr);
    Outcome done;
    wgpuQueueOnSubmittedWorkDone(queue, done_info(done));
    fake.advance(std::chrono::hours(1));
    pump();
    EXPECT_EQ(done.calls, 0);
    fake.lose_devices();
    pump();
    EXPECT_EQ(done.status, WGPUQueueWorkDoneStatus_Success) << "also after loss";
}

} // namespace
} // namespace fake_tests
