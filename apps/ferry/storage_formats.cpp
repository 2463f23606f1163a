// SPDX-License-Identifier: MIT
#include "storage_formats.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "format_names.hpp"
#include "plan.hpp"
#include "texels.hpp"
#include "text.hpp"

namespace app {

using ferry::Feature;
using ferry::ShaderBinding;
using ferry::TextureAccess;

namespace {
constexpr std::array<std::string_view, 16> every_device_has{
    "rgba8unorm",  "rgba8snorm", "rgba8uint",  "rgba8sint",  "rgba16uint", "rgba16sint",
    "rgba16float", "r32uint",    "r32sint",    "r32float",   "rg32uint",   "rg32sint",
    "rg32float",   "rgba32uint", "rgba32sint", "rgba32float"};

bool takes_both(std::string_view format) {
    return format == "r32uint" || format == "r32sint" || format == "r32float";
}

bool reads_and_writes(const ShaderBinding& binding) {
    return binding.texture.access == TextureAccess::read_write;
}

std::string meant_by(const std::string& format) {
    const std::string four = with_alpha(format);
    if (!four.empty()) return fmt::format("There are no formats of three channels: use {}.", four);
    const std::vector<std::string> names(every_device_has.begin(), every_device_has.end());
    const std::string near = nearest(format, names);
    return near.empty() ? "Use a format for storage textures, such as rgba8unorm or r32float."
                        : fmt::format("Did you mean {}?", near);
}
} // namespace

std::optional<Feature> storage_feature(const ShaderBinding& binding) {
    const std::string& format = binding.texture.format;
    if (reads_and_writes(binding) && !takes_both(format)) return Feature::texture_formats_tier2;
    if (std::find(every_device_has.begin(), every_device_has.end(), format) !=
        every_device_has.end())
        return std::nullopt;
    return format == "bgra8unorm" ? Feature::bgra8unorm_storage : Feature::texture_formats_tier1;
}

std::string storage_substitute(const ShaderBinding& binding) {
    if (reads_and_writes(binding))
        return "Use r32float, r32uint or r32sint; or read one texture and write another.";
    const TexelFormat format = texel_format(binding.texture.format);
    if (format.channel_bytes == 2 && format.kind == ChannelKind::unorm)
        return "Write rgba16uint, vec4u(round(65535 * x)).";
    if (format.channel_bytes == 2 && format.kind == ChannelKind::snorm)
        return "Write rgba16sint, vec4i(round(32767 * x)).";
    return fmt::format("Write {}.",
                       ferry::name(texel_format(4, format.channel_bytes, format.kind).format));
}

Result<> check_storage_format(const ShaderBinding& binding) {
    const std::string& format = binding.texture.format;
    if (!ferry::format_named(format)) {
        return fail(Errc::invalid_argument,
                    fmt::format("Binding {} has the texel format ({}), which is none of WebGPU's.",
                                binding_text(binding), format),
                    meant_by(format));
    }
    if (texel_format(format)) return {};
    return fail(Errc::unsupported,
                fmt::format("Binding {} has the texel format ({}), and ferry run takes those of "
                            "1, 2 or 4 equal channels.",
                            binding_text(binding), format),
                "Use one of them, such as rgba8unorm, rgba16uint or rgba16float.");
}

} // namespace app
