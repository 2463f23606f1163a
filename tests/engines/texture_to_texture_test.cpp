// SPDX-License-Identifier: MIT
// Copies from texture to texture: aspects, levels, layers, dimensions, samples.
#include "texel_model.hpp"

namespace ferry::test {
namespace {

constexpr TextureUsage copied = TextureUsage::copy_src | TextureUsage::copy_dst;
constexpr Usage both = Usage::copy_src | Usage::copy_dst;

class TextureToTexture : public CheckedDevice {};

TEST_F(TextureToTexture, X05_WithinALevelNeedOtherLayers) {
    const Texture texture = must(device().create_texture({.format = Format::rgba8_unorm,
                                                          .size = {8, 8, 4},
                                                          .usage = copied,
                                                          .mip_levels = 2,
                                                          .label = "sky"}));
    const auto layer = [&](std::uint64_t z) { return TextureAt(texture, {.origin = {0, 0, z}}); };
    expect_command_refused(
        [&](Commands& c) {
            c.copy(layer(0), layer(1), {8, 8, 2});
        },
        invalid("X-05"));
    must(device().write(layer(0), pixels(128), {.tight = true}, {8, 8, 2}));
    Commands commands = device().record("layers and levels");
    commands.copy(layer(0), layer(2), {8, 8, 2});
    commands.copy({texture, {.origin = {4, 4, 3}}}, {texture, {.mip = 1}}, {4, 4});
    auto third = commands.read<Rgba8>(layer(2), {8, 8, 2});
    auto level = commands.read<Rgba8>({texture, {.mip = 1}}, {4, 4});
    must(device().submit(std::move(commands)));
    EXPECT_EQ(must(third.wait(patience)), pixels(128));
    Pixels corner;
    for (std::size_t y = 4; y < 8; ++y) {
        for (std::size_t x = 4; x < 8; ++x) corner.push_back(pixels(128)[64 + y * 8 + x]);
    }
    EXPECT_EQ(must(level.wait(patience)), corner);
}

TEST_F(TextureToTexture, X04_MoveAllAspectsBetweenTextures) {
    const TextureOptions options{
        .format = Format::depth24_plus_stencil8, .size = {4, 4}, .usage = copied, .label = "sky"};
    const Texture source = must(device().create_texture(options));
    const Texture target = must(device().create_texture(options));
    const auto only = [](const Texture& texture, Aspect aspect) {
        return TextureAt(texture, {.aspect = aspect});
    };
    for (Aspect aspect : {Aspect::stencil_only, Aspect::depth_only}) {
        const Refusal refusal = invalid("X-04", {"sky", std::string(name(aspect))});
        expect_command_refused([&](Commands& c) { c.copy(only(source, aspect), target); }, refusal);
        expect_command_refused([&](Commands& c) { c.copy(source, only(target, aspect)); }, refusal);
    }
    Commands commands = device().record();
    commands.copy(source, target);
    EXPECT_TRUE(ok(device().submit(std::move(commands))));
}

TEST_F(TextureToTexture, X06_TakeSlicesForLayersAndBack) {
    const Texture layers = make_texture(device(), {4, 4, 3});
    const Texture slices = must(device().create_texture({.format = Format::rgba8_unorm,
                                                         .size = {4, 4, 3},
                                                         .usage = copied,
                                                         .dimension = TextureDimension::d3}));
    must(device().write(layers, pixels(48), {.tight = true}));
    Commands commands = device().record();
    commands.copy({layers, {.origin = {0, 0, 1}}}, slices, {4, 4, 2});
    commands.copy({slices, {.origin = {0, 0, 1}}}, layers, {4, 4, 1});
    auto deep = commands.read<Rgba8>(slices, {4, 4, 2});
    auto flat = commands.read<Rgba8>(layers, {4, 4, 1});
    must(device().submit(std::move(commands)));
    const Pixels all = pixels(48);
    EXPECT_EQ(must(deep.wait(patience)), Pixels(all.begin() + 16, all.end()));
    EXPECT_EQ(must(flat.wait(patience)), Pixels(all.begin() + 32, all.end()));
}

TEST_F(TextureToTexture, X06_TakeRowsOfOneDimensionForRowsOfOthers) {
    const auto made = [](TextureDimension dimension, const Extent3D& size) {
        return must(device().create_texture({.format = Format::rgba8_unorm,
                                             .size = size,
                                             .usage = copied,
                                             .dimension = dimension}));
    };
    const Texture line = made(TextureDimension::d1, {4});
    const Texture flat = made(TextureDimension::d2, {4, 4, 2});
    const Texture deep = made(TextureDimension::d3, {4, 4, 2});
    const Texture back = made(TextureDimension::d1, {4});
    must(device().write(line, pixels(4), {.tight = true}));
    Commands commands = device().record();
    commands.copy(line, {flat, {.origin = {0, 2, 1}}});
    commands.copy({flat, {.origin = {0, 2, 1}}}, {deep, {.origin = {0, 3, 1}}}, {4, 1});
    commands.copy({deep, {.origin = {0, 3, 1}}}, back, {4, 1});
    auto rows = commands.read<Rgba8>({deep, {.origin = {0, 0, 1}}});
    auto row = commands.read<Rgba8>(back);
    must(device().submit(std::move(commands)));
    Pixels expected(12);
    for (const Rgba8& pixel : pixels(4)) expected.push_back(pixel);
    EXPECT_EQ(must(rows.wait(patience)), expected);
    EXPECT_EQ(must(row.wait(patience)), pixels(4));
}

/// Copies one row to the second slice, by `copy`, when the memory of other textures is full of
/// other texels.
template <class Copy>
Pixels second_slice_filled(Device& device, Copy copy) {
    const auto made = [&] {
        return must(device.create_texture({.format = Format::rgba8_unorm,
                                           .size = {4, 4, 2},
                                           .usage = copied,
                                           .dimension = TextureDimension::d3}));
    };
    for (int i = 0; i < 4; ++i) {
        Texture dirty = made();
        must(device.write(dirty, pixels(32, 3), {.tight = true}));
        must(device.done().wait(patience));
        dirty.destroy();
    }
    const Texture fresh = made();
    copy(TextureAt(fresh, {.origin = {0, 3, 1}}));
    Pixels upper = must(device.read<Rgba8>({fresh, {.origin = {0, 0, 1}}}).wait(patience));
    const Pixels all = must(device.read<Rgba8>(fresh).wait(patience));
    EXPECT_EQ(Pixels(all.begin(), all.begin() + 16), Pixels(16)) << "the first slice";
    EXPECT_EQ(Pixels(all.begin() + 16, all.end()), upper) << "read alone and read with the first";
    return upper;
}

TEST_F(TextureToTexture, SlicesOfANew3DTextureAreZeroBesideWhatIsCopiedThere) {
    const Texture flat = make_texture(device(), {4, 4, 2});
    const Texture deep = must(device().create_texture({.format = Format::rgba8_unorm,
                                                       .size = {4, 4, 2},
                                                       .usage = copied,
                                                       .dimension = TextureDimension::d3}));
    must(device().write(flat, pixels(32), {.tight = true}));
    must(device().write(deep, pixels(32), {.tight = true}));
    const Buffer buffer = make_filled(device(), pixels(4));
    const auto by = [&](auto copy) {
        return second_slice_filled(device(), [&](const TextureAt& place) {
            Commands commands = device().record();
            copy(commands, place);
            must(device().submit(std::move(commands)));
        });
    };
    Pixels expected(12);
    for (const Rgba8& pixel : pixels(4)) expected.push_back(pixel);
    EXPECT_EQ(by([&](Commands& c, const TextureAt& to) { c.copy(flat, to, {4, 1}); }), expected);
    EXPECT_EQ(by([&](Commands& c, const TextureAt& to) { c.copy(deep, to, {4, 1}); }), expected);
    EXPECT_EQ(by([&](Commands& c, const TextureAt& to) { c.copy(buffer, to, {4, 1}); }), expected);
    EXPECT_EQ(by([](Commands&, const TextureAt&) {}), Pixels(16));
    const auto written = second_slice_filled(device(), [](const TextureAt& to) {
        must(device().write(to, pixels(4), {.tight = true}, {4, 1}));
    });
    EXPECT_EQ(written, expected);
}

TEST_F(TextureToTexture, T03_OfManySamplesGoBetweenTexturesAlone) {
    const TextureOptions options{.format = Format::rgba8_unorm,
                                 .size = {4, 4},
                                 .usage = copied | TextureUsage::render_attachment,
                                 .sample_count = 4,
                                 .label = "samples"};
    const Texture source = must(device().create_texture(options));
    const Texture target = must(device().create_texture(options));
    const Texture single = make_texture(device(), {4, 4});
    const Buffer buffer = make_buffer(device(), 1024, both);
    const ImageLayout rows{.bytes_per_row = 256};
    const Refusal refusal = invalid("T-03", {"samples"}, {4});
    EXPECT_TRUE(refused(device().read<Rgba8>(source).wait(patience), refusal));
    EXPECT_TRUE(refused(device().write(source, pixels(16), {.tight = true}), refusal));
    expect_command_refused([&](Commands& c) { c.copy({buffer, rows}, source); }, refusal);
    expect_command_refused([&](Commands& c) { c.copy(source, {buffer, rows}); }, refusal);
    expect_command_refused([&](Commands& c) { c.copy(source, single); }, invalid("X-02"));
    expect_command_refused([&](Commands& c) { c.copy(source, target, {2, 4}); }, invalid("T-07"));
    Commands commands = device().record();
    commands.copy(source, target);
    EXPECT_TRUE(ok(device().submit(std::move(commands))));
}

} // namespace
} // namespace ferry::test
