// SPDX-License-Identifier: MIT
// rules 1.7, 2.1 and section 4
#include "fake_fixture.hpp"

namespace fake_tests {
namespace {

class QueueOrder : public FakeTest {
protected:
    Commands copy(WGPUBuffer from, WGPUBuffer to, std::uint64_t size = 4) {
        const Encoder encoder = wgpuDeviceCreateCommandEncoder(device, nullptr);
        wgpuCommandEncoderCopyBufferToBuffer(encoder, from, 0, to, 0, size);
        return wgpuCommandEncoderFinish(encoder, nullptr);
    }
    bool submits(const Commands& commands) {
        return is_valid([&] { submit(commands); });
    }
};

TEST_F(QueueOrder, WriteBufferChecksRangeAlignmentUsageAndState) {
    const Buffer buffer = make_buffer(16, copy_usage);
    const Buffer mappable = make_buffer(16, read_usage);
    const Buffer no_dst = make_buffer(16, WGPUBufferUsage_CopySrc);
    const Bytes bytes(20);
    const auto writes = [&](WGPUBuffer target, std::uint64_t offset, std::size_t size) {
        return is_valid([&] { wgpuQueueWriteBuffer(queue, target, offset, bytes.data(), size); });
    };
    EXPECT_TRUE(writes(buffer, 0, 16));
    EXPECT_TRUE(writes(buffer, 12, 4));
    EXPECT_TRUE(writes(buffer, 16, 0));
    EXPECT_FALSE(writes(buffer, 20, 0));
    EXPECT_FALSE(writes(buffer, 2, 4));
    EXPECT_FALSE(writes(buffer, 0, 6));
    EXPECT_FALSE(writes(buffer, 0, 20));
    EXPECT_FALSE(writes(buffer, UINT64_MAX - 3, 4));
    EXPECT_FALSE(writes(no_dst, 0, 4));
    Outcome outcome;
    wgpuBufferMapAsync(mappable, WGPUMapMode_Read, 0, 16, map_info(outcome));
    EXPECT_FALSE(writes(mappable, 0, 4)) << "pending";
    pump();
    EXPECT_FALSE(writes(mappable, 0, 4)) << "mapped";
    wgpuBufferUnmap(mappable);
    EXPECT_TRUE(writes(mappable, 0, 4));
    wgpuBufferDestroy(mappable);
    EXPECT_FALSE(writes(mappable, 0, 4)) << "destroyed";
}

TEST_F(QueueOrder, WriteBufferTakesTheBytesBeforeItReturns) {
    const Buffer buffer = make_buffer(4, copy_usage);
    Bytes bytes = {1, 2, 3, 4};
    write(buffer, bytes);
    bytes = {9, 9, 9, 9};
    EXPECT_EQ(read(buffer), Bytes({1, 2, 3, 4}));
}

TEST_F(QueueOrder, AWriteAfterRecordingAndBeforeSubmitIsSeenByTheCommands) {
    const Buffer source = make_buffer(4, copy_usage);
    const Buffer target = make_buffer(4, copy_usage);
    write(source, {1, 1, 1, 1});
    const Commands commands = copy(source, target);
    write(source, {9, 9, 9, 9});
    submit(commands);
    EXPECT_EQ(read(target), Bytes(4, 9));
}

TEST_F(QueueOrder, WritesBetweenSubmitsKeepTheirOrderAlsoWhenTheGpuIsSlow) {
    fake.set_submission_time(5us);
    const Buffer source = make_buffer(4, copy_usage);
    const Buffer first = make_buffer(4, copy_usage);
    const Buffer second = make_buffer(4, copy_usage);
    write(source, Bytes(4, 1));
    submit(copy(source, first));
    write(source, Bytes(4, 2));
    submit(copy(source, second));
    fake.advance(10us);
    fake.set_submission_time(0us);
    EXPECT_EQ(read(first), Bytes(4, 1));
    EXPECT_EQ(read(second), Bytes(4, 2));
}

TEST_F(QueueOrder, RecordingIgnoresTheMapStateAndSubmitDoesNot) {
    const Buffer source = make_buffer(4, copy_usage);
    const Buffer target = make_buffer(4, read_usage);
    const Commands pending = copy(source, target);
    Outcome outcome;
    wgpuBufferMapAsync(target, WGPUMapMode_Read, 0, 4, map_info(outcome));
    EXPECT_FALSE(submits(pending));
    pump();
    const Commands mapped = copy(source, target);
    EXPECT_FALSE(submits(mapped));
    const Commands later = copy(source, target);
    wgpuBufferUnmap(target);
    EXPECT_TRUE(submits(later));
    wgpuBufferDestroy(target);
    EXPECT_FALSE(submits(copy(source, target)));
}

TEST_F(QueueOrder, ABufferMappedAtCreationCannotBeSubmitted) {
    const Buffer source = make_buffer(4, copy_usage, true);
    const Buffer target = make_buffer(4, copy_usage);
    EXPECT_FALSE(submits(copy(source, target)));
}

TEST_F(QueueOrder, AFailedSubmitRunsNothingAndUsesAllCommandBuffersUp) {
    const Buffer source = make_buffer(4, copy_usage);
    const Buffer target = make_buffer(4, copy_usage);
    const Buffer mapped = make_buffer(4, copy_usage, true);
    write(source, Bytes(4, 3));
    const Commands good = copy(source, target);
    const Commands bad = copy(source, mapped);
    const WGPUCommandBuffer both[] = {good, bad};
    EXPECT_FALSE(is_valid([&] { wgpuQueueSubmit(queue, 2, both); }));
    EXPECT_EQ(read(target), Bytes(4, 0));
    EXPECT_FALSE(submits(good));
}

TEST_F(QueueOrder, ACommandBufferIsSubmittedOnce) {
    const Buffer source = make_buffer(4, copy_usage);
    const Buffer target = make_buffer(4, copy_usage);
    const Commands commands = copy(source, target);
    EXPECT_TRUE(submits(commands));
    EXPECT_FALSE(submits(commands));
    const Commands twice = copy(source, target);
    const WGPUCommandBuffer both[] = {twice, twice};
    EXPECT_FALSE(is_valid([&] { wgpuQueueSubmit(queue, 2, both); }));
}

TEST_F(QueueOrder, DestroyAndReleaseAfterSubmitLetTheWorkComplete) {
    fake.set_submission_time(5us);
    Buffer source = make_buffer(4, copy_usage);
    const Buffer target = make_buffer(4, copy_usage);
    write(source, Bytes(4, 8));
    submit(copy(source, target));
    wgpuBufferDestroy(source);
    source.reset();
    fake.advance(5us);
    fake.set_submission_time(0us);
    EXPECT_EQ(read(target), Bytes(4, 8));
}

TEST_F(QueueOrder, WorkDoneSettlesAfterTheWorkAndInCallOrder) {
    const Buffer source = make_buffer(4, copy_usage);
    const Buffer target = make_buffer(4, copy_usage);
    Outcome before, after;
    fake.set_submission_time(5us);
    wgpuQueueOnSubmittedWorkDone(queue, done_info(before));
    submit(copy(source, target));
    wgpuQueueOnSubmittedWorkDone(queue, done_info(after));
    pump();
    EXPECT_EQ(before.status, WGPUQueueWorkDoneStatus_Success);
    EXPECT_EQ(after.calls, 0);
    fake.advance(5us);
    pump();
    EXPECT_EQ(after.status, WGPUQueueWorkDoneStatus_Success);
}

TEST_F(QueueOrder, AMapBeforeAWorkDoneCallSettlesBeforeIt) {
    fake.set_map_latency(10us);
    const Buffer buffer = make_buffer(4, read_usage);
    Outcome mapped, done;
    wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, 4, map_info(mapped));
    wgpuQueueOnSubmittedWorkDone(queue, done_info(done));
    pump();
    EXPECT_EQ(done.calls, 0);
    fake.advance(10us);
    pump();
    EXPECT_EQ(mapped.calls + done.calls, 2);
}

TEST_F(QueueOrder, AnEmptySubmitIsLegal) {
    EXPECT_TRUE(is_valid([&] { wgpuQueueSubmit(queue, 0, nullptr); }));
}

} // namespace
} // namespace fake_tests
