// SPDX-License-Identifier: MIT
// Copies between textures, against a second statement of.
#include <random>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "layout/texture_rules.hpp"
#include "layout_model.hpp"

namespace ferry {
namespace {

using detail::check_texture_copy;
using detail::Textures;

struct Side {
    TextureOptions texture{};
    TextureLocation at{};
};

struct Pair {
    Side source{}, target{};
    std::optional<Extent3D> size{};
    Textures textures = Textures::different;
};

Result<Extent3D> check(const Pair& pair) {
    return check_texture_copy({pair.source.texture, pair.source.at},
                              {pair.target.texture, pair.target.at}, pair.size, pair.textures);
}

std::string_view rule(const Pair& pair) {
    const auto result = check(pair);
    return result ? "legal" : result.error().rule;
}

/// 3.3: the aspect stands for all that the format has.
bool all_aspects(const Side& side) {
    const bool depth = model::find(side.texture.format, model::Part::depth) != nullptr;
    const bool stencil = model::find(side.texture.format, model::Part::stencil) != nullptr;
    if (side.at.aspect == Aspect::all) return true;
    return side.at.aspect == Aspect::depth_only ? depth && !stencil : stencil && !depth;
}

/// (level, layer) of a side; 1D and 3D levels are in one piece.
std::set<std::pair<std::uint32_t, std::uint64_t>> touched(const Side& side, std::uint64_t layers) {
    std::set<std::pair<std::uint32_t, std::uint64_t>> set;
    if (side.texture.dimension != TextureDimension::d2) set.insert({side.at.mip, 0});
    for (std::uint64_t i = 0; side.texture.dimension == TextureDimension::d2 && i < layers; ++i)
        set.insert({side.at.mip, side.at.origin.z + i});
    return set;
}

bool legal(const Pair& pair) {
    const auto plain = [](Format format) {
        std::string spelled(model::any_row(format).name);
        if (spelled.ends_with("-srgb")) spelled.resize(spelled.size() - 5);
        return spelled;
    };
    const auto& [source, target, size, textures] = pair;
    if (plain(source.texture.format) != plain(target.texture.format)) return false;
    if (source.texture.sample_count != target.texture.sample_count) return false;
    if (!all_aspects(source) || !all_aspects(target)) return false;
    const model::Copy from{.texture = source.texture, .at = source.at, .wanted = size};
    const Extent3D whole = model::resolved(from);
    const model::Copy to{.texture = target.texture, .at = target.at, .wanted = whole};
    if (!model::region_legal(from) || model::resolved(to) != whole || !model::region_legal(to))
        return false;
    if (textures == Textures::different) return true;
    const auto read = touched(source, whole.depth_or_array_layers);
    for (const auto& each : touched(target, whole.depth_or_array_layers))
        if (read.contains(each)) return false;
    return true;
}

TextureOptions random_texture(std::mt19937_64& random) {
    const FormatInfo& info = all_formats[random() % all_formats.size()];
    TextureOptions texture{.format = info.format};
    texture.size = {(1 + random() % 4) * info.block_width, (1 + random() % 4) * info.block_height,
                    1 + random() % 4};
    const std::uint64_t kind = random() % 8;
    if (kind == 0 && info.dimension_3d) texture.dimension = TextureDimension::d3;
    if (kind == 1 && info.dimension_1d) {
        texture.dimension = TextureDimension::d1;
        texture.size.height = texture.size.depth_or_array_layers = 1;
    }
    texture.mip_levels = std::min(full_mip_levels(texture.size, texture.dimension), 3U);
    if (kind == 2 && info.multisampled) texture.sample_count = 4;
    return texture;
}

TextureLocation random_place(std::mt19937_64& random, const TextureOptions& texture) {
    const model::FormatRow& row = model::any_row(texture.format);
    TextureLocation at{.mip = static_cast<std::uint32_t>(random() % (texture.mip_levels + 1))};
    if (at.mip == texture.mip_levels && random() % 4 != 0) at.mip = 0;
    if (random() % 3 == 0) at.origin = {row.block_width, row.block_height};
    if (random() % 16 == 0) at.origin.x = 1;
    at.origin.z = random() % 3;
    if (random() % 8 == 0) at.aspect = Aspect::depth_only;
    if (random() % 8 == 0) at.aspect = Aspect::stencil_only;
    return at;
}

Pair random_pair(std::mt19937_64& random) {
    Pair pair;
    pair.source.texture = random_texture(random);
    pair.target.texture = pair.source.texture;
    if (random() % 8 == 0 && pair.source.texture.dimension != TextureDimension::d1)
        pair.target.texture.size = {240, 240, 5};
    if (random() % 4 == 0) pair.target.texture.format = without_srgb(pair.source.texture.format);
    if (random() % 8 == 0) pair.target.texture = random_texture(random);
    if (random() % 2 == 0) {
        pair.target.texture = pair.source.texture;
        pair.textures = Textures::same;
    }
    pair.source.at = random_place(random, pair.source.texture);
    pair.target.at = random_place(random, pair.target.texture);
    const model::FormatRow& row = model::any_row(pair.source.texture.format);
    if (random() % 4 != 0)
        pair.size = {random() % 3 * row.block_width, random() % 3 * row.block_height, random() % 3};
    return pair;
}

TEST(TextureCopyRules, AgreeWithAStatementOfTheirOwn) {
    std::mt19937_64 random(3);
    std::uint64_t fine = 0;
    std::set<std::string_view> rules;
    for (int i = 0; i < 200000; ++i) {
        const Pair pair = random_pair(random);
        const auto result = check(pair);
        ASSERT_EQ(result.has_value(), legal(pair))
            << i << ' ' << name(pair.source.texture.format) << ' '
            << (result ? "" : to_string(result.error()));
        if (result) {
            ++fine;
            ASSERT_EQ(*result, model::resolved({.texture = pair.source.texture,
                                                .at = pair.source.at,
                                                .wanted = pair.size}));
        } else {
            rules.insert(result.error().rule);
            ASSERT_TRUE(result.error().what.ends_with('.') && result.error().fix.ends_with('.'));
        }
    }
    EXPECT_GT(fine, 10000U);
    EXPECT_EQ(rules, (std::set<std::string_view>{"T-04", "T-05", "T-06", "T-07", "X-01", "X-02",
                                                 "X-04", "X-05"}));
}

Pair inside(TextureDimension dimension, const Origin3D& from, const Origin3D& to,
            const Extent3D& size) {
    const Extent3D whole = dimension == TextureDimension::d1 ? Extent3D{16} : Extent3D{16, 16, 8};
    const TextureOptions texture{
        .format = Format::rgba8_unorm, .size = whole, .dimension = dimension};
    return {{texture, {.origin = from}}, {texture, {.origin = to}}, size, Textures::same};
}

TEST(TextureCopyRules, CopiesInsideOneTextureNeedOtherLayers) {
    using enum TextureDimension;
    EXPECT_EQ(rule(inside(d2, {0, 0, 0}, {0, 0, 2}, {16, 16, 2})), "legal");
    EXPECT_EQ(rule(inside(d2, {0, 0, 0}, {0, 0, 1}, {16, 16, 2})), "X-05");
    EXPECT_EQ(rule(inside(d2, {0, 0, 3}, {8, 8, 3}, {4, 4, 1})), "X-05"); // whatever x and y
    EXPECT_EQ(rule(inside(d2, {0, 0, 3}, {0, 0, 3}, {4, 4, 0})), "legal");
    EXPECT_EQ(rule(inside(d2, {0, 0, 3}, {0, 0, 3}, {0, 4, 1})), "X-05");
    EXPECT_EQ(rule(inside(d3, {0, 0, 0}, {0, 0, 4}, {4, 4, 1})), "X-05");
    EXPECT_EQ(rule(inside(d3, {0, 0, 0}, {0, 0, 4}, {4, 4, 0})), "X-05");
    EXPECT_EQ(rule(inside(d1, {0}, {8}, {4})), "X-05");
    Pair levels = inside(d3, {}, {}, {4, 4, 1});
    levels.source.texture.mip_levels = levels.target.texture.mip_levels = 2;
    levels.target.at.mip = 1;
    EXPECT_EQ(rule(levels), "legal");
}

TEST(TextureCopyRules, FormatsDifferByTheirEndingAlone) { // A29
    const auto between = [](Format from, Format to) {
        return rule({{{.format = from, .size = {4, 4}}}, {{.format = to, .size = {4, 4}}}});
    };
    EXPECT_EQ(between(Format::rgba8_unorm, Format::rgba8_unorm_srgb), "legal");
    EXPECT_EQ(between(Format::rgba8_unorm, Format::bgra8_unorm), "X-01");
    EXPECT_EQ(between(Format::rgba8_unorm, Format::rgba16_float), "X-01");
    EXPECT_EQ(between(Format::rgba8_unorm, Format::rgba8_uint), "X-01");
    EXPECT_EQ(between(Format::depth32_float, Format::depth24_plus), "X-01");
    EXPECT_EQ(between(Format::depth24_plus, Format::depth24_plus), "legal");
}

TEST(TextureCopyRules, DimensionsMayDifferAndLevelsAreMeasuredInBlocks) { // X-06, 3.2
    const TextureOptions slices{
        .format = Format::r8_uint, .size = {8, 8, 4}, .dimension = TextureDimension::d3};
    const TextureOptions layers{.format = Format::r8_uint, .size = {8, 8, 4}};
    EXPECT_EQ(rule({{slices}, {layers}}), "legal");
    const TextureOptions chain{.format = Format::bc1_rgba_unorm, .size = {12, 12}, .mip_levels = 4};
    const TextureOptions block{.format = Format::bc1_rgba_unorm_srgb, .size = {4, 4}};
    const auto size = check({{chain, {.mip = 3}}, {block}, Extent3D{1, 1}});
    ASSERT_TRUE(size);
    EXPECT_EQ(*size, (Extent3D{4, 4}));
    EXPECT_EQ(rule({{chain, {.mip = 1}}, {block}}), "T-06"); // 8x8 into 4x4
}

} // namespace
} // namespace ferry
