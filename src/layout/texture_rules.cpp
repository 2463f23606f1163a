// SPDX-License-Identifier: MIT
#include "layout/texture_rules.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "layout/region_error.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

std::string named(const TextureOptions& texture) {
    return texture.label.empty() ? "The texture" : text("The texture \"", texture.label, '"');
}

bool supports(std::span<const Feature> features, Feature wanted) {
    // ferry opens no device in compatibility mode, and wgpu-native 29 does not list this one.
    if (wanted == Feature::core_features_and_limits) return true;
    return std::find(features.begin(), features.end(), wanted) != features.end();
}

Result<> check_feature(const TextureOptions& texture, std::span<const Feature> features,
                       std::optional<Feature> needed, std::string_view because) {
    if (!needed || supports(features, *needed)) return {};
    return fail(Errc::unsupported, "3.2",
                text(named(texture), " of ", name(texture.format), because, " needs the feature ",
                     name(*needed), ", which the device does not have."),
                text("Open the device with ", name(*needed),
                     " in required_features, or use another format."));
}

Result<> check_usage_bits(const TextureOptions& texture) {
    constexpr TextureUsage known = TextureUsage::copy_src | TextureUsage::copy_dst |
                                   TextureUsage::texture_binding | TextureUsage::storage_binding |
                                   TextureUsage::render_attachment;
    const auto bits = static_cast<std::uint64_t>(texture.usage);
    if (bits == 0) {
        return fail(Errc::invalid_argument, "3.2", text(named(texture), " has no usage."),
                    "State what it is for, such as .usage = TextureUsage::copy_dst | "
                    "TextureUsage::texture_binding.");
    }
    if ((bits & ~static_cast<std::uint64_t>(known)) != 0) {
        return fail(Errc::invalid_argument, "3.2",
                    text(named(texture), " has a usage (", bits, ") with unknown bits."),
                    "Combine values of TextureUsage only.");
    }
    return {};
}

/// Never a target of drawing, on any device.
bool can_render(const FormatInfo& format) {
    return !format.is_compressed() && format.format != Format::rgb9e5_ufloat;
}

/// How a format comes to be written as texture_storage_*.
struct StorageAbility {
    bool possible = false;
    std::optional<Feature> feature{};
};

StorageAbility storage_ability(const FormatInfo& format) {
    if (format.is_compressed() || format.is_depth_stencil() || format.name.ends_with("-srgb"))
        return {};
    switch (format.format) {
    case Format::rgb9e5_ufloat: return {};
    case Format::bgra8_unorm: return {true, Feature::bgra8unorm_storage};
    case Format::r32_float:
    case Format::r32_uint:
    case Format::r32_sint:
    case Format::rg32_float:
    case Format::rg32_uint:
    case Format::rg32_sint:
    case Format::rgba8_unorm:
    case Format::rgba8_snorm:
    case Format::rgba8_uint:
    case Format::rgba8_sint:
    case Format::rgba16_uint:
    case Format::rgba16_sint:
    case Format::rgba16_float:
    case Format::rgba32_float:
    case Format::rgba32_uint:
    case Format::rgba32_sint: return {true, {}};
    default: return {true, Feature::texture_formats_tier1};
    }
}

Result<> check_storage(const TextureOptions& texture, const FormatInfo& format,
                       std::span<const Feature> features) {
    if (!has(texture.usage, TextureUsage::storage_binding)) return {};
    const StorageAbility ability = storage_ability(format);
    if (!ability.possible) {
        return fail(Errc::invalid_argument, "3.2",
                    text(named(texture), " of ", format.name,
                         " has the usage storage_binding, which the format does not have."),
                    "Leave TextureUsage::storage_binding out, or use a format such as "
                    "Format::rgba8_unorm.");
    }
    return check_feature(texture, features, ability.feature, " with storage_binding");
}

Result<> check_render(const TextureOptions& texture, const FormatInfo& format,
                      std::span<const Feature> features) {
    if (!has(texture.usage, TextureUsage::render_attachment)) return {};
    if (!can_render(format) || texture.dimension == TextureDimension::d1) {
        const std::string_view what = can_render(format) ? " that is 1D" : "";
        return fail(Errc::invalid_argument, "3.2",
                    text(named(texture), " of ", format.name, what,
                         " has the usage render_attachment, and cannot be drawn into."),
                    can_render(format) ? "Use TextureDimension::d2."
                                       : "Leave TextureUsage::render_attachment out, or use a "
                                         "format such as Format::rgba8_unorm.");
    }
    return check_feature(texture, features, format.feature_render, " with render_attachment");
}

