// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "ferry/layout.hpp"
#include "format_rows.hpp"

// The rules of copies between textures and memory, written down a second time from the WebGPU
// text, without any of ferry's arithmetic: counting instead of formulas, 128 bits instead of
// checks.

namespace ferry::model {

__extension__ using Wide = unsigned __int128;

/// One copy as it is asked for.
struct Copy {
    CopyDirection direction = CopyDirection::texture_to_buffer;
    TextureOptions texture{};
    TextureLocation at{};
    std::optional<Extent3D> wanted{};
    ImageLayout layout{};
};

inline const FormatRow* find(Format format, Part part) {
    for (const FormatRow& row : format_rows) {
        if (row.format == format && row.part == part) return &row;
    }
    return nullptr;
}

/// A row of the format, for what all its aspects have in common.
inline const FormatRow& any_row(Format format) {
    for (const Part part : {Part::color, Part::depth, Part::stencil}) {
        if (const FormatRow* row = find(format, part)) return *row;
    }
    return format_rows.front();
}

/// 3.3: the one aspect that an aspect of the caller's stands for.
inline const FormatRow* aspect_row(Format format, Aspect aspect) {
    const FormatRow* color = find(format, Part::color);
    const FormatRow* depth = find(format, Part::depth);
    const FormatRow* stencil = find(format, Part::stencil);
    if (aspect == Aspect::depth_only) return depth;
    if (aspect == Aspect::stencil_only) return stencil;
    if (color != nullptr) return color;
    if (depth != nullptr && stencil != nullptr) return nullptr;
    return depth != nullptr ? depth : stencil;
}

/// 3.2: max(1, base >> m), by halving.
inline std::uint64_t halved(std::uint64_t base, std::uint32_t times) {
    for (; times > 0 && base > 1; --times) base /= 2;
    return base;
}

/// The level as shaders see it; whole blocks of it with `whole`.
inline Extent3D level_of(const TextureOptions& texture, std::uint32_t mip, bool whole) {
    const FormatRow& row = any_row(texture.format);
    Extent3D size = texture.size;
    size.width = halved(size.width, mip);
    size.height = halved(size.height, mip);
    if (texture.dimension == TextureDimension::d3)
        size.depth_or_array_layers = halved(size.depth_or_array_layers, mip);
    while (whole && size.width % row.block_width != 0) ++size.width;
    while (whole && size.height % row.block_height != 0) ++size.height;
    return size;
}

/// What is copied: the rest of the level, or what is wanted; a size that ends at the edge that
/// shaders see ends at the edge of the last block.
inline Extent3D resolved(const Copy& copy) {
    const Extent3D seen = level_of(copy.texture, copy.at.mip, false);
    const Extent3D whole = level_of(copy.texture, copy.at.mip, true);
    const Origin3D& from = copy.at.origin;
    if (!copy.wanted) {
        return {whole.width - std::min(whole.width, from.x),
                whole.height - std::min(whole.height, from.y),
                whole.depth_or_array_layers - std::min(whole.depth_or_array_layers, from.z)};
    }
    Extent3D size = *copy.wanted;
    if (size.width != 0 && Wide{from.x} + size.width == seen.width)
        size.width += whole.width - seen.width;
    if (size.height != 0 && Wide{from.y} + size.height == seen.height)
        size.height += whole.height - seen.height;
    return size;
}

/// The strides with `tight` filled in where the copy needs them.
struct Strides {
    std::optional<std::uint64_t> bytes_per_row{}, rows_per_image{};
};

/// What the block-row loop runs over.
struct Blocks {
    std::uint64_t across = 0, down = 0, images = 0, bytes = 0;
    [[nodiscard]] Wide row_bytes() const { return Wide{across} * bytes; }
};

inline Blocks blocks_of(const FormatRow& row, const Extent3D& size) {
    return {size.width / row.block_width, size.height / row.block_height,
            size.depth_or_array_layers, row.block_bytes};
}

inline Strides strides_of(const ImageLayout& layout, const Blocks& blocks) {
    Strides strides{layout.bytes_per_row, layout.rows_per_image};
    if (!layout.tight) return strides;
    if (!strides.bytes_per_row && (blocks.down > 1 || blocks.images > 1))
        strides.bytes_per_row = static_cast<std::uint64_t>(blocks.row_bytes());
    if (!strides.rows_per_image && blocks.images > 1) strides.rows_per_image = blocks.down;
    return strides;
}

/// 3.2: a texture that some device can make.
inline bool texture_possible(const TextureOptions& texture) {
    const FormatRow& row = any_row(texture.format);
    const Extent3D& size = texture.size;
    for (const std::uint64_t n : {size.width, size.height, size.depth_or_array_layers}) {
        if (n == 0 || n > 0xFFFFFFFF) return false;
    }
    if (texture.dimension == TextureDimension::d1 &&
        (row.shapes != Shapes::all || size.height > 1 || size.depth_or_array_layers > 1))
        return false;
    if (texture.dimension == TextureDimension::d3 && row.shapes == Shapes::only_2d) return false;
    return size.width % row.block_width == 0 && size.height % row.block_height == 0;
}

/// T-03 to T-07 and 3.5.
inline bool region_legal(const Copy& copy) {
    const FormatRow& row = any_row(copy.texture.format);
    const Extent3D size = resolved(copy);
    const Extent3D level = level_of(copy.texture, copy.at.mip, true);
    const Origin3D& from = copy.at.origin;
    const bool t04 = copy.at.mip < copy.texture.mip_levels;
    const bool t05 = from.x % row.block_width == 0 && from.y % row.block_height == 0 &&
                     size.width % row.block_width == 0 && size.height % row.block_height == 0;
    const bool t06 = Wide{from.x} + size.width <= level.width &&
                     Wide{from.y} + size.height <= level.height &&
                     Wide{from.z} + size.depth_or_array_layers <= level.depth_or_array_layers;
    const bool partial = row.part == Part::color && copy.texture.sample_count == 1;
    const bool t07 = partial || (from.x == 0 && from.y == 0 && size.width == level.width &&
                                 size.height == level.height);
    return t04 && t05 && t06 && t07;
}

/// 3.1 in 128 bits, for strides that have passed the rules and for what cannot be counted.
inline Wide formula_bytes(const Blocks& blocks, const Strides& strides) {
    if (blocks.images == 0) return 0;
    const Wide pitch = strides.bytes_per_row.value_or(0);
    const Wide images = pitch * strides.rows_per_image.value_or(0) * (blocks.images - 1);
    if (blocks.down == 0) return images;
    return images + pitch * (blocks.down - 1) + blocks.row_bytes();
}

/// L-02 to L-07, L-10; strides that webgpu.h has room for.
inline bool layout_legal(const Copy& copy, const FormatRow& row, const Blocks& blocks,
                         std::uint64_t row_alignment) {
    const Strides strides = strides_of(copy.layout, blocks);
    const bool l02 = strides.bytes_per_row || (blocks.down <= 1 && blocks.images <= 1);
    const bool l03 = strides.rows_per_image || blocks.images <= 1;
    const bool l04 = !strides.bytes_per_row || *strides.bytes_per_row >= blocks.row_bytes();
    const bool l05 = !strides.rows_per_image || *strides.rows_per_image >= blocks.down;
    const bool buffer = copy.direction != CopyDirection::write;
    const bool l06 = !buffer || strides.bytes_per_row.value_or(0) % row_alignment == 0;
    const std::uint64_t unit = row.part == Part::color ? row.block_bytes : 4;
    const bool l07 = !buffer || copy.layout.offset_bytes % unit == 0;
    const std::uint64_t most = 0xFFFFFFFE;
    const bool said =
        strides.bytes_per_row.value_or(0) <= most && strides.rows_per_image.value_or(0) <= most;
    if (!(l02 && l03 && l04 && l05 && l06 && l07 && said)) return false;
    const Wide past = formula_bytes(blocks, strides) + copy.layout.offset_bytes;
    return past + 3 < Wide{1} << 64; // 3: staging memory is rounded up to 4 bytes
}

inline bool legal(const Copy& copy, std::uint64_t row_alignment = 256) {
    if (!texture_possible(copy.texture) || copy.texture.sample_count != 1) return false;
    const FormatRow* row = aspect_row(copy.texture.format, copy.at.aspect);
    if (row == nullptr) return false;
    const bool out = copy.direction == CopyDirection::texture_to_buffer;
    if ((out ? row->to_memory : row->from_memory) == Answer::no) return false;
    return region_legal(copy) &&
           layout_legal(copy, *row, blocks_of(*row, resolved(copy)), row_alignment);
}

/// Which bytes of memory a copy touches, and how often.
struct Touched {
    std::vector<std::uint8_t> bytes; // from the first byte of the copy on
    std::uint64_t count = 0;
};

/// The pseudo-code of document 004 (with its counter of layers counting), a byte at a time.
inline Touched touch(const Blocks& blocks, const Strides& strides) {
    Touched touched;
    for (std::uint64_t layer = 0; layer < blocks.images; ++layer) {
        for (std::uint64_t row = 0; row < blocks.down; ++row) {
            const std::uint64_t start = (layer * strides.rows_per_image.value_or(0) + row) *
                                        strides.bytes_per_row.value_or(0);
            for (std::uint64_t i = 0; i < blocks.across * blocks.bytes; ++i) {
                if (touched.bytes.size() <= start + i) touched.bytes.resize(start + i + 1);
                ++touched.bytes[start + i];
                ++touched.count;
            }
        }
    }
    return touched;
}

} // namespace ferry::model
