// SPDX-License-Identifier: MIT
// rules 3.2 (creation) and 3.9
#include "texture_fixture.hpp"

namespace fake_tests {
namespace {

class TextureCreation : public TextureTest {};

TEST_F(TextureCreation, EveryFormatOfTheHeaderExistsInTwoDimensions) {
    for (int id = 1; id <= 0x65; ++id) {
        // 60 is a multiple of every block side but 8, and 120 of all.
        EXPECT_TRUE(creates(describe(static_cast<WGPUTextureFormat>(id), {120, 120, 1}))) << id;
    }
    EXPECT_FALSE(creates(describe(static_cast<WGPUTextureFormat>(0), {4, 4, 1})));
    EXPECT_FALSE(creates(describe(static_cast<WGPUTextureFormat>(0x66), {4, 4, 1})));
}

TEST_F(TextureCreation, AFormatWithoutItsFeatureIsAnError) {
    close();
    fake.set_feature(WGPUFeatureName_TextureCompressionBC, false);
    open();
    for (WGPUTextureFormat format :
         {WGPUTextureFormat_BC1RGBAUnorm, WGPUTextureFormat_ETC2RGB8Unorm,
          WGPUTextureFormat_ASTC4x4Unorm, WGPUTextureFormat_R16Unorm, WGPUTextureFormat_RGBA16Snorm,
          WGPUTextureFormat_Depth32FloatStencil8})
        EXPECT_FALSE(creates(describe(format, {4, 4, 1}))) << format;
    EXPECT_TRUE(creates(describe(WGPUTextureFormat_R16Float, {4, 4, 1})));
}

TEST_F(TextureCreation, SizesKeepTheLimitsOfTheirDimension) {
    auto one = describe(WGPUTextureFormat_R8Unorm, {8192, 1, 1});
    one.dimension = WGPUTextureDimension_1D;
    EXPECT_TRUE(creates(one));
    one.size.width = 8193;
    EXPECT_FALSE(creates(one));
    one.size = {4, 2, 1};
    EXPECT_FALSE(creates(one));
    EXPECT_TRUE(creates(describe(WGPUTextureFormat_R8Unorm, {4, 4, 256})));
    EXPECT_FALSE(creates(describe(WGPUTextureFormat_R8Unorm, {4, 4, 257})));
    auto three = describe(WGPUTextureFormat_R8Unorm, {2, 2, 2048});
    three.dimension = WGPUTextureDimension_3D;
    EXPECT_TRUE(creates(three));
    three.size.depthOrArrayLayers = 2049;
    EXPECT_FALSE(creates(three));
    EXPECT_FALSE(creates(describe(WGPUTextureFormat_R8Unorm, {0, 4, 1})));
}

TEST_F(TextureCreation, MipCountsFollowTheLongestSide) {
    EXPECT_TRUE(creates(describe(WGPUTextureFormat_R8Unorm, {16, 4, 1}, 5)));
    EXPECT_FALSE(creates(describe(WGPUTextureFormat_R8Unorm, {16, 4, 1}, 6)));
    EXPECT_FALSE(creates(describe(WGPUTextureFormat_R8Unorm, {16, 4, 1}, 0)));
    auto one = describe(WGPUTextureFormat_R8Unorm, {16, 1, 1}, 2);
    one.dimension = WGPUTextureDimension_1D;
    EXPECT_FALSE(creates(one));
}

TEST_F(TextureCreation, CompressedAndDepthFormatsAreBoundToDimensions) {
    EXPECT_FALSE(creates(describe(WGPUTextureFormat_BC1RGBAUnorm, {250, 252, 1})));
    EXPECT_TRUE(creates(describe(WGPUTextureFormat_BC1RGBAUnorm, {252, 252, 1})));
    auto bc = describe(WGPUTextureFormat_BC1RGBAUnorm, {8, 8, 8});
    bc.dimension = WGPUTextureDimension_3D;
    EXPECT_TRUE(creates(bc)) << "with bc-sliced-3d";
    auto etc = bc;
    etc.format = WGPUTextureFormat_ETC2RGB8Unorm;
    EXPECT_FALSE(creates(etc));
    auto astc = bc;
    astc.format = WGPUTextureFormat_ASTC4x4Unorm;
    EXPECT_FALSE(creates(astc)) << "without astc-sliced-3d";
    auto depth = bc;
    depth.format = WGPUTextureFormat_Depth16Unorm;
    EXPECT_FALSE(creates(depth));
}

TEST_F(TextureCreation, UsagesAndSampleCounts) {
    auto texture = describe(WGPUTextureFormat_RGBA8Unorm, {4, 4, 1});
    texture.usage = 0;
    EXPECT_FALSE(creates(texture));
    texture.usage = 0x40;
    EXPECT_FALSE(creates(texture));
    texture.usage = WGPUTextureUsage_TransientAttachment | WGPUTextureUsage_CopySrc;
    EXPECT_FALSE(creates(texture));
    texture.usage = texture_copy_usage | WGPUTextureUsage_RenderAttachment;
    texture.sampleCount = 4;
    EXPECT_TRUE(creates(texture));
    texture.sampleCount = 2;
    EXPECT_FALSE(creates(texture));
}

TEST_F(TextureCreation, GettersAnswerTheDescriptor) {
    const Texture texture = make_texture(describe(WGPUTextureFormat_R16Float, {12, 8, 3}, 2));
    EXPECT_EQ(wgpuTextureGetWidth(texture), 12U);
    EXPECT_EQ(wgpuTextureGetHeight(texture), 8U);
    EXPECT_EQ(wgpuTextureGetDepthOrArrayLayers(texture), 3U);
    EXPECT_EQ(wgpuTextureGetMipLevelCount(texture), 2U);
    EXPECT_EQ(wgpuTextureGetSampleCount(texture), 1U);
    EXPECT_EQ(wgpuTextureGetFormat(texture), WGPUTextureFormat_R16Float);
    EXPECT_EQ(wgpuTextureGetDimension(texture), WGPUTextureDimension_2D);
    EXPECT_EQ(wgpuTextureGetUsage(texture), texture_copy_usage);
}

TEST_F(TextureCreation, TexturesCountAgainstTheMemoryCap) {
    fake.set_memory_cap(4096);
    EXPECT_EQ(error_of([&] {
                  make_texture(describe(WGPUTextureFormat_R8Unorm, {64, 65, 1}));
              }),
              WGPUErrorType_OutOfMemory);
    EXPECT_TRUE(creates(describe(WGPUTextureFormat_R8Unorm, {64, 64, 1})));
}

} // namespace
} // namespace fake_tests
