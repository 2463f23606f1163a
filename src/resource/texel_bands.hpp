// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ferry/layout.hpp"

namespace ferry::detail {

/// A copy between a texture and memory, cut into bands: some rows of one image, or some images. In
/// the order of tight data.
struct TexelBands {
    CopyPlan whole{}; ///< as if it lay in one buffer, padded rows and no gaps between images
    std::uint64_t rows_per_band = 1;
    std::uint64_t images_per_band = 1;

    /// Bands of about `band_bytes`, or one row. Depth and stencil levels are copied whole (3.4), so
    /// each image is a band there.
    [[nodiscard]] static TexelBands cut(const CopyPlan& whole, std::uint64_t band_bytes) noexcept;

    [[nodiscard]] std::uint64_t count() const noexcept;
    /// The copy of one band, whose memory begins at 0.
    [[nodiscard]] CopyPlan band(std::uint64_t index) const noexcept;
    [[nodiscard]] std::uint64_t band_of(std::uint64_t row, std::uint64_t image) const noexcept {
        return image / images_per_band * across() + row / rows_per_band;
    }

private:
    [[nodiscard]] std::uint64_t across() const noexcept {
        return (whole.block_rows + rows_per_band - 1) / rows_per_band;
    }
};

/// The whole copy with rows of the device's alignment and no gaps between images, or an illegal
/// plan.
[[nodiscard]] CopyPlan padded_plan(CopyDirection direction, const TextureOptions& texture,
                                   const TextureLocation& at, const std::optional<Extent3D>& size,
                                   std::uint64_t row_alignment);

} // namespace ferry::detail
