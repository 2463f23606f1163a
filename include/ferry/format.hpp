// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ferry/limits.hpp"

// What a texel is, without a GPU: everything here is constexpr and needs no engine.

namespace ferry {

/// The format of a texture's texels. Values are webgpu.h's.
enum class Format : std::uint32_t {
    undefined = 0x00,
    r8_unorm = 0x01,
    r8_snorm = 0x02,
    r8_uint = 0x03,
    r8_sint = 0x04,
    r16_unorm = 0x05,
    r16_snorm = 0x06,
    r16_uint = 0x07,
    r16_sint = 0x08,
    r16_float = 0x09,
    rg8_unorm = 0x0A,
    rg8_snorm = 0x0B,
    rg8_uint = 0x0C,
    rg8_sint = 0x0D,
    r32_float = 0x0E,
    r32_uint = 0x0F,
    r32_sint = 0x10,
    rg16_unorm = 0x11,
    rg16_snorm = 0x12,
    rg16_uint = 0x13,
    rg16_sint = 0x14,
    rg16_float = 0x15,
    rgba8_unorm = 0x16,
    rgba8_unorm_srgb = 0x17,
    rgba8_snorm = 0x18,
    rgba8_uint = 0x19,
    rgba8_sint = 0x1A,
    bgra8_unorm = 0x1B,
    bgra8_unorm_srgb = 0x1C,
    rgb10a2_uint = 0x1D,
    rgb10a2_unorm = 0x1E,
    rg11b10_ufloat = 0x1F,
    rgb9e5_ufloat = 0x20,
    rg32_float = 0x21,
    rg32_uint = 0x22,
    rg32_sint = 0x23,
    rgba16_unorm = 0x24,
    rgba16_snorm = 0x25,
    rgba16_uint = 0x26,
    rgba16_sint = 0x27,
    rgba16_float = 0x28,
    rgba32_float = 0x29,
    rgba32_uint = 0x2A,
    rgba32_sint = 0x2B,
    stencil8 = 0x2C,
    depth16_unorm = 0x2D,
    depth24_plus = 0x2E,
    depth24_plus_stencil8 = 0x2F,
    depth32_float = 0x30,
    depth32_float_stencil8 = 0x31,
    bc1_rgba_unorm = 0x32,
    bc1_rgba_unorm_srgb = 0x33,
    bc2_rgba_unorm = 0x34,
    bc2_rgba_unorm_srgb = 0x35,
    bc3_rgba_unorm = 0x36,
    bc3_rgba_unorm_srgb = 0x37,
    bc4_r_unorm = 0x38,
    bc4_r_snorm = 0x39,
    bc5_rg_unorm = 0x3A,
    bc5_rg_snorm = 0x3B,
    bc6h_rgb_ufloat = 0x3C,
    bc6h_rgb_float = 0x3D,
    bc7_rgba_unorm = 0x3E,
    bc7_rgba_unorm_srgb = 0x3F,
    etc2_rgb8_unorm = 0x40,
    etc2_rgb8_unorm_srgb = 0x41,
    etc2_rgb8a1_unorm = 0x42,
    etc2_rgb8a1_unorm_srgb = 0x43,
    etc2_rgba8_unorm = 0x44,
    etc2_rgba8_unorm_srgb = 0x45,
    eac_r11_unorm = 0x46,
    eac_r11_snorm = 0x47,
    eac_rg11_unorm = 0x48,
    eac_rg11_snorm = 0x49,
    astc_4x4_unorm = 0x4A,
    astc_4x4_unorm_srgb = 0x4B,
    astc_5x4_unorm = 0x4C,
    astc_5x4_unorm_srgb = 0x4D,
    astc_5x5_unorm = 0x4E,
    astc_5x5_unorm_srgb = 0x4F,
    astc_6x5_unorm = 0x50,
    astc_6x5_unorm_srgb = 0x51,
    astc_6x6_unorm = 0x52,
    astc_6x6_unorm_srgb = 0x53,
    astc_8x5_unorm = 0x54,
    astc_8x5_unorm_srgb = 0x55,
    astc_8x6_unorm = 0x56,
    astc_8x6_unorm_srgb = 0x57,
    astc_8x8_unorm = 0x58,
    astc_8x8_unorm_srgb = 0x59,
    astc_10x5_unorm = 0x5A,
    astc_10x5_unorm_srgb = 0x5B,
    astc_10x6_unorm = 0x5C,
    astc_10x6_unorm_srgb = 0x5D,
    astc_10x8_unorm = 0x5E,
    astc_10x8_unorm_srgb = 0x5F,
    astc_10x10_unorm = 0x60,
    astc_10x10_unorm_srgb = 0x61,
    astc_12x10_unorm = 0x62,
    astc_12x10_unorm_srgb = 0x63,
    astc_12x12_unorm = 0x64,
    astc_12x12_unorm_srgb = 0x65,
};

/// Which part of a texel a copy moves. Values are webgpu.h's. Colour formats have only `all`.
enum class Aspect : std::uint32_t { all = 1, stencil_only = 2, depth_only = 3 };

/// What a texture is made of. Values are webgpu.h's.
enum class TextureDimension : std::uint32_t { d1 = 1, d2 = 2, d3 = 3 };

/// How copies between a texture and memory see one aspect of a format (rules 3.4 and 3.9).
struct AspectInfo {
    bool present = false;
    std::uint32_t block_bytes = 0; ///< in memory; 0 where the format has no layout there
    bool to_memory = false;        ///< texture to buffer
    bool from_memory = false;      ///< buffer to texture, and queue writes
};

/// What WebGPU says about a format.
struct FormatInfo {
    Format format = Format::undefined;
    std::string_view name{};                         ///< WebGPU's spelling: "rgba8unorm"
    std::uint32_t block_width = 1, block_height = 1; ///< in texels; over 1 when it is compressed
    AspectInfo color{}, depth{}, stencil{};
    std::optional<Feature> feature{};    ///< needed to make a texture of it
    std::optional<Feature> feature_3d{}; ///< needed to make a 3D one; see `dimension_3d`
    bool dimension_1d = true, dimension_3d = true;
    bool multisampled = false;               ///< 4 samples are possible
    std::optional<Feature> feature_render{}; ///< needed to render to it, or for 4 samples

