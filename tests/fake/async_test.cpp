// SPDX-License-Identifier: MIT
// rules 1.8: callback modes, futures, waits, and error scopes
#include "fake_fixture.hpp"

namespace fake_tests {
namespace {

class Async : public FakeTest {
protected:
    void SetUp() override {
        FakeTest::SetUp();
        buffer = make_buffer(16, read_usage);
    }
    void TearDown() override {
        buffer.reset();
        FakeTest::TearDown();
    }
    WGPUFuture map_with(Outcome& outcome, WGPUCallbackMode mode) {
        return wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, 16, map_info(outcome, mode));
    }
    Buffer buffer;
};

TEST_F(Async, AWaitAnyOnlyCallbackComesInWaitAnyAlone) {
    Outcome outcome;
    WGPUFutureWaitInfo wait{map_with(outcome, WGPUCallbackMode_WaitAnyOnly), 0};
    pump();
    EXPECT_EQ(outcome.calls, 0);
    EXPECT_EQ(wgpuInstanceWaitAny(instance, 1, &wait, 0), WGPUWaitStatus_Success);
    EXPECT_TRUE(wait.completed);
    EXPECT_EQ(outcome.calls, 1);
    wait.completed = 0;
    EXPECT_EQ(wgpuInstanceWaitAny(instance, 1, &wait, 0), WGPUWaitStatus_Success)
        << "a completed future stays completed";
    EXPECT_EQ(outcome.calls, 1);
}

TEST_F(Async, WaitAnyDeliversOnlyItsFutures) {
    const Buffer other = make_buffer(16, read_usage);
    Outcome mine, theirs;
    WGPUFutureWaitInfo wait{map_with(mine, in_pumps), 0};
    wgpuBufferMapAsync(other, WGPUMapMode_Read, 0, 16, map_info(theirs));
    EXPECT_EQ(wgpuInstanceWaitAny(instance, 1, &wait, 0), WGPUWaitStatus_Success);
    EXPECT_EQ(mine.calls, 1);
    EXPECT_EQ(theirs.calls, 0);
    pump();
    EXPECT_EQ(theirs.calls, 1);
}

TEST_F(Async, AWaitOfZeroPollsAndATimedWaitMovesTheClock) {
    fake.set_map_latency(10us);
    Outcome outcome;
    WGPUFutureWaitInfo wait{map_with(outcome, in_pumps), 0};
    EXPECT_EQ(wgpuInstanceWaitAny(instance, 1, &wait, 0), WGPUWaitStatus_TimedOut);
    EXPECT_EQ(wgpuInstanceWaitAny(instance, 1, &wait, 4000), WGPUWaitStatus_TimedOut);
    EXPECT_EQ(fake.now(), 4us);
    EXPECT_EQ(wgpuInstanceWaitAny(instance, 1, &wait, UINT64_MAX), WGPUWaitStatus_Success);
    EXPECT_EQ(fake.now(), 10us);
    EXPECT_EQ(outcome.status, WGPUMapAsyncStatus_Success);
}

TEST_F(Async, ATimedWaitNeedsTheFeature) {
    ferry_fake::Fake other;
    other.use_for_next_instance();
    const Instance plain = wgpuCreateInstance(nullptr);
    EXPECT_EQ(wgpuInstanceWaitAny(plain, 0, nullptr, 1), WGPUWaitStatus_Error);
    EXPECT_EQ(wgpuInstanceWaitAny(plain, 0, nullptr, 0), WGPUWaitStatus_Success);
}

TEST_F(Async, AnUnknownFutureIsMisuse) {
    WGPUFutureWaitInfo wait{{1000}, 0};
    EXPECT_EQ(wgpuInstanceWaitAny(instance, 1, &wait, 0), WGPUWaitStatus_Error);
    EXPECT_EQ(fake.misuses().size(), 1U);
    fake.forget_misuses();
}

TEST_F(Async, AnInvalidModeOrANullCallbackIsMisuseAndNeverCallsBack) {
    Outcome outcome;
    WGPUBufferMapCallbackInfo info = map_info(outcome, static_cast<WGPUCallbackMode>(0));
    EXPECT_EQ(wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, 16, info).id, 0U);
    info.mode = in_pumps;
    info.callback = nullptr;
    EXPECT_EQ(wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, 16, info).id, 0U);
    EXPECT_EQ(fake.misuses().size(), 2U);
    fake.forget_misuses();
}

