// SPDX-License-Identifier: MIT
// Texture formats: block geometry, bytes per aspect, and what may be copied (rules 3.4 and 3.9).
#pragma once

#include <cstdint>
#include <optional>

#include <webgpu/webgpu.h>

namespace ferry_fake {

// One plane of texels: colour, depth, or stencil.
enum class Plane : std::uint8_t { color, depth, stencil };

struct Format {
    WGPUTextureFormat id = WGPUTextureFormat_Undefined;
    std::uint32_t block_width = 1;
    std::uint32_t block_height = 1;
    std::uint32_t color_bytes = 0;            // per block; 0 without a colour plane
    std::uint32_t depth_bytes = 0;            // as stored here; 0 without a depth plane
    std::uint32_t stencil_bytes = 0;          // 0 without a stencil plane
    bool depth_from_texture = false;          // T2B of the depth plane is allowed
    bool depth_to_texture = false;            // B2T and writeTexture of the depth plane are allowed
    std::optional<WGPUFeatureName> feature{}; // without which the format does not exist
    std::optional<WGPUFeatureName> feature_3d{}; // without which it is 2D only; compressed formats

    bool is_compressed() const { return block_width > 1 || block_height > 1; }
    bool is_depth_stencil() const { return depth_bytes > 0 || stencil_bytes > 0; }
    bool has_both_planes() const { return depth_bytes > 0 && stencil_bytes > 0; }
    std::uint32_t bytes(Plane plane) const;
};

// None for a number that is not a format of webgpu.h.
std::optional<Format> format_of(WGPUTextureFormat id);
// The format without its -srgb suffix: two formats are copy-compatible when these are equal (rules
//
WGPUTextureFormat without_srgb(WGPUTextureFormat id);

} // namespace ferry_fake
