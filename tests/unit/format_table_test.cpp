// SPDX-License-Identifier: MIT
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "format_rows.hpp"

namespace ferry {
namespace {

using model::Answer;
using model::format_rows;
using model::FormatRow;
using model::Part;
using model::Shapes;

const AspectInfo& part_of(const FormatInfo& info, Part part) {
    if (part == Part::color) return info.color;
    return part == Part::depth ? info.depth : info.stencil;
}

constexpr bool values_are_webgpus() {
    for (const FormatRow& row : format_rows) {
        const auto value = static_cast<std::uint32_t>(row.format);
        if (value != row.value || value != static_cast<std::uint32_t>(row.raw)) return false;
    }
    return true;
}
static_assert(values_are_webgpus());

static_assert(static_cast<std::uint32_t>(Aspect::all) == WGPUTextureAspect_All);
static_assert(static_cast<std::uint32_t>(Aspect::depth_only) == WGPUTextureAspect_DepthOnly);
static_assert(static_cast<std::uint32_t>(Aspect::stencil_only) == WGPUTextureAspect_StencilOnly);
static_assert(static_cast<std::uint32_t>(TextureDimension::d1) == WGPUTextureDimension_1D);
static_assert(static_cast<std::uint32_t>(TextureDimension::d2) == WGPUTextureDimension_2D);
static_assert(static_cast<std::uint32_t>(TextureDimension::d3) == WGPUTextureDimension_3D);

TEST(FormatTable, EveryRowIsInTheTable) {
    for (const FormatRow& row : format_rows) {
        SCOPED_TRACE(row.name);
        const FormatInfo info = format_info(row.format);
        EXPECT_EQ(info.format, row.format);
        EXPECT_EQ(info.name, row.name);
        EXPECT_EQ(name(row.format), row.name);
        EXPECT_EQ(format_named(row.name), row.format);
        EXPECT_EQ(info.block_width, row.block_width);
        EXPECT_EQ(info.block_height, row.block_height);
        EXPECT_EQ(info.is_compressed(), row.block_width > 1);
        EXPECT_EQ(info.is_depth_stencil(), row.part != Part::color);
        const AspectInfo& part = part_of(info, row.part);
        EXPECT_TRUE(part.present);
        EXPECT_EQ(part.block_bytes, row.block_bytes);
        EXPECT_EQ(part.to_memory, row.to_memory == Answer::yes);
        EXPECT_EQ(part.from_memory, row.from_memory == Answer::yes);
        EXPECT_EQ(info.dimension_1d, row.shapes == Shapes::all);
        EXPECT_EQ(info.dimension_3d, row.shapes != Shapes::only_2d);
        EXPECT_EQ(info.feature ? name(*info.feature) : "", row.feature);
        const bool sliced = row.shapes == Shapes::sliced;
        EXPECT_EQ(info.feature_3d ? name(*info.feature_3d) : "",
                  sliced ? std::string(row.feature) + "-sliced-3d" : "");
    }
}

TEST(FormatTable, HasNothingElse) {
    std::size_t parts = 0;
    std::set<std::string_view> names;
    for (const FormatInfo& info : all_formats) {
        parts += static_cast<std::size_t>(info.color.present) +
                 static_cast<std::size_t>(info.depth.present) +
                 static_cast<std::size_t>(info.stencil.present);
        names.insert(info.name);
    }
    EXPECT_EQ(all_formats.size(), 101U);
    EXPECT_EQ(names.size(), 101U);
    EXPECT_EQ(parts, 103U);
    EXPECT_EQ(format_rows.size(), 103U);
}

TEST(FormatTable, ValuesThatAreNoFormatAreUndefined) {
    for (const std::uint32_t value : {0x00U, 0x66U, 0x67U, 0x100U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
        EXPECT_EQ(format_info(Format{value}).format, Format::undefined) << value;
        EXPECT_EQ(name(Format{value}), "") << value;
    }
    EXPECT_EQ(format_named(""), std::nullopt);
    EXPECT_EQ(format_named("rgba8"), std::nullopt);
    EXPECT_EQ(format_named("RGBA8Unorm"), std::nullopt);
}

TEST(FormatTable, SrgbPairsDifferByTheirEndingAlone) {
    std::size_t pairs = 0;
    for (const FormatRow& row : format_rows) {
        const std::string_view base = name(without_srgb(row.format));
        if (row.name.ends_with("-srgb")) {
            ++pairs;
            EXPECT_EQ(std::string(base) + "-srgb", row.name);
        } else {
            EXPECT_EQ(base, row.name);
        }
    }
    EXPECT_EQ(pairs, 23U); // rgba8, bgra8, 4 of BC, 3 of ETC2, 14 of ASTC
}

TEST(FormatTable, SelectGivesTheOneAspectMeant) {
    const FormatInfo both = format_info(Format::depth24_plus_stencil8);
    EXPECT_FALSE(both.select(Aspect::all).present);
    EXPECT_EQ(both.select(Aspect::stencil_only).block_bytes, 1U);
    EXPECT_TRUE(both.select(Aspect::depth_only).present);
    EXPECT_EQ(both.select(Aspect::depth_only).block_bytes, 0U);
    EXPECT_EQ(format_info(Format::depth16_unorm).select(Aspect::all).block_bytes, 2U);
    EXPECT_FALSE(format_info(Format::depth16_unorm).select(Aspect::stencil_only).present);
    EXPECT_FALSE(format_info(Format::rgba8_unorm).select(Aspect::depth_only).present);
    EXPECT_FALSE(format_info(Format::rgba8_unorm).select(Aspect{0}).present);
    EXPECT_EQ(format_info(Format::stencil8).select(Aspect::all).block_bytes, 1U);
}

TEST(FormatTable, SamplesAndRenderingAreThoseOfWebGpu) {
    // The WebGPU text's tables of plain colour formats and of depth-stencil formats.
    const std::set<std::string_view> one_sample{"r32uint",    "r32sint",     "rg32uint",
                                                "rg32sint",   "rg32float",   "rgba32uint",
                                                "rgba32sint", "rgba32float", "rgb9e5ufloat"};
    const std::set<std::string_view> render_by_tier1{"r8snorm", "rg8snorm", "rgba8snorm"};
    for (const FormatInfo& info : all_formats) {
        const bool single = info.is_compressed() || one_sample.contains(info.name);
        EXPECT_EQ(info.multisampled, !single) << info.name;
        std::string_view feature;
        if (render_by_tier1.contains(info.name)) feature = "texture-formats-tier1";
        if (info.name == "rg11b10ufloat") feature = "rg11b10ufloat-renderable";
        EXPECT_EQ(info.feature_render ? name(*info.feature_render) : "", feature) << info.name;
    }
}

} // namespace
} // namespace ferry
