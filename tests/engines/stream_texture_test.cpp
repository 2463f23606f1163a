// SPDX-License-Identifier: MIT
// Streams between textures and memory, beside Device::write and Device::read of the same region.
#include "stream_fixture.hpp"
#include "texel_model.hpp"

namespace ferry::test {
namespace {

struct Region {
    std::string name;
    TextureOptions texture{};
    TextureLocation at{};
    std::optional<Extent3D> size{};
    std::uint64_t block_bytes = 4; ///< of the aspect
};

constexpr TextureUsage both = TextureUsage::copy_src | TextureUsage::copy_dst;
constexpr TextureDimension d1 = TextureDimension::d1, d3 = TextureDimension::d3;

const std::vector<Region>& regions() {
    static const std::vector<Region> all{
        {"rows of 28 bytes", {.format = Format::rgba8_unorm, .size = {7, 9}}},
        {"rows of 256 bytes", {.format = Format::rgba8_unorm, .size = {64, 33}}},
        {"rows of 1 byte", {.format = Format::r8_unorm, .size = {1, 17}}, {}, {}, 1},
        {"rows of 301 bytes", {.format = Format::r8_unorm, .size = {301, 13}}, {}, {}, 1},
        {"rows of 602 bytes", {.format = Format::rg8_unorm, .size = {301, 5}}, {}, {}, 2},
        {"rows over a chunk", {.format = Format::rgba32_float, .size = {300, 3}}, {}, {}, 16},
        {"one texel", {.format = Format::rg32_uint, .size = {1, 1}}, {}, {}, 8},
        {"16-bit channels", {.format = Format::rgba16_float, .size = {37, 11}}, {}, {}, 8},
        {"layers", {.format = Format::rgba8_unorm, .size = {10, 6, 5}}},
        {"some layers",
         {.format = Format::rgba8_unorm, .size = {10, 6, 7}},
         {.origin = {.z = 2}},
         Extent3D{10, 6, 4}},
        {"slices", {.format = Format::r16_uint, .size = {33, 6, 7}, .dimension = d3}, {}, {}, 2},
        {"part of slices",
         {.format = Format::r32_uint, .size = {20, 9, 6}, .dimension = d3},
         {.origin = {3, 2, 1}},
         Extent3D{11, 5, 4}},
        {"one row", {.format = Format::r32_uint, .size = {777}, .dimension = d1}},
        {"part of one row",
         {.format = Format::r8_unorm, .size = {777}, .dimension = d1},
         {.origin = {13}},
         Extent3D{601},
         1},
        {"part of an image",
         {.format = Format::rgba8_unorm, .size = {100, 80}},
         {.origin = {17, 31}},
         Extent3D{43, 29}},
        {"a level",
         {.format = Format::rgba8_unorm, .size = {75, 41, 2}, .mip_levels = 4},
         {.mip = 1}},
        {"part of a level",
         {.format = Format::bgra8_unorm, .size = {75, 41, 3}, .mip_levels = 4},
         {.mip = 2, .origin = {5, 2, 1}},
         Extent3D{9, 7, 2}},
        {"the last level of slices",
         {.format = Format::r8_unorm, .size = {8, 8, 8}, .dimension = d3, .mip_levels = 4},
         {.mip = 3},
         {},
         1},
        {"depth", {.format = Format::depth16_unorm, .size = {33, 17}}, {}, {}, 2},
        {"layers of depth", {.format = Format::depth16_unorm, .size = {6, 5, 4}}, {}, {}, 2},
        {"stencil", {.format = Format::stencil8, .size = {130, 19, 3}}, {}, {}, 1},
        {"a level of stencil",
         {.format = Format::stencil8, .size = {31, 19, 2}, .mip_levels = 3},
         {.mip = 1},
         {},
         1},
    };
    return all;
}

const std::vector<Region>& compressed_regions() {
    static const std::vector<Region> all{
        {"blocks", {.format = Format::bc1_rgba_unorm, .size = {40, 52}}, {}, {}, 8},
        {"part of blocks",
         {.format = Format::bc1_rgba_unorm, .size = {64, 64, 2}},
         {.origin = {8, 12, 1}},
         Extent3D{24, 36, 1},
         8},
        {"blocks of 16 bytes", {.format = Format::bc7_rgba_unorm, .size = {20, 60}}, {}, {}, 16},
        {"a level of 10 by 6 texels",
         {.format = Format::bc1_rgba_unorm, .size = {20, 12}, .mip_levels = 4},
         {.mip = 1},
         {},
         8},
        {"a level of one texel",
         {.format = Format::bc1_rgba_unorm, .size = {4, 4}, .mip_levels = 3},
         {.mip = 2},
         Extent3D{1, 1},
         8},
    };
    return all;
}

class StreamTexture : public FullDevice {
protected:
    static Texture make(const Region& region) {
        TextureOptions options = region.texture;
        options.usage = both;
        options.label = "sky";
        return must(device().create_texture(options));
    }
    /// A place in the texture with the region's size, or the rest of the level.
    static Bytes read_region(const Texture& texture, const Region& region) {
        const TextureAt at(texture, region.at);
        return must(region.size ? device().read<std::byte>(at, *region.size).wait(patience)
                                : device().read<std::byte>(at).wait(patience));
    }
    static Bytes read_level(const Texture& texture, const Region& region) {
        const TextureAt level(texture, {.mip = region.at.mip});
        return must(device().read<std::byte>(level).wait(patience));
    }
    /// The blocks of a level, counted.
    static Bytes level_bytes(const Region& region, unsigned seed) {
        const auto level = physical_size(region.texture, region.at.mip);
        const FormatInfo format = format_info(region.texture.format);
        return texels(level.width / format.block_width * (level.height / format.block_height) *
                          level.depth_or_array_layers,
                      region.block_bytes, seed);
    }
    static Bytes region_bytes(const Region& region, unsigned seed) {
        const Extent3D size = resolve_size(region.texture, region.at, region.size);
        const FormatInfo format = format_info(region.texture.format);
        return texels(size.width / format.block_width * (size.height / format.block_height) *
                          size.depth_or_array_layers,
                      region.block_bytes, seed);
    }
    static void write_level(const Texture& texture, const Region& region, unsigned seed) {
        must(device().write({texture, {.mip = region.at.mip}}, level_bytes(region, seed),
                            {.tight = true}));
    }

