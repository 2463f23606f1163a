// SPDX-License-Identifier: MIT
// How texels come back: into memory of the program's, padded, and as pixels of either order.
#include "raw_engine.hpp"
#include "texel_model.hpp"

namespace ferry::test {
namespace {

constexpr TextureUsage copied = TextureUsage::copy_src | TextureUsage::copy_dst;

template <class T>
std::vector<T> as(const Bytes& bytes) {
    std::vector<T> out(bytes.size() / sizeof(T));
    std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
    return out;
}

Texture make_texture(Device& device, Format format, const Extent3D& size,
                     std::string_view label = "sky") {
    return must(
        device.create_texture({.format = format, .size = size, .usage = copied, .label = label}));
}

/// A texture with `content` in it.
Texture make_filled_texture(Device& device, Format format, const Extent3D& size,
                            const Bytes& content) {
    Texture texture = make_texture(device, format, size);
    must(device.write(texture, content, {.tight = true}));
    return texture;
}

class TexelReads : public SharedDevice {};

TEST_F(TexelReads, ComeBackAsAnyTypeThatDividesARow) {
    const Bytes content = texels(6 * 5, 4, 1);
    const Texture texture = make_filled_texture(device(), Format::rgba8_unorm, {6, 5}, content);
    EXPECT_EQ(must(device().read<std::byte>(texture).wait(patience)), content);
    EXPECT_EQ(must(device().read<std::uint32_t>(texture).wait(patience)),
              as<std::uint32_t>(content));
    EXPECT_EQ(must(device().read<std::uint64_t>(texture).wait(patience)),
              as<std::uint64_t>(content));
    struct Triple {
        std::array<std::uint8_t, 12> bytes;
    };
    EXPECT_EQ(must(device().read<Triple>(texture).wait(patience)).size(), 10U);
}

TEST_F(TexelReads, OfATypeThatDoesNotDivideTheRowAreRefused) {
    const Texture texture = make_texture(device(), Format::rgba8_unorm, {3, 2});
    EXPECT_TRUE(refused(device().read<std::uint64_t>(texture).wait(patience),
                        invalid("", {"sky"}, {12, 8})));
    const Texture bytes = make_texture(device(), Format::r8_unorm, {5, 4});
    EXPECT_TRUE(
        refused(device().read<std::uint32_t>(bytes).wait(patience), invalid("", {"sky"}, {5, 4})));
}

TEST_F(TexelReads, GoIntoMemoryOfTheProgramsAndNoFurther) {
    const Bytes content = texels(5 * 3 * 2, 4, 1);
    const Texture texture = make_filled_texture(device(), Format::rgba8_unorm, {5, 3, 2}, content);
    Bytes target(content.size() + 7, poison);
    auto ticket = device().read<std::byte>(texture);
    EXPECT_EQ(must(ticket.wait_into(target, patience)), content.size());
    Bytes expected = content;
    expected.resize(target.size(), poison);
    EXPECT_EQ(target, expected);

    auto taken = device().read<std::uint32_t>(texture);
    std::vector<std::uint32_t> small(29);
    EXPECT_TRUE(poll_until(device(), [&] { return taken.ready(); }));
    auto refusal = taken.take_into(small);
    ASSERT_TRUE(refusal);
    EXPECT_TRUE(refused(*refusal, invalid("", {}, {116, 120})));
    std::vector<std::uint32_t> enough(30);
    auto done = taken.take_into(enough);
    ASSERT_TRUE(done && *done);
    EXPECT_EQ(**done, 30U);
    EXPECT_EQ(enough, as<std::uint32_t>(content));
}

TEST_F(TexelReads, SeeWhatWasRecordedBeforeThemOnly) {
    const Texture texture = make_filled_texture(device(), Format::r8_uint, {4, 1}, texels(4, 1, 1));
    const Buffer later = make_filled(device(), texels(4, 1, 2), Usage::copy_src);
    Commands commands = device().record();
    auto before = commands.read<std::byte>(texture);
    commands.copy(later, texture);
    auto after = commands.read<std::byte>(texture);
    must(device().submit(std::move(commands)));
    must(device().write(texture, texels(4, 1, 3)));
    EXPECT_EQ(must(before.wait(patience)), texels(4, 1, 1));
    EXPECT_EQ(must(after.wait(patience)), texels(4, 1, 2));
}

// --- pixels
// ------------------------------------------------------------------------------------------------

/// Red 10, 11, ..., green 50, ..., blue 90, ..., alpha 130, ...
template <class Pixel>
std::vector<Pixel> colors(std::size_t count) {
    std::vector<Pixel> out(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto n = static_cast<std::uint8_t>(i);
        out[i].r = static_cast<std::uint8_t>(10 + n);
        out[i].g = static_cast<std::uint8_t>(50 + n);
        out[i].b = static_cast<std::uint8_t>(90 + n);
        out[i].a = static_cast<std::uint8_t>(130 + n);
    }
    return out;
}

class PixelOrder : public SharedDevice {
protected:
    template <class Written>
    static void expect_colors_kept(Format format, bool blue_first) {
        const Texture texture = make_texture(device(), format, {5, 3});
        must(device().write(texture, colors<Written>(15), {.tight = true}));
        EXPECT_EQ(must(device().read<Rgba8>(texture).wait(patience)), colors<Rgba8>(15));
        EXPECT_EQ(must(device().read<Bgra8>(texture).wait(patience)), colors<Bgra8>(15));
        const auto stored = must(device().read<std::uint8_t>(texture).wait(patience));
        EXPECT_EQ(stored[4], blue_first ? 91 : 11);
        EXPECT_EQ(stored[5], 51);
        EXPECT_EQ(stored[6], blue_first ? 11 : 91);
        EXPECT_EQ(stored[7], 131);
    }
};

TEST_F(PixelOrder, KeepsColorsWhateverOrderTheyAreStoredIn) {
    for (Format format : {Format::rgba8_unorm, Format::rgba8_unorm_srgb, Format::rgba8_uint}) {
        expect_colors_kept<Rgba8>(format, false);
        expect_colors_kept<Bgra8>(format, false);
    }
    for (Format format : {Format::bgra8_unorm, Format::bgra8_unorm_srgb}) {
        expect_colors_kept<Rgba8>(format, true);
        expect_colors_kept<Bgra8>(format, true);
    }
}

TEST_F(PixelOrder, KeepsColorsOfRowsAtAnyDistance) {
    const Blocks size{5, 3, 2};
    const auto wanted = colors<Rgba8>(30);
    const auto bytes = std::as_bytes(std::span(wanted));
    for (std::size_t pitch : {20U, 21U, 23U, 30U}) {
        for (std::size_t offset : {0U, 1U, 6U}) {
            const Strides strides{offset, pitch, 4};
            Bytes data = spread({bytes.begin(), bytes.end()}, size, strides, 0);
            data.resize((data.size() + 3) / 4 * 4, poison);
            const Texture texture = make_texture(device(), Format::bgra8_unorm, {5, 3, 2});
            must(device().write(texture, as<Rgba8>(data), strides.layout()));
            ASSERT_EQ(must(device().read<Rgba8>(texture).wait(patience)), wanted)
                << pitch << ", " << offset;
        }
    }
}

TEST_F(PixelOrder, LeavesMemoryBehindTheTargetAlone) {
    const Texture texture = make_texture(device(), Format::bgra8_unorm, {3, 2});
    must(device().write(texture, colors<Rgba8>(6), {.tight = true}));
    const Rgba8 kept{1, 2, 3, 4};
    std::vector<Rgba8> target(8, kept);
    auto ticket = device().read<Rgba8>(texture);
    EXPECT_EQ(must(ticket.wait_into(target, patience)), 6U);
    auto expected = colors<Rgba8>(6);
    expected.insert(expected.end(), 2, kept);
    EXPECT_EQ(target, expected);
}

TEST_F(PixelOrder, IsRefusedForOtherFormats) {
    for (Format format : {Format::rgba8_snorm, Format::rgba8_sint, Format::r32_float,
                          Format::rgb10a2_unorm, Format::rgba16_uint, Format::rg8_unorm}) {
        const Texture texture = make_texture(device(), format, {4, 4});
        const Refusal refusal = invalid("", {"sky", std::string(name(format))});
        EXPECT_TRUE(refused(device().read<Rgba8>(texture).wait(patience), refusal));
        EXPECT_TRUE(refused(device().read<Bgra8>(texture).wait(patience), refusal));
        EXPECT_TRUE(refused(device().write(texture, colors<Rgba8>(64), {.tight = true}), refusal));
        EXPECT_TRUE(refused(device().write(texture, colors<Bgra8>(64), {.tight = true}), refusal));
    }
}

// --- padded
// ------------------------------------------------------------------------------------------------

/// Every row of it, and the error of the first row behind the last.
void expect_rows(const PaddedTexels& found, const Bytes& content, Blocks size, std::size_t block) {
    const std::size_t row_bytes = size.x * block;
    for (std::size_t row = 0; row < size.y * size.z; ++row) {
        const auto bytes = found.row<std::byte>(row % size.y, row / size.y);
        ASSERT_TRUE(ok(bytes));
        EXPECT_EQ(Bytes(bytes->begin(), bytes->end()), part(content, row * row_bytes, row_bytes));
    }
    EXPECT_TRUE(refused(found.row<std::byte>(size.y), invalid("", {}, {size.y})));
    EXPECT_TRUE(refused(found.row<std::byte>(0, size.z), invalid("", {}, {size.z})));
}

class PaddedReads : public SharedDevice {};

TEST_F(PaddedReads, LieAsThePlanSays) {
    const Bytes content = texels(5 * 3 * 2, 4, 1);
    const Texture texture = make_filled_texture(device(), Format::rgba8_unorm, {5, 3, 2}, content);
    const auto found = must(device().read_padded(texture).wait(patience));
    EXPECT_EQ(found.plan().bytes_per_row, 256U);
    EXPECT_EQ(found.plan().row_bytes, 20U);
    EXPECT_EQ(found.plan().required_bytes, 256U * 5 + 20);
    EXPECT_EQ(must(found.bytes()).size(), 256U * 5 + 20);
    expect_rows(found, content, {5, 3, 2}, 4);
    EXPECT_EQ(must(found.row<std::uint32_t>(1, 1)).size(), 5U);
    EXPECT_TRUE(refused(found.row<std::uint64_t>(0), invalid("", {}, {20, 8})));
}

TEST_F(PaddedReads, AreHeldTwoAtOnceAndDroppedInAnyOrder) {
    const Bytes first = texels(64, 4, 1);
    const Bytes second = texels(64, 4, 2);
    const Texture one = make_filled_texture(device(), Format::rgba8_unorm, {8, 8}, first);
    const Texture two = make_filled_texture(device(), Format::rgba8_unorm, {8, 8}, second);
    Commands commands = device().record();
    auto ticket_one = commands.read_padded(one);
    auto ticket_two = commands.read_padded(two);
    must(device().submit(std::move(commands)));
    std::optional held(must(ticket_one.wait(patience)));
    const PaddedTexels kept = must(ticket_two.wait(patience));
    expect_rows(*held, first, {8, 8, 1}, 4);
    held.reset();
    // The memory of the first is used again, and that of the second is not.
    EXPECT_EQ(must(device().read<std::byte>(one).wait(patience)), first);
    expect_rows(kept, second, {8, 8, 1}, 4);
}

TEST_F(PaddedReads, AreEmptyWhenMovedFrom) {
    const Bytes content = texels(16, 4, 1);
    const Texture texture = make_filled_texture(device(), Format::rgba8_unorm, {4, 4}, content);
    PaddedTexels first = must(device().read_padded(texture).wait(patience));
    const PaddedTexels second = std::move(first);
    EXPECT_TRUE(refused(first.bytes(), invalid())); // NOLINT: what is left after a move
    EXPECT_TRUE(refused(first.row<std::byte>(0), invalid()));
    EXPECT_EQ(first.plan().required_bytes, 0U);
    expect_rows(second, content, {4, 4, 1}, 4);
    EXPECT_TRUE(refused(PaddedTexels().bytes(), invalid()));
}

TEST_F(PaddedReads, OfNothingAreEmpty) {
    const Texture texture = make_texture(device(), Format::rgba8_unorm, {4, 4});
    const auto found = must(device().read_padded(texture, {0, 4}).wait(patience));
    EXPECT_TRUE(found.plan().is_empty());
    EXPECT_TRUE(must(device().read<std::byte>(texture, {4, 0}).wait(patience)).empty());
    EXPECT_TRUE(must(device().read<std::byte>(texture, {4, 4, 0}).wait(patience)).empty());
    EXPECT_TRUE(
        must(device().read<Rgba8>({texture, {.origin = {4, 4, 1}}}, {0, 0, 0}).wait(patience))
            .empty());
}

TEST_F(PaddedReads, DroppedUntakenGiveTheirMemoryBack) {
    const Bytes content = texels(16, 4, 1);
    const Texture texture = make_filled_texture(device(), Format::rgba8_unorm, {4, 4}, content);
    for (int turn = 0; turn < 20; ++turn) {
        auto ticket = device().read_padded(texture);
        if (turn % 2 == 0) {
            EXPECT_TRUE(ok(ticket.wait(patience)));
        }
    }
    EXPECT_EQ(must(device().read<std::byte>(texture).wait(patience)), content);
}

TEST(PaddedLoss, AccessAfterTheDeviceIsClosedIsAnError) {
    Device device = open_device();
    const Texture texture = make_texture(device, Format::rgba8_unorm, {4, 4});
    const PaddedTexels found = must(device.read_padded(texture).wait(patience));
    EXPECT_TRUE(ok(found.bytes()));
    device.close();
    EXPECT_FALSE(found.bytes());
    EXPECT_FALSE(found.row<std::byte>(0));
    EXPECT_EQ(found.plan().bytes_per_row, 256U);
}

TEST(PaddedLoss, AccessAfterTheDeviceIsLostIsAnError) {
    FERRY_NEEDS_RAW_ENGINE();
    Device device = open_device();
    const Texture texture = make_texture(device, Format::rgba8_unorm, {4, 4});
    const PaddedTexels found = must(device.read_padded(texture).wait(patience));
    auto pending = device.read<std::byte>(texture);
    lose(device);
    EXPECT_TRUE(device.lost().has_value());
    EXPECT_TRUE(refused(found.bytes(), {{Errc::device_lost, Errc::wrong_state}}));
    EXPECT_TRUE(refused(found.row<std::byte>(0), {{Errc::device_lost, Errc::wrong_state}}));
    EXPECT_TRUE(refused(pending.wait(patience), {{Errc::device_lost}}));
    EXPECT_TRUE(
        refused(device.write(texture, texels(16, 4, 1), {.tight = true}), {{Errc::device_lost}}));
    EXPECT_TRUE(refused(device.read_padded(texture).wait(patience), {{Errc::device_lost}}));
}

TEST(PaddedLoss, ALossThatAThreadTellsIsSeenAtTheNextAccess) {
    Device device = open_device();
    const Texture texture = make_texture(device, Format::rgba8_unorm, {4, 4});
    const PaddedTexels found = must(device.read_padded(texture).wait(patience));
    interop::notify_lost(device, "told by a thread");
    EXPECT_TRUE(refused(found.bytes(), {{Errc::device_lost}, "", {"told by a thread"}}));
    EXPECT_TRUE(refused(found.row<std::byte>(0), {{Errc::device_lost}}));
}

TEST(PaddedLoss, OutlivesTheHandlesOfDeviceAndTexture) {
    std::optional<Device> device(open_device());
    const Bytes content = texels(16, 4, 1);
    std::optional<PaddedTexels> found;
    {
        const Texture texture = make_filled_texture(*device, Format::rgba8_unorm, {4, 4}, content);
        found.emplace(must(device->read_padded(texture).wait(patience)));
    }
    device.reset();
    expect_rows(*found, content, {4, 4, 1}, 4);
}

} // namespace
} // namespace ferry::test
