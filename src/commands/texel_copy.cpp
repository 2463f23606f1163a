// SPDX-License-Identifier: MIT
#include "commands/texel_copy.hpp"

#include <utility>

#include "base/align.hpp"
#include "base/error.hpp"
#include "commands/copy_rules.hpp"
#include "core/make_buffer.hpp"
#include "layout/texture_rules.hpp"
#include "resource/texels.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

Result<> check_buffer_side(const CommandsState& state, const BufferImage& image,
                           CopyDirection direction) {
    const bool reads = direction == CopyDirection::buffer_to_texture;
    const std::string_view role = reads ? "source" : "target";
    if (!image.buffer) return std::unexpected(empty_handle(text(role, " buffer"), {}));
    const BufferState& buffer = *image.buffer;
    if (buffer.core != state.core) {
        return fail(Errc::invalid_argument, "T-01",
                    text("The ", role, ' ', buffer.named(), " belongs to another device."),
                    "Use buffers of the device that records.");
    }
    const std::string_view usage = reads ? "copy_src" : "copy_dst";
    if (has(buffer.usage, reads ? BufferUsage::copy_src : BufferUsage::copy_dst)) return {};
    return fail(Errc::invalid_argument, "T-02",
                text("The ", role, ' ', buffer.named(), " lacks the usage ", usage, '.'),
                text("Make it with BufferUsage::", usage, '.'));
}

/// The image lies inside the buffer (L-09).
Result<> check_fits(const CopyPlan& plan, const BufferState& buffer) {
    if (base::fits(plan.offset_bytes, plan.required_bytes, buffer.size_bytes)) return {};
    return fail(Errc::invalid_argument, "L-09",
                text("The image needs (", plan.required_bytes, ") bytes from offset (",
                     plan.offset_bytes, "), and ", buffer.named(), " has (", buffer.size_bytes,
                     ")."),
                text("Use a buffer of at least ", plan.offset_bytes + plan.required_bytes,
                     " bytes, or copy less."));
}

void use_both(CommandsState& state, const std::shared_ptr<BufferState>& buffer,
              const std::shared_ptr<TextureState>& texture, CopyDirection direction) {
    state.use({buffer, direction == CopyDirection::texture_to_buffer});
    state.use(texture);
}

/// The copy of one row of blocks, which needs no stride and so has no rule about one.
CopyPlan row_of(const CopyPlan& plan, std::uint64_t row, std::uint64_t image) {
    CopyPlan one = plan;
    one.at.origin.y += row * plan.format.block_height;
    one.at.origin.z += image;
    one.size.height = plan.format.block_height;
    one.size.depth_or_array_layers = 1;
    one.offset_bytes = plan.byte_of(0, row, image);
    one.bytes_per_row = one.rows_per_image = 0;
    return one;
}

CopyReport copy_rows_one_by_one(CommandsState& state, const std::shared_ptr<TextureState>& texture,
                                const CopyPlan& plan, const BufferState& buffer) {
    for (std::uint64_t image = 0; image < plan.images; ++image) {
        for (std::uint64_t row = 0; row < plan.block_rows; ++row)
            encode_texel_copy(state, texture, row_of(plan, row, image), buffer.handle);
    }
    return {.engine_copies = plan.images * plan.block_rows};
}

