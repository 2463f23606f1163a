// SPDX-License-Identifier: MIT
// rules 3.1
#include "texture_fixture.hpp"

namespace fake_tests {
namespace {

class TexelLayout : public TextureTest {
protected:
    void SetUp() override {
        TextureTest::SetUp();
        texture = make_texture(describe(WGPUTextureFormat_RGBA8Unorm, {64, 8, 4}));
    }
    void TearDown() override {
        texture.reset();
        FakeTest::TearDown();
    }
    // Whether T2B into a buffer of `bytes` is valid.
    bool fits(std::uint64_t bytes, WGPUTexelCopyBufferLayout layout, WGPUExtent3D size) {
        const Buffer buffer = make_buffer(bytes, copy_usage);
        return to_buffer(at(texture), buffer, layout, size);
    }
    // The exact size is enough, and one byte less is not.
    void expect_required(std::uint64_t bytes, WGPUTexelCopyBufferLayout layout, WGPUExtent3D size) {
        EXPECT_TRUE(fits(bytes, layout, size)) << bytes;
        if (bytes > 0) {
            EXPECT_FALSE(fits(bytes - 1, layout, size)) << bytes;
        }
    }

    Texture texture;
};

TEST_F(TexelLayout, TheLastRowAndImageNeedNoPadding) {
    expect_required(384, {0, 256, left_out}, {32, 2, 1});
    expect_required(256 * 2 + 256 + 128, {0, 256, 2}, {32, 2, 2});
    expect_required(64, {0, left_out, left_out}, {16, 1, 1});
}

TEST_F(TexelLayout, WidthZeroStillCountsStridesAndDepthZeroNothing) {
    expect_required(2816, {0, 256, 4}, {0, 4, 3});
    expect_required(0, {0, 256, 4}, {32, 4, 0});
    expect_required(256 * 4 * 2, {0, 256, 4}, {32, 0, 3});
}

TEST_F(TexelLayout, AnEmptyCopyStillNeedsItsOffsetInside) {
    EXPECT_TRUE(fits(16, {16, left_out, left_out}, {0, 0, 0}));
    EXPECT_FALSE(fits(16, {20, left_out, left_out}, {0, 0, 0}));
}

TEST_F(TexelLayout, StridesMustBeGivenWhenTheyMatter) {
    EXPECT_FALSE(fits(4096, {0, left_out, left_out}, {64, 2, 1}));
    EXPECT_FALSE(fits(4096, {0, left_out, 1}, {64, 1, 2}));
    EXPECT_FALSE(fits(4096, {0, 256, left_out}, {64, 1, 2}));
    EXPECT_TRUE(fits(4096, {0, 256, 1}, {64, 1, 2}));
    EXPECT_TRUE(fits(4096, {0, left_out, left_out}, {64, 1, 1}));
}

TEST_F(TexelLayout, GivenStridesAreCheckedAlsoWhenNotNeeded) {
    EXPECT_FALSE(fits(4096, {0, 0, left_out}, {16, 1, 1}));
    EXPECT_FALSE(fits(4096, {0, 64, left_out}, {16, 1, 1})) << "no multiple of 256";
    EXPECT_FALSE(fits(4096, {0, 256, 0}, {16, 1, 1}));
    EXPECT_FALSE(fits(4096, {0, 256, 1}, {16, 2, 1}));
    EXPECT_TRUE(fits(4096, {0, 256, UINT32_MAX - 1}, {16, 2, 1}))
        << "a huge stride with one image costs nothing";
}

TEST_F(TexelLayout, BufferOffsetsAreWholeBlocksAndDataOffsetsAreFree) {
    EXPECT_TRUE(fits(4096, {4, left_out, left_out}, {16, 1, 1}));
    EXPECT_FALSE(fits(4096, {2, left_out, left_out}, {16, 1, 1}));
    EXPECT_TRUE(writes(at(texture), 65, {1, left_out, left_out}, {16, 1, 1}));
    EXPECT_FALSE(writes(at(texture), 65, {2, left_out, left_out}, {16, 1, 1}));
    EXPECT_TRUE(writes(at(texture), 65 + 64, {0, 65, left_out}, {16, 2, 1}));
}

TEST_F(TexelLayout, ArithmeticDoesNotWrap) {
    EXPECT_FALSE(writes(at(texture), 256, {UINT64_MAX - 3, left_out, left_out}, {1, 1, 1}));
    EXPECT_FALSE(writes(at(texture), 256, {0, UINT32_MAX - 1, UINT32_MAX - 1}, {1, 1, 3}));
}

TEST_F(TexelLayout, BytesFollowThePitchAndPaddingSurvives) {
    Bytes data(3 * 2 * 2 * 4);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i + 1);
    const auto to = at(texture, 0, {2, 1, 1});
    const WGPUTexelCopyBufferLayout tight{0, 12, 2};
    const WGPUExtent3D size{3, 2, 2};
    wgpuQueueWriteTexture(queue, &to, data.data(), data.size(), &tight, &size);
    const Bytes bytes = read_texels(to, {4, 256, 3}, size, 4 + 256 * 3 + 256 + 12 + 4);
    for (std::size_t position = 0; position < bytes.size(); ++position) {
        std::size_t const from = position - 4;
        std::size_t const image = from / 768, row = from % 768 / 256, column = from % 256;
        const bool inside = position >= 4 && image < 2 && row < 2 && column < 12;
        EXPECT_EQ(bytes[position], inside ? data[image * 24 + row * 12 + column] : 0xEE)
            << position;
    }
}

} // namespace
} // namespace fake_tests
