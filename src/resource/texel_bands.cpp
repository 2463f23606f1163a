// SPDX-License-Identifier: MIT
#include "resource/texel_bands.hpp"

#include <algorithm>

#include "layout/texture_rules.hpp"

namespace ferry::detail {

TexelBands TexelBands::cut(const CopyPlan& whole, std::uint64_t band_bytes) noexcept {
    TexelBands bands{.whole = whole};
    if (whole.is_empty()) return bands;
    const std::uint64_t image_bytes = whole.bytes_per_row * whole.block_rows;
    bands.rows_per_band = whole.block_rows;
    bands.images_per_band = std::clamp<std::uint64_t>(band_bytes / image_bytes, 1, whole.images);
    if (whole.format.is_depth_stencil()) bands.images_per_band = 1;
    if (image_bytes > band_bytes && !whole.format.is_depth_stencil())
        bands.rows_per_band = std::max<std::uint64_t>(band_bytes / whole.bytes_per_row, 1);
    return bands;
}

std::uint64_t TexelBands::count() const noexcept {
    if (whole.is_empty()) return 0;
    return (whole.images + images_per_band - 1) / images_per_band * across();
}

CopyPlan TexelBands::band(std::uint64_t index) const noexcept {
    const std::uint64_t image = index / across() * images_per_band;
    const std::uint64_t row = index % across() * rows_per_band;
    CopyPlan band = whole;
    band.block_rows = std::min(rows_per_band, whole.block_rows - row);
    band.images = std::min(images_per_band, whole.images - image);
    band.at.origin.y += row * band.format.block_height;
    band.at.origin.z += image;
    if (band.block_rows != whole.block_rows)
        band.size.height = band.block_rows * band.format.block_height;
    band.size.depth_or_array_layers = band.images;
    band.rows_per_image = band.block_rows;
    band.required_bytes = band.bytes_per_row * (band.block_rows * band.images - 1) + band.row_bytes;
    band.staging_bytes = up_to_multiple(band.required_bytes, 4);
    band.tight_bytes = band.row_bytes * band.block_rows * band.images;
    return band;
}

CopyPlan padded_plan(CopyDirection direction, const TextureOptions& texture,
                     const TextureLocation& at, const std::optional<Extent3D>& size,
                     std::uint64_t row_alignment) {
    const CopyPlan tight = plan_copy(direction, texture, at, size, {.tight = true}, 1);
    if (!tight) return tight;
    return plan_copy(direction, texture, at, size,
                     {.bytes_per_row = up_to_multiple(tight.row_bytes, row_alignment),
                      .rows_per_image = tight.block_rows},
                     row_alignment);
}

} // namespace ferry::detail
