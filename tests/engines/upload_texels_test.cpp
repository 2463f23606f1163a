// SPDX-License-Identifier: MIT
// Texels through a pool: every row at its place, rows padded, bands, blocks, depth and stencil, and
// Commands::write equal to Device::write.
#include "texel_model.hpp"
#include "upload_fixture.hpp"

namespace ferry::test {
namespace {

constexpr TextureUsage moved = TextureUsage::copy_src | TextureUsage::copy_dst;

class UploadTexels : public FullDevice {
protected:
    static Texture make(const TextureOptions& options) {
        TextureOptions wanted = options;
        wanted.usage = moved;
        return must(device().create_texture(wanted));
    }
    static UploadPool make_pool() { return must(UploadPool::create(device(), {.label = "sky"})); }
    static Bytes read(const TextureAt& source) {
        return must(device().read<std::byte>(source).wait(patience));
    }
    static void copy(StagingTexels&& staged) {
        auto commands = device().record("texels");
        commands.copy(std::move(staged));
        must(device().submit(std::move(commands)));
    }

    static void fill_rows(StagingTexels& staged, const Bytes& data) {
        ASSERT_EQ(staged.rows() * staged.images() * staged.row_bytes(), data.size());
        auto from = data.begin();
        for (std::uint64_t image = 0; image < staged.images(); ++image) {
            for (std::uint64_t row = 0; row < staged.rows(); ++row) {
                const auto to = staged.row(row, image);
                ASSERT_EQ(to.size(), staged.row_bytes());
                std::copy_n(from, to.size(), to.begin());
                from += static_cast<std::ptrdiff_t>(to.size());
            }
        }
        EXPECT_TRUE(staged.row(staged.rows()).empty());
        EXPECT_TRUE(staged.row(0, staged.images()).empty());
        EXPECT_TRUE(staged.row(~std::uint64_t{0}, ~std::uint64_t{0}).empty());
    }