    [[nodiscard]] constexpr bool is_compressed() const noexcept { return block_width > 1; }
    [[nodiscard]] constexpr bool is_depth_stencil() const noexcept { return !color.present; }
    /// The single aspect that `aspect` selects; not present where there is none or two of them.
    [[nodiscard]] constexpr AspectInfo select(Aspect aspect) const noexcept {
        if (aspect == Aspect::depth_only) return depth;
        if (aspect == Aspect::stencil_only) return stencil;
        if (aspect != Aspect::all || (depth.present && stencil.present)) return {};
        return color.present ? color : depth.present ? depth : stencil;
    }
};

namespace detail {

enum class Samples : bool { one, many };

constexpr FormatInfo color(Format format, std::string_view name, std::uint32_t bytes,
                           Samples samples = Samples::many, std::optional<Feature> feature = {},
                           std::optional<Feature> render = {}) {
    FormatInfo info{.format = format, .name = name};
    info.color = {true, bytes, true, true};
    info.feature = feature;
    info.multisampled = samples == Samples::many;
    info.feature_render = render;
    return info;
}

constexpr FormatInfo depth_stencil(Format format, std::string_view name, AspectInfo depth,
                                   AspectInfo stencil, std::optional<Feature> feature = {}) {
    FormatInfo info{.format = format, .name = name};
    info.depth = depth;
    info.stencil = stencil;
    info.feature = feature;
    info.dimension_1d = info.dimension_3d = false;
    info.multisampled = true;
    return info;
}

constexpr FormatInfo block(Format format, std::string_view name, std::uint32_t width,
                           std::uint32_t height, std::uint32_t bytes, Feature feature) {
    FormatInfo info{.format = format, .name = name, .block_width = width, .block_height = height};
    info.color = {true, bytes, true, true};
    info.feature = feature;
    info.dimension_1d = false;
    info.dimension_3d = feature != Feature::texture_compression_etc2;
    if (feature == Feature::texture_compression_bc)
        info.feature_3d = Feature::texture_compression_bc_sliced_3d;
    if (feature == Feature::texture_compression_astc)
        info.feature_3d = Feature::texture_compression_astc_sliced_3d;
    return info;
}

constexpr auto make_format_table() {
    using F = Format;
    using enum Samples;
    constexpr std::nullopt_t none = std::nullopt;
    constexpr Feature tier1 = Feature::texture_formats_tier1;
    constexpr Feature bc = Feature::texture_compression_bc;
    constexpr Feature etc2 = Feature::texture_compression_etc2;
    constexpr Feature astc = Feature::texture_compression_astc;
    return std::array{
        color(F::r8_unorm, "r8unorm", 1),
        color(F::r8_snorm, "r8snorm", 1, many, none, tier1),
        color(F::r8_uint, "r8uint", 1),
        color(F::r8_sint, "r8sint", 1),
        color(F::r16_unorm, "r16unorm", 2, many, tier1),
        color(F::r16_snorm, "r16snorm", 2, many, tier1),
        color(F::r16_uint, "r16uint", 2),
        color(F::r16_sint, "r16sint", 2),
        color(F::r16_float, "r16float", 2),
        color(F::rg8_unorm, "rg8unorm", 2),
        color(F::rg8_snorm, "rg8snorm", 2, many, none, tier1),
        color(F::rg8_uint, "rg8uint", 2),
        color(F::rg8_sint, "rg8sint", 2),
        color(F::r32_float, "r32float", 4),
        color(F::r32_uint, "r32uint", 4, one),
        color(F::r32_sint, "r32sint", 4, one),
        color(F::rg16_unorm, "rg16unorm", 4, many, tier1),
        color(F::rg16_snorm, "rg16snorm", 4, many, tier1),
        color(F::rg16_uint, "rg16uint", 4),
        color(F::rg16_sint, "rg16sint", 4),
        color(F::rg16_float, "rg16float", 4),
        color(F::rgba8_unorm, "rgba8unorm", 4),
        color(F::rgba8_unorm_srgb, "rgba8unorm-srgb", 4),
        color(F::rgba8_snorm, "rgba8snorm", 4, many, none, tier1),
        color(F::rgba8_uint, "rgba8uint", 4),
        color(F::rgba8_sint, "rgba8sint", 4),
        color(F::bgra8_unorm, "bgra8unorm", 4),
        color(F::bgra8_unorm_srgb, "bgra8unorm-srgb", 4, many, Feature::core_features_and_limits),
        color(F::rgb10a2_uint, "rgb10a2uint", 4),
        color(F::rgb10a2_unorm, "rgb10a2unorm", 4),
        color(F::rg11b10_ufloat, "rg11b10ufloat", 4, many, none, Feature::rg11b10ufloat_renderable),
        color(F::rgb9e5_ufloat, "rgb9e5ufloat", 4, one),
        color(F::rg32_float, "rg32float", 8, one),
        color(F::rg32_uint, "rg32uint", 8, one),
        color(F::rg32_sint, "rg32sint", 8, one),
        color(F::rgba16_unorm, "rgba16unorm", 8, many, tier1),
        color(F::rgba16_snorm, "rgba16snorm", 8, many, tier1),
        color(F::rgba16_uint, "rgba16uint", 8),
        color(F::rgba16_sint, "rgba16sint", 8),
        color(F::rgba16_float, "rgba16float", 8),
        color(F::rgba32_float, "rgba32float", 16, one),
        color(F::rgba32_uint, "rgba32uint", 16, one),
        color(F::rgba32_sint, "rgba32sint", 16, one),
        depth_stencil(F::stencil8, "stencil8", {}, {true, 1, true, true}),
        depth_stencil(F::depth16_unorm, "depth16unorm", {true, 2, true, true}, {}),
        depth_stencil(F::depth24_plus, "depth24plus", {true, 0, false, false}, {}),
        depth_stencil(F::depth24_plus_stencil8, "depth24plus-stencil8", {true, 0, false, false},
                      {true, 1, true, true}),
        depth_stencil(F::depth32_float, "depth32float", {true, 4, true, false}, {}),
        depth_stencil(F::depth32_float_stencil8, "depth32float-stencil8", {true, 4, true, false},
                      {true, 1, true, true}, Feature::depth32float_stencil8),
        block(F::bc1_rgba_unorm, "bc1-rgba-unorm", 4, 4, 8, bc),
        block(F::bc1_rgba_unorm_srgb, "bc1-rgba-unorm-srgb", 4, 4, 8, bc),
        block(F::bc2_rgba_unorm, "bc2-rgba-unorm", 4, 4, 16, bc),
        block(F::bc2_rgba_unorm_srgb, "bc2-rgba-unorm-srgb", 4, 4, 16, bc),
        block(F::bc3_rgba_unorm, "bc3-rgba-unorm", 4, 4, 16, bc),
        block(F::bc3_rgba_unorm_srgb, "bc3-rgba-unorm-srgb", 4, 4, 16, bc),
        block(F::bc4_r_unorm, "bc4-r-unorm", 4, 4, 8, bc),
        block(F::bc4_r_snorm, "bc4-r-snorm", 4, 4, 8, bc),
        block(F::bc5_rg_unorm, "bc5-rg-unorm", 4, 4, 16, bc),
        block(F::bc5_rg_snorm, "bc5-rg-snorm", 4, 4, 16, bc),
        block(F::bc6h_rgb_ufloat, "bc6h-rgb-ufloat", 4, 4, 16, bc),
        block(F::bc6h_rgb_float, "bc6h-rgb-float", 4, 4, 16, bc),
        block(F::bc7_rgba_unorm, "bc7-rgba-unorm", 4, 4, 16, bc),
        block(F::bc7_rgba_unorm_srgb, "bc7-rgba-unorm-srgb", 4, 4, 16, bc),
        block(F::etc2_rgb8_unorm, "etc2-rgb8unorm", 4, 4, 8, etc2),
        block(F::etc2_rgb8_unorm_srgb, "etc2-rgb8unorm-srgb", 4, 4, 8, etc2),
        block(F::etc2_rgb8a1_unorm, "etc2-rgb8a1unorm", 4, 4, 8, etc2),
        block(F::etc2_rgb8a1_unorm_srgb, "etc2-rgb8a1unorm-srgb", 4, 4, 8, etc2),
        block(F::etc2_rgba8_unorm, "etc2-rgba8unorm", 4, 4, 16, etc2),
        block(F::etc2_rgba8_unorm_srgb, "etc2-rgba8unorm-srgb", 4, 4, 16, etc2),
        block(F::eac_r11_unorm, "eac-r11unorm", 4, 4, 8, etc2),
        block(F::eac_r11_snorm, "eac-r11snorm", 4, 4, 8, etc2),
        block(F::eac_rg11_unorm, "eac-rg11unorm", 4, 4, 16, etc2),
        block(F::eac_rg11_snorm, "eac-rg11snorm", 4, 4, 16, etc2),
        block(F::astc_4x4_unorm, "astc-4x4-unorm", 4, 4, 16, astc),
        block(F::astc_4x4_unorm_srgb, "astc-4x4-unorm-srgb", 4, 4, 16, astc),
        block(F::astc_5x4_unorm, "astc-5x4-unorm", 5, 4, 16, astc),
        block(F::astc_5x4_unorm_srgb, "astc-5x4-unorm-srgb", 5, 4, 16, astc),
        block(F::astc_5x5_unorm, "astc-5x5-unorm", 5, 5, 16, astc),
        block(F::astc_5x5_unorm_srgb, "astc-5x5-unorm-srgb", 5, 5, 16, astc),
        block(F::astc_6x5_unorm, "astc-6x5-unorm", 6, 5, 16, astc),
        block(F::astc_6x5_unorm_srgb, "astc-6x5-unorm-srgb", 6, 5, 16, astc),
        block(F::astc_6x6_unorm, "astc-6x6-unorm", 6, 6, 16, astc),
        block(F::astc_6x6_unorm_srgb, "astc-6x6-unorm-srgb", 6, 6, 16, astc),
        block(F::astc_8x5_unorm, "astc-8x5-unorm", 8, 5, 16, astc),
        block(F::astc_8x5_unorm_srgb, "astc-8x5-unorm-srgb", 8, 5, 16, astc),
        block(F::astc_8x6_unorm, "astc-8x6-unorm", 8, 6, 16, astc),
        block(F::astc_8x6_unorm_srgb, "astc-8x6-unorm-srgb", 8, 6, 16, astc),
        block(F::astc_8x8_unorm, "astc-8x8-unorm", 8, 8, 16, astc),
        block(F::astc_8x8_unorm_srgb, "astc-8x8-unorm-srgb", 8, 8, 16, astc),
        block(F::astc_10x5_unorm, "astc-10x5-unorm", 10, 5, 16, astc),
        block(F::astc_10x5_unorm_srgb, "astc-10x5-unorm-srgb", 10, 5, 16, astc),
        block(F::astc_10x6_unorm, "astc-10x6-unorm", 10, 6, 16, astc),
        block(F::astc_10x6_unorm_srgb, "astc-10x6-unorm-srgb", 10, 6, 16, astc),
        block(F::astc_10x8_unorm, "astc-10x8-unorm", 10, 8, 16, astc),
        block(F::astc_10x8_unorm_srgb, "astc-10x8-unorm-srgb", 10, 8, 16, astc),
        block(F::astc_10x10_unorm, "astc-10x10-unorm", 10, 10, 16, astc),
        block(F::astc_10x10_unorm_srgb, "astc-10x10-unorm-srgb", 10, 10, 16, astc),
        block(F::astc_12x10_unorm, "astc-12x10-unorm", 12, 10, 16, astc),
        block(F::astc_12x10_unorm_srgb, "astc-12x10-unorm-srgb", 12, 10, 16, astc),
        block(F::astc_12x12_unorm, "astc-12x12-unorm", 12, 12, 16, astc),
        block(F::astc_12x12_unorm_srgb, "astc-12x12-unorm-srgb", 12, 12, 16, astc),
    };
}

inline constexpr auto format_table = make_format_table();

} // namespace detail

/// Every format, in the order of their values.
inline constexpr const auto& all_formats = detail::format_table;

/// What is known about a format; `format` is `undefined` in it when `format` is none.
[[nodiscard]] constexpr FormatInfo format_info(Format format) noexcept {
    const std::size_t place = static_cast<std::size_t>(format) - 1;
    return place < all_formats.size() ? all_formats[place] : FormatInfo{};
}

/// WebGPU's spelling, "bc1-rgba-unorm"; empty for a value that is no format.
[[nodiscard]] constexpr std::string_view name(Format format) noexcept {
    return format_info(format).name;
}

/// The format that WebGPU spells so.
[[nodiscard]] constexpr std::optional<Format> format_named(std::string_view name) noexcept {
    for (const FormatInfo& each : all_formats) {
        if (each.name == name) return each.format;
    }
    return std::nullopt;
}

/// The format without its "-srgb". Textures whose formats have the same base may be copied into
/// each other (rule X-01).
[[nodiscard]] constexpr Format without_srgb(Format format) noexcept {
    constexpr std::string_view suffix = "-srgb";
    const std::string_view spelled = name(format);
    if (!spelled.ends_with(suffix)) return format;
    return format_named(spelled.substr(0, spelled.size() - suffix.size())).value_or(format);
}

/// "all", "stencil-only" or "depth-only"; empty for another value.
[[nodiscard]] constexpr std::string_view name(Aspect aspect) noexcept {
    switch (aspect) {
    case Aspect::all: return "all";
    case Aspect::stencil_only: return "stencil-only";
    case Aspect::depth_only: return "depth-only";
    }
    return {};
}

} // namespace ferry
