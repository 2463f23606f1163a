// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/upload_slots.hpp"
#include "ferry/upload_pool.hpp"
#include "resource/texel_bands.hpp"
#include "resource/texture_state.hpp"

namespace ferry::detail {

/// Some rows of one image, or whole images, in one slot.
struct StagedBand {
    StagingHandle memory;
    CopyPlan plan{}; ///< where its rows lie in the slot, and where they go
};

/// Behind `StagingTexels`: a region of a texture, cut into bands of whole rows.
struct StagedTexels {
    std::shared_ptr<TextureState> texture;
    TexelBands cut{};
    std::vector<StagedBand> bands{};

    [[nodiscard]] std::byte* row(std::uint64_t row, std::uint64_t image) const noexcept;
};

/// Mapped memory for a region. Errors: of the region (3.1 to 3.5), and those of
/// `UploadSlots::acquire`.
[[nodiscard]] Result<std::unique_ptr<StagedTexels>> stage_texels(
    const std::shared_ptr<UploadSlots>& slots, const std::shared_ptr<TextureState>& target,
    const TextureLocation& at, const std::optional<Extent3D>& size);

/// Copies all rows of data that lies in memory as `from` says.
void fill(StagedTexels& texels, const std::byte* data, const CopyPlan& from);

} // namespace ferry::detail
