// SPDX-License-Identifier: MIT
// Rules of copies between textures, buffers and memory: usages, devices, states.
#include "texel_model.hpp"

namespace ferry::test {
namespace {

constexpr TextureUsage copied = TextureUsage::copy_src | TextureUsage::copy_dst;
constexpr Usage both = Usage::copy_src | Usage::copy_dst;
class TextureCopies : public CheckedDevice {};

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
