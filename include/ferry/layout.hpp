// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "ferry/error.hpp"
#include "ferry/format.hpp"

// How an image lies in memory, and what may be copied: plain arithmetic without a GPU. All of it is
// constexpr, and no number wraps: sizes are 64 bits wide and every product is checked.

namespace ferry {

/// A size in texels: `{256}`, `{256, 128}`, `{256, 128, 6}` or `{.width = 256, .height = 128}`.
/// A texture is one as well. The third number counts slices of a 3D texture, else array layers.
struct Extent3D {
    std::uint64_t width = 0;
    std::uint64_t height = 1;
    std::uint64_t depth_or_array_layers = 1;

    [[nodiscard]] friend constexpr bool operator==(const Extent3D&,
                                                   const Extent3D&) noexcept = default;
};

/// A position in texels, with slice or array layer as `z`: `{5}`, `{5, 6}`, `{5, 6, 7}` or `{.y =
/// 6}`.
struct Origin3D {
    std::uint64_t x = 0, y = 0, z = 0;

    [[nodiscard]] friend constexpr bool operator==(const Origin3D&,
                                                   const Origin3D&) noexcept = default;
};

/// What a texture may be used for; combine with `|`. Values are webgpu.h's.
enum class TextureUsage : std::uint64_t {
    none = 0x00,
    copy_src = 0x01,
    copy_dst = 0x02,
    texture_binding = 0x04, ///< read in shaders
    storage_binding = 0x08, ///< written in shaders (texture_storage_*)
    render_attachment = 0x10,
};

[[nodiscard]] constexpr TextureUsage operator|(TextureUsage a, TextureUsage b) noexcept {
    return TextureUsage{static_cast<std::uint64_t>(a) | static_cast<std::uint64_t>(b)};
}
constexpr TextureUsage& operator|=(TextureUsage& a, TextureUsage b) noexcept { return a = a | b; }
/// Whether `usage` has every bit of `wanted`.
[[nodiscard]] constexpr bool has(TextureUsage usage, TextureUsage wanted) noexcept {
    const auto bits = static_cast<std::uint64_t>(wanted);
    return (static_cast<std::uint64_t>(usage) & bits) == bits;
}

/// How a texture is made, and all that the arithmetic asks about one.
struct TextureOptions {
    Format format = Format::undefined; ///< required
    Extent3D size{};                   ///< required
    TextureUsage usage = TextureUsage::none;
    TextureDimension dimension = TextureDimension::d2;
    std::uint32_t mip_levels = 1;
    std::uint32_t sample_count = 1; ///< 1 or 4
    std::string_view label{};
};

/// Levels of a full mip chain, down to 1x1.
[[nodiscard]] constexpr std::uint32_t full_mip_levels(
    const Extent3D& size, TextureDimension dimension = TextureDimension::d2) noexcept {
    if (dimension == TextureDimension::d1) return 1;
    std::uint64_t longest = std::max(size.width, size.height);
    if (dimension == TextureDimension::d3) longest = std::max(longest, size.depth_or_array_layers);
    std::uint32_t levels = 1;
    while (longest >>= 1) ++levels;
    return levels;
}

/// Where in a texture a copy begins.
struct TextureLocation {
    std::uint32_t mip = 0;
    Origin3D origin{}; ///< x and y are multiples of the format's block
    Aspect aspect = Aspect::all;
};

/// How an image lies in a buffer or in data of yours. A stride that the copy needs is to be given:
/// `bytes_per_row` for more than one row of blocks, `rows_per_image` for more than one image (rules
/// L-02, L-03); or `tight`, for rows and images without a gap.
struct ImageLayout {
    bool tight = false; ///< the strides are the smallest possible
    std::uint64_t offset_bytes = 0;
    std::optional<std::uint64_t> bytes_per_row{};  ///< from one row of blocks to the next
    std::optional<std::uint64_t> rows_per_image{}; ///< rows of *blocks*, from one image to the next
};

/// Bytes between rows must be a multiple of this in copies to and from buffers (rule L-06).
inline constexpr std::uint64_t default_row_alignment_bytes = 256;

/// What makes a copy illegal.
enum class CopyProblem : std::uint8_t {
    none,
    unknown_format,
    empty_texture,            ///< a texture of zero texels, or over 2^32 - 1
    dimension_impossible,     ///< a format without 1D or 3D textures, or a 1D one with rows (3.2)
    texture_unaligned,        ///< a compressed texture of no whole blocks (3.2)
    aspect_missing,           ///< the format does not have it (3.3)
    aspect_ambiguous,         ///< "all" of a format that has two (3.4)
    aspect_opaque,            ///< has no layout in memory: depth24plus (3.4)
    direction_forbidden,      ///< depth32float cannot be written (3.4)
    multisampled,             ///< T-03
    mip_out_of_range,         ///< T-04
    origin_unaligned,         ///< T-05
    size_unaligned,           ///< T-05
    out_of_bounds,            ///< T-06
    not_whole,                ///< part of a depth or stencil level (T-07)
    bytes_per_row_missing,    ///< L-02
    rows_per_image_missing,   ///< L-03
    bytes_per_row_too_small,  ///< L-04
    rows_per_image_too_small, ///< L-05
    bytes_per_row_unaligned,  ///< L-06
    offset_unaligned,         ///< L-07
    stride_too_large,         ///< over 2^32 - 2, which webgpu.h cannot say (A-14)
    too_many_bytes,           ///< over 2^64 (L-10)
};

/// Which way texels go between a texture and memory.
enum class CopyDirection : std::uint8_t {
    texture_to_buffer,
    buffer_to_texture,
    write, ///< from memory of the program's, through the queue: no alignment (rule L-08)
};

/// Everything about one copy between a texture and memory. Valid when `problem` is `none`;
/// otherwise the numbers that could not be worked out are 0, and `error()` says what is wrong.
struct CopyPlan {
    CopyProblem problem = CopyProblem::none;
    CopyDirection direction = CopyDirection::texture_to_buffer;
    FormatInfo format{};
    TextureOptions texture{}; ///< without its label
    TextureLocation at{};
    Extent3D size{};  ///< what is copied, in whole blocks
    Extent3D level{}; ///< physical size of the mip level

