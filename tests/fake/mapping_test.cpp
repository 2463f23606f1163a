// SPDX-License-Identifier: MIT
// rules 1.2, 1.3, 1.5 and 1.6
#include "fake_fixture.hpp"

namespace fake_tests {
namespace {

constexpr auto success = WGPUMapAsyncStatus_Success;
constexpr auto failed = WGPUMapAsyncStatus_Error;
constexpr auto aborted = WGPUMapAsyncStatus_Aborted;
constexpr auto reading = WGPUMapMode_Read;
constexpr auto writing = WGPUMapMode_Write;

class Mapping : public FakeTest {
protected:
    // A map that is refused: the status is Error, and the device raises a validation error.
    bool refused(WGPUBuffer buffer, WGPUMapMode mode, std::size_t offset, std::size_t size) {
        int status = 0;
        const bool valid = is_valid([&] { status = map(buffer, mode, offset, size); });
        EXPECT_EQ(status == failed, !valid);
        if (status == success) wgpuBufferUnmap(buffer);
        return !valid;
    }
};

TEST_F(Mapping, EdgeValuesOfTheRange) {
    const Buffer buffer = make_buffer(16, read_usage);
    EXPECT_FALSE(refused(buffer, reading, 16, 0));
    EXPECT_FALSE(refused(buffer, reading, 16, WGPU_WHOLE_MAP_SIZE));
    EXPECT_TRUE(refused(buffer, reading, 24, WGPU_WHOLE_MAP_SIZE));
    EXPECT_TRUE(refused(buffer, reading, 24, 0));
    EXPECT_TRUE(refused(buffer, reading, 8, SIZE_MAX - 7));
    EXPECT_TRUE(refused(buffer, reading, 4, 4));
    EXPECT_TRUE(refused(buffer, reading, 0, 2));
    EXPECT_TRUE(refused(buffer, reading, 0, 20));
    EXPECT_FALSE(refused(buffer, reading, 8, 8));
}

TEST_F(Mapping, ABufferOfOddSizeMapsInPartsAndNotAsAWhole) {
    const Buffer buffer = make_buffer(18, read_usage);
    EXPECT_TRUE(refused(buffer, reading, 0, WGPU_WHOLE_MAP_SIZE));
    EXPECT_FALSE(refused(buffer, reading, 0, 16));
}

TEST_F(Mapping, AnEmptyBufferMapsAsAWhole) {
    const Buffer buffer = make_buffer(0, read_usage);
    EXPECT_FALSE(refused(buffer, reading, 0, WGPU_WHOLE_MAP_SIZE));
}

TEST_F(Mapping, TheModeMustBeExactlyOneThatTheUsageHas) {
    const Buffer read_buffer = make_buffer(16, read_usage);
    const Buffer write_buffer = make_buffer(16, write_usage);
    for (WGPUMapMode mode : {WGPUMapMode{0}, WGPUMapMode{3}, WGPUMapMode{4}})
        EXPECT_TRUE(refused(read_buffer, mode, 0, 16)) << mode;
    EXPECT_TRUE(refused(read_buffer, writing, 0, 16));
    EXPECT_TRUE(refused(write_buffer, reading, 0, 16));
    EXPECT_FALSE(refused(write_buffer, writing, 0, 16));
}

TEST_F(Mapping, PendingShowsAtOnceAlsoWhenTheMapIsGoingToFail) {
    const Buffer buffer = make_buffer(16, read_usage);
    Outcome outcome;
    is_valid([&] {
        wgpuBufferMapAsync(buffer, writing, 0, 16, map_info(outcome));
        EXPECT_EQ(wgpuBufferGetMapState(buffer), WGPUBufferMapState_Pending);
        pump();
        EXPECT_EQ(wgpuBufferGetMapState(buffer), WGPUBufferMapState_Unmapped);
    });
    EXPECT_EQ(outcome.status, failed);
}

TEST_F(Mapping, NothingIsMappedBeforeAPump) {
    const Buffer buffer = make_buffer(16, read_usage);
    Outcome outcome;
    wgpuBufferMapAsync(buffer, reading, 0, 16, map_info(outcome));
    EXPECT_EQ(outcome.calls, 0);
    EXPECT_EQ(wgpuBufferGetMapState(buffer), WGPUBufferMapState_Pending);
    pump();
    EXPECT_EQ(outcome.status, success);
    EXPECT_EQ(wgpuBufferGetMapState(buffer), WGPUBufferMapState_Mapped);
    pump();
    EXPECT_EQ(outcome.calls, 1);
}

TEST_F(Mapping, ASecondMapIsRefusedAndTheFirstIsUntouched) {
    const Buffer buffer = make_buffer(16, read_usage);
    Outcome first, second;
    wgpuBufferMapAsync(buffer, reading, 0, 16, map_info(first));
    EXPECT_FALSE(is_valid([&] { wgpuBufferMapAsync(buffer, reading, 0, 8, map_info(second)); }));
    pump();
    EXPECT_EQ(first.status, success);
    EXPECT_EQ(second.status, failed);
    EXPECT_NE(wgpuBufferGetConstMappedRange(buffer, 0, 16), nullptr);
    EXPECT_FALSE(is_valid([&] { EXPECT_EQ(map(buffer, reading, 0, 16), failed); }));
    EXPECT_EQ(wgpuBufferGetMapState(buffer), WGPUBufferMapState_Mapped);
}

TEST_F(Mapping, UnmapAbortsAPendingMapAndTheBufferCanBeMappedAgain) {
    const Buffer buffer = make_buffer(16, read_usage);
    Outcome outcome;
    wgpuBufferMapAsync(buffer, reading, 0, 16, map_info(outcome));
    wgpuBufferUnmap(buffer);
    EXPECT_EQ(wgpuBufferGetMapState(buffer), WGPUBufferMapState_Unmapped);
    EXPECT_EQ(outcome.calls, 0);
    EXPECT_EQ(map(buffer, reading, 0, 16), success);
    EXPECT_EQ(outcome.status, aborted);
}

TEST_F(Mapping, AbortWinsOverAFailureButTheErrorIsRaised) {
    const Buffer buffer = make_buffer(16, read_usage);
    Outcome outcome;
    EXPECT_FALSE(is_valid([&] {
        wgpuBufferMapAsync(buffer, writing, 0, 16, map_info(outcome));
        wgpuBufferUnmap(buffer);
    }));
    pump();
    EXPECT_EQ(outcome.status, aborted);
}

TEST_F(Mapping, DestroyAndTheLastReleaseAbortAPendingMap) {
    Buffer destroyed = make_buffer(16, read_usage);
    Buffer released = make_buffer(16, read_usage);
    Outcome first, second;
    wgpuBufferMapAsync(destroyed, reading, 0, 16, map_info(first));
    wgpuBufferMapAsync(released, reading, 0, 16, map_info(second));
    wgpuBufferDestroy(destroyed);
    released.reset();
    pump();
    EXPECT_EQ(first.status, aborted);
    EXPECT_EQ(second.status, aborted);
}

TEST_F(Mapping, UnmapNeverFails) {
    const Buffer buffer = make_buffer(16, read_usage);
    Buffer invalid;
    is_valid([&] { invalid = make_buffer(16, 3); });
    EXPECT_TRUE(is_valid([&] {
        wgpuBufferUnmap(buffer);
        wgpuBufferUnmap(invalid);
        wgpuBufferDestroy(buffer);
        wgpuBufferDestroy(buffer);
        wgpuBufferUnmap(buffer);
        wgpuBufferDestroy(invalid);
    }));
}

TEST_F(Mapping, DestroyedAndInvalidBuffersCannotBeMapped) {
    const Buffer buffer = make_buffer(16, read_usage);
    Buffer invalid;
    is_valid([&] { invalid = make_buffer(16, 3); });
    wgpuBufferDestroy(buffer);
    EXPECT_TRUE(refused(buffer, reading, 0, 16));
    EXPECT_TRUE(refused(invalid, reading, 0, 16));
}

TEST_F(Mapping, AWriteMapShowsTheBytesAndKeepsWhatIsNotTouched) {
    const Buffer buffer = make_buffer(16, write_usage, true);
    std::memset(wgpuBufferGetMappedRange(buffer, 0, 16), 7, 16);
    wgpuBufferUnmap(buffer);
    ASSERT_EQ(map(buffer, writing, 8, 4), success);
    auto* const range = static_cast<std::uint8_t*>(wgpuBufferGetMappedRange(buffer, 8, 4));
    EXPECT_EQ(range[0], 7);
    range[1] = 9;
    wgpuBufferUnmap(buffer);
    EXPECT_EQ(read(buffer), Bytes({7, 7, 7, 7, 7, 7, 7, 7, 7, 9, 7, 7, 7, 7, 7, 7}));
}

TEST_F(Mapping, AMapWaitsForTheSubmittedWorkOnItsBuffer) {
    const Buffer source = make_buffer(4, copy_usage);
    const Buffer target = make_buffer(4, read_usage);
    write(source, {1, 2, 3, 4});
    fake.set_submission_time(10us);
    run([&](WGPUCommandEncoder encoder) {
        wgpuCommandEncoderCopyBufferToBuffer(encoder, source, 0, target, 0, 4);
    });
    Outcome outcome;
    wgpuBufferMapAsync(target, reading, 0, 4, map_info(outcome));
    pump();
    EXPECT_EQ(outcome.calls, 0);
    fake.advance(10us);
    pump();
    EXPECT_EQ(outcome.status, success);
    EXPECT_EQ(std::memcmp(wgpuBufferGetConstMappedRange(target, 0, 4), "\1\2\3\4", 4), 0);
}

TEST_F(Mapping, AMapOfAnIdleBufferDoesNotWaitForOtherWork) {
    const Buffer source = make_buffer(4, copy_usage);
    const Buffer target = make_buffer(4, copy_usage);
    const Buffer idle = make_buffer(4, read_usage);
    fake.hang_submissions();
    run([&](WGPUCommandEncoder encoder) {
        wgpuCommandEncoderCopyBufferToBuffer(encoder, source, 0, target, 0, 4);
    });
    EXPECT_EQ(map(idle, reading, 0, 4), success);
}

TEST_F(Mapping, WritingThroughAReadMappingIsMisuse) {
    const Buffer buffer = make_buffer(16, read_usage);
    ASSERT_EQ(map(buffer, reading, 0, 16), success);
    *static_cast<char*>(const_cast<void*>(wgpuBufferGetConstMappedRange(buffer, 0, 16))) = 1;
    wgpuBufferUnmap(buffer);
    ASSERT_EQ(fake.misuses().size(), 1U);
    EXPECT_NE(fake.misuses()[0].find("read mapping"), std::string::npos);
    EXPECT_EQ(read_mapped(buffer), Bytes(16, 0));
    close();
    fake.forget_misuses();
}

} // namespace
} // namespace fake_tests