    /// The whole level is as if Device::write had written the region.
    static void expect_upload(const Region& region, const StreamOptions& options) {
        const Texture written = make(region), streamed = make(region);
        const Bytes data = region_bytes(region, 9);
        for (const Texture* each : {&written, &streamed}) write_level(*each, region, 3);
        if (region.size)
            must(device().write({written, region.at}, data, {.tight = true}, *region.size));
        else
            must(device().write({written, region.at}, data, {.tight = true}));
        const auto report =
            must(upload(device(), data, {streamed, region.at}, region.size, options));
        EXPECT_EQ(report.bytes, data.size());
        const Bytes level = read_level(streamed, region);
        EXPECT_EQ(level, read_level(written, region));
        EXPECT_EQ(read_region(streamed, region), data);
    }
    static void expect_download(const Region& region, const StreamOptions& options) {
        const Texture source = make(region);
        write_level(source, region, 4);
        const Bytes expected = read_region(source, region);
        Bytes back(expected.size());
        const auto report =
            must(download(device(), {source, region.at}, back, region.size, options));
        EXPECT_EQ(report.bytes, expected.size());
        EXPECT_EQ(back, expected);
    }
    static void expect_all(const std::vector<Region>& all) {
        for (const Region& region : all) {
            for (const std::uint64_t chunk_bytes : {4U, 256U, 1'024U, 5'000U, 1U << 20}) {
                SCOPED_TRACE(region.name + " by " + std::to_string(chunk_bytes));
                const auto depth = static_cast<std::uint32_t>(1 + chunk_bytes % 5);
                expect_upload(region, {.chunk_bytes = chunk_bytes, .depth = depth});
                expect_download(region, {.chunk_bytes = chunk_bytes, .depth = depth});
            }
        }
    }
};

TEST_F(StreamTexture, RegionsOfEveryShapeMoveInBandsOfEverySize) { expect_all(regions()); }

TEST_F(StreamTexture, CompressedRegionsMoveInBandsOfEverySize) {
    if (!device().has(Feature::texture_compression_bc))
        GTEST_SKIP() << "the device has no BC formats";
    expect_all(compressed_regions());
}

TEST_F(StreamTexture, ChunksAreWholeRowsAsManyAsFit) {
    // 40 rows of 28 bytes, which take 256 in staging: 4 rows to 1 KiB.
    const Region region{"", {.format = Format::rgba8_unorm, .size = {7, 40}}};
    const Texture texture = make(region);
    const Bytes data = region_bytes(region, 1);
    const auto sent =
        must(upload(device(), data, texture, std::nullopt, {.chunk_bytes = 1'024, .depth = 2}));
    EXPECT_EQ(sent.chunks, 10U);
    EXPECT_EQ(sent.bytes, 40U * 28);
    Bytes back(data.size());
    std::vector<std::uint64_t> seen;
    const auto come = must(
        download(device(), texture, back, std::nullopt,
                 {.chunk_bytes = 1'024, .depth = 2, .progress = [&](const StreamProgress& now) {
                      EXPECT_EQ(now.total_bytes, 40U * 28);
                      seen.push_back(now.done_bytes);
                  }}));
    EXPECT_EQ(come.chunks, 10U);
    EXPECT_LE(come.staging_bytes, 2U * 1'024);
    EXPECT_EQ(back, data);
    std::vector<std::uint64_t> expected;
    for (std::uint64_t rows = 4; rows <= 40; rows += 4) expected.push_back(rows * 28);
    EXPECT_EQ(seen, expected);
}

TEST_F(StreamTexture, LevelsFollowEachOtherFromOneSourceAndIntoOneTarget) {
    const Region region{"", {.format = Format::rgba8_unorm, .size = {40, 24, 3}, .mip_levels = 6}};
    const Texture streamed = make(region), written = make(region);
    Bytes all;
    for (std::uint32_t mip = 0; mip < 6; ++mip) {
        const Bytes level = level_bytes({"", region.texture, {.mip = mip}}, mip + 1);
        all.insert(all.end(), level.begin(), level.end());
    }
    must(device().write_mip_levels(written, all));
    StreamSource source(GiveParts{all, 1'000});
    Bytes back;
    StreamTarget target(Keep{&back});
    for (std::uint32_t mip = 0; mip < 6; ++mip) {
        const TextureLocation level{.mip = mip};
        must(upload(device(), source, {streamed, level}, std::nullopt, {.chunk_bytes = 700}));
        EXPECT_EQ(must(device().read<std::byte>({streamed, level}).wait(patience)),
                  must(device().read<std::byte>({written, level}).wait(patience)));
        must(download(device(), {streamed, level}, target, std::nullopt, {.chunk_bytes = 700}));
    }
    EXPECT_EQ(back, all);
}

TEST_F(StreamTexture, AnEmptyRegionIsDoneAtOnce) {
    const Texture texture =
        make({"", {.format = Format::rgba8_unorm, .size = {8, 8, 2}, .mip_levels = 1}});
    for (const Extent3D size : {Extent3D{0, 8, 2}, {8, 0, 2}, {8, 8, 0}, {0, 0, 0}}) {
        Bytes none;
        EXPECT_EQ(must(upload(device(), none, texture, size)).chunks, 0U);
        EXPECT_EQ(must(download(device(), texture, none, size)).bytes, 0U);
    }
}

} // namespace
} // namespace ferry::test
