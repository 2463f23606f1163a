// SPDX-License-Identifier: MIT
// Texel copies between linear memory and textures: the checks of rules section 3, and the moving of
// blocks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "texture.hpp"

namespace ferry_fake {

// The texture side of a copy, with every check that does not depend on the other side.
struct TexelSide {
    Texture* texture = nullptr;
    std::uint32_t mip = 0;
    WGPUOrigin3D origin{};
    WGPUTextureAspect aspect = WGPUTextureAspect_All;
};
TexelSide side_of(Texture& texture, const WGPUTexelCopyTextureInfo& info);

// T-02, T-04 to T-07 for one side.
Check check_side(const TexelSide& side, const WGPUExtent3D& size, WGPUTextureUsage needed,
                 const char* called);

enum class Direction { to_texture, from_texture };

// The plane that a copy with linear memory moves (rules 3.3 and 3.4). A problem when the aspect may
// not be copied.
Check choose_plane(const TexelSide& side, Direction direction, Plane& plane);

// Linear memory as the rules see it: strides in bytes and block rows, missing ones 0.
struct LinearLayout {
    std::uint64_t offset = 0;
    std::uint64_t bytes_per_row = 0;
    std::uint64_t rows_per_image = 0;
};

// L-01 to L-05, L-09 and L-10. `available` is the size of the buffer or data.
Check check_layout(const TexelSide& side, Plane plane, const WGPUTexelCopyBufferLayout& given,
                   const WGPUExtent3D& size, std::uint64_t available);
// L-06 and L-07: what holds for buffers and not for writeTexture.
Check check_buffer_alignment(const TexelSide& side, Plane plane,
                             const WGPUTexelCopyBufferLayout& given);

LinearLayout resolve(const WGPUTexelCopyBufferLayout& given);

// Moves the blocks of one box between linear memory and a texture; everything has been checked.
void move_texels(std::byte* linear, const LinearLayout& layout, const TexelSide& side, Plane plane,
                 const WGPUExtent3D& size, Direction direction);

} // namespace ferry_fake
