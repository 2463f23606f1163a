// SPDX-License-Identifier: MIT
// Textures and texel copies for tests.
#pragma once

#include "fake_fixture.hpp"

namespace fake_tests {

inline constexpr WGPUTextureUsage texture_copy_usage = 0x1 | 0x2; // CopySrc, CopyDst
inline constexpr std::uint32_t left_out = WGPU_COPY_STRIDE_UNDEFINED;

class TextureTest : public FakeTest {
protected:
    // Everything that the adapter has, so that every format exists.
    void SetUp() override {
        static const WGPUFeatureName features[] = {
            WGPUFeatureName_Depth32FloatStencil8,   WGPUFeatureName_TextureCompressionBC,
            WGPUFeatureName_TextureCompressionETC2, WGPUFeatureName_TextureCompressionASTC,
            WGPUFeatureName_TextureFormatsTier1,    WGPUFeatureName_TextureCompressionBCSliced3D};
        WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
        descriptor.requiredFeatureCount = std::size(features);
        descriptor.requiredFeatures = features;
        open(descriptor);
    }

    static WGPUTextureDescriptor describe(WGPUTextureFormat format, WGPUExtent3D size,
                                          std::uint32_t mips = 1) {
        WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
        descriptor.format = format;
        descriptor.size = size;
        descriptor.mipLevelCount = mips;
        descriptor.usage = texture_copy_usage;
        return descriptor;
    }
    Texture make_texture(const WGPUTextureDescriptor& descriptor) {
        return wgpuDeviceCreateTexture(device, &descriptor);
    }
    bool creates(const WGPUTextureDescriptor& descriptor) {
        return is_valid([&] { make_texture(descriptor); });
    }

    static WGPUTexelCopyTextureInfo at(WGPUTexture texture, std::uint32_t mip = 0,
                                       WGPUOrigin3D origin = {},
                                       WGPUTextureAspect aspect = WGPUTextureAspect_All) {
        return {texture, mip, origin, aspect};
    }
    bool writes(const WGPUTexelCopyTextureInfo& to, std::size_t bytes,
                WGPUTexelCopyBufferLayout layout, WGPUExtent3D size) {
        const Bytes data(bytes, 1);
        return is_valid(
            [&] { wgpuQueueWriteTexture(queue, &to, data.data(), data.size(), &layout, &size); });
    }
    bool to_texture(WGPUBuffer buffer, WGPUTexelCopyBufferLayout layout,
                    const WGPUTexelCopyTextureInfo& to, WGPUExtent3D size) {
        const WGPUTexelCopyBufferInfo from{layout, buffer};
        return finishes([&](WGPUCommandEncoder encoder) {
            wgpuCommandEncoderCopyBufferToTexture(encoder, &from, &to, &size);
        });
    }
    bool to_buffer(const WGPUTexelCopyTextureInfo& from, WGPUBuffer buffer,
                   WGPUTexelCopyBufferLayout layout, WGPUExtent3D size) {
        const WGPUTexelCopyBufferInfo to{layout, buffer};
        return finishes([&](WGPUCommandEncoder encoder) {
            wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &size);
        });
    }
    bool between(const WGPUTexelCopyTextureInfo& from, const WGPUTexelCopyTextureInfo& to,
                 WGPUExtent3D size) {
        return finishes([&](WGPUCommandEncoder encoder) {
            wgpuCommandEncoderCopyTextureToTexture(encoder, &from, &to, &size);
        });
    }
    // The bytes of a box, rows and images as `layout` says, in a buffer filled with 0xEE before.
    Bytes read_texels(const WGPUTexelCopyTextureInfo& from, WGPUTexelCopyBufferLayout layout,
                      WGPUExtent3D size, std::uint64_t buffer_size) {
        const Buffer buffer = make_buffer(buffer_size, copy_usage);
        write(buffer, Bytes(buffer_size / 4 * 4, 0xEE));
        const WGPUTexelCopyBufferInfo to{layout, buffer};
        run([&](WGPUCommandEncoder encoder) {
            wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &size);
        });
        return read(buffer);
    }
};

} // namespace fake_tests
