// SPDX-License-Identifier: MIT
// createTexture's rules, against a second statement of them.
#include "layout/texture_rules.hpp"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "layout_model.hpp"

namespace ferry {
namespace {

using detail::check_texture;
using model::Answer;

constexpr Limits standard{.max_texture_dimension_1d = 8192,
                          .max_texture_dimension_2d = 8192,
                          .max_texture_dimension_3d = 2048,
                          .max_texture_array_layers = 256};

std::vector<Feature> every_feature() {
    std::vector<Feature> all;
    for (std::uint32_t value = 0x01; value <= 0x14; ++value) all.push_back(Feature{value});
    return all;
}

using Names = std::set<std::string_view>;

const Names storage_always{"r32float",   "r32uint",     "r32sint",     "rg32float",
                           "rg32uint",   "rg32sint",    "rgba8unorm",  "rgba8snorm",
                           "rgba8uint",  "rgba8sint",   "rgba16float", "rgba16uint",
                           "rgba16sint", "rgba32float", "rgba32uint",  "rgba32sint"};
const Names storage_tier1{
    "r8unorm",     "r8snorm",     "r8uint",      "r8sint",       "rg8unorm",     "rg8snorm",
    "rg8uint",     "rg8sint",     "r16unorm",    "r16snorm",     "r16uint",      "r16sint",
    "r16float",    "rg16unorm",   "rg16snorm",   "rg16uint",     "rg16sint",     "rg16float",
    "rgba16unorm", "rgba16snorm", "rgb10a2uint", "rgb10a2unorm", "rg11b10ufloat"};
const Names render_tier1{"r8snorm", "rg8snorm", "rgba8snorm"};
const Names one_sample{"r32uint",    "r32sint",    "rg32uint",    "rg32sint",    "rg32float",
                       "rgba32uint", "rgba32sint", "rgba32float", "rgb9e5ufloat"};

/// The WebGPU text's createTexture, as one predicate.
bool legal(const TextureOptions& texture, const std::vector<Feature>& features) {
    const model::FormatRow& row = model::any_row(texture.format);
    const std::string_view format = row.name;
    const auto has_feature = [&features](std::string_view name) {
        return name.empty() || name == "core-features-and-limits" ||
               std::any_of(features.begin(), features.end(),
                           [name](Feature each) { return ferry::name(each) == name; });
    };
    const auto usage = static_cast<std::uint64_t>(texture.usage);
    const bool storage = (usage & 0x08) != 0, render = (usage & 0x10) != 0;
    const bool d1 = texture.dimension == TextureDimension::d1;
    const bool d2 = texture.dimension == TextureDimension::d2;
    const bool d3 = texture.dimension == TextureDimension::d3;
    const bool compressed = row.block_width > 1;
    const auto& [width, height, depth] = texture.size;
    if (usage == 0 || usage > 0x1F || !has_feature(row.feature)) return false;
    if (!model::texture_possible(texture)) return false;
    if (d3 && compressed && !has_feature(std::string(row.feature) + "-sliced-3d")) return false;
    if (d1 && (width > 8192 || height != 1 || depth != 1)) return false;
    if (d2 && (width > 8192 || height > 8192 || depth > 256)) return false;
    if (d3 && (width > 2048 || height > 2048 || depth > 2048)) return false;
    std::uint32_t mips = 0;
    for (std::uint64_t n = std::max({width, height, d3 ? depth : 1}); n > 0; n /= 2) ++mips;
    if (texture.mip_levels < 1 || texture.mip_levels > (d1 ? 1 : mips)) return false;
    std::string_view render_feature;
    if (render_tier1.contains(format)) render_feature = "texture-formats-tier1";
    if (format == "rg11b10ufloat") render_feature = "rg11b10ufloat-renderable";
    const bool renderable = !compressed && format != "rgb9e5ufloat" && has_feature(render_feature);
    if (render && (!renderable || d1)) return false;
    const bool storable =
        storage_always.contains(format) ||
        (storage_tier1.contains(format) && has_feature("texture-formats-tier1")) ||
        (format == "bgra8unorm" && has_feature("bgra8unorm-storage"));
    if (storage && !storable) return false;
    if (texture.sample_count == 1) return true;
    return texture.sample_count == 4 && d2 && depth == 1 && texture.mip_levels == 1 && render &&
           !storage && renderable && !one_sample.contains(format);
}

constexpr Extent3D sizes[] = {
    {0},          {1},          {1, 0},       {1, 1, 0},     {3, 3},       {4, 4},
    {5, 5, 2},    {60, 60},     {255, 255},   {256, 256, 3}, {257, 1},     {120, 120, 257},
    {8191, 8},    {8192, 8192}, {8193, 1},    {1, 8193},     {2048, 1, 1}, {2040, 4, 2048},
    {2049, 1, 1}, {4, 4, 2049}, {60, 60, 256}};

struct Tally {
    std::uint64_t checked = 0, legal = 0;
};

void compare(const TextureOptions& texture, const std::vector<Feature>& features, Tally& tally) {
    const auto result = check_texture(texture, standard, features);
    const bool expected = legal(texture, features);
    ++tally.checked;
    tally.legal += expected ? 1 : 0;
    ASSERT_EQ(result.has_value(), expected)
        << name(texture.format) << ' ' << texture.size.width << 'x' << texture.size.height << 'x'
        << texture.size.depth_or_array_layers << " usage " << static_cast<int>(texture.usage)
        << " dimension " << static_cast<int>(texture.dimension) << " mips " << texture.mip_levels
        << " samples " << texture.sample_count << ": " << (result ? "" : to_string(result.error()));
    if (!result) {
        ASSERT_TRUE(result.error().what.ends_with('.') && result.error().fix.ends_with('.'));
        ASSERT_FALSE(result.error().rule.empty());
    }
}

/// What one format and one dimension are tried with.
void compare_all(TextureOptions texture, const std::vector<Feature>& features, Tally& tally) {
    for (const Extent3D& size : sizes) {
        texture.size = size;
        for (const std::uint32_t mips : {1U, 0U, 2U, 6U, 8U, 14U}) {
            texture.mip_levels = mips;
            for (const std::uint64_t usage : {0x04U, 0x0CU, 0x10U, 0x1FU}) {
                texture.usage = TextureUsage{usage};
                for (const std::uint32_t samples : {1U, 4U}) {
                    texture.sample_count = samples;
                    compare(texture, features, tally);
                    if (::testing::Test::HasFatalFailure()) return;
                }
            }
        }
    }
}

TEST(TextureRules, AgreeWithAStatementOfTheirOwn) {
    const auto all = every_feature();
    Tally tally;
    for (const FormatInfo& info : all_formats) {
        for (const auto dimension :
             {TextureDimension::d1, TextureDimension::d2, TextureDimension::d3}) {
            compare_all({.format = info.format, .dimension = dimension}, all, tally);
            ASSERT_FALSE(HasFatalFailure());
        }
    }
    EXPECT_GT(tally.legal, 10000U);
}

TEST(TextureRules, AskForEveryFeatureOnItsOwn) {
    Tally tally;
    for (std::uint32_t missing = 0; missing <= 0x14; ++missing) {
        auto features = every_feature();
        std::erase(features, Feature{missing});
        if (missing == 0) features.clear();
        for (const FormatInfo& info : all_formats) {
            for (const auto dimension : {TextureDimension::d2, TextureDimension::d3}) {
                for (const std::uint64_t usage : {0x01U, 0x08U, 0x10U}) {
                    TextureOptions texture{.format = info.format,
                                           .size = {120, 120},
                                           .usage = TextureUsage{usage},
                                           .dimension = dimension};
                    compare(texture, features, tally);
                    texture.sample_count = 4;
                    compare(texture, features, tally);
                    ASSERT_FALSE(HasFatalFailure());
                }
            }
        }
    }
    EXPECT_GT(tally.legal, 1000U);
    EXPECT_LT(tally.legal, tally.checked - 1000);
}

TextureOptions rgba8(const Extent3D& size, TextureDimension dimension = TextureDimension::d2) {
    return {.format = Format::rgba8_unorm,
            .size = size,
            .usage = TextureUsage::copy_dst,
            .dimension = dimension,
            .label = "x"};
}

Errc code(const TextureOptions& texture) {
    const auto result = check_texture(texture, standard, {});
    return result ? Errc::internal : result.error().code;
}

TEST(TextureRules, LimitsAreTheLastLegalNumbers) {
    using enum TextureDimension;
    const auto over = Errc::limit_exceeded;
    const auto fine = Errc::internal;
    EXPECT_EQ(code(rgba8({8191}, d1)), fine);
    EXPECT_EQ(code(rgba8({8192}, d1)), fine);
    EXPECT_EQ(code(rgba8({8193}, d1)), over);
    EXPECT_EQ(code(rgba8({8192, 8192, 256})), fine);
    EXPECT_EQ(code(rgba8({8193})), over);
    EXPECT_EQ(code(rgba8({1, 8193})), over);
    EXPECT_EQ(code(rgba8({1, 1, 255})), fine);
    EXPECT_EQ(code(rgba8({1, 1, 257})), over);
    EXPECT_EQ(code(rgba8({2048, 2048, 2048}, d3)), fine);
    EXPECT_EQ(code(rgba8({2049}, d3)), over);
    EXPECT_EQ(code(rgba8({1, 2049}, d3)), over);
    EXPECT_EQ(code(rgba8({1, 1, 2049}, d3)), over);
    EXPECT_EQ(code(rgba8({1ULL << 32})), Errc::invalid_argument);
    EXPECT_EQ(code(rgba8({~0ULL})), Errc::invalid_argument);
    EXPECT_EQ(code(rgba8({4, 4}, TextureDimension{0})), Errc::invalid_argument);
    EXPECT_EQ(code(rgba8({4, 4}, TextureDimension{4})), Errc::invalid_argument);
}

TEST(TextureRules, MipLevelsEndAtOneTexel) {
    for (const auto& [side, most] : std::initializer_list<std::pair<std::uint64_t, std::uint32_t>>{
             {1, 1}, {3, 2}, {4, 3}, {5, 3}, {255, 8}, {256, 9}, {257, 9}, {8192, 14}}) {
        for (const std::uint32_t mips : {0U, 1U, most - 1, most, most + 1, ~0U}) {
            TextureOptions texture = rgba8({side, 1});
            texture.mip_levels = mips;
            EXPECT_EQ(check_texture(texture, standard, {}).has_value(), mips >= 1 && mips <= most)
                << side << ' ' << mips;
        }
    }
}

TEST(TextureRules, SampleCountsAreOneAndFour) {
    TextureOptions texture = rgba8({4, 4});
    texture.usage |= TextureUsage::render_attachment;
    for (const std::uint32_t samples : {0U, 1U, 2U, 3U, 4U, 5U, 8U, 16U, 255U, 256U, 257U}) {
        texture.sample_count = samples;
        EXPECT_EQ(check_texture(texture, standard, {}).has_value(), samples == 1 || samples == 4)
            << samples;
    }
}

TEST(TextureRules, UsageHasKnownBits) {
    TextureOptions texture = rgba8({4, 4});
    for (const std::uint64_t bits : {0x00ULL, 0x20ULL, 0x21ULL, 0x40ULL, 1ULL << 63, ~0ULL}) {
        texture.usage = TextureUsage{bits};
        EXPECT_EQ(code(texture), Errc::invalid_argument) << bits;
    }
    texture.usage = TextureUsage{0x1F};
    EXPECT_EQ(code(texture), Errc::internal);
}

TEST(TextureRules, AnErrorNamesTheNearestLegalValue) {
    TextureOptions bc1{.format = Format::bc1_rgba_unorm,
                       .size = {250, 250},
                       .usage = TextureUsage::copy_dst,
                       .label = "bricks"};
    const auto said = [](const TextureOptions& texture) {
        const auto result = check_texture(texture, standard, std::array{Feature::timestamp_query});
        return result ? "nothing" : to_string(result.error());
    };
    const auto has = [](const std::string& text, std::initializer_list<const char*> words) {
        for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << text;
    };
    has(said(bc1), {"\"bricks\"", "(250x250)", "(4x4)", "252x252", "31,752"}); // A21
    bc1.size = {252, 252};
    has(said(bc1), {"texture-compression-bc", "required_features"});
    has(said(rgba8({8193, 4})), {"width", "(8193)", "(8192)"});
    TextureOptions mips = rgba8({100, 50});
    mips.mip_levels = 8;
    has(said(mips), {"(8)", "1 to 7", "7"});
    TextureOptions drawn = rgba8({4, 4});
    drawn.sample_count = 4;
    has(said(drawn), {"render_attachment"});
}

} // namespace
} // namespace ferry
