// SPDX-License-Identifier: MIT
// The bytes of one texel of a clear colour, for the formats that can be cleared by a render pass.
#pragma once

#include <array>
#include <cstddef>

#include <webgpu/webgpu.h>

namespace ferry_fake {

using Texel = std::array<std::byte, 16>;

// False for a format that this fake does not encode.
bool encode_color(WGPUTextureFormat format, const WGPUColor& color, Texel& texel);
// A depth value as stored by this fake: 16 bits for depth16unorm, else a float.
Texel encode_depth(WGPUTextureFormat format, float depth);

} // namespace ferry_fake
