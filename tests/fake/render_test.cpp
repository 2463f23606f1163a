// SPDX-License-Identifier: MIT
// Render passes clear their attachments.
#include "texture_fixture.hpp"

namespace fake_tests {
namespace {

class Render : public TextureTest {
protected:
    // Clears a 2x2 texture of that format and reads its first texel.
    Bytes cleared(WGPUTextureFormat format, WGPUColor color, std::size_t bytes) {
        auto descriptor = describe(format, {2, 2, 1});
        descriptor.usage |= WGPUTextureUsage_RenderAttachment;
        const Texture texture = make_texture(descriptor);
        const View view = wgpuTextureCreateView(texture, nullptr);
        WGPURenderPassColorAttachment attachment = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
        attachment.view = view;
        attachment.loadOp = WGPULoadOp_Clear;
        attachment.storeOp = WGPUStoreOp_Store;
        attachment.clearValue = color;
        WGPURenderPassDescriptor pass_descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
        pass_descriptor.colorAttachmentCount = 1;
        pass_descriptor.colorAttachments = &attachment;
        EXPECT_TRUE(is_valid([&] {
            run([&](WGPUCommandEncoder encoder) {
                RenderPass const pass =
                    wgpuCommandEncoderBeginRenderPass(encoder, &pass_descriptor);
                wgpuRenderPassEncoderEnd(pass);
            });
        }));
        Bytes texels = read_texels(at(texture), {0, 256, 2}, {2, 2, 1}, 512);
        texels.resize(bytes);
        return texels;
    }
};

TEST_F(Render, ClearColoursAreEncodedByFormat) {
    EXPECT_EQ(cleared(WGPUTextureFormat_RGBA8Unorm, {1, 0.5, 0, 1}, 4), Bytes({255, 128, 0, 255}));
    EXPECT_EQ(cleared(WGPUTextureFormat_BGRA8Unorm, {1, 0.5, 0, 1}, 4), Bytes({0, 128, 255, 255}));
    EXPECT_EQ(cleared(WGPUTextureFormat_RGBA8UnormSrgb, {0.5, 1, 0, 0.5}, 4),
              Bytes({188, 255, 0, 128}));
    EXPECT_EQ(cleared(WGPUTextureFormat_R32Uint, {258, 0, 0, 0}, 4), Bytes({2, 1, 0, 0}));
    EXPECT_EQ(cleared(WGPUTextureFormat_R16Float, {1.5, 0, 0, 0}, 2), Bytes({0x00, 0x3E}));
    EXPECT_EQ(cleared(WGPUTextureFormat_R32Float, {-2, 0, 0, 0}, 4), Bytes({0, 0, 0, 0xC0}));
}

TEST_F(Render, DepthCanBeFilledByAClear) {
    auto descriptor = describe(WGPUTextureFormat_Depth32Float, {2, 1, 1});
    descriptor.usage |= WGPUTextureUsage_RenderAttachment;
    const Texture texture = make_texture(descriptor);
    const View view = wgpuTextureCreateView(texture, nullptr);
    WGPURenderPassDepthStencilAttachment attachment =
        WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT;
    attachment.view = view;
    attachment.depthLoadOp = WGPULoadOp_Clear;
    attachment.depthStoreOp = WGPUStoreOp_Store;
    attachment.depthClearValue = 0.5F;
    WGPURenderPassDescriptor pass_descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    pass_descriptor.depthStencilAttachment = &attachment;
    run([&](WGPUCommandEncoder encoder) {
        RenderPass const pass = wgpuCommandEncoderBeginRenderPass(encoder, &pass_descriptor);
        wgpuRenderPassEncoderEnd(pass);
    });
    const Bytes bytes = read_texels(at(texture, 0, {}, WGPUTextureAspect_DepthOnly),
                                    {0, left_out, left_out}, {2, 1, 1}, 8);
    EXPECT_EQ(bytes, Bytes({0, 0, 0, 0x3F, 0, 0, 0, 0x3F}));
}

} // namespace
} // namespace fake_tests
