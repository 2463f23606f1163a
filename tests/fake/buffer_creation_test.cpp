// SPDX-License-Identifier: MIT
// rules 1.1
#include "fake_fixture.hpp"

namespace fake_tests {
namespace {

class BufferCreation : public FakeTest {};

TEST_F(BufferCreation, EveryPairOfUsagesFollowsTheMappableRule) {
    for (int a = 0; a < 10; ++a)
        for (int b = 0; b < 10; ++b) {
            const WGPUBufferUsage usage = (WGPUBufferUsage{1} << a) | (WGPUBufferUsage{1} << b);
            const bool read = (usage & 1) != 0 && (usage & ~WGPUBufferUsage{1 | 8}) != 0;
            const bool write = (usage & 2) != 0 && (usage & ~WGPUBufferUsage{2 | 4}) != 0;
            EXPECT_EQ(is_valid([&] { Buffer(make_buffer(16, usage)); }), !read && !write) << usage;
        }
}

TEST_F(BufferCreation, UsageZeroAndUnknownBitsAreErrors) {
    EXPECT_EQ(error_of([&] { Buffer(make_buffer(16, 0)); }), WGPUErrorType_Validation);
    EXPECT_EQ(error_of([&] { Buffer(make_buffer(16, 0x400 | 8)); }), WGPUErrorType_Validation);
}

TEST_F(BufferCreation, TheSizeLimitIsTheDevices) {
    EXPECT_TRUE(is_valid([&] { Buffer(make_buffer(268'435'456, copy_usage)); }));
    EXPECT_FALSE(is_valid([&] { Buffer(make_buffer(268'435'460, copy_usage)); }));
}

TEST_F(BufferCreation, SizeZeroAndOddSizesAreLegal) {
    EXPECT_TRUE(is_valid([&] { Buffer(make_buffer(0, copy_usage)); }));
    EXPECT_TRUE(is_valid([&] { Buffer(make_buffer(18, copy_usage)); }));
    EXPECT_TRUE(is_valid([&] { Buffer(make_buffer(0, copy_usage, true)); }));
}

TEST_F(BufferCreation, MappedAtCreationNeedsAMultipleOfFourButStaysMapped) {
    Buffer buffer;
    EXPECT_FALSE(is_valid([&] { buffer = make_buffer(18, copy_usage, true); }));
    EXPECT_NE(wgpuBufferGetMappedRange(buffer, 0, 16), nullptr);
    EXPECT_EQ(wgpuBufferGetMapState(buffer), WGPUBufferMapState_Mapped);
    wgpuBufferUnmap(buffer);
    EXPECT_EQ(wgpuBufferGetMapState(buffer), WGPUBufferMapState_Unmapped);
}

TEST_F(BufferCreation, ANewBufferReadsAsZero) {
    const Buffer buffer = make_buffer(16, copy_usage);
    EXPECT_EQ(read(buffer), Bytes(16, 0));
}

TEST_F(BufferCreation, GettersAnswerTheDescriptorAlsoForAnInvalidBuffer) {
    Buffer buffer;
    is_valid([&] { buffer = make_buffer(20, 0x1 | 0x2); });
    EXPECT_EQ(wgpuBufferGetSize(buffer), 20U);
    EXPECT_EQ(wgpuBufferGetUsage(buffer), 3U);
}

TEST_F(BufferCreation, MemoryThatRunsOutIsAnOutOfMemoryErrorAndFreedMemoryCanBeUsed) {
    fake.set_memory_cap(1000);
    Buffer first = make_buffer(600, copy_usage);
    EXPECT_EQ(error_of([&] { Buffer(make_buffer(600, copy_usage)); }), WGPUErrorType_OutOfMemory);
    wgpuBufferDestroy(first);
    EXPECT_TRUE(is_valid([&] { Buffer(make_buffer(600, copy_usage)); }));
}

TEST_F(BufferCreation, AnInvalidDescriptorBeatsMemory) {
    fake.set_memory_cap(10);
    EXPECT_EQ(error_of([&] { Buffer(make_buffer(600, 0)); }), WGPUErrorType_Validation);
}

TEST_F(BufferCreation, AMappingThatNoHostCanHoldAnswersNull) {
    EXPECT_EQ(make_buffer(std::uint64_t{1} << 60, copy_usage, true), nullptr);
}

TEST_F(BufferCreation, WhatIsWrittenAtCreationIsThereAfterUnmap) {
    const Buffer buffer = make_buffer(8, WGPUBufferUsage_CopySrc, true);
    std::memcpy(wgpuBufferGetMappedRange(buffer, 0, 8), "ferrying", 8);
    wgpuBufferUnmap(buffer);
    EXPECT_EQ(read(buffer), Bytes({'f', 'e', 'r', 'r', 'y', 'i', 'n', 'g'}));
}

TEST_F(BufferCreation, AReadBufferFilledAtCreationShowsItsBytesWhenMapped) {
    const Buffer buffer = make_buffer(4, read_usage, true);
    std::memcpy(wgpuBufferGetMappedRange(buffer, 0, 4), "abcd", 4);
    wgpuBufferUnmap(buffer);
    EXPECT_EQ(read_mapped(buffer), Bytes({'a', 'b', 'c', 'd'}));
}

} // namespace
} // namespace fake_tests
