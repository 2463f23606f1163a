// SPDX-License-Identifier: MIT
// Whole mip chains.
#include "texel_model.hpp"

namespace ferry::test {
namespace {

constexpr TextureUsage copied = TextureUsage::copy_src | TextureUsage::copy_dst;

class MipChains : public FullDevice {
protected:
    /// Writes all levels at once and reads each; answers the chain's size, which the loop counts.
    static std::size_t round_trip(const TextureOptions& options, std::size_t block_bytes) {
        const Texture texture = must(device().create_texture(options));
        const FormatInfo format = format_info(options.format);
        const auto part_of = [](std::uint64_t base, std::uint32_t mip, std::uint64_t block) {
            return (std::max<std::uint64_t>(base >> mip, 1) + block - 1) / block;
        };
        std::vector<Bytes> levels;
        Bytes all;
        for (std::uint32_t mip = 0; mip < options.mip_levels; ++mip) {
            const bool slices = options.dimension == TextureDimension::d3;
            const std::uint64_t depth = options.size.depth_or_array_layers;
            levels.push_back(texels(part_of(options.size.width, mip, format.block_width) *
                                        part_of(options.size.height, mip, format.block_height) *
                                        (slices ? part_of(depth, mip, 1) : depth),
                                    block_bytes, mip + 1));
            all.insert(all.end(), levels.back().begin(), levels.back().end());
        }
        must(device().write_mip_levels(texture, all));
        for (std::uint32_t mip = 0; mip < options.mip_levels; ++mip) {
            auto ticket = device().read<std::byte>({texture, {.mip = mip}});
            EXPECT_EQ(must(ticket.wait(patience)), levels[mip]) << "level " << mip;
        }
        return all.size();
    }
};

TEST_F(MipChains, AreWrittenAtOnceAndReadLevelByLevel) {
    EXPECT_EQ(
        round_trip(
            {.format = Format::rgba8_unorm, .size = {256, 256}, .usage = copied, .mip_levels = 9},
            4),
        349'524U);
    EXPECT_EQ(
        round_trip(
            {.format = Format::rgba8_unorm, .size = {13, 7, 3}, .usage = copied, .mip_levels = 4},
            4),
        4U * 3 * (91 + 18 + 3 + 1));
    EXPECT_EQ(round_trip({.format = Format::r16_uint,
                          .size = {8, 5, 6},
                          .usage = copied,
                          .dimension = TextureDimension::d3,
                          .mip_levels = 4},
                         2),
              2U * (240 + 24 + 2 + 1));
    EXPECT_EQ(
        round_trip({.format = Format::stencil8, .size = {5, 6}, .usage = copied, .mip_levels = 3},
                   1),
        30U + 6 + 1);
}

TEST_F(MipChains, OfBlocksAreWrittenInWholeBlocks) {
    if (!device().has(Feature::texture_compression_bc))
        GTEST_SKIP() << "the adapter lacks texture-compression-bc";
    EXPECT_EQ(round_trip({.format = Format::bc1_rgba_unorm,
                          .size = {1920, 1080},
                          .usage = copied,
                          .mip_levels = full_mip_levels({1920, 1080})},
                         8),
              1'383'112U);
}

TEST_F(MipChains, OfBlocksAreCopiedInWholeBlocksBetweenTexturesAndBuffers) {
    if (!device().has(Feature::texture_compression_bc))
        GTEST_SKIP() << "the adapter lacks texture-compression-bc";
    const TextureOptions options{
        .format = Format::bc1_rgba_unorm, .size = {12, 12}, .usage = copied, .mip_levels = 4};
    const Texture source = must(device().create_texture(options));
    const Texture target = must(device().create_texture(options));
    const Buffer buffer = make_filled(device(), Bytes(512, poison));
    // Level 1 is 6x6 texels in 2x2 blocks; level 3 is one texel in one block.
    const Bytes content = texels(4, 8, 1);
    const Bytes last = texels(1, 8, 2);
    must(device().write({source, {.mip = 1}}, content, {.tight = true}, {6, 6}));
    must(device().write({source, {.mip = 3}}, last));
    Commands commands = device().record();
    commands.copy({source, {.mip = 1}}, {target, {.mip = 1}}, {6, 6});
    commands.copy({source, {.mip = 3}}, {target, {.mip = 3}});
    commands.copy({source, {.mip = 3}}, {target, {.mip = 2}}, {4, 4});
    EXPECT_EQ(commands.copy({target, {.mip = 1}}, {buffer, {.tight = true}}, {6, 6}).engine_copies,
              2U);
    commands.copy({buffer, {.offset_bytes = 8, .bytes_per_row = 256}}, {target, {.mip = 2}});
    auto first = commands.read<std::byte>({target, {.mip = 1}});
    auto second = commands.read<std::byte>({target, {.mip = 2}});
    auto third = commands.read<std::byte>({target, {.mip = 3}}, {1, 1});
    must(device().submit(std::move(commands)));
    EXPECT_EQ(must(first.wait(patience)), content);
    EXPECT_EQ(must(second.wait(patience)), part(content, 8, 8));
    EXPECT_EQ(must(third.wait(patience)), last);
    Bytes expected(512, poison);
    std::copy(content.begin(), content.end(), expected.begin());
    EXPECT_EQ(read_all(device(), buffer), expected);
}

TEST_F(MipChains, OfAnotherSizeOrWithoutALayoutAreRefused) {
    const Texture texture = must(device().create_texture({.format = Format::rgba8_unorm,
                                                          .size = {4, 4},
                                                          .usage = copied,
                                                          .mip_levels = 3,
                                                          .label = "sky"}));
    for (std::size_t size : {0U, 64U, 83U, 85U}) {
        EXPECT_TRUE(refused(device().write_mip_levels(texture, Bytes(size)),
                            invalid("L-09", {"sky"}, {84, size})));
    }
    EXPECT_TRUE(ok(device().write_mip_levels(texture, Bytes(84))));
    const Texture depth = must(device().create_texture(
        {.format = Format::depth32_float, .size = {4, 4}, .usage = copied, .label = "depth"}));
    EXPECT_TRUE(refused(device().write_mip_levels(depth, Bytes(64)), invalid("3.4", {"depth"})));
    const Texture both = must(device().create_texture(
        {.format = Format::depth24_plus_stencil8, .size = {4, 4}, .usage = copied}));
    EXPECT_TRUE(refused(device().write_mip_levels(both, Bytes(16)), invalid("3.3")));
    std::vector<Bgra8> pixels(21, Bgra8{1, 2, 3, 4});
    must(device().write_mip_levels(texture, pixels));
    EXPECT_EQ(must(device().read<Bgra8>({texture, {.mip = 2}}).wait(patience)).at(0),
              (Bgra8{1, 2, 3, 4}));
}

} // namespace
} // namespace ferry::test
