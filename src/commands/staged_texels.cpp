// SPDX-License-Identifier: MIT
#include "commands/staged_texels.hpp"

#include "core/core.hpp"
#include "resource/texels.hpp"

namespace ferry::detail {

namespace {

constexpr std::uint64_t band_bytes = std::uint64_t{4} << 20;

Result<> acquire_bands(StagedTexels& texels, const std::shared_ptr<UploadSlots>& slots) {
    const std::uint64_t count = texels.cut.count();
    if (count > 1) { // one request of any size may be served
        const CopyPlan first = texels.cut.band(0), last = texels.cut.band(count - 1);
        auto ok = slots->check_series(count, first.staging_bytes, last.staging_bytes);
        if (!ok) return ok;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        StagedBand band{.memory = {}, .plan = texels.cut.band(i)};
        auto slot = slots->acquire(band.plan.required_bytes);
        if (!slot) return std::unexpected(std::move(slot).error());
        band.memory = StagingHandle(slots, *slot);
        texels.bands.push_back(std::move(band));
    }
    return {};
}

} // namespace

std::byte* StagedTexels::row(std::uint64_t row, std::uint64_t image) const noexcept {
    if (row >= cut.whole.block_rows || image >= cut.whole.images || bands.empty()) return nullptr;
    const StagedBand& band = bands[static_cast<std::size_t>(cut.band_of(row, image))];
    std::byte* memory = band.memory.memory();
    if (memory == nullptr) return nullptr;
    return memory + band.plan.byte_of(0, row % cut.rows_per_band, image % cut.images_per_band);
}

Result<std::unique_ptr<StagedTexels>> stage_texels(const std::shared_ptr<UploadSlots>& slots,
                                                   const std::shared_ptr<TextureState>& target,
                                                   const TextureLocation& at,
                                                   const std::optional<Extent3D>& size) {
    auto texels = std::make_unique<StagedTexels>();
    texels->texture = target;
    const CopyPlan whole = padded_plan(CopyDirection::buffer_to_texture, target->options, at, size,
                                       slots->core().row_alignment_bytes);
    if (!whole) return std::unexpected(about(whole.error(), *target));
    texels->cut = TexelBands::cut(whole, band_bytes);
    if (auto ok = acquire_bands(*texels, slots); !ok) return std::unexpected(std::move(ok).error());
    return texels;
}

void fill(StagedTexels& texels, const std::byte* data, const CopyPlan& from) {
    for (const StagedBand& band : texels.bands) {
        std::byte* memory = band.memory.memory();
        if (memory == nullptr) continue;
        base::CopyCrew& crew = band.memory.pool()->core().crew();
        const std::uint64_t first_row =
            (band.plan.at.origin.y - texels.cut.whole.at.origin.y) / band.plan.format.block_height;
        const std::uint64_t first_image = band.plan.at.origin.z - texels.cut.whole.at.origin.z;
        for (std::uint64_t image = 0; image < band.plan.images; ++image) {
            crew.copy_rows(memory + band.plan.byte_of(0, 0, image), band.plan.bytes_per_row,
                           data + from.byte_of(0, first_row, first_image + image),
                           from.bytes_per_row, from.row_bytes, band.plan.block_rows);
        }
    }
}

} // namespace ferry::detail