/// Depth and stencil levels are copied whole, so their rows are moved between `buffer` and a
/// staging buffer whose rows have the legal distance.
Result<CopyReport> copy_through_staging(CommandsState& state,
                                        const std::shared_ptr<TextureState>& texture,
                                        const CopyPlan& tight, const BufferState& buffer) {
    const EngineTable& gpu = state.core->gpu();
    CopyPlan padded = tight;
    padded.offset_bytes = 0;
    padded.bytes_per_row = up_to_multiple(tight.row_bytes, state.core->row_alignment_bytes);
    padded.rows_per_image = tight.block_rows;
    const std::uint64_t bytes = padded.bytes_per_row * padded.block_rows * padded.images;
    const std::uint64_t most = state.core->limits.max_buffer_size_bytes;
    if (bytes > most) {
        return fail(Errc::limit_exceeded, "B-07",
                    text("Rows of (", tight.bytes_per_row, ") bytes of ", texture->named(),
                         " are moved through a buffer of (", bytes,
                         ") bytes, over the device's limit of (", most, ")."),
                    text("Use .bytes_per_row = ", padded.bytes_per_row,
                         ", which needs no such buffer, or copy fewer layers at a time."));
    }
    auto made =
        make_buffer(*state.core, {.usage = WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst,
                                  .size_bytes = bytes,
                                  .label = "ferry repacking"});
    if (!made) return std::unexpected(std::move(made).error());
    const HeldBuffer staging(gpu, *made);
    const bool to_texture = tight.direction == CopyDirection::buffer_to_texture;
    if (!to_texture) encode_texel_copy(state, texture, padded, staging.get());
    for (std::uint64_t image = 0; image < tight.images; ++image) {
        for (std::uint64_t row = 0; row < tight.block_rows; ++row) {
            const std::uint64_t outside = tight.byte_of(0, row, image);
            const std::uint64_t inside = padded.byte_of(0, row, image);
            gpu.CommandEncoderCopyBufferToBuffer(
                state.encoder.get(), to_texture ? buffer.handle : staging.get(),
                to_texture ? outside : inside, to_texture ? staging.get() : buffer.handle,
                to_texture ? inside : outside, tight.row_bytes);
        }
    }
    if (to_texture) encode_texel_copy(state, texture, padded, staging.get());
    return CopyReport{.engine_copies = tight.images * tight.block_rows + 1, .staging_bytes = bytes};
}

/// A copy whose rows lie at a distance that the engine does not take. `illegal` says so.
Result<CopyReport> repack(CommandsState& state, const CopyPlan& illegal, const BufferImage& image,
                          const TextureAt& place, const std::optional<Extent3D>& size) {
    const TextureState& texture = *place.texture;
    CopyPlan plan = plan_copy(illegal.direction, texture.options, place.at, size, image.layout, 1);
    if (!plan) return std::unexpected(about(plan.error(), texture));
    if (auto ok = check_fits(plan, *image.buffer); !ok)
        return std::unexpected(std::move(ok).error());
    const std::uint64_t step = plan.offset_alignment_bytes;
    const bool through_staging = plan.format.is_depth_stencil();
    if (plan.bytes_per_row % step != 0 || (through_staging && plan.row_bytes % 4 != 0))
        return std::unexpected(about(illegal.error(), texture));
    if (plan.is_empty()) return CopyReport{};
    use_both(state, image.buffer, place.texture, plan.direction);
    if (through_staging) return copy_through_staging(state, place.texture, plan, *image.buffer);
    return copy_rows_one_by_one(state, place.texture, plan, *image.buffer);
}

void encode_texture_copy(const CommandsState& state, const TextureAt& source,
                         const TextureAt& target, const Extent3D& size) {
    const EngineTable& gpu = state.core->gpu();
    const bool same_dimension =
        source.texture->options.dimension == target.texture->options.dimension;
    WGPUTexelCopyTextureInfo from = texture_info(*source.texture, source.at);
    WGPUTexelCopyTextureInfo to = texture_info(*target.texture, target.at);
    WGPUExtent3D part = engine_extent(size);
    std::uint32_t parts = 1;
    if (gpu.quirks.layers_and_slices_one_by_one && !same_dimension)
        parts = std::exchange(part.depthOrArrayLayers, 1);
    for (; parts > 0; --parts, ++from.origin.z, ++to.origin.z)
        gpu.CommandEncoderCopyTextureToTexture(state.encoder.get(), &from, &to, &part);
}

} // namespace

Result<> check_texture_handle(const Core& core, const std::shared_ptr<TextureState>& texture,
                              std::string_view role) {
    if (!texture) return std::unexpected(empty_handle(text(role, " texture"), {}));
    if (texture->core.get() == &core) return {};
    return fail(Errc::invalid_argument, "T-01",
                text("The ", role, ' ', texture->named(), " belongs to another device."),
                "Use textures of the device that records.");
}

