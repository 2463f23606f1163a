// SPDX-License-Identifier: MIT
#include "layout/region_error.hpp"

#include "base/text.hpp"

namespace ferry::detail {

using base::grouped;
using base::text;

std::string size_text(const Extent3D& size) {
    return text(size.width, 'x', size.height, 'x', size.depth_or_array_layers);
}

std::string place_text(const Origin3D& origin) {
    return text('(', origin.x, ", ", origin.y, ", ", origin.z, ')');
}

std::string_view dimension_text(TextureDimension dimension) noexcept {
    switch (dimension) {
    case TextureDimension::d1: return "1D";
    case TextureDimension::d2: return "2D";
    case TextureDimension::d3: return "3D";
    }
    return "?";
}

namespace {

Error error(std::string_view rule, std::string what, std::string fix) {
    return {.code = Errc::invalid_argument,
            .rule = rule,
            .what = std::move(what),
            .fix = std::move(fix)};
}

std::string block_text(const FormatInfo& format) {
    return text('(', format.block_width, 'x', format.block_height, ')');
}

Error unaligned_texture(const TextureOptions& texture, std::string_view subject) {
    const FormatInfo format = format_info(texture.format);
    TextureOptions whole = texture;
    whole.mip_levels = 1;
    whole.sample_count = 1;
    whole.size.width = up_to_multiple(texture.size.width, format.block_width);
    whole.size.height = up_to_multiple(texture.size.height, format.block_height);
    const CopyPlan level = plan_copy(CopyDirection::write, whole, {}, {}, {.tight = true});
    std::string size = text(whole.size.width, 'x', whole.size.height);
    if (whole.size.depth_or_array_layers > 1) size += text('x', whole.size.depth_or_array_layers);
    const std::string bytes =
        level ? text(", whose first level has ", grouped(level.tight_bytes), " bytes") : "";
    return error("3.2",
                 text(subject, " of ", format.name, " is of (", texture.size.width, 'x',
                      texture.size.height, ") texels, which are no whole blocks of ",
                      block_text(format), '.'),
                 text("Make it ", size, bytes, "; use the part of it that you need."));
}

} // namespace

Error shape_error(CopyProblem problem, const TextureOptions& texture, std::string_view subject) {
    const FormatInfo format = format_info(texture.format);
    switch (problem) {
    case CopyProblem::unknown_format:
        return error("3.9",
                     text(subject, " has the format (", static_cast<std::uint32_t>(texture.format),
                          "), which is none."),
                     "State .format, such as Format::rgba8_unorm.");
    case CopyProblem::dimension_impossible: {
        if (texture.dimension == TextureDimension::d1 && format.dimension_1d) {
            return error(
                "3.2", text(subject, " is (1D) and of (", size_text(texture.size), ") texels."),
                text("Use ", texture.size.width, "x1x1, a width alone, or TextureDimension::d2."));
        }
        const bool slices = format.dimension_3d;
        return error(
            "3.2",
            text(subject, " is (", dimension_text(texture.dimension), "), and ", format.name,
                 " textures cannot be."),
            text("Use TextureDimension::d2", slices ? " or d3" : "", ", or another format."));
    }
    case CopyProblem::texture_unaligned: return unaligned_texture(texture, subject);
    default:
        return error("3.2",
                     text(subject, " is of (", size_text(texture.size),
                          ") texels; each number is to be from 1 to 4294967295."),
                     "State .size, such as {256, 256}.");
    }
}

Error region_error(CopyProblem problem, const TextureOptions& texture, const TextureLocation& at,
                   const Extent3D& size, std::string_view subject) {
    const FormatInfo format = format_info(texture.format);
    const Extent3D level = physical_size(texture, at.mip);
    const bool empty = size.width == 0 || size.height == 0 || size.depth_or_array_layers == 0;
    const CopyRegion legal = nearest_legal(texture, at, empty ? std::nullopt : std::optional(size));
    const std::string nearest = text("the nearest legal region is ", size_text(legal.size), " at ",
                                     place_text(legal.at.origin), " of level ", legal.at.mip, '.');
    const std::string of_level = text("level ", at.mip, " of (", size_text(level), ") texels");
    switch (problem) {
    case CopyProblem::mip_out_of_range:
        return error("T-04",
                     text(subject, " is level (", at.mip, ") of a texture with (",
                          texture.mip_levels, ") levels."),
                     texture.mip_levels > 0
                         ? text("Use a level of 0 to ", texture.mip_levels - 1, "; ", nearest)
                         : std::string("Make the texture with .mip_levels of 1 or more."));
    case CopyProblem::origin_unaligned:
        return error("T-05",
                     text(subject, " begins at ", place_text(at.origin),
                          ", which is no multiple of the blocks of ", format.name, ' ',
                          block_text(format), '.'),
                     text("Begin at a whole block; ", nearest));
    case CopyProblem::size_unaligned:
        return error("T-05",
                     text(subject, " is of (", size_text(size),
                          ") texels, which are no whole blocks of ", format.name, ' ',
                          block_text(format), "; it lies in ", of_level, '.'),
                     text("Copy whole blocks, also at the edge of a small level; ", nearest));
    case CopyProblem::not_whole: {
        const std::string why = format.is_depth_stencil()
                                    ? text("the format ", format.name)
                                    : text("(", texture.sample_count, ") samples");
        return error("T-07",
                     text(subject, " is (", size_text(size), ") at ", place_text(at.origin),
                          ", a part of ", of_level, "; with ", why,
                          " only whole levels can be copied."),
                     text("Copy all of its width and height from (0, 0); ", nearest));
    }
    default:
        return error("T-06",
                     text(subject, " is (", size_text(size), ") at ", place_text(at.origin),
                          ", which reaches outside ", of_level, '.'),
                     text("Stay inside; ", nearest));
    }
}

std::string aspect_fix(const FormatInfo& format) {
    if (!format.is_depth_stencil()) return "Use Aspect::all, the only one of a colour format.";
    if (format.depth.present && format.stencil.present)
        return "Use Aspect::depth_only or Aspect::stencil_only.";
    return text("Use Aspect::all or Aspect::", format.depth.present ? "depth_only" : "stencil_only",
                '.');
}

} // namespace ferry::detail
