// SPDX-License-Identifier: MIT
// Bands beside a plain walk over the blocks of a copy: each block is in one band, in the order of
// tight data.
#include "resource/texel_bands.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "format_rows.hpp"

namespace ferry::detail {
namespace {

constexpr TextureDimension d1 = TextureDimension::d1, d2 = TextureDimension::d2,
                           d3 = TextureDimension::d3;

struct Copy {
    TextureOptions texture{};
    TextureLocation at{};
    std::optional<Extent3D> size{};

    [[nodiscard]] CopyPlan plan() const {
        return padded_plan(CopyDirection::texture_to_buffer, texture, at, size, 256);
    }
};

struct Block {
    std::uint64_t x, y, z;
    friend bool operator==(const Block&, const Block&) = default;
};

/// The blocks of a region in the order of tight data: rows of an image, image after image.
void walk(std::vector<Block>& out, const Origin3D& from, const Extent3D& size,
          const FormatInfo& format) {
    for (std::uint64_t z = 0; z < size.depth_or_array_layers; ++z) {
        for (std::uint64_t y = 0; y < size.height; y += format.block_height) {
            for (std::uint64_t x = 0; x < size.width; x += format.block_width)
                out.push_back({from.x + x, from.y + y, from.z + z});
        }
    }
}

/// The memory that a copy of `rows` rows in all needs, counted row by row.
std::uint64_t memory_of(const CopyPlan& band) {
    std::uint64_t bytes = 0, rows = band.block_rows * band.images;
    for (; rows > 1; --rows) bytes += band.bytes_per_row;
    return bytes + band.row_bytes;
}

void expect_legal(const CopyPlan& band, const Copy& copy) {
    // What the rules say about the band's own region and strides (T-04 to T-07, L-02 to L-09).
    const CopyPlan again = plan_copy(band.direction, copy.texture, band.at, band.size,
                                     {.offset_bytes = band.offset_bytes,
                                      .bytes_per_row = band.bytes_per_row,
                                      .rows_per_image = band.rows_per_image},
                                     256);
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_EQ(band.size, again.size);
    EXPECT_EQ(band.block_rows, again.block_rows);
    EXPECT_EQ(band.images, again.images);
    EXPECT_EQ(band.row_bytes, again.row_bytes);
    EXPECT_EQ(band.required_bytes, memory_of(band));
    EXPECT_EQ(band.required_bytes, again.required_bytes);
    EXPECT_EQ(band.staging_bytes, (memory_of(band) + 3) / 4 * 4);
    EXPECT_EQ(band.tight_bytes, band.row_bytes * band.block_rows * band.images);
    EXPECT_EQ(band.offset_bytes, 0U);
    EXPECT_EQ(band.at.mip, copy.at.mip);
    EXPECT_EQ(band.at.aspect, copy.at.aspect);
}

/// A band is at most `band_bytes`, unless it is the least that can be copied.
void expect_size(const CopyPlan& band, std::uint64_t band_bytes) {
    const bool least = band.images == 1 && (band.block_rows == 1 || band.format.is_depth_stencil());
    EXPECT_TRUE(band.required_bytes <= band_bytes || least)
        << band.required_bytes << " for " << band_bytes;
}

void expect_bands(const Copy& copy, std::uint64_t band_bytes) {
    const CopyPlan whole = copy.plan();
    ASSERT_TRUE(whole) << to_string(whole.error());
    const TexelBands bands = TexelBands::cut(whole, band_bytes);
    std::vector<Block> wanted, found;
    walk(wanted, whole.at.origin, whole.size, whole.format);
    std::uint64_t tight_bytes = 0;
    for (std::uint64_t i = 0; i < bands.count(); ++i) {
        const CopyPlan band = bands.band(i);
        ASSERT_GT(band.block_rows * band.images, 0U);
        expect_legal(band, copy);
        expect_size(band, band_bytes);
        walk(found, band.at.origin, band.size, band.format);
        tight_bytes += band.tight_bytes;
        for (std::uint64_t image = 0; image < band.images; ++image) {
            const std::uint64_t row =
                (band.at.origin.y - copy.at.origin.y) / whole.format.block_height;
            const std::uint64_t z = band.at.origin.z - copy.at.origin.z + image;
            EXPECT_EQ(bands.band_of(row, z), i);
            EXPECT_EQ(bands.band_of(row + band.block_rows - 1, z), i);
        }
    }
    EXPECT_EQ(found, wanted);
    EXPECT_EQ(tight_bytes, whole.tight_bytes);
}

std::vector<Copy> copies() {
    std::vector<Copy> all;
    const auto add = [&](Format format, Extent3D size, TextureDimension dimension = d2,
                         std::uint32_t mips = 1, TextureLocation at = {},
                         std::optional<Extent3D> part = {}) {
        all.push_back({{.format = format, .size = size, .dimension = dimension, .mip_levels = mips},
                       at,
                       part});
    };
    for (const Format format : {Format::r8_unorm, Format::rgba8_unorm, Format::rgba32_float}) {
        add(format, {1, 1});
        add(format, {7, 9});
        add(format, {300, 5});
        add(format, {64, 12, 4});
        add(format, {3, 1, 9});
        add(format, {20, 10, 6}, d3);
        add(format, {777}, d1);
        add(format, {100, 80, 3}, d2, 5, {.mip = 2, .origin = {3, 4, 1}}, Extent3D{9, 11, 2});
        add(format, {32, 32, 32}, d3, 4, {.mip = 1, .origin = {1, 2, 3}}, Extent3D{5, 9, 8});
    }
    for (const Format format : {Format::depth16_unorm, Format::stencil8}) {
        add(format, {33, 17});
        add(format, {6, 5, 4});
        add(format, {64, 64, 3}, d2, 3, {.mip = 1, .origin = {0, 0, 1}}, Extent3D{32, 32, 2});
    }
    add(Format::depth32_float_stencil8, {9, 7, 2}, d2, 1, {.aspect = Aspect::depth_only});
    add(Format::depth32_float_stencil8, {9, 7, 2}, d2, 1, {.aspect = Aspect::stencil_only});
    for (const Format format :
         {Format::bc1_rgba_unorm, Format::bc7_rgba_unorm, Format::astc_4x4_unorm}) {
        add(format, {40, 52, 2});
        add(format, {64, 64, 3}, d2, 4, {.mip = 1, .origin = {8, 12, 1}}, Extent3D{16, 20, 2});
        add(format, {20, 12}, d2, 4, {.mip = 1});
        add(format, {4, 4}, d2, 3, {.mip = 2}, Extent3D{1, 1});
    }
    add(Format::astc_12x10_unorm, {60, 70, 2});
    add(Format::astc_5x4_unorm, {25, 40}, d2, 2, {.mip = 1});
    return all;
}

TEST(TexelBands, CoverEachBlockOnceInTheOrderOfTightData) {
    for (const Copy& copy : copies()) {
        for (const std::uint64_t bytes : {4U, 255U, 256U, 257U, 511U, 512U, 1'000U, 1'024U, 3'000U,
                                          5'120U, 20'000U, 1U << 20}) {
            SCOPED_TRACE(std::string(format_info(copy.texture.format).name) + " of " +
                         std::to_string(copy.texture.size.width) + " by " + std::to_string(bytes));
            expect_bands(copy, bytes);
        }
        expect_bands(copy, ~std::uint64_t{0});
    }
}

TEST(TexelBands, CoverEachBlockOfRandomCopies) {
    std::mt19937 random(20240607);
    const auto up_to = [&](std::uint64_t most) { return 1 + random() % most; };
    for (int round = 0; round < 2'000; ++round) {
        const model::FormatRow& row = model::format_rows[random() % std::size(model::format_rows)];
        Copy copy;
        copy.texture = {
            .format = row.format,
            .size = {row.block_width * up_to(40), row.block_height * up_to(12), up_to(5)}};
        copy.at.aspect = row.part == model::Part::depth     ? Aspect::depth_only
                         : row.part == model::Part::stencil ? Aspect::stencil_only
                                                            : Aspect::all;
        if (!copy.plan()) continue; // depth24plus has no layout in memory
        expect_bands(copy, 4 * up_to(2'000));
        ASSERT_FALSE(HasFailure()) << format_info(row.format).name << ", round " << round;
    }
}

TEST(TexelBands, OfNothingAreNone) {
    for (const Extent3D size : {Extent3D{0, 4, 2}, {4, 0, 2}, {4, 4, 0}, {0, 0, 0}}) {
        const Copy copy{{.format = Format::rgba8_unorm, .size = {8, 8, 4}}, {}, size};
        const TexelBands bands = TexelBands::cut(copy.plan(), 1'000);
        EXPECT_EQ(bands.count(), 0U);
    }
}

TEST(TexelBands, AreAsLargeAsTheRowsThatFit) {
    // Rows of 28 bytes take 256; 40 rows in 1 KiB are ten bands of four rows.
    const Copy copy{{.format = Format::rgba8_unorm, .size = {7, 40}}};
    const TexelBands bands = TexelBands::cut(copy.plan(), 1'024);
    ASSERT_EQ(bands.count(), 10U);
    EXPECT_EQ(bands.band(3).at.origin.y, 12U);
    EXPECT_EQ(bands.band(3).size, (Extent3D{7, 4, 1}));
    // Images of 2,560 bytes: three in 8 KiB, and one of the seven is left.
    const Copy layers{{.format = Format::rgba8_unorm, .size = {7, 10, 7}}};
    const TexelBands images = TexelBands::cut(layers.plan(), 8'192);
    ASSERT_EQ(images.count(), 3U);
    EXPECT_EQ(images.band(1).at.origin.z, 3U);
    EXPECT_EQ(images.band(2).size, (Extent3D{7, 10, 1}));
}

TEST(TexelBands, OfDepthAndStencilAreOneImageEach) {
    for (const Format format : {Format::depth16_unorm, Format::stencil8}) {
        const Copy copy{{.format = format, .size = {16, 4, 3}}};
        for (const std::uint64_t bytes : {4U, 1'024U, 1U << 20}) {
            const TexelBands bands = TexelBands::cut(copy.plan(), bytes);
            ASSERT_EQ(bands.count(), 3U);
            EXPECT_EQ(bands.band(2).at.origin.z, 2U);
            EXPECT_EQ(bands.band(2).size, (Extent3D{16, 4, 1}));
        }
    }
}

TEST(TexelBands, OfARegionThatIsIllegalAreNotPlanned) {
    const TextureOptions texture{.format = Format::rgba8_unorm, .size = {8, 8}};
    EXPECT_EQ(padded_plan(CopyDirection::texture_to_buffer, texture, {.mip = 1}, {}, 256).problem,
              CopyProblem::mip_out_of_range);
    EXPECT_EQ(
        padded_plan(CopyDirection::texture_to_buffer, texture, {.origin = {1}}, Extent3D{8, 1}, 256)
            .problem,
        CopyProblem::out_of_bounds);
}

} // namespace
} // namespace ferry::detail
