// SPDX-License-Identifier: MIT
// Faults by script.
#include "fake_fixture.hpp"

namespace fake_tests {
namespace {

class Faults : public FakeTest {};

TEST_F(Faults, TheNthCallFailsAndItsNeighboursDoNot) {
    fake.script("wgpuDeviceCreateBuffer", {.nth = 2, .times = 2});
    std::string valid;
    for (int i = 0; i < 5; ++i)
        valid += is_valid([&] { Buffer(make_buffer(16, copy_usage)); }) ? 'y' : 'n';
    EXPECT_EQ(valid, "ynnyy");
    EXPECT_EQ(fake.faults_applied(), 2U);
    EXPECT_TRUE(fake.errors().empty()) << "scripted errors are not the program's";
}

TEST_F(Faults, AnUnknownFunctionIsRefused) { EXPECT_FALSE(fake.script("wgpuBufferMap")); }

TEST_F(Faults, ACreationEndsAsErrorObjectOrNull) {
    fake.script("wgpuDeviceCreateBuffer", {.action = FERRY_FAKE_OUT_OF_MEMORY});
    Buffer buffer;
    EXPECT_EQ(error_of([&] { buffer = make_buffer(16, copy_usage); }), WGPUErrorType_OutOfMemory);
    EXPECT_NE(static_cast<WGPUBuffer>(buffer), nullptr);
    EXPECT_FALSE(is_valid([&] { write(buffer, Bytes(4)); })) << "it is an error object";
    fake.script("wgpuDeviceCreateBuffer", {.action = FERRY_FAKE_INTERNAL_ERROR});
    EXPECT_EQ(error_of([&] { Buffer(make_buffer(16, copy_usage)); }), WGPUErrorType_Internal);
    fake.script("wgpuDeviceCreateBuffer", {.action = FERRY_FAKE_NULL});
    EXPECT_TRUE(is_valid([&] { EXPECT_EQ(make_buffer(16, copy_usage, true), nullptr); }));
}

TEST_F(Faults, AMapEndsAsScripted) {
    const Buffer buffer = make_buffer(16, read_usage);
    const auto status_with = [&](FerryFakeAction action) {
        fake.script("wgpuBufferMapAsync", {.action = action});
        int status = 0;
        is_valid([&] { status = map(buffer, WGPUMapMode_Read, 0, 16); });
        wgpuBufferUnmap(buffer);
        return status;
    };
    EXPECT_EQ(status_with(FERRY_FAKE_FAIL), WGPUMapAsyncStatus_Error);
    EXPECT_EQ(status_with(FERRY_FAKE_ABORT), WGPUMapAsyncStatus_Aborted);
    EXPECT_EQ(status_with(FERRY_FAKE_LATE), WGPUMapAsyncStatus_Success) << "by nothing";
    EXPECT_EQ(map(buffer, WGPUMapMode_Read, 0, 16), WGPUMapAsyncStatus_Success);
}

TEST_F(Faults, ACallbackComesTwiceOrNeverOrLate) {
    const Buffer buffer = make_buffer(16, read_usage);
    Outcome twice, late, none;
    fake.script("wgpuBufferMapAsync", {.action = FERRY_FAKE_TWICE});
    wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, 16, map_info(twice));
    pump();
    EXPECT_EQ(twice.calls, 2);
    wgpuBufferUnmap(buffer);
    fake.script("wgpuBufferMapAsync", {.action = FERRY_FAKE_LATE, .delay = 3us});
    wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, 16, map_info(late));
    pump();
    EXPECT_EQ(late.calls, 0);
    fake.advance(3us);
    pump();
    EXPECT_EQ(late.calls, 1);
    wgpuBufferUnmap(buffer);
    fake.script("wgpuBufferMapAsync", {.action = FERRY_FAKE_NEVER_CALLS_BACK});
    wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, 16, map_info(none));
    fake.advance(1h);
    pump();
    EXPECT_EQ(none.calls, 0);
    EXPECT_EQ(fake.pending_callbacks(), 1U);
    instance.reset();
    EXPECT_EQ(none.status, WGPUMapAsyncStatus_CallbackCancelled);
}