    std::uint64_t block_bytes = 0;
    std::uint64_t row_bytes = 0;      ///< of one row of blocks
    std::uint64_t block_rows = 0;     ///< in one image
    std::uint64_t images = 0;         ///< slices or layers
    std::uint64_t offset_bytes = 0;   ///< of the first byte in memory
    std::uint64_t bytes_per_row = 0;  ///< from row to row; 0: left out, and not needed
    std::uint64_t rows_per_image = 0; ///< from image to image; 0: left out, and not needed
    std::uint64_t required_bytes = 0; ///< from the first byte on; the last row is not padded (3.1)
    std::uint64_t staging_bytes = 0;  ///< the same, rounded up to 4 so that it can be mapped
    std::uint64_t tight_bytes = 0;    ///< without any padding
    std::uint64_t offset_alignment_bytes = 1; ///< what `offset_bytes` must be a multiple of
    std::uint64_t row_alignment_bytes = 1;    ///< what `bytes_per_row` must be a multiple of

    [[nodiscard]] constexpr explicit operator bool() const noexcept {
        return problem == CopyProblem::none;
    }
    [[nodiscard]] constexpr bool is_empty() const noexcept {
        return size.width == 0 || size.height == 0 || size.depth_or_array_layers == 0;
    }
    /// Position of a block from the start of the memory: column and row in blocks, image.
    [[nodiscard]] constexpr std::uint64_t byte_of(std::uint64_t column, std::uint64_t row,
                                                  std::uint64_t image) const noexcept {
        return offset_bytes + (image * rows_per_image + row) * bytes_per_row + column * block_bytes;
    }
    /// What is wrong, with the rule, the numbers and the nearest legal value. Only for a plan that
    /// is not valid.
    [[nodiscard]] FERRY_API Error error() const;
};

/// One level of a mip chain.
struct MipLevel {
    Extent3D size{};                ///< as a shader sees it
    Extent3D physical_size{};       ///< in whole blocks: what copies of the whole level move (3.2)
    std::uint64_t offset_bytes = 0; ///< in a chain whose levels follow each other without a gap
    std::uint64_t size_bytes = 0;   ///< of the level, with all its layers or slices, tight
};

/// A place and a size that can be copied.
struct CopyRegion {
    TextureLocation at{};
    Extent3D size{};
};

namespace detail {

inline constexpr std::uint64_t largest_u32 = std::numeric_limits<std::uint32_t>::max();

/// A product or sum that says so when it passes 2^64.
struct Checked {
    std::uint64_t value = 0;
    bool over = false;

