// SPDX-License-Identifier: MIT
// Numbers near 2^32 and 2^64, and the nearest legal regions.
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "layout_model.hpp"

namespace ferry {
namespace {

constexpr std::uint64_t two32 = std::uint64_t{1} << 32;
constexpr std::uint64_t largest = ~std::uint64_t{0};

constexpr TextureOptions bytes{.format = Format::r8_unorm, .size = {two32 - 1, two32 - 1, 3}};
constexpr TextureOptions blocks{.format = Format::bc7_rgba_unorm, .size = {64, 64, 2}};

CopyProblem problem(const TextureOptions& texture, const Origin3D& origin, const Extent3D& size,
                    const ImageLayout& layout = {.tight = true}) {
    return plan_write(texture, layout, {.origin = origin}, size).problem;
}

TEST(LayoutExtremes, OriginsAndSizesDoNotWrap) {
    EXPECT_EQ(problem(bytes, {largest}, {1}), CopyProblem::out_of_bounds);
    EXPECT_EQ(problem(bytes, {largest}, {largest}), CopyProblem::out_of_bounds);
    EXPECT_EQ(problem(bytes, {1}, {largest}), CopyProblem::out_of_bounds);
    EXPECT_EQ(problem(bytes, {0, largest}, {1, 2}), CopyProblem::out_of_bounds);
    EXPECT_EQ(problem(bytes, {0, 0, largest}, {1, 1, 2}), CopyProblem::out_of_bounds);
    EXPECT_EQ(problem(blocks, {largest - 3}, {4, 4}), CopyProblem::out_of_bounds);
    EXPECT_EQ(problem(blocks, {8}, {largest - 7, 4}), CopyProblem::out_of_bounds);
    EXPECT_EQ(problem(bytes, {largest}, {0}), CopyProblem::out_of_bounds);
    EXPECT_EQ(problem(bytes, {two32 - 1}, {0}), CopyProblem::none);
    EXPECT_EQ(problem(bytes, {two32 - 2}, {1}), CopyProblem::none);
}

TEST(LayoutExtremes, TexturesOver32BitsAreNone) {
    for (const std::uint64_t n : {std::uint64_t{0}, two32, largest}) {
        EXPECT_EQ(plan_read({.format = Format::r8_unorm, .size = {n}}).problem,
                  CopyProblem::empty_texture);
        EXPECT_EQ(plan_read({.format = Format::r8_unorm, .size = {1, n}}).problem,
                  CopyProblem::empty_texture);
        EXPECT_EQ(plan_read({.format = Format::r8_unorm, .size = {1, 1, n}}).problem,
                  CopyProblem::empty_texture);
    }
}

TEST(LayoutExtremes, StridesEndBeforeTheValueThatMeansLeftOut) {
    const Extent3D size{4, 2, 2};
    const auto write = [&size](std::uint64_t pitch, std::uint64_t rows) {
        return problem(bytes, {}, size, {.bytes_per_row = pitch, .rows_per_image = rows});
    };
    EXPECT_EQ(write(two32 - 2, 2), CopyProblem::none);
    EXPECT_EQ(write(two32 - 1, 2), CopyProblem::stride_too_large);
    EXPECT_EQ(write(two32, 2), CopyProblem::stride_too_large);
    EXPECT_EQ(write(largest, 2), CopyProblem::stride_too_large);
    EXPECT_EQ(write(4, two32 - 2), CopyProblem::none);
    EXPECT_EQ(write(4, two32 - 1), CopyProblem::stride_too_large);
    EXPECT_EQ(write(4, largest), CopyProblem::stride_too_large);
}

TEST(LayoutExtremes, RequiredBytesDoNotWrap) {
    const ImageLayout layout{.bytes_per_row = two32 - 2, .rows_per_image = two32 - 2};
    // (2^32 - 2)^2 is 2^64 - 2^34 + 4: two images fit, three do not.
    const CopyPlan two = plan_write(bytes, layout, {}, Extent3D{1, 1, 2});
    ASSERT_TRUE(two);
    EXPECT_EQ(two.required_bytes, (two32 - 2) * (two32 - 2) + 1);
    EXPECT_EQ(problem(bytes, {}, {1, 1, 3}, layout), CopyProblem::too_many_bytes);
    ImageLayout late = layout;
    late.offset_bytes = (std::uint64_t{1} << 34) - 9;
    EXPECT_EQ(problem(bytes, {}, {1, 1, 2}, late), CopyProblem::none);
    late.offset_bytes += 5;
    EXPECT_EQ(problem(bytes, {}, {1, 1, 2}, late), CopyProblem::too_many_bytes);
    EXPECT_EQ(problem(bytes, {}, {1}, {.offset_bytes = largest}), CopyProblem::too_many_bytes);
    // A stride that no step is made with costs nothing.
    EXPECT_EQ(plan_write(bytes, layout, {}, Extent3D{1}).required_bytes, 1U);
}

TEST(LayoutExtremes, AgreeWithArithmeticIn128Bits) {
    constexpr std::array<std::uint64_t, 16> numbers{
        0,         1,         2,     4,           255,     256,         two32 / 2,   two32 - 256,
        two32 - 2, two32 - 1, two32, two32 + 256, 1 << 20, largest / 2, largest - 3, largest};
    std::mt19937_64 random(5);
    const auto any = [&] { return numbers[random() % numbers.size()]; };
    const auto maybe = [&] { return random() % 4 == 0 ? std::nullopt : std::optional(any()); };
    std::uint64_t legal = 0, too_many = 0;
    for (int i = 0; i < 60000; ++i) {
        model::Copy copy{.direction = CopyDirection{static_cast<std::uint8_t>(random() % 3)}};
        copy.texture = {.format = random() % 2 == 0 ? Format::rgba32_uint : Format::bc1_rgba_unorm,
                        .size = {two32 - 4, two32 - 4, random() % 2 == 0 ? two32 - 1 : 3}};
        const bool whole = random() % 2 == 0;
        if (!whole) copy.at.origin = {any(), any(), any()};
        copy.wanted = Extent3D{random() % 2 == 0 ? 4 : any(), random() % 2 == 0 ? 4 : any(),
                               random() % 2 == 0 ? 2 : any()};
        copy.layout = {random() % 4 == 0, any(), maybe(), maybe()};
        const CopyPlan plan =
            plan_copy(copy.direction, copy.texture, copy.at, copy.wanted, copy.layout);
        ASSERT_EQ(static_cast<bool>(plan), model::legal(copy)) << i;
        too_many += plan.problem == CopyProblem::too_many_bytes ? 1 : 0;
        if (!plan) continue;
        ++legal;
        const auto row = *model::aspect_row(copy.texture.format, copy.at.aspect);
        const model::Blocks b = model::blocks_of(row, *copy.wanted);
        const model::Strides strides = model::strides_of(copy.layout, b);
        ASSERT_TRUE(plan.required_bytes == model::formula_bytes(b, strides)) << i;
    }
    EXPECT_GT(legal, 500U);
    EXPECT_GT(too_many, 100U);
}

/// A random region of a random texture, which is legal in about a third of the cases.
model::Copy random_region(std::mt19937_64& random) {
    const FormatInfo& info = all_formats[random() % all_formats.size()];
    model::Copy copy{.texture = {.format = info.format}};
    TextureOptions& texture = copy.texture;
    const std::uint64_t kind = random() % 6;
    if (kind == 0 && info.dimension_1d) texture.dimension = TextureDimension::d1;
    if (kind == 1 && info.dimension_3d) texture.dimension = TextureDimension::d3;
    const bool d1 = texture.dimension == TextureDimension::d1;
    texture.size = {(1 + random() % 9) * info.block_width,
                    d1 ? 1 : (1 + random() % 9) * info.block_height, d1 ? 1 : 1 + random() % 4};
    texture.mip_levels =
        1 + static_cast<std::uint32_t>(random() % full_mip_levels(texture.size, texture.dimension));
    if (kind == 2 && info.multisampled) texture.sample_count = 4;
    const auto part = [&random](std::uint64_t step, std::uint64_t most) {
        const std::uint64_t n = random() % most;
        return random() % 8 == 0 ? n : random() % 64 == 0 ? largest - n : n / step * step;
    };
    copy.at.mip = static_cast<std::uint32_t>(random() % (texture.mip_levels + 1));
    if (random() % 2 == 0)
        copy.at.origin = {part(info.block_width, 48), part(info.block_height, 48), part(1, 4)};
    if (random() % 3 != 0)
        copy.wanted = {part(info.block_width, 64), part(info.block_height, 64), part(1, 4)};
    return copy;
}

TEST(LayoutNearest, IsLegalAndLeavesLegalRegionsAlone) {
    std::mt19937_64 random(11);
    std::uint64_t legal = 0, illegal = 0;
    for (int i = 0; i < 100000; ++i) {
        const model::Copy copy = random_region(random);
        const CopyRegion region = nearest_legal(copy.texture, copy.at, copy.wanted);
        const model::Copy nearest{.texture = copy.texture, .at = region.at, .wanted = region.size};
        ASSERT_TRUE(model::region_legal(nearest)) << i;
        ASSERT_EQ(model::resolved(nearest), region.size) << i;
        if (!model::region_legal(copy)) {
            ++illegal;
            continue;
        }
        ++legal;
        ASSERT_EQ(region.at.mip, copy.at.mip) << i;
        ASSERT_EQ(region.at.origin, copy.at.origin) << i;
        ASSERT_EQ(region.size, model::resolved(copy)) << i;
    }
    EXPECT_GT(legal, 10000U);
    EXPECT_GT(illegal, 20000U);
}

TEST(LayoutNearest, IsTheOneNextToIt) {
    const TextureOptions chain{.format = Format::bc1_rgba_unorm, .size = {12, 12}, .mip_levels = 4};
    const CopyRegion level = nearest_legal(chain, {.mip = 1}, Extent3D{5, 6});
    EXPECT_EQ(level.size, (Extent3D{8, 8}));
    const CopyRegion moved = nearest_legal(chain, {.origin = {5, 7}}, Extent3D{4, 4});
    EXPECT_EQ(moved.at.origin, (Origin3D{4, 4}));
    EXPECT_EQ(moved.size, (Extent3D{4, 4}));
    const CopyRegion last = nearest_legal(chain, {.mip = 9, .origin = {100, 100, 100}}, {});
    EXPECT_EQ(last.at.mip, 3U);
    EXPECT_EQ(last.at.origin, (Origin3D{}));
    EXPECT_EQ(last.size, (Extent3D{4, 4}));
    const TextureOptions depth{.format = Format::depth32_float, .size = {17, 9, 3}};
    const CopyRegion whole = nearest_legal(depth, {.origin = {3, 2, 1}}, Extent3D{4, 4, 1});
    EXPECT_EQ(whole.at.origin, (Origin3D{0, 0, 1}));
    EXPECT_EQ(whole.size, (Extent3D{17, 9, 1}));
}

} // namespace
} // namespace ferry