TEST_F(Faults, AFailedEncoderCallAppearsAtFinishAndAFailedSubmitRunsNothing) {
    const Buffer a = make_buffer(4, copy_usage);
    const Buffer b = make_buffer(4, copy_usage);
    write(a, Bytes(4, 1));
    const auto copy = [&](WGPUCommandEncoder encoder) {
        wgpuCommandEncoderCopyBufferToBuffer(encoder, a, 0, b, 0, 4);
    };
    fake.script("wgpuCommandEncoderCopyBufferToBuffer");
    EXPECT_FALSE(finishes(copy));
    fake.script("wgpuCommandEncoderFinish");
    EXPECT_FALSE(finishes(copy));
    fake.script("wgpuQueueSubmit");
    EXPECT_FALSE(is_valid([&] { run(copy); }));
    EXPECT_EQ(read(b), Bytes(4, 0));
}

TEST_F(Faults, ARangeIsRefusedByScript) {
    const Buffer buffer = make_buffer(16, copy_usage, true);
    fake.script("wgpuBufferGetMappedRange");
    EXPECT_EQ(wgpuBufferGetMappedRange(buffer, 0, 16), nullptr);
    EXPECT_NE(wgpuBufferGetMappedRange(buffer, 0, 16), nullptr);
}

TEST_F(Faults, WorkDoneAndScopesCanFail) {
    Outcome done;
    fake.script("wgpuQueueOnSubmittedWorkDone");
    wgpuQueueOnSubmittedWorkDone(queue, done_info(done));
    pump();
    EXPECT_EQ(done.status, WGPUQueueWorkDoneStatus_Error);
}

TEST_F(Faults, AdapterDeviceAndInstanceCanBeRefused) {
    fake.script("wgpuAdapterRequestDevice");
    Adapter second = request_adapter();
    std::swap(adapter, second);
    EXPECT_EQ(request_device(WGPU_DEVICE_DESCRIPTOR_INIT), nullptr);
    fake.script("wgpuInstanceRequestAdapter");
    EXPECT_EQ(request_adapter(), nullptr);
    ferry_fake::Fake other;
    other.script("wgpuCreateInstance");
    other.use_for_next_instance();
    EXPECT_EQ(wgpuCreateInstance(nullptr), nullptr);
}

TEST_F(Faults, AFaultWithoutAFunctionCountsEveryCall) {
    std::uint64_t const before = fake.calls();
    fake.script("", {.nth = 3});
    const Buffer a = make_buffer(16, copy_usage);
    const Buffer b = make_buffer(16, copy_usage);
    Buffer c;
    EXPECT_TRUE(uncaptured.empty());
    c = make_buffer(16, copy_usage);
    EXPECT_EQ(uncaptured.size(), 1U);
    EXPECT_EQ(fake.calls() - before, 3U);
}

TEST_F(Faults, TheDeviceIsLostBeforeDuringOrAfterACall) {
    const auto lost_by = [&](FerryFakeAction action) {
        close();
        lost = {};
        open();
        Buffer const buffer = make_buffer(16, read_usage);
        Outcome outcome;
        fake.script("wgpuBufferMapAsync", {.action = action});
        wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, 16, map_info(outcome));
        pump();
        EXPECT_EQ(lost.calls, 1);
        EXPECT_EQ(lost.status, WGPUDeviceLostReason_Unknown);
        EXPECT_EQ(outcome.calls, 1);
        return outcome.status;
    };
    EXPECT_EQ(lost_by(FERRY_FAKE_LOSE_BEFORE), WGPUMapAsyncStatus_Aborted);
    EXPECT_EQ(lost_by(FERRY_FAKE_LOSE_DURING), WGPUMapAsyncStatus_Aborted);
    EXPECT_EQ(lost_by(FERRY_FAKE_LOSE_AFTER), WGPUMapAsyncStatus_Aborted);
}

TEST_F(Faults, SuccessAfterLossIsWhatSomeEnginesDo) {
    const Buffer buffer = make_buffer(16, read_usage);
    Outcome outcome;
    fake.script("wgpuBufferMapAsync", {.action = FERRY_FAKE_SUCCESS_AFTER_LOSS});
    wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, 16, map_info(outcome));
    fake.lose_devices();
    pump();
    EXPECT_EQ(outcome.status, WGPUMapAsyncStatus_Success);
    EXPECT_NE(wgpuBufferGetConstMappedRange(buffer, 0, 16), nullptr);
}

} // namespace
} // namespace fake_tests
