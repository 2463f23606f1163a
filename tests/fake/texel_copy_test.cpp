// SPDX-License-Identifier: MIT
// rules 3.2 to 3.5, on every format
#include "texture_fixture.hpp"

namespace fake_tests {
namespace {

class TexelCopy : public TextureTest {};

// Block width, height and bytes by number of the format, from the table of rules 3.9 and not from
// the fake.
struct Row {
    int first, last;
    std::uint32_t width, height, bytes;
};
constexpr Row color_rows[] = {
    {0x01, 0x04, 1, 1, 1},    {0x05, 0x0D, 1, 1, 2},    {0x0E, 0x20, 1, 1, 4},
    {0x21, 0x28, 1, 1, 8},    {0x29, 0x2B, 1, 1, 16},   {0x32, 0x33, 4, 4, 8},
    {0x34, 0x37, 4, 4, 16},   {0x38, 0x39, 4, 4, 8},    {0x3A, 0x3F, 4, 4, 16},
    {0x40, 0x43, 4, 4, 8},    {0x44, 0x45, 4, 4, 16},   {0x46, 0x47, 4, 4, 8},
    {0x48, 0x49, 4, 4, 16},   {0x4A, 0x4B, 4, 4, 16},   {0x4C, 0x4D, 5, 4, 16},
    {0x4E, 0x4F, 5, 5, 16},   {0x50, 0x51, 6, 5, 16},   {0x52, 0x53, 6, 6, 16},
    {0x54, 0x55, 8, 5, 16},   {0x56, 0x57, 8, 6, 16},   {0x58, 0x59, 8, 8, 16},
    {0x5A, 0x5B, 10, 5, 16},  {0x5C, 0x5D, 10, 6, 16},  {0x5E, 0x5F, 10, 8, 16},
    {0x60, 0x61, 10, 10, 16}, {0x62, 0x63, 12, 10, 16}, {0x64, 0x65, 12, 12, 16}};

TEST_F(TexelCopy, EveryColourFormatMovesWholeBlocksThereAndBack) {
    int formats = 0;
    for (const Row& row : color_rows)
        for (int id = row.first; id <= row.last; ++id, ++formats) {
            const WGPUExtent3D size{3 * row.width, 2 * row.height, 2};
            const Texture texture =
                make_texture(describe(static_cast<WGPUTextureFormat>(id), size));
            std::uint32_t const row_bytes = 3 * row.bytes;
            Bytes data(std::size_t{row_bytes} * 4);
            for (std::size_t i = 0; i < data.size(); ++i)
                data[i] = static_cast<std::uint8_t>(i * 7 + 1);
            const auto all = at(texture);
            const WGPUTexelCopyBufferLayout tight{0, row_bytes, 2};
            EXPECT_TRUE(is_valid([&] {
                wgpuQueueWriteTexture(queue, &all, data.data(), data.size(), &tight, &size);
            })) << id;
            const Bytes back =
                read_texels(all, {0, 256, 2}, size, 256 * 3 + (row_bytes + 3) / 4 * 4);
            for (std::size_t line = 0; line < 4; ++line)
                EXPECT_EQ(std::memcmp(&back[line * 256], &data[line * row_bytes], row_bytes), 0)
                    << id << " line " << line;
        }
    EXPECT_EQ(formats, 101 - 6);
}

// Allowed directions of one aspect, and its bytes (rules 3.4).
struct DepthRow {
    WGPUTextureFormat format;
    WGPUTextureAspect aspect;
    bool from, to;
    std::uint32_t bytes;
};
constexpr auto all = WGPUTextureAspect_All;
constexpr auto depth = WGPUTextureAspect_DepthOnly;
constexpr auto stencil = WGPUTextureAspect_StencilOnly;
constexpr DepthRow depth_rows[] = {
    {WGPUTextureFormat_Stencil8, all, true, true, 1},
    {WGPUTextureFormat_Stencil8, stencil, true, true, 1},
    {WGPUTextureFormat_Stencil8, depth, false, false, 4},
    {WGPUTextureFormat_Depth16Unorm, all, true, true, 2},
    {WGPUTextureFormat_Depth16Unorm, depth, true, true, 2},
    {WGPUTextureFormat_Depth16Unorm, stencil, false, false, 1},
    {WGPUTextureFormat_Depth24Plus, all, false, false, 4},
    {WGPUTextureFormat_Depth24Plus, depth, false, false, 4},
    {WGPUTextureFormat_Depth24Plus, stencil, false, false, 1},
    {WGPUTextureFormat_Depth24PlusStencil8, all, false, false, 4},
    {WGPUTextureFormat_Depth24PlusStencil8, depth, false, false, 4},
    {WGPUTextureFormat_Depth24PlusStencil8, stencil, true, true, 1},
    {WGPUTextureFormat_Depth32Float, all, true, false, 4},
    {WGPUTextureFormat_Depth32Float, depth, true, false, 4},
    {WGPUTextureFormat_Depth32Float, stencil, false, false, 1},
    {WGPUTextureFormat_Depth32FloatStencil8, all, false, false, 4},
    {WGPUTextureFormat_Depth32FloatStencil8, depth, true, false, 4},
    {WGPUTextureFormat_Depth32FloatStencil8, stencil, true, true, 1}};

TEST_F(TexelCopy, DepthAndStencilAspectsFollowTheTable) {
    const WGPUExtent3D size{8, 4, 1};
    const Buffer buffer = make_buffer(4096, copy_usage);
    for (const DepthRow& row : depth_rows) {
        const Texture texture = make_texture(describe(row.format, size));
        const auto place = at(texture, 0, {}, row.aspect);
        EXPECT_EQ(to_buffer(place, buffer, {0, 256, 4}, size), row.from)
            << row.format << " " << row.aspect;
        EXPECT_EQ(to_texture(buffer, {0, 256, 4}, place, size), row.to)
            << row.format << " " << row.aspect;
        EXPECT_EQ(writes(place, 4096, {0, 256, 4}, size), row.to)
            << row.format << " " << row.aspect;
        if (!row.from) continue;
        std::uint64_t const required = 256 * 3 + 8 * row.bytes;
        const Buffer exact = make_buffer(required, copy_usage);
        const Buffer small = make_buffer(required - 1, copy_usage);
        EXPECT_TRUE(to_buffer(place, exact, {0, 256, 4}, size)) << row.format;
        EXPECT_FALSE(to_buffer(place, small, {0, 256, 4}, size)) << row.format;
    }
}

TEST_F(TexelCopy, ColourFormatsHaveOnlyTheWholeAspect) {
    const Texture texture = make_texture(describe(WGPUTextureFormat_R8Unorm, {4, 1, 1}));
    EXPECT_TRUE(writes(at(texture, 0, {}, WGPUTextureAspect_Undefined), 4, {0, left_out, left_out},
                       {4, 1, 1}));
    EXPECT_FALSE(writes(at(texture, 0, {}, depth), 4, {0, left_out, left_out}, {4, 1, 1}));
    EXPECT_FALSE(writes(at(texture, 0, {}, stencil), 4, {0, left_out, left_out}, {4, 1, 1}));
}

TEST_F(TexelCopy, DepthStencilCopiesCoverTheWholeLevelButLayersAreFree) {
    const Texture texture = make_texture(describe(WGPUTextureFormat_Stencil8, {8, 8, 3}));
    const Buffer buffer = make_buffer(8192, copy_usage);
    EXPECT_TRUE(to_buffer(at(texture, 0, {0, 0, 1}), buffer, {0, 256, 8}, {8, 8, 2}));
    EXPECT_TRUE(to_buffer(at(texture), buffer, {0, 256, 8}, {8, 8, 0}));
    EXPECT_FALSE(to_buffer(at(texture), buffer, {0, 256, 8}, {4, 8, 1}));
    EXPECT_FALSE(to_buffer(at(texture), buffer, {0, 256, 8}, {8, 4, 1}));
    EXPECT_FALSE(to_buffer(at(texture), buffer, {2, 256, 8}, {8, 8, 1}))
        << "offset must be a multiple of 4";
}

TEST_F(TexelCopy, CombinedFormatsKeepTheirPlanesApart) {
    const WGPUExtent3D size{4, 1, 1};
    const Texture texture = make_texture(describe(WGPUTextureFormat_Depth32FloatStencil8, size));
    const auto place = at(texture, 0, {}, stencil);
    const WGPUTexelCopyBufferLayout layout{0, left_out, left_out};
    wgpuQueueWriteTexture(queue, &place, "abcd", 4, &layout, &size);
    EXPECT_EQ(read_texels(place, layout, size, 4), Bytes({'a', 'b', 'c', 'd'}));
    EXPECT_EQ(read_texels(at(texture, 0, {}, depth), layout, size, 16), Bytes(16, 0));
}

TEST_F(TexelCopy, SmallCompressedMipsAreCopiedInPhysicalSize) {
    const Texture texture = make_texture(describe(WGPUTextureFormat_BC7RGBAUnorm, {12, 12, 1}, 4));
    EXPECT_FALSE(writes(at(texture, 1), 256, {0, 32, 2}, {6, 6, 1}));
    EXPECT_TRUE(writes(at(texture, 1), 256, {0, 32, 2}, {8, 8, 1}));
    EXPECT_TRUE(writes(at(texture, 3), 16, {0, left_out, left_out}, {4, 4, 1}));
    EXPECT_FALSE(writes(at(texture, 3), 256, {0, 32, 2}, {8, 4, 1}));
}

TEST_F(TexelCopy, OriginAndSizeStayInsideOfTheLevel) {
    const Texture texture = make_texture(describe(WGPUTextureFormat_R8Unorm, {8, 8, 2}, 2));
    const WGPUTexelCopyBufferLayout layout{0, 16, 8};
    EXPECT_TRUE(writes(at(texture, 0, {8, 8, 2}), 0, {0, left_out, left_out}, {0, 0, 0}));
    EXPECT_FALSE(writes(at(texture, 0, {9, 0, 0}), 0, {0, left_out, left_out}, {0, 0, 0}));
    EXPECT_FALSE(writes(at(texture, 0, {4, 0, 0}), 256, layout, {5, 1, 1}));
    EXPECT_FALSE(writes(at(texture, 0, {1, 0, 0}), 256, layout, {UINT32_MAX, 1, 1}));
    EXPECT_FALSE(writes(at(texture, 0, {0, 0, 1}), 512, layout, {8, 8, 2}));
    EXPECT_FALSE(writes(at(texture, 1), 256, layout, {8, 1, 1}));
    EXPECT_FALSE(writes(at(texture, 2), 256, layout, {1, 1, 1}));
}

TEST_F(TexelCopy, UsagesSamplesAndDestroyedTextures) {
    auto only_source = describe(WGPUTextureFormat_R8Unorm, {4, 1, 1});
    only_source.usage = WGPUTextureUsage_CopySrc;
    EXPECT_FALSE(writes(at(make_texture(only_source)), 4, {0, left_out, left_out}, {4, 1, 1}));
    auto samples = describe(WGPUTextureFormat_RGBA8Unorm, {4, 4, 1});
    samples.usage |= WGPUTextureUsage_RenderAttachment;
    samples.sampleCount = 4;
    EXPECT_FALSE(writes(at(make_texture(samples)), 256, {0, 64, 4}, {4, 4, 1}));
    const Texture texture = make_texture(describe(WGPUTextureFormat_R8Unorm, {4, 1, 1}));
    const Buffer buffer = make_buffer(4, copy_usage);
    wgpuTextureDestroy(texture);
    EXPECT_FALSE(writes(at(texture), 4, {0, left_out, left_out}, {4, 1, 1}));
    EXPECT_TRUE(to_buffer(at(texture), buffer, {0, left_out, left_out}, {4, 1, 1}))
        << "only submit looks at it";
    const auto from = at(texture);
    const WGPUTexelCopyBufferInfo to{{0, left_out, left_out}, buffer};
    const WGPUExtent3D size{4, 1, 1};
    EXPECT_FALSE(is_valid([&] {
        run([&](WGPUCommandEncoder encoder) {
            wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &size);
        });
    }));
}

TEST_F(TexelCopy, SlicesOfAThreeDimensionalTextureShrinkWithTheLevel) {
    auto descriptor = describe(WGPUTextureFormat_R8Unorm, {4, 4, 4}, 2);
    descriptor.dimension = WGPUTextureDimension_3D;
    const Texture texture = make_texture(descriptor);
    EXPECT_TRUE(writes(at(texture, 1), 256, {0, 4, 2}, {2, 2, 2}));
    EXPECT_FALSE(writes(at(texture, 1), 256, {0, 4, 2}, {2, 2, 3}));
    EXPECT_FALSE(writes(at(texture, 1, {0, 0, 2}), 256, {0, 4, 2}, {2, 2, 1}));
}

TEST_F(TexelCopy, BufferToTextureReadsTheBufferAtSubmit) {
    const Texture texture = make_texture(describe(WGPUTextureFormat_R8Unorm, {4, 1, 1}));
    const Buffer buffer = make_buffer(4, copy_usage);
    write(buffer, {1, 2, 3, 4});
    const WGPUTexelCopyBufferInfo from{{0, left_out, left_out}, buffer};
    const auto to = at(texture);
    const WGPUExtent3D size{4, 1, 1};
    run([&](WGPUCommandEncoder encoder) {
        wgpuCommandEncoderCopyBufferToTexture(encoder, &from, &to, &size);
    });
    EXPECT_EQ(read_texels(to, {0, left_out, left_out}, size, 4), Bytes({1, 2, 3, 4}));
}

} // namespace
} // namespace fake_tests
