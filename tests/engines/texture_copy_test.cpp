// SPDX-License-Identifier: MIT
// Rules of copies between textures, buffers and memory: usages, devices, states.
#include "texel_model.hpp"

namespace ferry::test {
namespace {

constexpr TextureUsage copied = TextureUsage::copy_src | TextureUsage::copy_dst;
constexpr Usage both = Usage::copy_src | Usage::copy_dst;
class TextureCopies : public SharedDevice {
protected:
    /// The engine has heard of nothing, and the device still moves texels.
    static void expect_untouched() {
        for (const Error& error : device().take_uncaptured_errors())
            ADD_FAILURE() << "reached the engine: " << to_string(error);
        const Texture texture = make_texture(device(), {4, 4});
        must(device().write(texture, pixels(16), {.tight = true}));
        EXPECT_EQ(must(device().read<Rgba8>(texture).wait(patience)), pixels(16));
    }
    /// One command that is wrong: nothing of its recording is sent.
    template <class Record>
    static void expect_command_refused(Record record, const Refusal& wanted) {
        Commands commands = device().record("faulty");
        record(commands);
        EXPECT_TRUE(refused(device().submit(std::move(commands)), wanted));
        expect_untouched();
    }
};

TEST_F(TextureCopies, T08_OfADestroyedTextureAreRefusedAtTheSubmitAndWritesAtOnce) {
    Texture texture = make_texture(device(), {4, 4});
    const Texture other = make_texture(device(), {4, 4}, copied, "other");
    const Buffer buffer = make_buffer(device(), 1024, both);
    const ImageLayout rows{.bytes_per_row = 256};
    std::vector<Commands> recorded;
    for (int i = 0; i < 5; ++i) recorded.push_back(device().record("late"));
    recorded[0].copy({buffer, rows}, texture);
    recorded[1].copy(texture, {buffer, rows});
    recorded[2].copy(texture, other);
    recorded[3].copy(other, texture);
    auto read = recorded[4].read<Rgba8>(texture);
    texture.destroy();
    for (Commands& commands : recorded) {
        EXPECT_EQ(commands.error(), nullptr);
        EXPECT_TRUE(refused(device().submit(std::move(commands)),
                            wrong_state("T-08", {"sky", "destroyed", "late"})));
        expect_untouched();
    }
    EXPECT_TRUE(refused(read.wait(patience), wrong_state("T-08", {"sky"})));
    const auto refusal = wrong_state("T-08", {"sky", "destroyed"});
    EXPECT_TRUE(refused(device().write(texture, pixels(16), {.tight = true}), refusal));
    EXPECT_TRUE(refused(device().write_mip_levels(texture, pixels(16)), refusal));
    EXPECT_TRUE(refused(device().read<Rgba8>(texture).wait(patience), refusal));
    expect_untouched();
}

TEST_F(TextureCopies, OfATextureThatIsDestroyedAfterTheSubmitStillArrive) {
    Texture texture = make_texture(device(), {4, 4});
    must(device().write(texture, pixels(16), {.tight = true}));
    auto read = device().read<Rgba8>(texture);
    texture.destroy();
    EXPECT_EQ(must(read.wait(patience)), pixels(16));
}

TEST_F(TextureCopies, KeepTexturesAndBuffersThatAreDropped) {
    Commands commands = device().record("keeps");
    Ticket<std::vector<Rgba8>> read;
    {
        const Texture source = make_texture(device(), {4, 4});
        const Texture target = make_texture(device(), {4, 4});
        const Buffer between = make_buffer(device(), 1024, both);
        must(device().write(source, pixels(16), {.tight = true}));
        commands.copy(source, {between, {.bytes_per_row = 256}});
        commands.copy({between, {.bytes_per_row = 256}}, target);
        read = commands.read<Rgba8>(target);
    }
    must(device().submit(std::move(commands)));
    EXPECT_EQ(must(read.wait(patience)), pixels(16));
}

TEST_F(TextureCopies, T02_NeedAUsageInEachDirection) {
    const Texture source = make_texture(device(), {4, 4}, TextureUsage::copy_src, "source");
    const Texture target = make_texture(device(), {4, 4}, TextureUsage::copy_dst, "target");
    const Buffer from = make_buffer(device(), 1024, Usage::copy_src, "from");
    const Buffer to = make_buffer(device(), 1024, Usage::copy_dst, "to");
    const ImageLayout rows{.bytes_per_row = 256};
    const auto lacks = [](std::string name, std::string usage) {
        return invalid("T-02", {std::move(name), std::move(usage)});
    };
    EXPECT_TRUE(
        refused(device().write(source, pixels(16), {.tight = true}), lacks("source", "copy_dst")));
    EXPECT_TRUE(refused(device().read<Rgba8>(target).wait(patience), lacks("target", "copy_src")));
    EXPECT_TRUE(refused(device().read_padded(target).wait(patience), lacks("target", "copy_src")));
    expect_command_refused(
        [&](Commands& c) {
            c.copy({from, rows}, source);
        },
        lacks("source", "copy_dst"));
    expect_command_refused(
        [&](Commands& c) {
            c.copy(target, {to, rows});
        },
        lacks("target", "copy_src"));
    expect_command_refused(
        [&](Commands& c) {
            c.copy({to, rows}, target);
        },
        lacks("to", "copy_src"));
    expect_command_refused(
        [&](Commands& c) {
            c.copy(source, {from, rows});
        },
        lacks("from", "copy_dst"));
    expect_command_refused([&](Commands& c) { c.copy(target, target); },
                           lacks("target", "copy_src"));
    expect_command_refused([&](Commands& c) { c.copy(source, source); },
                           lacks("source", "copy_dst"));
    Commands good = device().record("right way");
    good.copy({from, rows}, target);
    good.copy(source, {to, rows});
    good.copy(source, target);
    EXPECT_TRUE(ok(device().submit(std::move(good))));
}

TEST_F(TextureCopies, T01_WithAnotherDeviceAreRefused) {
    Device other = open_device({.label = "other"});
    const Texture foreign = make_texture(other, {4, 4}, copied, "foreign");
    const Texture own = make_texture(device(), {4, 4});
    const Buffer buffer = make_buffer(device(), 1024, both);
    const Buffer far = make_buffer(other, 1024, both, "far");
    const ImageLayout rows{.bytes_per_row = 256};
    const Refusal refusal = invalid("T-01", {"foreign"});
    EXPECT_TRUE(refused(device().write(foreign, pixels(16), {.tight = true}), refusal));
    EXPECT_TRUE(refused(device().read<Rgba8>(foreign).wait(patience), refusal));
    expect_command_refused([&](Commands& c) { c.copy({buffer, rows}, foreign); }, refusal);
    expect_command_refused([&](Commands& c) { c.copy(foreign, {buffer, rows}); }, refusal);
    expect_command_refused([&](Commands& c) { c.copy(own, foreign); }, refusal);
    expect_command_refused([&](Commands& c) { c.copy(foreign, own); }, refusal);
    expect_command_refused([&](Commands& c) { c.uses(foreign); }, refusal);
    expect_command_refused(
        [&](Commands& c) {
            c.copy({far, rows}, own);
        },
        invalid("T-01", {"far"}));
}

TEST_F(TextureCopies, X05_WithinALevelNeedOtherLayers) {
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

TEST_F(TextureCopies, NameTheTextureTheCommandAndTheRecordingInErrors) {
    const Texture texture = make_texture(device(), {4, 4});
    Commands commands = device().record("frame");
    commands.copy(texture, make_texture(device(), {4, 4}));
    auto read = commands.read<Rgba8>({texture, {.mip = 1}});
    ASSERT_NE(commands.error(), nullptr);
    const Refusal wanted = invalid("T-04", {"sky", "frame", "read"}, {1});
    EXPECT_TRUE(is_refusal(*commands.error(), wanted));
    EXPECT_FALSE(read.wait(0ms));
    EXPECT_TRUE(refused(device().submit(std::move(commands)), wanted));
}

TEST_F(TextureCopies, X04_MoveAllAspectsBetweenTextures) {
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

TEST_F(TextureCopies, S02_OfAMappedOrDestroyedBufferAreRefusedAtTheSubmit) {
    const Texture texture = make_texture(device(), {4, 4});
    const ImageLayout legal{.bytes_per_row = 256};
    const ImageLayout tight{.tight = true}; // row by row
    for (const ImageLayout& rows : {legal, tight}) {
        auto made = must(
            device().create_mapped_buffer({.usage = both, .size_bytes = 1024, .label = "rows"}));
        for (const char* state : {"mapped", "destroyed"}) {
            const Refusal refusal = wrong_state("S-02", {"rows", state});
            expect_command_refused(
                [&](Commands& c) {
                    c.copy({made.buffer, rows}, texture);
                },
                refusal);
            expect_command_refused(
                [&](Commands& c) {
                    c.copy(texture, {made.buffer, rows});
                },
                refusal);
            made.buffer.destroy();
        }
    }
}

TEST_F(TextureCopies, ToABufferMustBeSubmittedBeforeItIsMapped) {
    const Texture texture = make_texture(device(), {4, 4});
    must(device().write(texture, pixels(16), {.tight = true}));
    Buffer buffer = make_buffer(device(), 1024, Usage::map_read | Usage::copy_dst, "rows");
    Commands commands = device().record("unsent");
    commands.copy(texture, {buffer, {.bytes_per_row = 256}});
    EXPECT_TRUE(refused(buffer.map_read().wait(patience), {{Errc::not_submitted}, "", {"rows"}}));
    must(device().submit(std::move(commands)));
    auto mapping = must(buffer.map_read({0, 16}).wait(patience));
    EXPECT_EQ(must(must(mapping.as<Rgba8>()).copy()), pixels(4));
}

TEST_F(TextureCopies, X06_TakeSlicesForLayersAndBack) {
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

TEST_F(TextureCopies, X06_TakeRowsOfOneDimensionForRowsOfOthers) {
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

TEST_F(TextureCopies, SlicesOfANew3DTextureAreZeroBesideWhatIsCopiedThere) {
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

TEST_F(TextureCopies, T03_OfManySamplesGoBetweenTexturesAlone) {
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

TEST_F(TextureCopies, ThroughStagingOverTheBufferLimitAreRefusedWithTheNumbers) {
    const Texture texture = must(device().create_texture(
        {.format = Format::stencil8, .size = {4, 8192, 256}, .usage = copied, .label = "tall"}));
    const Buffer buffer = make_buffer(device(), 4 * 8192 * 256, both);
    const Refusal refusal = over_limit("B-07", {256ULL * 8192 * 256, 268'435'456});
    expect_command_refused(
        [&](Commands& c) {
            const CopyReport report = c.copy(texture, {buffer, {.tight = true}});
            EXPECT_EQ(report.engine_copies, 0U);
        },
        refusal);
    EXPECT_TRUE(refused(device().read<std::byte>(texture).wait(patience),
                        over_limit("B-07", {268'435'456})));
}

TEST_F(TextureCopies, OnEmptyCommandsAndDevicesAreErrors) {
    const Texture texture = make_texture(device(), {4, 4});
    const Buffer buffer = make_buffer(device(), 1024, both);
    Commands none;
    EXPECT_EQ(none.copy(texture, {buffer, {.bytes_per_row = 256}}).engine_copies, 0U);
    none.copy(texture, texture);
    none.uses(texture);
    EXPECT_TRUE(refused(none.read<Rgba8>(texture).wait(patience), invalid()));
    EXPECT_TRUE(refused(none.read_padded(texture).wait(patience), invalid()));
    Device nobody;
    EXPECT_TRUE(refused(nobody.write(texture, pixels(16), {.tight = true}), invalid()));
    EXPECT_TRUE(refused(nobody.write_mip_levels(texture, pixels(16)), invalid()));
    EXPECT_TRUE(refused(nobody.read<Rgba8>(texture).wait(patience), invalid()));
    EXPECT_TRUE(refused(nobody.read_padded(texture).wait(patience), invalid()));
    EXPECT_TRUE(
        refused(nobody.create_texture({.format = Format::r8_unorm, .size = {1}}), invalid()));
}

} // namespace
} // namespace ferry::test