TEST_F(Async, SpontaneousCallbacksComeInsideOtherCallsWhenTheScriptSaysSo) {
    fake.set_delivery(FERRY_FAKE_DELIVER_SPONTANEOUS);
    Outcome spontaneous;
    map_with(spontaneous, WGPUCallbackMode_AllowSpontaneous);
    EXPECT_EQ(spontaneous.calls, 1) << "inside the map call itself";
    wgpuBufferUnmap(buffer);
    Outcome pumped;
    map_with(pumped, in_pumps);
    wgpuQueueSubmit(queue, 0, nullptr);
    EXPECT_EQ(pumped.calls, 0);
    fake.set_delivery(FERRY_FAKE_DELIVER_ANYWHERE);
    wgpuQueueSubmit(queue, 0, nullptr);
    EXPECT_EQ(pumped.calls, 1);
}

TEST_F(Async, TheEndOfTheInstanceCancelsWhatIsPending) {
    Outcome mapped, done;
    map_with(mapped, WGPUCallbackMode_WaitAnyOnly);
    wgpuQueueOnSubmittedWorkDone(queue, done_info(done));
    instance.reset();
    EXPECT_EQ(mapped.status, WGPUMapAsyncStatus_CallbackCancelled);
    EXPECT_EQ(done.status, WGPUQueueWorkDoneStatus_CallbackCancelled);
    EXPECT_EQ(lost.status, WGPUDeviceLostReason_CallbackCancelled);
    EXPECT_EQ(wgpuBufferGetMapState(buffer), WGPUBufferMapState_Unmapped);
    Outcome late;
    map_with(late, in_pumps);
    EXPECT_EQ(late.status, WGPUMapAsyncStatus_CallbackCancelled) << "nobody could pump it any more";
}

TEST_F(Async, ACallbackMayUseTheApi) {
    struct Chain {
        WGPUBuffer buffer;
        int left;
        static void next(WGPUMapAsyncStatus, WGPUStringView, void* self, void*) {
            auto& chain = *static_cast<Chain*>(self);
            EXPECT_NE(wgpuBufferGetConstMappedRange(chain.buffer, 0, 16), nullptr);
            wgpuBufferUnmap(chain.buffer);
            if (--chain.left > 0)
                wgpuBufferMapAsync(chain.buffer, WGPUMapMode_Read, 0, 16,
                                   {nullptr, in_pumps, next, self, nullptr});
        }
    } chain{buffer, 100};
    wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, 16,
                       {nullptr, in_pumps, Chain::next, &chain, nullptr});
    for (int i = 0; i < 100; ++i) pump();
    EXPECT_EQ(chain.left, 0);
}

TEST_F(Async, ErrorsGoToTheInnermostFittingScope) {
    std::vector<WGPUErrorType> types;
    const auto pop = [&] {
        wgpuDevicePopErrorScope(
            device, {nullptr, in_pumps,
                     [](WGPUPopErrorScopeStatus, WGPUErrorType type, WGPUStringView, void* out,
                        void*) { static_cast<std::vector<WGPUErrorType>*>(out)->push_back(type); },
                     &types, nullptr});
        pump();
    };
    wgpuDevicePushErrorScope(device, WGPUErrorFilter_Validation);
    wgpuDevicePushErrorScope(device, WGPUErrorFilter_OutOfMemory);
    Buffer(make_buffer(16, 0));
    pop();
    pop();
    EXPECT_EQ(types, std::vector({WGPUErrorType_NoError, WGPUErrorType_Validation}));
    EXPECT_TRUE(uncaptured.empty());
    Buffer(make_buffer(16, 0));
    EXPECT_EQ(uncaptured.size(), 1U) << "no scope is open";
    EXPECT_EQ(fake.errors().size(), 2U);
}

TEST_F(Async, PoppingAnEmptyStackIsAnErrorStatus) {
    Outcome outcome;
    wgpuDevicePopErrorScope(device,
                            {nullptr, in_pumps,
                             [](WGPUPopErrorScopeStatus status, WGPUErrorType, WGPUStringView,
                                void* out, void*) { static_cast<Outcome*>(out)->status = status; },
                             &outcome, nullptr});
    pump();
    EXPECT_EQ(outcome.status, WGPUPopErrorScopeStatus_Error);
}

} // namespace
} // namespace fake_tests
