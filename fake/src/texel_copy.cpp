// SPDX-License-Identifier: MIT
#include "texel_copy.hpp"

#include <cstring>
#include <limits>
#include <optional>

namespace ferry_fake {

namespace {

using Wide = std::optional<std::uint64_t>; // none after an overflow

Wide times(Wide a, std::uint64_t b) {
    std::uint64_t out = 0;
    if (!a || __builtin_mul_overflow(*a, b, &out)) return std::nullopt;
    return out;
}

Wide plus(Wide a, Wide b) {
    std::uint64_t out = 0;
    if (!a || !b || __builtin_add_overflow(*a, *b, &out)) return std::nullopt;
    return out;
}

struct Blocks {
    std::uint64_t row_bytes;
    std::uint64_t rows;
    std::uint64_t images;
};

Blocks blocks_of(const TexelSide& side, Plane plane, const WGPUExtent3D& size) {
    const Format& format = side.texture->format;
    return {std::uint64_t{size.width / format.block_width} * format.bytes(plane),
            size.height / format.block_height, size.depthOrArrayLayers};
}

// The formula of rules 3.1; a missing stride is only ever multiplied by 0.
Wide required_bytes(const Blocks& blocks, const LinearLayout& layout) {
    if (blocks.images == 0) return 0;
    const Wide image = times(layout.bytes_per_row, layout.rows_per_image);
    // With one image a huge stride costs nothing, so its product must not count.
    const Wide images = blocks.images == 1 ? Wide(0) : times(image, blocks.images - 1);
    if (blocks.rows == 0) return images;
    const Wide rows = blocks.rows == 1 ? Wide(0) : times(layout.bytes_per_row, blocks.rows - 1);
    return plus(plus(images, rows), blocks.row_bytes);
}

// T-05 and T-06 on one axis.
Check check_axis(char axis, std::uint32_t origin, std::uint32_t size, std::uint32_t extent,
                 std::uint32_t block) {
    if (origin % block != 0)
        return invalid("Copy origin ", axis, " (", origin, ") is no multiple of ", block,
                       " (rules T-05).");
    if (size % block != 0)
        return invalid("Copy size ", axis, " (", size, ") is no multiple of ", block,
                       " (rules T-05).");
    if (origin > extent || size > extent - origin)
        return invalid("Copy ", axis, " from (", origin, ") of size (", size,
                       ") is outside of the level (", extent, ") (rules T-06).");
    return std::nullopt;
}

} // namespace

TexelSide side_of(Texture& texture, const WGPUTexelCopyTextureInfo& info) {
    const auto aspect =
        info.aspect == WGPUTextureAspect_Undefined ? WGPUTextureAspect_All : info.aspect;
    return {&texture, info.mipLevel, info.origin, aspect};
}

Check check_side(const TexelSide& side, const WGPUExtent3D& size, WGPUTextureUsage needed,
                 const char* called) {
    const Texture& texture = *side.texture;
    if ((texture.usage & needed) == 0)
        return invalid("The texture (", texture.label, ") has usage (", texture.usage,
                       ") and lacks ", called, " (rules T-02).");
    if (side.mip >= texture.mip_count)
        return invalid("Mip level (", side.mip, ") is not below (", texture.mip_count,
                       ") (rules T-04).");
    const WGPUExtent3D extent = texture.physical(side.mip);
    const Format& format = texture.format;
    if (Check problem =
            check_axis('x', side.origin.x, size.width, extent.width, format.block_width))
        return problem;
    if (Check problem =
            check_axis('y', side.origin.y, size.height, extent.height, format.block_height))
        return problem;
    if (Check problem =
            check_axis('z', side.origin.z, size.depthOrArrayLayers, extent.depthOrArrayLayers, 1))
        return problem;
    const bool whole = size.width == extent.width && size.height == extent.height;
    if ((format.is_depth_stencil() || texture.sample_count > 1) && !whole)
        return invalid("A copy of a depth-stencil or multisampled texture covers the whole level (",
                       extent.width, "x", extent.height, "), not (", size.width, "x", size.height,
                       ") (rules T-07).");
    return std::nullopt;
}

Check choose_plane(const TexelSide& side, Direction direction, Plane& plane) {
    const Format& format = side.texture->format;
    const WGPUTextureAspect aspect = side.aspect;
    if (side.texture->sample_count > 1)
        return invalid("A multisampled texture has no texel copies (rules T-03).");
    if (!format.is_depth_stencil()) {
        plane = Plane::color;
        if (aspect == WGPUTextureAspect_All) return std::nullopt;
        return invalid("Aspect (", static_cast<int>(aspect), ") of a colour format (rules 3.3).");
    }
    if (aspect == WGPUTextureAspect_All && format.has_both_planes())
        return invalid("A copy of a combined format chooses one aspect (rules 3.3).");
    const bool stencil = aspect == WGPUTextureAspect_StencilOnly ||
                         (aspect == WGPUTextureAspect_All && format.depth_bytes == 0);
    plane = stencil ? Plane::stencil : Plane::depth;
    if (format.bytes(plane) == 0) return invalid("The format has no such aspect (rules 3.3).");
    if (stencil) return std::nullopt;
    const bool allowed =
        direction == Direction::to_texture ? format.depth_to_texture : format.depth_from_texture;
    if (!allowed)
        return invalid(
            "The depth aspect of this format is not copied in this direction (rules 3.4).");
    return std::nullopt;
}

LinearLayout resolve(const WGPUTexelCopyBufferLayout& given) {
    const auto stride = [](std::uint32_t value) {
        return value == WGPU_COPY_STRIDE_UNDEFINED ? 0 : std::uint64_t{value};
    };
    return {given.offset, stride(given.bytesPerRow), stride(given.rowsPerImage)};
}

Check check_layout(const TexelSide& side, Plane plane, const WGPUTexelCopyBufferLayout& given,
                   const WGPUExtent3D& size, std::uint64_t available) {
    const bool has_row = given.bytesPerRow != WGPU_COPY_STRIDE_UNDEFINED;
    const bool has_image = given.rowsPerImage != WGPU_COPY_STRIDE_UNDEFINED;
    const Blocks blocks = blocks_of(side, plane, size);
    if (!has_row && (blocks.rows > 1 || blocks.images > 1))
        return invalid("bytesPerRow must be given for several rows or images (rules L-02).");
    if (!has_image && blocks.images > 1)
        return invalid("rowsPerImage must be given for several images (rules L-03).");
    if (has_row && given.bytesPerRow < blocks.row_bytes)
        return invalid("bytesPerRow (", given.bytesPerRow, ") is below a row (", blocks.row_bytes,
                       ") (rules L-04).");
    if (has_image && given.rowsPerImage < blocks.rows)
        return invalid("rowsPerImage (", given.rowsPerImage, ") is below (", blocks.rows,
                       ") (rules L-05).");
    const Wide end = plus(required_bytes(blocks, resolve(given)), given.offset);
    if (!end) return invalid("The linear layout overflows 64 bits (rules L-10).");
    if (*end > available)
        return invalid("The copy needs (", *end, ") bytes of (", available, ") (rules L-09).");
    return std::nullopt;
}

Check check_buffer_alignment(const TexelSide& side, Plane plane,
                             const WGPUTexelCopyBufferLayout& given) {
    const Format& format = side.texture->format;
    if (given.bytesPerRow != WGPU_COPY_STRIDE_UNDEFINED && given.bytesPerRow % 256 != 0)
        return invalid("bytesPerRow (", given.bytesPerRow, ") is no multiple of 256 (rules L-06).");
    std::uint64_t const step = format.is_depth_stencil() ? 4 : format.bytes(plane);
    if (given.offset % step != 0)
        return invalid("Buffer offset (", given.offset, ") is no multiple of ", step,
                       " (rules L-07).");
    return std::nullopt;
}

void move_texels(std::byte* linear, const LinearLayout& layout, const TexelSide& side, Plane plane,
                 const WGPUExtent3D& size, Direction direction) {
    const Blocks blocks = blocks_of(side, plane, size);
    const Format& format = side.texture->format;
    if (blocks.row_bytes == 0) return;
    for (std::uint64_t z = 0; z < blocks.images; ++z)
        for (std::uint64_t y = 0; y < blocks.rows; ++y) {
            std::byte* const row = linear + layout.offset +
                                   z * layout.rows_per_image * layout.bytes_per_row +
                                   y * layout.bytes_per_row;
            std::byte* const texels =
                side.texture->block(plane, side.mip, side.origin.x / format.block_width,
                                    side.origin.y / format.block_height + y, side.origin.z + z);
            if (direction == Direction::to_texture)
                std::memcpy(texels, row, blocks.row_bytes);
            else
                std::memcpy(row, texels, blocks.row_bytes);
        }
}

} // namespace ferry_fake
