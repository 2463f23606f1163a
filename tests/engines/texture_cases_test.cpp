// SPDX-License-Identifier: MIT
// Failures from the field, each by its number: textures.
#include <array>
#include <cstring>

#include "guarded_memory.hpp"
#include "texel_model.hpp"

namespace ferry::test {
namespace {

constexpr TextureUsage copied = TextureUsage::copy_src | TextureUsage::copy_dst;

class TextureCases : public FullDevice {
protected:
    static Texture make(Format format, const Extent3D& size, std::uint32_t mips = 1) {
        return must(device().create_texture({.format = format,
                                             .size = size,
                                             .usage = copied,
                                             .mip_levels = mips,
                                             .label = "image"}));
    }
    template <class T = std::byte>
    static std::vector<T> read(const TextureAt& source) {
        return must(device().read<T>(source).wait(patience));
    }
    static bool lacks(Feature feature) { return !device().has(feature); }
};

/// Texel value = x + 256 y.
std::vector<std::uint32_t> gradient(std::uint32_t width, std::uint32_t height) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) out.push_back(x + 256 * y);
    }
    return out;
}

TEST_F(TextureCases, A07_AHundredSquareTexelsComeBackTightOrWithAPitchOf512) {
    const Texture texture = make(Format::rgba8_unorm, {100, 100});
    must(device().write(texture, gradient(100, 100), {.tight = true}));
    const auto tight = read<std::uint32_t>(texture);
    EXPECT_EQ(tight.size() * 4, 40'000U);
    EXPECT_EQ(tight, gradient(100, 100));
    const auto padded = must(device().read_padded(texture).wait(patience));
    EXPECT_EQ(padded.plan().bytes_per_row, 512U);
    EXPECT_EQ(padded.plan().staging_bytes, 51'088U);
    EXPECT_EQ(must(padded.row<std::uint32_t>(99)).back(), 99U + 256 * 99);
}

TEST_F(TextureCases, A08_RowsOf512BytesAreNotShifted) {
    const Texture texture = make(Format::bgra8_unorm, {128, 128});
    must(device().write(texture, gradient(128, 128), {.tight = true}));
    const auto padded = must(device().read_padded(texture).wait(patience));
    EXPECT_EQ(padded.plan().bytes_per_row, 512U);
    EXPECT_EQ(must(padded.bytes()).size(), 65'536U);
    EXPECT_EQ(read<std::uint32_t>(texture), gradient(128, 128));
}

TEST_F(TextureCases, A09_AWiderSourceIsReadToItsLastNeededByteAndNoFurther) {
    constexpr std::size_t needed = 8'384'512;
    const GuardedMemory memory(needed);
    const auto source = memory.as<std::uint32_t>();
    for (std::uint32_t at = 0; at < source.size(); ++at) source[at] = at * 2654435761U;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t y = 0; y < 1024; ++y) {
        for (std::uint32_t x = 0; x < 1024; ++x) expected.push_back((y * 2048 + x) * 2654435761U);
    }
    const ImageLayout rows{.bytes_per_row = 8192};
    const Texture texture = make(Format::rgba8_unorm, {1024, 1024});
    EXPECT_TRUE(refused(device().write(texture, memory.as().first(needed - 1), rows),
                        invalid("L-09", {"image"}, {needed, needed - 1})));
    must(device().write(texture, source, rows));
    EXPECT_EQ(read<std::uint32_t>(texture), expected);
    const Texture swapped = make(Format::bgra8_unorm, {1024, 1024});
    must(device().write(swapped, memory.as<Rgba8>(), rows));
    const auto pixels = must(device().read<Rgba8>(swapped).wait(patience));
    EXPECT_EQ(std::memcmp(pixels.data(), expected.data(), 4U << 20), 0);
}

TEST_F(TextureCases, A20_SmallLevelsOfBlocksTakeTheirLogicalSizes) {
    if (lacks(Feature::texture_compression_bc))
        GTEST_SKIP() << "the adapter lacks texture-compression-bc";
    const Texture texture = make(Format::bc7_rgba_unorm, {4, 4}, 3);
    for (std::uint32_t mip = 0; mip < 3; ++mip) {
        const std::uint64_t logical = 4U >> mip;
        const Bytes block = texels(1, 16, mip + 1);
        must(device().write({texture, {.mip = mip}}, block, {}, {logical, logical}));
        EXPECT_EQ(read({texture, {.mip = mip}}), block);
        const auto found =
            must(device().read_padded({texture, {.mip = mip}}, {logical, logical}).wait(patience));
        EXPECT_EQ(found.plan().size, (Extent3D{4, 4}));
        EXPECT_EQ(must(found.bytes()).size(), 16U);
    }
}

TEST_F(TextureCases, A21_NoWholeBlocksAreRefusedWithTheNextSizeAndItsBytes) {
    const TextureOptions options{
        .format = Format::bc1_rgba_unorm, .size = {250, 250}, .usage = copied, .label = "image"};
    EXPECT_TRUE(
        refused(device().create_texture(options), invalid("", {"image", "252x252"}, {31'752})));
    const auto last = mip_level({.format = Format::bc1_rgba_unorm,
                                 .size = {1920, 1080},
                                 .mip_levels = full_mip_levels({1920, 1080})},
                                10);
    ASSERT_TRUE(last);
    EXPECT_EQ(last->offset_bytes + last->size_bytes, 1'383'112U);
}

TEST_F(TextureCases, A26_LayersComeBackInOrder) {
    const Texture texture = make(Format::rgba8_unorm, {32, 64, 4});
    std::vector<Rgba8> expected;
    for (std::uint8_t layer = 0; layer < 4; ++layer)
        expected.insert(expected.end(), 32 * 64, Rgba8{7, 8, layer, 255});
    must(device().write(texture, expected, {.tight = true}));
    EXPECT_EQ(must(device().read<Rgba8>(texture).wait(patience)), expected);
    EXPECT_EQ(read(texture).size(), 32'768U);
    EXPECT_GE(must(device().read_padded(texture).wait(patience)).plan().staging_bytes, 65'408U);
}

TEST_F(TextureCases, A27_SlicesOneByOneAndAllAtOnceAreTheSame) {
    const auto made = [] {
        return must(device().create_texture({.format = Format::r32_float,
                                             .size = {3, 3, 3},
                                             .usage = copied,
                                             .dimension = TextureDimension::d3,
                                             .label = "volume"}));
    };
    const auto values = counting<float>(27, 1.0F);
    const Texture by_slice = made();
    const std::span all(values);
    for (std::uint64_t z = 0; z < 3; ++z) {
        must(device().write({by_slice, {.origin = {0, 0, z}}}, all.subspan(z * 9, 9),
                            {.tight = true}, {3, 3, 1}));
    }
    const Texture at_once = made();
    must(device().write(at_once, values, {.tight = true}));
    EXPECT_EQ(read<float>(by_slice), values);
    EXPECT_EQ(read<float>(at_once), values);
    EXPECT_TRUE(refused(device().write(at_once, all.first(9), {.tight = true}),
                        invalid("L-09", {"volume"}, {108, 36})));
    EXPECT_EQ(read<float>(at_once), values);
}

TEST_F(TextureCases, A29_ColorsAreReadAsStoredAndAsAsked) {
    const Texture texture = make(Format::bgra8_unorm, {1, 1});
    must(device().write(texture, std::array{Rgba8{10, 20, 30, 255}}));
    EXPECT_EQ(read<std::uint8_t>(texture), (std::vector<std::uint8_t>{30, 20, 10, 255}));
    EXPECT_EQ(must(device().read<Rgba8>(texture).wait(patience)).at(0), (Rgba8{10, 20, 30, 255}));

    const Texture source = make(Format::rgba8_unorm, {1, 1});
    const Texture srgb = make(Format::rgba8_unorm_srgb, {1, 1});
    must(device().write(source, std::array{Rgba8{10, 20, 30, 255}}));
    Commands commands = device().record();
    commands.copy(source, srgb);
    EXPECT_TRUE(ok(device().submit(std::move(commands))));
    EXPECT_EQ(read<std::uint8_t>(srgb), (std::vector<std::uint8_t>{10, 20, 30, 255}));
    for (Format other : {Format::bgra8_unorm, Format::rgba16_float}) {
        Commands wrong = device().record();
        wrong.copy(source, make(other, {1, 1}));
        ASSERT_NE(wrong.error(), nullptr);
        EXPECT_TRUE(
            is_refusal(*wrong.error(), invalid("X-01", {"rgba8unorm", std::string(name(other))})));
    }
}

TEST_F(TextureCases, A31_DepthAndStencilMoveOneAtATimeAndWhole) {
    if (lacks(Feature::depth32float_stencil8))
        GTEST_SKIP() << "the adapter lacks depth32float-stencil8";
    const Texture texture = make(Format::depth32_float_stencil8, {17, 9});
    const TextureAt depth{texture, {.aspect = Aspect::depth_only}};
    const TextureAt stencil{texture, {.aspect = Aspect::stencil_only}};
    EXPECT_EQ(read(depth).size(), 612U);
    const Bytes content = texels(153, 1, 1);
    must(device().write(stencil, content, {.tight = true}));
    EXPECT_EQ(read(stencil), content);
    EXPECT_TRUE(refused(device().read<std::byte>(depth, {4, 4}).wait(patience),
                        invalid("T-07", {"image", "whole"}, {17, 9})));
    EXPECT_TRUE(refused(device().write(depth, Bytes(612), {.tight = true}),
                        invalid("3.4", {"image", "render"})));
    EXPECT_TRUE(refused(device().read<std::byte>(texture).wait(patience),
                        invalid("3.3", {"depth_only", "stencil_only"})));
}

TEST_F(TextureCases, A31_StencilRowsThatNoCopyTakesAreRefusedWithTheNextLegalDistance) {
    const Texture texture = make(Format::stencil8, {17, 9});
    const Buffer buffer = make_buffer(device(), 4096, Usage::copy_src | Usage::copy_dst);
    for (std::uint64_t pitch : {17U, 20U}) { // rows of 17 bytes are no whole words
        Commands commands = device().record();
        commands.copy(texture, {buffer, {.bytes_per_row = pitch}});
        EXPECT_TRUE(
            refused(device().submit(std::move(commands)), invalid("L-06", {}, {pitch, 256})));
    }
    Commands commands = device().record();
    const CopyReport report = commands.copy(texture, {buffer, {.bytes_per_row = 256}});
    EXPECT_EQ(report.engine_copies, 1U);
    EXPECT_TRUE(ok(device().submit(std::move(commands))));
}

TEST_F(TextureCases, A32_NothingIsMovedWithSuccessAndWithoutACommand) {
    const Texture texture = make(Format::rgba8_unorm, {4, 4});
    const Bytes content = texels(16, 4, 1);
    must(device().write(texture, content, {.tight = true}));
    EXPECT_TRUE(ok(device().write(texture, Bytes(), {.tight = true}, {0, 1})));
    EXPECT_TRUE(ok(device().write(texture, Bytes(), {}, {4, 0})));
    EXPECT_TRUE(ok(device().write(texture, Bytes(), {.tight = true}, {4, 4, 0})));
    const Buffer buffer = make_filled(device(), Bytes(16, poison));
    Commands commands = device().record();
    for (const Extent3D& size : {Extent3D{0, 1}, Extent3D{4, 0}, Extent3D{1, 1, 0}}) {
        const ImageLayout end{.offset_bytes = 16};
        EXPECT_EQ(commands.copy(texture, {buffer, end}, size).engine_copies, 0U);
        EXPECT_EQ(commands.copy({buffer, end}, texture, size).engine_copies, 0U);
        commands.copy(texture, make(Format::rgba8_unorm, {4, 4}), size);
    }
    auto none = commands.read<std::byte>({texture, {.origin = {4, 4, 1}}}, {0, 0, 0});
    EXPECT_EQ(commands.error(), nullptr);
    EXPECT_TRUE(ok(device().submit(std::move(commands))));
    EXPECT_TRUE(must(none.wait(patience)).empty());
    EXPECT_EQ(read(texture), content);
    EXPECT_EQ(read_all(device(), buffer), Bytes(16, poison));
}

} // namespace
} // namespace ferry::test
