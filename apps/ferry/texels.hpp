// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "array.hpp"
#include "ferry/format.hpp"

namespace app {

/// Memory for the texels of an image, rows tight. New memory is not touched, so that a size that a
/// damaged file made up costs nothing.
struct Texels {
    std::unique_ptr<std::byte[]> memory{};
    std::uint64_t size_bytes = 0;

    Texels() = default;
    explicit Texels(std::uint64_t bytes)
        : memory(std::make_unique_for_overwrite<std::byte[]>(bytes)), size_bytes(bytes) {}
    [[nodiscard]] std::span<std::byte> span() noexcept { return {memory.get(), size_bytes}; }
    [[nodiscard]] std::span<const std::byte> span() const noexcept {
        return {memory.get(), size_bytes};
    }
};

/// How a shader sees the value of a channel.
enum class ChannelKind : std::uint8_t { unorm, snorm, uint, sint, floating };

/// A format whose texel is so many equal values.
struct TexelFormat {
    ferry::Format format = ferry::Format::undefined;
    std::uint32_t channels = 0;
    std::uint32_t channel_bytes = 0;
    ChannelKind kind = ChannelKind::unorm;
    bool blue_first = false; ///< bgra8unorm

    [[nodiscard]] explicit operator bool() const noexcept {
        return format != ferry::Format::undefined;
    }
    [[nodiscard]] std::uint64_t bytes() const noexcept {
        return std::uint64_t{channels} * channel_bytes;
    }
    /// What one channel is in memory.
    [[nodiscard]] Dtype dtype() const noexcept;
};

/// The format that WebGPU spells so. `undefined` for compressed, packed, depth and stencil formats.
[[nodiscard]] TexelFormat texel_format(std::string_view name);
/// "rgba8unorm" from 4, 1 and unorm; `undefined` where WebGPU has none.
[[nodiscard]] TexelFormat texel_format(std::uint32_t channels, std::uint64_t channel_bytes,
                                       ChannelKind kind);

/// Red becomes blue and blue red, in texels of 4 bytes.
void swap_red_and_blue(std::span<std::byte> texels) noexcept;

} // namespace app