Result<> check_texture_side(const Core& core, const std::shared_ptr<TextureState>& texture,
                            TextureUsage needed, std::string_view role) {
    if (auto ok = check_texture_handle(core, texture, role); !ok) return ok;
    if (has(texture->options.usage, needed)) return {};
    const std::string_view usage = needed == TextureUsage::copy_src ? "copy_src" : "copy_dst";
    return fail(Errc::invalid_argument, "T-02",
                text("The ", role, ' ', texture->named(), " lacks the usage ", usage, '.'),
                text("Make it with TextureUsage::", usage, '.'));
}

void encode_texel_copy(CommandsState& state, const std::shared_ptr<TextureState>& texture,
                       const CopyPlan& plan, WGPUBuffer buffer) {
    if (plan.is_empty()) return;
    state.use(texture);
    const WGPUTexelCopyTextureInfo image = texture_info(*texture, plan.at);
    WGPUTexelCopyBufferInfo memory = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
    memory.layout = buffer_layout(plan);
    memory.buffer = buffer;
    const WGPUExtent3D size = engine_extent(plan.size);
    const EngineTable& gpu = state.core->gpu();
    if (plan.direction == CopyDirection::texture_to_buffer) {
        gpu.CommandEncoderCopyTextureToBuffer(state.encoder.get(), &image, &memory, &size);
    } else {
        gpu.CommandEncoderCopyBufferToTexture(state.encoder.get(), &memory, &image, &size);
    }
}

Result<CopyReport> record_texel_copy(CommandsState& state, CopyDirection direction,
                                     const BufferImage& image, const TextureAt& place,
                                     const std::optional<Extent3D>& size) {
    const bool reads = direction == CopyDirection::texture_to_buffer;
    if (auto ok = check_buffer_side(state, image, direction); !ok)
        return std::unexpected(std::move(ok).error());
    auto ok = check_texture_side(*state.core, place.texture,
                                 reads ? TextureUsage::copy_src : TextureUsage::copy_dst,
                                 reads ? "source" : "target");
    if (!ok) return std::unexpected(std::move(ok).error());
    const CopyPlan plan = plan_copy(direction, place.texture->options, place.at, size, image.layout,
                                    state.core->row_alignment_bytes);
    if (plan.problem == CopyProblem::bytes_per_row_unaligned)
        return repack(state, plan, image, place, size);
    if (!plan) return std::unexpected(about(plan.error(), *place.texture));
    if (auto fits = check_fits(plan, *image.buffer); !fits)
        return std::unexpected(std::move(fits).error());
    if (plan.is_empty()) return CopyReport{};
    use_both(state, image.buffer, place.texture, direction);
    encode_texel_copy(state, place.texture, plan, image.buffer->handle);
    return CopyReport{.engine_copies = 1};
}

Result<> record_texture_copy(CommandsState& state, const TextureAt& source, const TextureAt& target,
                             const std::optional<Extent3D>& size) {
    Core& core = *state.core;
    if (auto ok = check_texture_side(core, source.texture, TextureUsage::copy_src, "source"); !ok)
        return ok;
    if (auto ok = check_texture_side(core, target.texture, TextureUsage::copy_dst, "target"); !ok)
        return ok;
    const bool same = source.texture == target.texture;
    auto copied = check_texture_copy({source.texture->options, source.at},
                                     {target.texture->options, target.at}, size,
                                     same ? Textures::same : Textures::different);
    if (!copied) {
        return fail(std::move(copied).error(), text("while copying from ", source.texture->named(),
                                                    " to ", target.texture->named()));
    }
    if (CopyPlan{.size = *copied}.is_empty()) return {};
    state.use(source.texture);
    state.use(target.texture);
    encode_texture_copy(state, source, target, *copied);
    return {};
}

} // namespace ferry::detail