Result<> check_limit(const TextureOptions& texture, std::string_view side, std::uint64_t given,
                     std::uint64_t limit) {
    if (given <= limit) return {};
    return fail(Errc::limit_exceeded, "3.2",
                text(named(texture), " has a ", side, " of (", given, "), over the limit of (",
                     limit, ") for a ", dimension_text(texture.dimension), " texture."),
                text("Use ", limit, " or less, or a device with higher required_limits."));
}

Result<> check_limits(const TextureOptions& texture, const Limits& limits) {
    const Extent3D& size = texture.size;
    const bool d1 = texture.dimension == TextureDimension::d1;
    const bool d3 = texture.dimension == TextureDimension::d3;
    const std::uint64_t side = d1   ? limits.max_texture_dimension_1d
                               : d3 ? limits.max_texture_dimension_3d
                                    : limits.max_texture_dimension_2d;
    if (auto ok = check_limit(texture, "width", size.width, side); !ok) return ok;
    if (auto ok = check_limit(texture, "height", size.height, side); !ok) return ok;
    if (d3) return check_limit(texture, "depth", size.depth_or_array_layers, side);
    return check_limit(texture, "number of layers", size.depth_or_array_layers,
                       limits.max_texture_array_layers);
}

Result<> check_mips(const TextureOptions& texture) {
    const std::uint32_t most = full_mip_levels(texture.size, texture.dimension);
    if (texture.mip_levels >= 1 && texture.mip_levels <= most) return {};
    return fail(Errc::invalid_argument, "3.2",
                text(named(texture), " of (", size_text(texture.size), ") texels, ",
                     dimension_text(texture.dimension), ", has (", texture.mip_levels,
                     ") mip levels; it can have 1 to ", most, '.'),
                text("Use .mip_levels = ", texture.mip_levels == 0 ? 1 : most,
                     "; full_mip_levels tells how many there can be."));
}

/// What a texture of 4 samples is not.
std::optional<std::string> samples_problem(const TextureOptions& texture,
                                           const FormatInfo& format) {
    if (texture.dimension != TextureDimension::d2)
        return text("is (", dimension_text(texture.dimension), ") and not 2D");
    if (texture.mip_levels != 1) return text("has (", texture.mip_levels, ") mip levels and not 1");
    if (texture.size.depth_or_array_layers != 1)
        return text("has (", texture.size.depth_or_array_layers, ") layers and not 1");
    if (!format.multisampled) return text("is of ", format.name, ", which has 1 sample alone");
    if (has(texture.usage, TextureUsage::storage_binding)) return "has the usage storage_binding";
    if (!has(texture.usage, TextureUsage::render_attachment))
        return "lacks the usage render_attachment";
    return std::nullopt;
}

Result<> check_samples(const TextureOptions& texture, const FormatInfo& format,
                       std::span<const Feature> features) {
    if (texture.sample_count == 1) return {};
    if (texture.sample_count != 4) {
        return fail(Errc::invalid_argument, "3.2",
                    text(named(texture), " has (", texture.sample_count, ") samples."),
                    "Use .sample_count of 1 or 4.");
    }
    if (const auto problem = samples_problem(texture, format)) {
        return fail(Errc::invalid_argument, "3.2",
                    text(named(texture), " has (4) samples, and ", *problem, '.'),
                    "Use .sample_count = 1, or a 2D texture of one level and one layer with "
                    "TextureUsage::render_attachment.");
    }
    return check_feature(texture, features, format.feature_render, " with 4 samples");
}

Result<> check_dimension(const TextureOptions& texture) {
    if (texture.dimension >= TextureDimension::d1 && texture.dimension <= TextureDimension::d3)
        return {};
    return fail(Errc::invalid_argument, "3.2",
                text(named(texture), " has the dimension (",
                     static_cast<std::uint32_t>(texture.dimension), "), which is none."),
                "Use TextureDimension::d1, d2 or d3.");
}

} // namespace

Result<> check_texture(const TextureOptions& texture, const Limits& limits,
                       std::span<const Feature> features) {
    const FormatInfo format = format_info(texture.format);
    if (auto ok = check_dimension(texture); !ok) return ok;
    if (const CopyProblem shape = check_shape(texture, format); shape != CopyProblem::none)
        return std::unexpected(shape_error(shape, texture, named(texture)));
    if (auto ok = check_usage_bits(texture); !ok) return ok;
    if (auto ok = check_feature(texture, features, format.feature, ""); !ok) return ok;
    if (texture.dimension == TextureDimension::d3) {
        if (auto ok = check_feature(texture, features, format.feature_3d, ", 3D,"); !ok) return ok;
    }
    if (auto ok = check_limits(texture, limits); !ok) return ok;
    if (auto ok = check_mips(texture); !ok) return ok;
    if (auto ok = check_samples(texture, format, features); !ok) return ok;
    if (auto ok = check_storage(texture, format, features); !ok) return ok;
    return check_render(texture, format, features);
}

} // namespace ferry::detail
