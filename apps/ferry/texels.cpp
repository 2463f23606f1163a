// SPDX-License-Identifier: MIT
#include "texels.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace app {

namespace {
struct KindName {
    ChannelKind kind;
    std::string_view name;
};
constexpr std::array kind_names{
    KindName{ChannelKind::unorm, "unorm"},    KindName{ChannelKind::snorm, "snorm"},
    KindName{ChannelKind::uint, "uint"},      KindName{ChannelKind::sint, "sint"},
    KindName{ChannelKind::floating, "float"},
};
constexpr std::array<std::string_view, 4> channel_names{"r", "rg", "rgb", "rgba"};
} // namespace

Dtype TexelFormat::dtype() const noexcept {
    const bool one = channel_bytes == 1;
    const bool two = channel_bytes == 2;
    switch (kind) {
    case ChannelKind::unorm:
    case ChannelKind::uint: return one ? Dtype::u8 : two ? Dtype::u16 : Dtype::u32;
    case ChannelKind::snorm:
    case ChannelKind::sint: return one ? Dtype::i8 : two ? Dtype::i16 : Dtype::i32;
    case ChannelKind::floating: return two ? Dtype::f16 : Dtype::f32;
    }
    return Dtype::none;
}

TexelFormat texel_format(std::uint32_t channels, std::uint64_t channel_bytes, ChannelKind kind) {
    for (const auto& [each, kind_name] : kind_names) {
        if (each != kind) continue;
        const auto format = ferry::format_named(
            fmt::format("{}{}{}", channel_names.at(channels - 1), channel_bytes * 8, kind_name));
        if (!format) return {};
        return {.format = *format,
                .channels = channels,
                .channel_bytes = static_cast<std::uint32_t>(channel_bytes),
                .kind = kind};
    }
    return {};
}

TexelFormat texel_format(std::string_view name) {
    const auto format = ferry::format_named(name);
    if (!format) return {};
    if (*format == ferry::Format::bgra8_unorm)
        return {.format = *format, .channels = 4, .channel_bytes = 1, .blue_first = true};
    for (const std::uint32_t channels : {1U, 2U, 4U}) {
        for (const std::uint32_t bytes : {1U, 2U, 4U}) {
            for (const KindName& each : kind_names) {
                const TexelFormat found = texel_format(channels, bytes, each.kind);
                if (found.format == *format) return found;
            }
        }
    }
    return {};
}

void swap_red_and_blue(std::span<std::byte> texels) noexcept {
    for (std::size_t at = 0; at + 4 <= texels.size(); at += 4)
        std::swap(texels[at], texels[at + 2]);
}

} // namespace app
