// SPDX-License-Identifier: MIT
// Lost devices, lowered limits, and requests of devices.
#include "fake_fixture.hpp"

namespace fake_tests {
namespace {

class Loss : public FakeTest {};

TEST_F(Loss, LossAbortsPendingMapsOnceAndKeepsMappedOnes) {
    const Buffer pending = make_buffer(16, read_usage);
    const Buffer mapped = make_buffer(16, read_usage);
    map(mapped, WGPUMapMode_Read, 0, 16);
    Outcome outcome;
    wgpuBufferMapAsync(pending, WGPUMapMode_Read, 0, 16, map_info(outcome));
    fake.lose_devices();
    EXPECT_EQ(wgpuBufferGetMapState(pending), WGPUBufferMapState_Unmapped);
    pump();
    pump();
    EXPECT_EQ(outcome.calls, 1);
    EXPECT_EQ(outcome.status, WGPUMapAsyncStatus_Aborted);
    EXPECT_NE(wgpuBufferGetConstMappedRange(mapped, 0, 16), nullptr);
    EXPECT_EQ(lost.calls, 1);
    EXPECT_TRUE(lost_had_device);
}

TEST_F(Loss, DestroyAlsoEndsMappings) {
    const Buffer mapped = make_buffer(16, copy_usage, true);
    wgpuDeviceDestroy(device);
    EXPECT_EQ(wgpuBufferGetMappedRange(mapped, 0, 16), nullptr);
    pump();
    EXPECT_EQ(lost.status, WGPUDeviceLostReason_Destroyed);
}

TEST_F(Loss, ALostDeviceIsSilentAndEverythingStillAnswers) {
    const Buffer before = make_buffer(16, read_usage);
    fake.lose_devices();
    EXPECT_TRUE(is_valid([&] {
        Buffer const buffer = make_buffer(16, 3);
        EXPECT_NE(static_cast<WGPUBuffer>(buffer), nullptr);
        Buffer const mapped = make_buffer(16, copy_usage, true);
        EXPECT_NE(wgpuBufferGetMappedRange(mapped, 0, 16), nullptr);
        wgpuBufferUnmap(mapped);
        run([&](WGPUCommandEncoder encoder) {
            wgpuCommandEncoderClearBuffer(encoder, before, 0, 16);
        });
        write(before, Bytes(16, 1));
        EXPECT_EQ(map(before, WGPUMapMode_Read, 0, 16), WGPUMapAsyncStatus_Aborted);
    }));
    Outcome done;
    wgpuQueueOnSubmittedWorkDone(queue, done_info(done));
    pump();
    EXPECT_EQ(done.status, WGPUQueueWorkDoneStatus_Success);
    EXPECT_TRUE(uncaptured.empty());
}

TEST_F(Loss, WorkThatWasNotDoneIsDropped) {
    const Buffer source = make_buffer(4, copy_usage);
    const Buffer target = make_buffer(4, read_usage);
    write(source, Bytes(4, 5));
    fake.set_submission_time(10us);
    run([&](WGPUCommandEncoder encoder) {
        wgpuCommandEncoderCopyBufferToBuffer(encoder, source, 0, target, 0, 4);
    });
    Outcome outcome;
    fake.script("wgpuBufferMapAsync", {.action = FERRY_FAKE_SUCCESS_AFTER_LOSS});
    wgpuBufferMapAsync(target, WGPUMapMode_Read, 0, 4, map_info(outcome));
    fake.lose_devices();
    pump();
    ASSERT_EQ(outcome.status, WGPUMapAsyncStatus_Success);
    EXPECT_EQ(std::memcmp(wgpuBufferGetConstMappedRange(target, 0, 4), "\0\0\0\0", 4), 0)
        << "success is not data";
}

TEST_F(Loss, ReleasingTheDeviceDestroysItAndTellsWithoutADevice) {
    const Buffer buffer = make_buffer(16, read_usage);
    Outcome outcome;
    wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, 16, map_info(outcome));
    device.reset();
    pump();
    EXPECT_EQ(outcome.status, WGPUMapAsyncStatus_Aborted);
    EXPECT_EQ(lost.status, WGPUDeviceLostReason_Destroyed);
    EXPECT_FALSE(lost_had_device);
}

TEST_F(Loss, TheLostFutureCompletes) {
    WGPUFutureWaitInfo wait{wgpuDeviceGetLostFuture(device), 0};
    EXPECT_EQ(wgpuInstanceWaitAny(instance, 1, &wait, 0), WGPUWaitStatus_TimedOut);
    fake.lose_devices();
    EXPECT_EQ(wgpuInstanceWaitAny(instance, 1, &wait, 0), WGPUWaitStatus_Success);
    EXPECT_EQ(lost.calls, 1);
}

TEST_F(Loss, AnAdapterMakesOneDevice) {
    EXPECT_EQ(request_device(WGPU_DEVICE_DESCRIPTOR_INIT), nullptr);
    EXPECT_EQ(lost.calls, 0) << "the refused device had no callback";
}

TEST_F(Loss, MoreThanTheDefaultsIsGivenOnlyWhenAskedFor) {
    WGPULimits limits = WGPU_LIMITS_INIT;
    wgpuDeviceGetLimits(device, &limits);
    EXPECT_EQ(limits.maxBufferSize, 268'435'456U);
    close();
    WGPULimits wish = WGPU_LIMITS_INIT;
    wish.maxBufferSize = std::uint64_t{1} << 30;
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.requiredLimits = &wish;
    open(descriptor);
    wgpuDeviceGetLimits(device, &limits);
    EXPECT_EQ(limits.maxBufferSize, std::uint64_t{1} << 30);
    EXPECT_TRUE(is_valid([&] { Buffer(make_buffer(std::uint64_t{1} << 29, copy_usage)); }));
    close();
    wish.maxBufferSize = std::uint64_t{1} << 40;
    open(descriptor);
    EXPECT_EQ(static_cast<WGPUDevice>(device), nullptr);
}

TEST_F(Loss, LimitsCanBeLoweredBelowTheDefaults) {
    close();
    WGPULimits low = WGPU_LIMITS_INIT;
    low.maxBufferSize = 1024;
    fake.set_limits(low);
    open();
    EXPECT_TRUE(is_valid([&] { Buffer(make_buffer(1024, copy_usage)); }));
    EXPECT_FALSE(is_valid([&] { Buffer(make_buffer(1028, copy_usage)); }));
}

} // namespace
} // namespace fake_tests
