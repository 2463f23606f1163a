// SPDX-License-Identifier: MIT
#include "base/error.hpp"
#include "layout/region_error.hpp"
#include "layout/texture_rules.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

/// "Use rgba8unorm or rgba8unorm-srgb"
std::string formats_like(const FormatInfo& format) {
    const std::string_view plain = name(without_srgb(format.format));
    const std::string srgb = text(plain, "-srgb");
    return format_named(srgb) ? text(plain, " or ", srgb) : std::string(plain);
}

Result<> check_pair(const TexturePlace& source, const TexturePlace& target) {
    const FormatInfo from = format_info(source.texture.format);
    const FormatInfo to = format_info(target.texture.format);
    if (without_srgb(from.format) != without_srgb(to.format)) {
        return fail(Errc::invalid_argument, "X-01",
                    text("The texture copy is from (", from.name, ") to (", to.name,
                         "), which differ by more than -srgb."),
                    text("Use a target of ", formats_like(from),
                         "; other formats need a shader, or a read and a write."));
    }
    if (source.texture.sample_count != target.texture.sample_count) {
        return fail(Errc::invalid_argument, "X-02",
                    text("The texture copy is from (", source.texture.sample_count, ") to (",
                         target.texture.sample_count, ") samples."),
                    "Use equal sample counts; many samples become one in a render pass.");
    }
    return {};
}

/// All aspects move, or none (3.3).
Result<> check_all_aspects(const TexturePlace& place, std::string_view role) {
    const FormatInfo format = format_info(place.texture.format);
    const bool known = place.at.aspect == Aspect::all || format.select(place.at.aspect).present;
    const bool both = format.depth.present && format.stencil.present;
    if (known && (place.at.aspect == Aspect::all || !both)) return {};
    return fail(Errc::invalid_argument, "X-04",
                text("The ", role, " of the texture copy has the aspect (",
                     known ? std::string(name(place.at.aspect))
                           : text(static_cast<std::uint32_t>(place.at.aspect)),
                     "), which is not all that ", format.name, " has."),
                "Use Aspect::all; single aspects move between textures and buffers alone.");
}

Result<> check_side(const TexturePlace& place, const Extent3D& size, std::string_view role) {
    const FormatInfo format = format_info(place.texture.format);
    const std::string subject = text("The ", role, " of the texture copy");
    if (const CopyProblem shape = check_shape(place.texture, format); shape != CopyProblem::none)
        return std::unexpected(shape_error(shape, place.texture, subject));
    const CopyProblem region = check_region(place.texture, format, place.at, size,
                                            physical_size(place.texture, place.at.mip));
    if (region == CopyProblem::none) return {};
    return std::unexpected(region_error(region, place.texture, place.at, size, subject));
}

/// Copies inside one texture: the levels or layers must be others.
Result<> check_disjoint(const TexturePlace& source, const TexturePlace& target,
                        const Extent3D& size) {
    if (source.at.mip != target.at.mip) return {};
    const auto why = [&source](std::string_view what) {
        return text("The source and the target of the texture copy are both in level (",
                    source.at.mip, ") of one texture, ", what);
    };
    if (source.texture.dimension != TextureDimension::d2) {
        return fail(Errc::invalid_argument, "X-05",
                    why(text("which is ", dimension_text(source.texture.dimension),
                             " and so has no layers.")),
                    "Copy to another level, or through a second texture.");
    }
    const std::uint64_t layers = size.depth_or_array_layers;
    const std::uint64_t from = source.at.origin.z, to = target.at.origin.z;
    if (layers == 0 || from + layers <= to || to + layers <= from) return {};
    return fail(Errc::invalid_argument, "X-05",
                why(text("and its layers [", from, ", ", from + layers, ") and [", to, ", ",
                         to + layers, ") overlap.")),
                "Copy to other layers or levels, or through a second texture.");
}

} // namespace

Result<Extent3D> check_texture_copy(const TexturePlace& source, const TexturePlace& target,
                                    const std::optional<Extent3D>& size, Textures textures) {
    const auto refused = [](Result<>& why) { return std::unexpected(std::move(why).error()); };
    if (auto ok = check_pair(source, target); !ok) return refused(ok);
    if (auto ok = check_all_aspects(source, "source"); !ok) return refused(ok);
    if (auto ok = check_all_aspects(target, "target"); !ok) return refused(ok);
    const Extent3D whole = resolve_size(source.texture, source.at, size);
    if (auto ok = check_side(source, whole, "source"); !ok) return refused(ok);
    if (auto ok = check_side(target, whole, "target"); !ok) return refused(ok);
    if (textures == Textures::same) {
        if (auto ok = check_disjoint(source, target, whole); !ok) return refused(ok);
    }
    return whole;
}

} // namespace ferry::detail
