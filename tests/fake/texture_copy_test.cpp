// SPDX-License-Identifier: MIT
// rules 3.6
#include "texture_fixture.hpp"

namespace fake_tests {
namespace {

class TextureCopy : public TextureTest {};

TEST_F(TextureCopy, FormatsMayDifferBySrgbOnly) {
    const auto pair = [&](WGPUTextureFormat a, WGPUTextureFormat b) {
        return between(at(make_texture(describe(a, {8, 8, 1}))),
                       at(make_texture(describe(b, {8, 8, 1}))), {8, 8, 1});
    };
    EXPECT_TRUE(pair(WGPUTextureFormat_RGBA8Unorm, WGPUTextureFormat_RGBA8UnormSrgb));
    EXPECT_TRUE(pair(WGPUTextureFormat_BC7RGBAUnormSrgb, WGPUTextureFormat_BC7RGBAUnorm));
    EXPECT_TRUE(pair(WGPUTextureFormat_ASTC8x8UnormSrgb, WGPUTextureFormat_ASTC8x8Unorm));
    EXPECT_TRUE(pair(WGPUTextureFormat_Depth24Plus, WGPUTextureFormat_Depth24Plus));
    EXPECT_FALSE(pair(WGPUTextureFormat_RGBA8Unorm, WGPUTextureFormat_BGRA8Unorm));
    EXPECT_FALSE(pair(WGPUTextureFormat_RGBA8Unorm, WGPUTextureFormat_RGBA8Uint));
    EXPECT_FALSE(pair(WGPUTextureFormat_Depth32Float, WGPUTextureFormat_Depth24Plus));
}

TEST_F(TextureCopy, ACopyNeedsAllAspects) {
    const Texture a = make_texture(describe(WGPUTextureFormat_Depth24PlusStencil8, {4, 4, 1}));
    const Texture b = make_texture(describe(WGPUTextureFormat_Depth24PlusStencil8, {4, 4, 1}));
    const Texture s = make_texture(describe(WGPUTextureFormat_Stencil8, {4, 4, 1}));
    const Texture t = make_texture(describe(WGPUTextureFormat_Stencil8, {4, 4, 1}));
    EXPECT_TRUE(between(at(a), at(b), {4, 4, 1}));
    EXPECT_FALSE(between(at(a, 0, {}, WGPUTextureAspect_StencilOnly),
                         at(b, 0, {}, WGPUTextureAspect_StencilOnly), {4, 4, 1}));
    EXPECT_TRUE(between(at(s, 0, {}, WGPUTextureAspect_StencilOnly), at(t), {4, 4, 1}));
    EXPECT_FALSE(between(at(s, 0, {}, WGPUTextureAspect_DepthOnly), at(t), {4, 4, 1}));
    EXPECT_FALSE(between(at(a), at(b), {4, 2, 1})) << "the whole level";
}

TEST_F(TextureCopy, SubresourcesOfOneTextureMustBeDisjoint) {
    const Texture texture = make_texture(describe(WGPUTextureFormat_R8Unorm, {8, 8, 4}, 2));
    EXPECT_TRUE(between(at(texture, 0), at(texture, 1), {4, 4, 1}));
    EXPECT_TRUE(between(at(texture, 0, {0, 0, 0}), at(texture, 0, {0, 0, 2}), {8, 8, 2}));
    EXPECT_FALSE(between(at(texture, 0, {0, 0, 0}), at(texture, 0, {4, 4, 0}), {4, 4, 1}));
    EXPECT_FALSE(between(at(texture, 0, {0, 0, 0}), at(texture, 0, {0, 0, 1}), {8, 8, 2}));
    EXPECT_FALSE(between(at(texture), at(texture), {0, 8, 1}));
    EXPECT_TRUE(between(at(texture), at(texture), {8, 8, 0}));
}

TEST_F(TextureCopy, SlicesOfOneLevelAlwaysOverlap) {
    auto descriptor = describe(WGPUTextureFormat_R8Unorm, {8, 8, 4}, 2);
    descriptor.dimension = WGPUTextureDimension_3D;
    const Texture texture = make_texture(descriptor);
    EXPECT_FALSE(between(at(texture, 0, {0, 0, 0}), at(texture, 0, {0, 0, 2}), {8, 8, 1}));
    EXPECT_FALSE(between(at(texture), at(texture), {8, 8, 0}));
    EXPECT_TRUE(between(at(texture, 0), at(texture, 1), {4, 4, 1}));
}

TEST_F(TextureCopy, SampleCountsAreEqual) {
    auto descriptor = describe(WGPUTextureFormat_RGBA8Unorm, {4, 4, 1});
    descriptor.usage |= WGPUTextureUsage_RenderAttachment;
    const Texture single = make_texture(descriptor);
    descriptor.sampleCount = 4;
    const Texture a = make_texture(descriptor);
    const Texture b = make_texture(descriptor);
    EXPECT_TRUE(between(at(a), at(b), {4, 4, 1}));
    EXPECT_FALSE(between(at(a), at(single), {4, 4, 1}));
    EXPECT_FALSE(between(at(a), at(b), {2, 4, 1}));
}

TEST_F(TextureCopy, SlicesGoToLayers) {
    auto descriptor = describe(WGPUTextureFormat_R8Unorm, {4, 1, 2});
    const Texture layers = make_texture(descriptor);
    descriptor.dimension = WGPUTextureDimension_3D;
    const Texture slices = make_texture(descriptor);
    const auto from = at(slices, 0, {1, 0, 0});
    const auto to = at(layers, 0, {0, 0, 0});
    const WGPUExtent3D size{2, 1, 2};
    const WGPUTexelCopyBufferLayout tight{0, 2, 1};
    wgpuQueueWriteTexture(queue, &from, "abcd", 4, &tight, &size);
    run([&](WGPUCommandEncoder encoder) {
        wgpuCommandEncoderCopyTextureToTexture(encoder, &from, &to, &size);
    });
    const Bytes bytes = read_texels(to, {0, 256, 1}, size, 260);
    EXPECT_EQ(bytes[0], 'a');
    EXPECT_EQ(bytes[1], 'b');
    EXPECT_EQ(bytes[256], 'c');
    EXPECT_EQ(bytes[257], 'd');
}

} // namespace
} // namespace fake_tests