    /// A whole texture's first level, once row by row and once at once.
    static void expect_whole(const TextureOptions& options, Aspect aspect = Aspect::all) {
        const Texture texture = make(options);
        const TextureAt at(texture, {.aspect = aspect});
        auto pool = make_pool();
        const std::size_t size = read(at).size();
        const Bytes first = texels(size, 1, 1), second = texels(size, 1, 2);
        auto rows = must(pool.acquire(at));
        EXPECT_TRUE(rows);
        fill_rows(rows, first);
        sums(pool);
        copy(std::move(rows));
        EXPECT_FALSE(rows);
        EXPECT_TRUE(rows.row(0).empty());
        EXPECT_TRUE(read(at) == first);
        auto whole = must(pool.acquire(at));
        EXPECT_TRUE(ok(whole.copy_from(second)));
        copy(std::move(whole));
        EXPECT_TRUE(read(at) == second);
        EXPECT_EQ(sums(pool).in_hand + sums(pool).recorded, 0U);
    }
};

TEST_F(UploadTexels, PaddedRowsAndRowsThatNeedNoPadding) {
    expect_whole({.format = Format::rgba8_unorm, .size = {100, 100}});
    expect_whole({.format = Format::rgba8_unorm, .size = {128, 128}});
    expect_whole({.format = Format::r8_unorm, .size = {17, 9}});
    expect_whole({.format = Format::r8_unorm, .size = {1, 1}});
    expect_whole({.format = Format::rgba16_float, .size = {85, 5}});
    expect_whole({.format = Format::r32_float, .size = {33}, .dimension = TextureDimension::d1});
}

TEST_F(UploadTexels, LayersAndSlices) {
    expect_whole({.format = Format::rgba8_unorm, .size = {32, 64, 4}});
    expect_whole({.format = Format::r32_float, .size = {1, 1, 6}});
    expect_whole(
        {.format = Format::r32_float, .size = {3, 3, 3}, .dimension = TextureDimension::d3});
    expect_whole(
        {.format = Format::rgba8_unorm, .size = {7, 5, 9}, .dimension = TextureDimension::d3});
}

TEST_F(UploadTexels, MoreThanABufferHoldsLiesInBands) {
    expect_whole({.format = Format::rgba8_unorm, .size = {1000, 1100}});    // one image, two bands
    expect_whole({.format = Format::rgba8_unorm, .size = {500, 700, 5}});   // two layers a band
    expect_whole({.format = Format::rgba16_float, .size = {1024, 600, 3}}); // two bands a layer
    expect_whole(
        {.format = Format::rgba8_unorm, .size = {250, 260, 33}, .dimension = TextureDimension::d3});
}

TEST_F(UploadTexels, BlocksOfCompressedFormats) {
    if (!device().has(Feature::texture_compression_bc))
        GTEST_SKIP() << "the adapter lacks texture-compression-bc";
    expect_whole({.format = Format::bc1_rgba_unorm, .size = {252, 252}});
    expect_whole({.format = Format::bc1_rgba_unorm, .size = {12, 12, 3}});
    expect_whole({.format = Format::bc7_rgba_unorm, .size = {4096, 1300}}); // 325 rows, two bands
}

TEST_F(UploadTexels, SmallLevelsOfBlocksTakeWholeBlocks) {
    if (!device().has(Feature::texture_compression_bc))
        GTEST_SKIP() << "the adapter lacks texture-compression-bc";
    const Texture texture =
        make({.format = Format::bc1_rgba_unorm, .size = {60, 60}, .mip_levels = 3});
    auto pool = make_pool();
    for (std::uint32_t mip : {1U, 2U}) {
        const TextureAt at(texture, {.mip = mip});
        auto staged = must(pool.acquire(at));
        const std::uint64_t across = mip == 1 ? 8 : 4; // 30 and 15 texels
        EXPECT_EQ(staged.rows(), across);
        EXPECT_EQ(staged.row_bytes(), across * 8);
        const Bytes data = texels(across * across, 8, mip);
        fill_rows(staged, data);
        copy(std::move(staged));
        EXPECT_EQ(read(at), data);
    }
}

TEST_F(UploadTexels, DepthAndStencilWhole) {
    expect_whole({.format = Format::depth16_unorm, .size = {17, 9}});
    expect_whole({.format = Format::stencil8, .size = {17, 9}});
    expect_whole({.format = Format::depth24_plus_stencil8, .size = {17, 9}}, Aspect::stencil_only);
    expect_whole({.format = Format::stencil8, .size = {2300, 2000}});    // over a band, in one
    expect_whole({.format = Format::stencil8, .size = {1200, 1000, 5}}); // layers apart
}

TEST_F(UploadTexels, APartOfATextureAndTheRestKeepsItsTexels) {
    const Texture texture = make({.format = Format::rgba8_unorm, .size = {40, 30, 4}});
    Bytes image = texels(40 * 30 * 4, 4, 1);
    must(device().write(texture, image, {.tight = true}));
    auto pool = make_pool();
    auto part = must(pool.acquire({texture, {.origin = {5, 6, 1}}}, {13, 7, 2}));
    EXPECT_EQ(part.rows(), 7U);
    EXPECT_EQ(part.images(), 2U);
    EXPECT_EQ(part.row_bytes(), 52U);
    const Bytes data = texels(13 * 7 * 2, 4, 2);
    EXPECT_TRUE(refused(part.copy_from(std::span(data).first(data.size() - 1)),
                        invalid("L-09", {}, {728, 727})));
    fill_rows(part, data);
    copy(std::move(part));
    paste(image, {40, 30, 4}, data, {13, 7, 2}, {5, 6, 1}, 4);
    EXPECT_EQ(read(texture), image);
}

TEST_F(UploadTexels, ARegionOfNothingAndOnesThatAreWrong) {
    const Texture texture = make({.format = Format::rgba8_unorm, .size = {8, 8}, .label = "sky"});
    auto pool = make_pool();
    auto nothing = must(pool.acquire(texture, {0, 8}));
    EXPECT_TRUE(ok(nothing.copy_from(Bytes())));
    copy(std::move(nothing));
    EXPECT_EQ(sums(pool).requested, 0U);
    EXPECT_TRUE(refused(pool.acquire(texture, {9, 8}), invalid({}, {"sky"}, {9, 8})));
    EXPECT_TRUE(refused(pool.acquire({texture, {.mip = 1}}), invalid({}, {"sky"})));
    EXPECT_TRUE(refused(pool.acquire({texture, {.aspect = Aspect::depth_only}}), invalid()));
    EXPECT_TRUE(refused(pool.acquire(Texture()), invalid()));
    const Texture fixed = must(device().create_texture(
        {.format = Format::rgba8_unorm, .size = {8, 8}, .usage = TextureUsage::copy_src}));
    EXPECT_TRUE(refused(pool.acquire(fixed), invalid("T-02", {"copy_dst"})));
    const Texture depth = make({.format = Format::depth32_float, .size = {8, 8}});
    EXPECT_TRUE(refused(pool.acquire(depth), invalid()));
    const Texture stencil = make({.format = Format::stencil8, .size = {8, 8}});
    EXPECT_TRUE(refused(pool.acquire(stencil, {4, 4}), invalid()));
    EXPECT_EQ(sums(pool).requested, 0U);
}

TEST_F(UploadTexels, CommandsWriteGivesWhatDeviceWriteGives) {
    const Blocks sizes[] = {{9, 7, 1}, {9, 7, 3}, {64, 5, 2}, {1, 1, 4}, {300, 1, 1}};
    for (const Blocks& size : sizes) {
        const std::size_t row = size.x * 4;
        const Strides strides[] = {{0, row, size.y},
                                   {3, row + 1, size.y},
                                   {12, row + 60, size.y + 2},
                                   {256, up_to_256(row), size.y + 1}};
        for (const Strides& each : strides) {
            SCOPED_TRACE(testing::Message() << size.x << 'x' << size.y << 'x' << size.z << ", "
                                            << each.offset << ' ' << each.pitch);
            const TextureOptions options{.format = Format::rgba8_unorm,
                                         .size = {size.x, size.y, size.z}};
            const Texture by_queue = make(options), by_commands = make(options);
            const Bytes region = texels(size.count(), 4, 3);
            const Bytes data = spread(region, size, each, 9);
            must(device().write(by_queue, data, each.layout()));
            auto commands = device().record();
            commands.write(by_commands, data, each.layout());
            must(device().submit(std::move(commands)));
            EXPECT_EQ(read(by_queue), region);
            EXPECT_EQ(read(by_commands), region);
        }
    }
}

TEST_F(UploadTexels, CommandsWriteKeepsColoursAndItsPointOfTheCommands) {
    const Texture texture = make({.format = Format::bgra8_unorm, .size = {20, 11}});
    auto commands = device().record();
    commands.write(texture, pixels(220, 1), {.tight = true});
    auto first = commands.read<Rgba8>(texture);
    auto stored = commands.read<std::byte>(texture, {1, 1});
    commands.write({texture, {.origin = {2, 3, 0}}}, pixels(20, 7), {.tight = true}, {5, 4});
    auto second = commands.read<Rgba8>(texture);
    must(device().submit(std::move(commands)));
    EXPECT_EQ(must(first.wait(patience)), pixels(220, 1));
    const Rgba8 corner = pixels(1, 1)[0];
    const auto bytes = must(stored.wait(patience));
    EXPECT_EQ(bytes[0], std::byte{corner.b});
    EXPECT_EQ(bytes[2], std::byte{corner.r});
    Pixels expected = pixels(220, 1);
    for (std::size_t y = 0; y < 4; ++y)
        std::copy_n(pixels(20, 7).begin() + static_cast<std::ptrdiff_t>(5 * y), 5,
                    expected.begin() + static_cast<std::ptrdiff_t>(20 * (y + 3) + 2));
    EXPECT_EQ(must(second.wait(patience)), expected);
}

TEST_F(UploadTexels, CommandsWriteOfALargePartOfWiderRows) {
    const Texture texture = make({.format = Format::rgba8_unorm, .size = {1024, 1100}});
    const Bytes wide = texels(2048 * 1099 + 1024, 4, 5); // ends with the last byte needed (A09)
    auto commands = device().record();
    commands.write(texture, wide, {.bytes_per_row = 8192});
    must(device().submit(std::move(commands)));
    Bytes expected;
    for (std::ptrdiff_t y = 0; y < 1100; ++y)
        expected.insert(expected.end(), wide.begin() + 8192 * y, wide.begin() + 8192 * y + 4096);
    EXPECT_TRUE(read(texture) == expected);
}

TEST_F(UploadTexels, CommandsWriteRefusesWhatDeviceWriteRefuses) {
    const Texture texture = make({.format = Format::rgba8_unorm, .size = {8, 8}, .label = "sky"});
    const ImageLayout layouts[] = {
        {}, {.bytes_per_row = 31}, {.tight = true, .offset_bytes = 1}, {.bytes_per_row = 64}};
    for (const ImageLayout& layout : layouts) {
        const auto told = device().write(texture, texels(64, 4, 1), layout);
        ASSERT_FALSE(told);
        Commands commands = device().record("faulty");
        commands.write(texture, texels(64, 4, 1), layout);
        EXPECT_TRUE(refused(device().submit(std::move(commands)),
                            invalid(std::string(told.error().rule), {"sky"})));
    }
}

} // namespace
} // namespace ferry::test
