// SPDX-License-Identifier: MIT
#include "texel_value.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace ferry_fake {

namespace {

enum class Number { unorm, snorm, uint, sint, floating };

struct Channels {
    int count;
    int bytes; // of one channel
    Number number;
    bool swapped = false; // bgra
    bool srgb = false;
};

// The plain formats: channels of equal size, one after the other.
bool channels_of(WGPUTextureFormat format, Channels& out) {
    switch (format) {
    case WGPUTextureFormat_R8Unorm: out = {1, 1, Number::unorm}; return true;
    case WGPUTextureFormat_R8Uint: out = {1, 1, Number::uint}; return true;
    case WGPUTextureFormat_R8Sint: out = {1, 1, Number::sint}; return true;
    case WGPUTextureFormat_RG8Unorm: out = {2, 1, Number::unorm}; return true;
    case WGPUTextureFormat_RG8Uint: out = {2, 1, Number::uint}; return true;
    case WGPUTextureFormat_RG8Sint: out = {2, 1, Number::sint}; return true;
    case WGPUTextureFormat_RGBA8Unorm: out = {4, 1, Number::unorm}; return true;
    case WGPUTextureFormat_RGBA8UnormSrgb: out = {4, 1, Number::unorm, false, true}; return true;
    case WGPUTextureFormat_RGBA8Snorm: out = {4, 1, Number::snorm}; return true;
    case WGPUTextureFormat_RGBA8Uint: out = {4, 1, Number::uint}; return true;
    case WGPUTextureFormat_RGBA8Sint: out = {4, 1, Number::sint}; return true;
    case WGPUTextureFormat_BGRA8Unorm: out = {4, 1, Number::unorm, true}; return true;
    case WGPUTextureFormat_BGRA8UnormSrgb: out = {4, 1, Number::unorm, true, true}; return true;
    case WGPUTextureFormat_R16Uint: out = {1, 2, Number::uint}; return true;
    case WGPUTextureFormat_R16Sint: out = {1, 2, Number::sint}; return true;
    case WGPUTextureFormat_R16Float: out = {1, 2, Number::floating}; return true;
    case WGPUTextureFormat_RG16Uint: out = {2, 2, Number::uint}; return true;
    case WGPUTextureFormat_RG16Sint: out = {2, 2, Number::sint}; return true;
    case WGPUTextureFormat_RG16Float: out = {2, 2, Number::floating}; return true;
    case WGPUTextureFormat_RGBA16Uint: out = {4, 2, Number::uint}; return true;
    case WGPUTextureFormat_RGBA16Sint: out = {4, 2, Number::sint}; return true;
    case WGPUTextureFormat_RGBA16Float: out = {4, 2, Number::floating}; return true;
    case WGPUTextureFormat_R32Uint: out = {1, 4, Number::uint}; return true;
    case WGPUTextureFormat_R32Sint: out = {1, 4, Number::sint}; return true;
    case WGPUTextureFormat_R32Float: out = {1, 4, Number::floating}; return true;
    case WGPUTextureFormat_RG32Uint: out = {2, 4, Number::uint}; return true;
    case WGPUTextureFormat_RG32Sint: out = {2, 4, Number::sint}; return true;
    case WGPUTextureFormat_RG32Float: out = {2, 4, Number::floating}; return true;
    case WGPUTextureFormat_RGBA32Uint: out = {4, 4, Number::uint}; return true;
    case WGPUTextureFormat_RGBA32Sint: out = {4, 4, Number::sint}; return true;
    case WGPUTextureFormat_RGBA32Float: out = {4, 4, Number::floating}; return true;
    default: return false;
    }
}

double to_srgb(double linear) {
    const double value = std::clamp(linear, 0.0, 1.0);
    return value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
}

// Rounds to the nearest half; out of range becomes infinity.
std::uint32_t to_half(double value) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    std::uint32_t const sign = (bits >> 16) & 0x8000U;
    std::uint32_t const magnitude = bits & 0x7fffffffU;
    if (magnitude > 0x7f800000U) return sign | 0x7e00U;
    if (magnitude >= 0x477ff000U) return sign | 0x7c00U;
    if (magnitude < 0x38800000U)
        return sign | static_cast<std::uint32_t>(
                          std::lrint(std::bit_cast<float>(magnitude) * 16777216.0F));
    return sign | ((magnitude - 0x38000000U + 0xfffU + ((magnitude >> 13) & 1U)) >> 13);
}

std::uint32_t encode_channel(const Channels& channels, double value) {
    const double top = std::exp2(8 * channels.bytes) - 1;
    switch (channels.number) {
    case Number::unorm:
        return static_cast<std::uint32_t>(std::lrint(std::clamp(value, 0.0, 1.0) * top));
    case Number::snorm:
        return static_cast<std::uint32_t>(
            std::lrint(std::clamp(value, -1.0, 1.0) * std::floor(top / 2)));
    case Number::uint: return static_cast<std::uint32_t>(std::clamp(value, 0.0, top));
    case Number::sint: return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
    default: break;
    }
    return channels.bytes == 2 ? to_half(value)
                               : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

} // namespace

bool encode_color(WGPUTextureFormat format, const WGPUColor& color, Texel& texel) {
    Channels channels{};
    if (!channels_of(format, channels)) return false;
    double values[4] = {color.r, color.g, color.b, color.a};
    if (channels.srgb) std::transform(values, values + 3, values, to_srgb);
    if (channels.swapped) std::swap(values[0], values[2]);
    for (int i = 0; i < channels.count; ++i) {
        // The fake runs on little-endian hosts, as the GPUs do.
        std::uint32_t const bits = encode_channel(channels, values[i]);
        std::memcpy(texel.data() + i * channels.bytes, &bits,
                    static_cast<std::size_t>(channels.bytes));
    }
    return true;
}

Texel encode_depth(WGPUTextureFormat format, float depth) {
    Texel texel{};
    if (format == WGPUTextureFormat_Depth16Unorm) {
        const auto bits =
            static_cast<std::uint16_t>(std::lrint(std::clamp(depth, 0.0F, 1.0F) * 65535.0F));
        std::memcpy(texel.data(), &bits, sizeof bits);
    } else {
        std::memcpy(texel.data(), &depth, sizeof depth);
    }
    return texel;
}

} // namespace ferry_fake