    constexpr Checked(std::uint64_t number) noexcept : value(number) {} // NOLINT: a number is one
    constexpr Checked(std::uint64_t number, bool too_much) noexcept
        : value(number), over(too_much) {}
    friend constexpr Checked operator*(Checked a, Checked b) noexcept {
        std::uint64_t product = 0;
        const bool wraps = __builtin_mul_overflow(a.value, b.value, &product);
        return {product, a.over || b.over || wraps};
    }
    friend constexpr Checked operator+(Checked a, Checked b) noexcept {
        std::uint64_t sum = 0;
        const bool wraps = __builtin_add_overflow(a.value, b.value, &sum);
        return {sum, a.over || b.over || wraps};
    }
};

/// `value` rounded up to a multiple of `step`, which need not be a power of two; the last multiple
/// where that passes 2^64.
[[nodiscard]] constexpr std::uint64_t up_to_multiple(std::uint64_t value,
                                                     std::uint64_t step) noexcept {
    const std::uint64_t last = std::numeric_limits<std::uint64_t>::max() / step * step;
    return value > last ? last : value + (step - value % step) % step;
}

[[nodiscard]] constexpr std::uint64_t mip_part(std::uint64_t base, std::uint32_t mip) noexcept {
    return std::max<std::uint64_t>(1, mip < 64 ? base >> mip : 0);
}

[[nodiscard]] constexpr bool whole_number_of_texels(const Extent3D& size) noexcept {
    auto fits = [](std::uint64_t n) { return n > 0 && n <= largest_u32; };
    return fits(size.width) && fits(size.height) && fits(size.depth_or_array_layers);
}

/// What keeps a texture from existing on any device (3.2).
[[nodiscard]] constexpr CopyProblem check_shape(const TextureOptions& texture,
                                                const FormatInfo& format) noexcept {
    if (format.format == Format::undefined) return CopyProblem::unknown_format;
    if (!whole_number_of_texels(texture.size)) return CopyProblem::empty_texture;
    const bool one_row = texture.size.height == 1 && texture.size.depth_or_array_layers == 1;
    if (texture.dimension == TextureDimension::d1 && !(format.dimension_1d && one_row))
        return CopyProblem::dimension_impossible;
    if (texture.dimension == TextureDimension::d3 && !format.dimension_3d)
        return CopyProblem::dimension_impossible;
    const bool whole = texture.size.width % format.block_width == 0 &&
                       texture.size.height % format.block_height == 0;
    return whole ? CopyProblem::none : CopyProblem::texture_unaligned;
}

/// Bytes from the first to the last of a copy (3.1). A stride left out is 0, and only ever
/// multiplied by 0.
[[nodiscard]] constexpr Checked required_bytes(std::uint64_t row_bytes, std::uint64_t rows,
                                               std::uint64_t images, std::uint64_t bytes_per_row,
                                               std::uint64_t rows_per_image) noexcept {
    if (images == 0) return 0;
    const Checked before =
        images == 1 ? Checked(0) : Checked(bytes_per_row) * rows_per_image * (images - 1);
    if (rows == 0) return before;
    return before + Checked(bytes_per_row) * (rows - 1) + row_bytes;
}

} // namespace detail

/// The size of a mip level as shaders see it. `mip` may be any number.
[[nodiscard]] constexpr Extent3D logical_size(const TextureOptions& texture,
                                              std::uint32_t mip) noexcept {
    const Extent3D& base = texture.size;
    switch (texture.dimension) {
    case TextureDimension::d1: return {detail::mip_part(base.width, mip), 1, 1};
    case TextureDimension::d3:
        return {detail::mip_part(base.width, mip), detail::mip_part(base.height, mip),
                detail::mip_part(base.depth_or_array_layers, mip)};
    default:
        return {detail::mip_part(base.width, mip), detail::mip_part(base.height, mip),
                base.depth_or_array_layers};
    }
}

/// The size of a mip level in whole blocks, which is what copies are measured against (3.2).
[[nodiscard]] constexpr Extent3D physical_size(const TextureOptions& texture,
                                               std::uint32_t mip) noexcept {
    const FormatInfo format = format_info(texture.format);
    Extent3D size = logical_size(texture, mip);
    size.width = detail::up_to_multiple(size.width, format.block_width);
    size.height = detail::up_to_multiple(size.height, format.block_height);
    return size;
}

/// What is copied when `wanted` is asked for at `at`. Left out: the rest of the level. A size that
/// ends at the edge of a small level that is no whole number of blocks takes the last block whole,
/// since such levels have no other copies.
[[nodiscard]] constexpr Extent3D resolve_size(const TextureOptions& texture,
                                              const TextureLocation& at,
                                              const std::optional<Extent3D>& wanted) noexcept {
    const Extent3D whole = physical_size(texture, at.mip);
    auto rest = [](std::uint64_t all, std::uint64_t from) { return from < all ? all - from : 0; };
    if (!wanted) {
        return {rest(whole.width, at.origin.x), rest(whole.height, at.origin.y),
                rest(whole.depth_or_array_layers, at.origin.z)};
    }
    const Extent3D seen = logical_size(texture, at.mip);
    Extent3D size = *wanted;
    if (size.width > 0 && at.origin.x < seen.width && size.width == seen.width - at.origin.x)
        size.width = whole.width - at.origin.x;
    if (size.height > 0 && at.origin.y < seen.height && size.height == seen.height - at.origin.y)
        size.height = whole.height - at.origin.y;
    return size;
}

namespace detail {

/// The rules of the texture's side, which are the same for every copy (T-03 to T-07).
[[nodiscard]] constexpr CopyProblem check_region(const TextureOptions& texture,
                                                 const FormatInfo& format,
                                                 const TextureLocation& at, const Extent3D& size,
                                                 const Extent3D& level) noexcept {
    if (at.mip >= texture.mip_levels) return CopyProblem::mip_out_of_range;
    if (at.origin.x % format.block_width != 0 || at.origin.y % format.block_height != 0)
        return CopyProblem::origin_unaligned;
    if (size.width % format.block_width != 0 || size.height % format.block_height != 0)
        return CopyProblem::size_unaligned;
    auto inside = [](std::uint64_t from, std::uint64_t count, std::uint64_t all) {
        return from <= all && count <= all - from;
    };
    if (!inside(at.origin.x, size.width, level.width) ||
        !inside(at.origin.y, size.height, level.height) ||
        !inside(at.origin.z, size.depth_or_array_layers, level.depth_or_array_layers))
        return CopyProblem::out_of_bounds;
    const bool whole = size.width == level.width && size.height == level.height;
    if ((format.is_depth_stencil() || texture.sample_count > 1) && !whole)
        return CopyProblem::not_whole;
    return CopyProblem::none;
}

/// The aspect that moves between the texture and memory (3.3, 3.4).
[[nodiscard]] constexpr CopyProblem check_aspect(const FormatInfo& format, Aspect aspect,
                                                 CopyDirection direction) noexcept {
    const AspectInfo selected = format.select(aspect);
    if (!selected.present) {
        const bool both = aspect == Aspect::all && format.is_depth_stencil();
        return both ? CopyProblem::aspect_ambiguous : CopyProblem::aspect_missing;
    }
    if (selected.block_bytes == 0) return CopyProblem::aspect_opaque;
    const bool allowed =
        direction == CopyDirection::texture_to_buffer ? selected.to_memory : selected.from_memory;
    return allowed ? CopyProblem::none : CopyProblem::direction_forbidden;
}

/// The rules of the strides and the offset (L-02 to L-07); fills them in.
[[nodiscard]] constexpr CopyProblem check_layout(CopyPlan& plan,
                                                 const ImageLayout& layout) noexcept {
    plan.offset_bytes = layout.offset_bytes;
    const bool needs_pitch = plan.block_rows > 1 || plan.images > 1;
    const bool needs_rows = plan.images > 1;
    const bool tight_pitch = layout.tight && needs_pitch && !layout.bytes_per_row;
    const bool tight_rows = layout.tight && needs_rows && !layout.rows_per_image;
    const bool has_pitch = tight_pitch || layout.bytes_per_row;
    const bool has_rows = tight_rows || layout.rows_per_image;
    plan.bytes_per_row = tight_pitch ? plan.row_bytes : layout.bytes_per_row.value_or(0);
    plan.rows_per_image = tight_rows ? plan.block_rows : layout.rows_per_image.value_or(0);
    if (needs_pitch && !has_pitch) return CopyProblem::bytes_per_row_missing;
    if (needs_rows && !has_rows) return CopyProblem::rows_per_image_missing;
    if (has_pitch && plan.bytes_per_row < plan.row_bytes)
        return CopyProblem::bytes_per_row_too_small;
    if (has_rows && plan.rows_per_image < plan.block_rows)
        return CopyProblem::rows_per_image_too_small;
    if (plan.bytes_per_row >= largest_u32 || plan.rows_per_image >= largest_u32)
        return CopyProblem::stride_too_large; // 2^32 - 1 means "left out"
    if (plan.bytes_per_row % plan.row_alignment_bytes != 0)
        return CopyProblem::bytes_per_row_unaligned;
    if (plan.offset_bytes % plan.offset_alignment_bytes != 0) return CopyProblem::offset_unaligned;
    return CopyProblem::none;
}

} // namespace detail

/// A copy between a texture and memory whose layout you give, with every rule checked that needs no
/// device: 3.1 to 3.5 except for sizes of buffers, usages and states.
[[nodiscard]] constexpr CopyPlan plan_copy(
    CopyDirection direction, const TextureOptions& texture, const TextureLocation& at,
    const std::optional<Extent3D>& size, const ImageLayout& layout,
    std::uint64_t row_alignment_bytes = default_row_alignment_bytes) noexcept {
    CopyPlan plan{.direction = direction,
                  .format = format_info(texture.format),
                  .texture = texture,
                  .at = at};
    plan.texture.label = {};
    auto wrong = [&plan](CopyProblem problem) {
        plan.problem = problem;
        return plan;
    };
    const CopyProblem shape = detail::check_shape(texture, plan.format);
    if (shape != CopyProblem::none) return wrong(shape);
    plan.level = physical_size(texture, at.mip);
    plan.size = resolve_size(texture, at, size);
    const CopyProblem aspect = detail::check_aspect(plan.format, at.aspect, direction);
    if (aspect != CopyProblem::none) return wrong(aspect);
    if (texture.sample_count > 1) return wrong(CopyProblem::multisampled);
    const CopyProblem region =
        detail::check_region(texture, plan.format, at, plan.size, plan.level);
    if (region != CopyProblem::none) return wrong(region);

    plan.block_bytes = plan.format.select(at.aspect).block_bytes;
    plan.row_bytes = plan.size.width / plan.format.block_width * plan.block_bytes;
    plan.block_rows = plan.size.height / plan.format.block_height;
    plan.images = plan.size.depth_or_array_layers;
    if (direction != CopyDirection::write) {
        plan.row_alignment_bytes = std::max<std::uint64_t>(row_alignment_bytes, 1);
        plan.offset_alignment_bytes = plan.format.is_depth_stencil() ? 4 : plan.block_bytes;
    }
    const CopyProblem strides = detail::check_layout(plan, layout);
    if (strides != CopyProblem::none) return wrong(strides);
    const detail::Checked required = detail::required_bytes(
        plan.row_bytes, plan.block_rows, plan.images, plan.bytes_per_row, plan.rows_per_image);
    const detail::Checked tight = detail::Checked(plan.row_bytes) * plan.block_rows * plan.images;
    const detail::Checked end = required + plan.offset_bytes + 3;
    if (tight.over || end.over) return wrong(CopyProblem::too_many_bytes);
    plan.required_bytes = required.value;
    plan.staging_bytes = detail::up_to_multiple(required.value, 4);
    plan.tight_bytes = tight.value;
    return plan;
}

/// Reads a region of a texture into a buffer: the smallest legal strides.
[[nodiscard]] constexpr CopyPlan plan_read(
    const TextureOptions& texture, const TextureLocation& at = {},
    const std::optional<Extent3D>& size = {},
    std::uint64_t row_alignment_bytes = default_row_alignment_bytes) noexcept {
    const ImageLayout tight{.tight = true};
    const CopyPlan rows = plan_copy(CopyDirection::texture_to_buffer, texture, at, size, tight, 1);
    if (!rows) return rows;
    const std::uint64_t step = std::max<std::uint64_t>(row_alignment_bytes, 1);
    const std::uint64_t pitch = detail::up_to_multiple(rows.row_bytes, step);
    return plan_copy(CopyDirection::texture_to_buffer, texture, at, size,
                     {.bytes_per_row = std::max(pitch, step),
                      .rows_per_image = std::max<std::uint64_t>(rows.block_rows, 1)},
                     step);
}

/// The whole of a level of a 2D texture with a full mip chain.
[[nodiscard]] constexpr CopyPlan plan_read(Format format, const Extent3D& size,
                                           const TextureLocation& at = {}) noexcept {
    return plan_read({.format = format, .size = size, .mip_levels = full_mip_levels(size)}, at);
}

/// Writes data of the program's into a region of a texture, as `Device::write` does.
[[nodiscard]] constexpr CopyPlan plan_write(const TextureOptions& texture,
                                            const ImageLayout& layout,
                                            const TextureLocation& at = {},
                                            const std::optional<Extent3D>& size = {}) noexcept {
    return plan_copy(CopyDirection::write, texture, at, size, layout);
}

/// The legal region next to one that may not be: mip and origin inside the texture, whole blocks,
/// whole levels of depth and stencil formats.
[[nodiscard]] constexpr CopyRegion nearest_legal(const TextureOptions& texture,
                                                 const TextureLocation& at,
                                                 const std::optional<Extent3D>& wanted) noexcept {
    const FormatInfo format = format_info(texture.format);
    CopyRegion out{at, {}};
    out.at.mip = std::min(at.mip, std::max(texture.mip_levels, 1U) - 1);
    const Extent3D level = physical_size(texture, out.at.mip);
    const bool whole = format.is_depth_stencil() || texture.sample_count > 1;
    auto fit = [](std::uint64_t& from, std::optional<std::uint64_t> count, std::uint64_t all,
                  std::uint64_t step) {
        const bool empty = count ? *count == 0 : from == all; // may stand at the edge
        from = std::min(from, empty ? all : all - std::min(all, step)) / step * step;
        const std::uint64_t most = all - from;
        if (!count || *count > most - std::min(most, step)) return most;
        return detail::up_to_multiple(*count, step);
    };
    std::optional<std::uint64_t> width, height, images;
    if (whole) out.at.origin.x = out.at.origin.y = 0;
    if (wanted && !whole) {
        width = wanted->width;
        height = wanted->height;
    }
    if (wanted) images = wanted->depth_or_array_layers;
    out.size.width = fit(out.at.origin.x, width, level.width, format.block_width);
    out.size.height = fit(out.at.origin.y, height, level.height, format.block_height);
    out.size.depth_or_array_layers = fit(out.at.origin.z, images, level.depth_or_array_layers, 1);
    return out;
}

/// A level of a mip chain whose levels lie tight behind each other, the largest first, each with
/// all its layers or slices. Empty when the texture has no such level, its format has no layout in
/// memory, or the bytes pass 2^64.
[[nodiscard]] constexpr std::optional<MipLevel> mip_level(const TextureOptions& texture,
                                                          std::uint32_t level,
                                                          Aspect aspect = Aspect::all) noexcept {
    if (level >= texture.mip_levels || level >= full_mip_levels(texture.size, texture.dimension))
        return std::nullopt;
    MipLevel out{};
    for (std::uint32_t mip = 0;; ++mip) {
        const CopyPlan plan = plan_copy(CopyDirection::texture_to_buffer, texture,
                                        {.mip = mip, .aspect = aspect}, {}, {.tight = true}, 1);
        if (!plan) return std::nullopt;
        out.size = logical_size(texture, mip);
        out.physical_size = plan.level;
        out.size_bytes = plan.tight_bytes;
        if (mip == level) return out;
        const detail::Checked next = detail::Checked(out.offset_bytes) + out.size_bytes;
        if (next.over) return std::nullopt;
        out.offset_bytes = next.value;
    }
}

} // namespace ferry
