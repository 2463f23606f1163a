// SPDX-License-Identifier: MIT
// Textures as objects: creation, getters, empty handles, the end of their device.
#include "texel_model.hpp"

namespace ferry::test {
namespace {

constexpr TextureUsage copied = TextureUsage::copy_src | TextureUsage::copy_dst;
class TextureObjects : public CheckedDevice {
protected:
    static void expect_creation_refused(const TextureOptions& options, const Refusal& wanted) {
        EXPECT_TRUE(refused(device().create_texture(options), wanted));
        expect_untouched();
    }
};

TEST_F(TextureObjects, TellWhatTheyWereMadeOf) {
    const Texture texture = must(device().create_texture({.format = Format::rg16_uint,
                                                          .size = {64, 32, 6},
                                                          .usage = copied,
                                                          .mip_levels = 3,
                                                          .label = "cube"}));
    EXPECT_EQ(texture.format(), Format::rg16_uint);
    EXPECT_EQ(texture.width(), 64U);
    EXPECT_EQ(texture.height(), 32U);
    EXPECT_EQ(texture.depth_or_array_layers(), 6U);
    EXPECT_EQ(texture.mip_levels(), 3U);
    EXPECT_EQ(texture.usage(), copied);
    EXPECT_EQ(texture.label(), "cube");
    EXPECT_EQ(texture.options().dimension, TextureDimension::d2);
    EXPECT_EQ(texture.options().sample_count, 1U);
    EXPECT_EQ(Extent3D(texture), (Extent3D{64, 32, 6}));
}

TEST_F(TextureObjects, KeepTheirOwnCopyOfTheLabel) {
    std::string label = "a label that is too long to be stored without memory of its own";
    const std::string expected = label;
    const Texture texture = make_texture(device(), {4, 4}, copied, label);
    label.assign(label.size(), '#');
    EXPECT_EQ(texture.label(), expected);
    EXPECT_EQ(texture.options().label, expected);
}

TEST_F(TextureObjects, AreBornAsZeros) {
    const Texture texture = make_texture(device(), {5, 3, 2});
    EXPECT_EQ(must(device().read<std::uint8_t>(texture).wait(patience)),
              std::vector<std::uint8_t>(5 * 3 * 2 * 4));
}

/// wgpu-native would show memory of destroyed textures in all slices but the first.
TEST_F(TextureObjects, OfThreeDimensionsAreBornAsZerosWithoutCopyDst) {
    constexpr Extent3D size{32, 32, 8};
    for (int turn = 0; turn < 3; ++turn) {
        Texture poison = must(device().create_texture({.format = Format::rgba8_unorm,
                                                       .size = size,
                                                       .usage = copied,
                                                       .dimension = TextureDimension::d3}));
        const std::vector<std::uint32_t> bytes(32 * 32 * 8, 0xDEADBEEF);
        ASSERT_TRUE(ok(device().write(poison, bytes, {.tight = true})));
        ASSERT_TRUE(ok(device().done().wait(patience)));
        poison.destroy();
        const Texture fresh = must(device().create_texture({.format = Format::rgba8_unorm,
                                                            .size = size,
                                                            .usage = TextureUsage::copy_src,
                                                            .dimension = TextureDimension::d3}));
        EXPECT_EQ(must(device().read<std::uint32_t>(fresh).wait(patience)),
                  std::vector<std::uint32_t>(32 * 32 * 8));
    }
}

TEST_F(TextureObjects, EmptyHandlesAreInvalid) {
    const Texture none;
    EXPECT_FALSE(none);
    EXPECT_EQ(none.format(), Format::undefined);
    EXPECT_EQ(none.width(), 0U);
    EXPECT_EQ(none.mip_levels(), 0U);
    EXPECT_TRUE(none.label().empty());
    EXPECT_TRUE(refused(device().write(none, pixels(1)), invalid()));
    EXPECT_TRUE(refused(device().read<Rgba8>(none).wait(patience), invalid()));
    EXPECT_TRUE(refused(device().read_padded(none).wait(patience), invalid()));
    EXPECT_TRUE(refused(device().write_mip_levels(none, pixels(1)), invalid()));
    const Buffer buffer = make_buffer(device(), 1024, Usage::copy_src | Usage::copy_dst);
    const Texture texture = make_texture(device(), {4, 4});
    const ImageLayout rows{.bytes_per_row = 256};
    expect_command_refused([&](Commands& to) { to.copy({buffer, rows}, none); }, invalid());
    expect_command_refused([&](Commands& to) { to.copy(none, {buffer, rows}); }, invalid());
    expect_command_refused([&](Commands& to) { to.copy({Buffer{}, rows}, texture); }, invalid());
    expect_command_refused([&](Commands& to) { to.copy(none, texture); }, invalid());
    expect_command_refused([&](Commands& to) { to.copy(texture, none); }, invalid());
    expect_command_refused([&](Commands& to) { to.uses(none); }, invalid());
    Texture moved = make_texture(device(), {1, 1});
    const Texture kept = std::move(moved);
    EXPECT_TRUE(kept);
    moved.destroy(); // NOLINT: an empty handle
}

TEST_F(TextureObjects, ThatCannotBeAreRefusedWithTheirLabel) {
    const TextureOptions good{
        .format = Format::rgba8_unorm, .size = {16, 16}, .usage = copied, .label = "sky"};
    const auto with = [&](auto change) {
        TextureOptions options = good;
        change(options);
        return options;
    };
    using O = TextureOptions;
    expect_creation_refused(with([](O& o) { o.format = Format::undefined; }),
                            invalid("", {"sky", "format"}));
    expect_creation_refused(with([](O& o) { o.format = Format{0x66}; }), invalid("", {"sky"}));
    expect_creation_refused(with([](O& o) { o.size = {}; }), invalid("", {"sky"}));
    expect_creation_refused(with([](O& o) { o.size = {16, 0}; }), invalid("", {"sky"}));
    expect_creation_refused(with([](O& o) { o.size = {16, 16, 0}; }), invalid("", {"sky"}));
    expect_creation_refused(with([](O& o) { o.usage = TextureUsage::none; }),
                            invalid("", {"sky", "usage"}));
    expect_creation_refused(with([](O& o) { o.usage = TextureUsage{0x1000}; }),
                            invalid("", {"sky"}, {0x1000}));
    expect_creation_refused(with([](O& o) { o.mip_levels = 6; }), invalid("", {"sky"}, {6, 5}));
    expect_creation_refused(with([](O& o) { o.mip_levels = 0; }), invalid("", {"sky"}, {0}));
    expect_creation_refused(with([](O& o) { o.sample_count = 3; }), invalid("", {"sky"}, {3}));
    expect_creation_refused(with([](O& o) { o.sample_count = 4; }),
                            invalid("", {"sky", "render_attachment"}));
    expect_creation_refused(with([](O& o) { o.dimension = TextureDimension::d1; }),
                            invalid("", {"sky", "1D"}));
    expect_creation_refused(with([](O& o) { o.dimension = TextureDimension{7}; }),
                            invalid("", {"sky"}, {7}));
    expect_creation_refused(with([](O& o) {
                                o.format = Format::depth16_unorm;
                                o.dimension = TextureDimension::d3;
                            }),
                            invalid("", {"sky", "depth16unorm"}));
    expect_creation_refused(with([](O& o) {
                                o.usage |= TextureUsage::storage_binding;
                                o.format = Format::rgba8_unorm_srgb;
                            }),
                            invalid("", {"sky", "storage_binding"}));
}

TEST_F(TextureObjects, NeedTheFeatureOfTheirFormat) {
    // The device was opened without features.
    expect_creation_refused(
        {.format = Format::bc7_rgba_unorm, .size = {16, 16}, .usage = copied, .label = "sky"},
        {{Errc::unsupported}, "", {"sky", "bc7-rgba-unorm", "texture-compression-bc"}});
    expect_creation_refused(
        {.format = Format::depth32_float_stencil8, .size = {16, 16}, .usage = copied},
        {{Errc::unsupported}, "", {"depth32float-stencil8"}});
}

TEST_F(TextureObjects, AreDestroyedAnyNumberOfTimes) {
    Texture texture = make_texture(device(), {4, 4});
    texture.destroy();
    texture.destroy();
    EXPECT_EQ(texture.width(), 4U);
}

TEST(TextureLoss, AClosedDeviceRefusesTexturesAndEndsTheirReads) {
    Device device = open_device();
    Texture texture = make_texture(device, {4, 4});
    auto read = device.read<Rgba8>(texture);
    auto padded = device.read_padded(texture);
    device.close();
    EXPECT_TRUE(refused(read.wait(patience), {{Errc::cancelled}}));
    EXPECT_TRUE(refused(padded.wait(patience), {{Errc::cancelled}}));
    EXPECT_TRUE(refused(device.write(texture, pixels(16), {.tight = true}), wrong_state()));
    EXPECT_TRUE(refused(device.read<Rgba8>(texture).wait(patience), wrong_state()));
    EXPECT_TRUE(
        refused(device.create_texture(
                    {.format = Format::r8_unorm, .size = {1}, .usage = TextureUsage::copy_src}),
                wrong_state()));
    texture.destroy();
}

TEST(TextureLoss, OutlivesItsDevice) {
    std::optional<Device> device(open_device());
    Texture texture = make_texture(*device, {4, 4});
    must(device->write(texture, pixels(16), {.tight = true}));
    auto read = device->read<Rgba8>(texture);
    device.reset();
    EXPECT_EQ(must(read.wait(patience)), pixels(16));
    EXPECT_EQ(texture.width(), 4U);
    texture.destroy();
}

} // namespace
} // namespace ferry::test
