// SPDX-License-Identifier: MIT
// rules 1.4
#include "fake_fixture.hpp"

namespace fake_tests {
namespace {

class MappedRange : public FakeTest {
protected:
    void SetUp() override {
        FakeTest::SetUp();
        reader = make_buffer(64, read_usage);
        writer = make_buffer(64, write_usage);
    }
    void TearDown() override {
        reader.reset(), writer.reset();
        FakeTest::TearDown();
    }
    bool gets(std::size_t offset, std::size_t size) {
        return wgpuBufferGetMappedRange(writer, offset, size) != nullptr;
    }
    bool gets_const(std::size_t offset, std::size_t size) {
        return wgpuBufferGetConstMappedRange(reader, offset, size) != nullptr;
    }

    Buffer reader, writer;
};

TEST_F(MappedRange, NeedsAMappingAndRaisesNothing) {
    EXPECT_TRUE(is_valid([&] {
        EXPECT_FALSE(gets(0, 64));
        EXPECT_FALSE(gets_const(0, 64));
        Outcome outcome;
        wgpuBufferMapAsync(reader, WGPUMapMode_Read, 0, 64, map_info(outcome));
        EXPECT_FALSE(gets_const(0, 64));
        pump();
        EXPECT_TRUE(gets_const(0, 64));
        wgpuBufferUnmap(reader);
        EXPECT_FALSE(gets_const(0, 64));
    }));
}

TEST_F(MappedRange, OffsetsCountFromTheBufferAndSizesAreChecked) {
    map(reader, WGPUMapMode_Read, 16, 32);
    EXPECT_TRUE(gets_const(16, 32));
    EXPECT_TRUE(gets_const(24, 8));
    EXPECT_FALSE(gets_const(0, 16));
    EXPECT_FALSE(gets_const(8, 16));
    EXPECT_FALSE(gets_const(40, 12));
    EXPECT_FALSE(gets_const(20, 4));
    EXPECT_FALSE(gets_const(16, 6));
    EXPECT_FALSE(gets_const(24, SIZE_MAX - 23));
    EXPECT_FALSE(gets_const(16, WGPU_WHOLE_MAP_SIZE))
        << "whole means the buffer's end, beyond this mapping";
    EXPECT_TRUE(gets_const(48, 0));
    EXPECT_FALSE(gets_const(56, 0));
}

TEST_F(MappedRange, AReadMappingHasNoMutableRange) {
    map(reader, WGPUMapMode_Read, 0, 64);
    EXPECT_EQ(wgpuBufferGetMappedRange(reader, 0, 64), nullptr);
}

TEST_F(MappedRange, ConstRangesMayOverlapAndMutableOnesMayNot) {
    map(reader, WGPUMapMode_Read, 0, 64);
    EXPECT_TRUE(gets_const(0, 64));
    EXPECT_TRUE(gets_const(8, 8));
    map(writer, WGPUMapMode_Write, 0, 64);
    EXPECT_TRUE(gets(8, 16));
    EXPECT_FALSE(gets(8, 16));
    EXPECT_FALSE(gets(16, 16));
    EXPECT_TRUE(gets(24, 16));
    EXPECT_EQ(wgpuBufferGetConstMappedRange(writer, 8, 8), nullptr);
}

TEST_F(MappedRange, AnEmptyRangeOverlapsOnlyInsideAnother) {
    map(writer, WGPUMapMode_Write, 0, 64);
    EXPECT_TRUE(gets(8, 16));
    EXPECT_TRUE(gets(8, 0));
    EXPECT_TRUE(gets(24, 0));
    EXPECT_TRUE(gets(24, 0));
    EXPECT_FALSE(gets(16, 0));
}

TEST_F(MappedRange, UnmapGivesRangesBack) {
    map(writer, WGPUMapMode_Write, 0, 64);
    EXPECT_TRUE(gets(0, 64));
    wgpuBufferUnmap(writer);
    map(writer, WGPUMapMode_Write, 0, 64);
    EXPECT_TRUE(gets(0, 64));
}

TEST_F(MappedRange, PointersAreCongruentToTheirOffset) {
    for (std::size_t start : {0U, 8U, 16U, 24U, 40U}) {
        map(writer, WGPUMapMode_Write, start, 64 - start);
        for (std::size_t offset = start; offset < 64; offset += 8) {
            const auto address =
                reinterpret_cast<std::uintptr_t>(wgpuBufferGetMappedRange(writer, offset, 8));
            EXPECT_EQ(address % 16, offset % 16);
        }
        wgpuBufferUnmap(writer);
    }
}

TEST_F(MappedRange, ReadAndWriteCopyAfterTheSameChecks) {
    std::uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    EXPECT_EQ(wgpuBufferWriteMappedRange(writer, 0, bytes, 8), WGPUStatus_Error);
    map(writer, WGPUMapMode_Write, 8, 16);
    EXPECT_EQ(wgpuBufferWriteMappedRange(writer, 8, bytes, 8), WGPUStatus_Success);
    EXPECT_EQ(wgpuBufferWriteMappedRange(writer, 12, bytes, 4), WGPUStatus_Error);
    EXPECT_EQ(wgpuBufferWriteMappedRange(writer, 8, bytes, 6), WGPUStatus_Error);
    EXPECT_EQ(wgpuBufferWriteMappedRange(writer, 24, bytes, 8), WGPUStatus_Error);
    EXPECT_EQ(wgpuBufferWriteMappedRange(writer, 8, bytes, WGPU_WHOLE_MAP_SIZE), WGPUStatus_Error);
    std::uint8_t back[8] = {};
    EXPECT_EQ(wgpuBufferReadMappedRange(writer, 8, back, 8), WGPUStatus_Success);
    EXPECT_EQ(std::memcmp(bytes, back, 8), 0);
    map(reader, WGPUMapMode_Read, 0, 64);
    EXPECT_EQ(wgpuBufferReadMappedRange(reader, 0, back, 8), WGPUStatus_Success);
    EXPECT_EQ(wgpuBufferWriteMappedRange(reader, 0, bytes, 8), WGPUStatus_Error);
}

TEST_F(MappedRange, AnEmptyMappingHasANonNullRange) {
    map(reader, WGPUMapMode_Read, 64, 0);
    EXPECT_TRUE(gets_const(64, 0));
}

#ifdef __SANITIZE_ADDRESS__
TEST_F(MappedRange, AStalePointerAndAnOverrunAreCaughtByTheSanitizer) {
    map(reader, WGPUMapMode_Read, 8, 16);
    const auto* range =
        static_cast<const volatile char*>(wgpuBufferGetConstMappedRange(reader, 8, 16));
    EXPECT_EQ(range[15], 0);
    EXPECT_DEATH(static_cast<void>(range[16]), "heap-buffer-overflow");
    wgpuBufferUnmap(reader);
    EXPECT_DEATH(static_cast<void>(range[0]), "heap-use-after-free");
}
#endif

} // namespace
} // namespace fake_tests
