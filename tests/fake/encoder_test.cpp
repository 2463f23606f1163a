// SPDX-License-Identifier: MIT
// rules 2.2 and 2.3, and the life of an encoder
#include "fake_fixture.hpp"

namespace fake_tests {
namespace {

class Encoding : public FakeTest {
protected:
    bool copies(WGPUBuffer from, std::uint64_t from_offset, WGPUBuffer to, std::uint64_t to_offset,
                std::uint64_t size) {
        return finishes([&](WGPUCommandEncoder encoder) {
            wgpuCommandEncoderCopyBufferToBuffer(encoder, from, from_offset, to, to_offset, size);
        });
    }
    bool clears(WGPUBuffer buffer, std::uint64_t offset, std::uint64_t size) {
        return finishes([&](WGPUCommandEncoder encoder) {
            wgpuCommandEncoderClearBuffer(encoder, buffer, offset, size);
        });
    }
};

TEST_F(Encoding, ACopyChecksAlignmentRangeAndWrapAround) {
    const Buffer a = make_buffer(16, copy_usage);
    const Buffer b = make_buffer(16, copy_usage);
    EXPECT_TRUE(copies(a, 0, b, 0, 16));
    EXPECT_TRUE(copies(a, 16, b, 16, 0));
    for (std::uint64_t odd : {1U, 2U, 3U, 5U, 6U, 7U}) {
        EXPECT_FALSE(copies(a, odd, b, 0, 4)) << odd;
        EXPECT_FALSE(copies(a, 0, b, odd, 4)) << odd;
        EXPECT_FALSE(copies(a, 0, b, 0, odd)) << odd;
    }
    EXPECT_FALSE(copies(a, 20, b, 0, 0));
    EXPECT_FALSE(copies(a, 0, b, 20, 0));
    EXPECT_FALSE(copies(a, 4, b, 0, 16));
    EXPECT_FALSE(copies(a, 0, b, 4, 16));
    EXPECT_FALSE(copies(a, 8, b, 8, UINT64_MAX - 3));
    EXPECT_FALSE(copies(a, 0, b, 0, WGPU_WHOLE_SIZE));
}

TEST_F(Encoding, ACopyNeedsTheUsagesAndTwoBuffers) {
    const Buffer source = make_buffer(16, WGPUBufferUsage_CopySrc);
    const Buffer target = make_buffer(16, WGPUBufferUsage_CopyDst);
    const Buffer both = make_buffer(16, copy_usage);
    EXPECT_TRUE(copies(source, 0, target, 0, 16));
    EXPECT_FALSE(copies(target, 0, both, 0, 16));
    EXPECT_FALSE(copies(both, 0, source, 0, 16));
    EXPECT_FALSE(copies(both, 0, both, 8, 8));
}

TEST_F(Encoding, AnInvalidBufferOrOneOfAnotherDeviceInvalidatesTheEncoder) {
    const Buffer good = make_buffer(16, copy_usage);
    Buffer invalid;
    is_valid([&] { invalid = make_buffer(16, 3); });
    EXPECT_FALSE(copies(invalid, 0, good, 0, 4));
    const Adapter second_adapter = request_adapter();
    std::swap(adapter, const_cast<Adapter&>(second_adapter));
    const Device other = request_device(WGPU_DEVICE_DESCRIPTOR_INIT);
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.size = 16;
    descriptor.usage = copy_usage;
    const Buffer foreign = wgpuDeviceCreateBuffer(other, &descriptor);
    EXPECT_FALSE(copies(foreign, 0, good, 0, 4));
    EXPECT_FALSE(is_valid([&] { wgpuQueueWriteBuffer(queue, foreign, 0, "abcd", 4); }));
}

TEST_F(Encoding, AClearChecksAndUnderstandsTheWholeSize) {
    const Buffer buffer = make_buffer(18, copy_usage);
    const Buffer source = make_buffer(16, WGPUBufferUsage_CopySrc);
    EXPECT_TRUE(clears(buffer, 0, 16));
    EXPECT_TRUE(clears(buffer, 4, 0));
    EXPECT_FALSE(clears(buffer, 0, WGPU_WHOLE_SIZE)) << "18 is no multiple of 4";
    EXPECT_FALSE(clears(buffer, 24, WGPU_WHOLE_SIZE));
    EXPECT_FALSE(clears(buffer, 2, 4));
    EXPECT_FALSE(clears(buffer, 0, 2));
    EXPECT_FALSE(clears(buffer, 8, 12));
    EXPECT_FALSE(clears(source, 0, 16));
}

TEST_F(Encoding, AClearZeroesItsRangeAlone) {
    const Buffer buffer = make_buffer(12, copy_usage);
    write(buffer, Bytes(12, 5));
    run([&](WGPUCommandEncoder encoder) { wgpuCommandEncoderClearBuffer(encoder, buffer, 4, 4); });
    EXPECT_EQ(read(buffer), Bytes({5, 5, 5, 5, 0, 0, 0, 0, 5, 5, 5, 5}));
}

TEST_F(Encoding, AnErrorAppearsAtFinishAndTheCommandBufferIsInvalid) {
    const Buffer buffer = make_buffer(16, copy_usage);
    const Encoder encoder = wgpuDeviceCreateCommandEncoder(device, nullptr);
    EXPECT_TRUE(is_valid([&] { wgpuCommandEncoderClearBuffer(encoder, buffer, 2, 4); }));
    Commands commands;
    EXPECT_FALSE(is_valid([&] { commands = wgpuCommandEncoderFinish(encoder, nullptr); }));
    EXPECT_NE(static_cast<WGPUCommandBuffer>(commands), nullptr);
    EXPECT_FALSE(is_valid([&] { submit(commands); }));
}

TEST_F(Encoding, ACallAfterFinishRaisesAtOnce) {
    const Buffer buffer = make_buffer(16, copy_usage);
    const Encoder encoder = wgpuDeviceCreateCommandEncoder(device, nullptr);
    const Commands commands = wgpuCommandEncoderFinish(encoder, nullptr);
    EXPECT_FALSE(is_valid([&] { wgpuCommandEncoderClearBuffer(encoder, buffer, 0, 4); }));
    EXPECT_FALSE(is_valid([&] { Commands(wgpuCommandEncoderFinish(encoder, nullptr)); }));
    EXPECT_TRUE(is_valid([&] { submit(commands); }));
}

TEST_F(Encoding, AnOpenPassForbidsCopiesAndFinish) {
    const Buffer buffer = make_buffer(16, copy_usage);
    EXPECT_FALSE(finishes([&](WGPUCommandEncoder encoder) {
        ComputePass const pass = wgpuCommandEncoderBeginComputePass(encoder, nullptr);
        wgpuCommandEncoderClearBuffer(encoder, buffer, 0, 4);
        wgpuComputePassEncoderEnd(pass);
    }));
    EXPECT_FALSE(finishes([](WGPUCommandEncoder encoder) {
        ComputePass const pass = wgpuCommandEncoderBeginComputePass(encoder, nullptr);
    }));
    EXPECT_TRUE(finishes([](WGPUCommandEncoder encoder) {
        ComputePass const pass = wgpuCommandEncoderBeginComputePass(encoder, nullptr);
        wgpuComputePassEncoderEnd(pass);
    }));
}

TEST_F(Encoding, CommandsRunInTheirOrder) {
    const Buffer a = make_buffer(4, copy_usage);
    const Buffer b = make_buffer(4, copy_usage);
    write(a, Bytes(4, 1));
    run([&](WGPUCommandEncoder encoder) {
        wgpuCommandEncoderCopyBufferToBuffer(encoder, a, 0, b, 0, 4);
        wgpuCommandEncoderClearBuffer(encoder, a, 0, 4);
        wgpuCommandEncoderCopyBufferToBuffer(encoder, b, 0, a, 0, 4);
        wgpuCommandEncoderClearBuffer(encoder, b, 0, 4);
    });
    EXPECT_EQ(read(a), Bytes(4, 1));
    EXPECT_EQ(read(b), Bytes(4, 0));
}

} // namespace
} // namespace fake_tests
