// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/align.hpp"
#include "base/error.hpp"
#include "commands/copy_rules.hpp"
#include "commands/record_read.hpp"
#include "commands/texel_copy.hpp"
#include "resource/texels.hpp"

namespace ferry {

using base::text;
using detail::CommandsState;
using detail::ReadOperation;

namespace detail {

Result<ReadParts> acquire_parts(CommandsState& state, std::uint64_t staged_bytes,
                                ReadOperation::Layout& layout) {
    ReadParts parts;
    layout.mapped_bytes = std::max<std::uint64_t>(staged_bytes, 4);
    if (state.owner == Owner::user) {
        auto stamp = state.core->stamps().next(*state.core);
        if (!stamp) return std::unexpected(std::move(stamp).error());
        parts.stamp = *stamp;
        layout.stamp = stamp->value;
        layout.stamp_at = *base::round_up(staged_bytes, 8);
        layout.mapped_bytes = layout.stamp_at + sizeof(std::uint64_t);
    }
    auto slot = state.core->staging().acquire(layout.mapped_bytes);
    if (!slot) return std::unexpected(std::move(slot).error());
    parts.slot = *std::move(slot);
    return parts;
}

void encode_copy(CommandsState& state, WGPUBuffer from, std::uint64_t from_bytes, WGPUBuffer to,
                 std::uint64_t to_bytes, std::uint64_t size_bytes) {
    if (size_bytes == 0) return;
    state.core->gpu().CommandEncoderCopyBufferToBuffer(state.encoder.get(), from, from_bytes, to,
                                                       to_bytes, size_bytes);
}

std::shared_ptr<ReadOperation> add_read(CommandsState& state, std::string name, ReadParts parts,
                                        const ReadOperation::Layout& layout) {
    if (layout.stamp) {
        encode_copy(state, parts.stamp.buffer, parts.stamp.offset_bytes, parts.slot.buffer(),
                    layout.stamp_at, sizeof(std::uint64_t));
    }
    auto operation =
        std::make_shared<ReadOperation>(state.core, std::move(name), std::move(parts.slot), layout);
    state.reads.push_back({operation, 0});
    return operation;
}

} // namespace detail

namespace {

Result<std::shared_ptr<ReadOperation>> record_read(CommandsState& state, const BufferView& source,
                                                   std::size_t element_size) {
    if (auto ok = detail::check_buffer(*state.core, source, "source"); !ok)
        return std::unexpected(std::move(ok).error());
    auto plan = detail::plan_read(source, element_size);
    if (!plan) return std::unexpected(std::move(plan).error());
    auto name = [&] {
        return text("The read of ", plan->size_bytes, " bytes of ", source.buffer->named());
    };
    state.core->habits().read(
        {source.buffer.get(), {plan->copy.offset_bytes, plan->skip_bytes, plan->size_bytes}},
        state.core->waits(), name);
    ReadOperation::Layout layout{.skip_bytes = plan->skip_bytes, .row_bytes = plan->size_bytes};
    auto parts = detail::acquire_parts(state, plan->copy.size_bytes, layout);
    if (!parts) return std::unexpected(std::move(parts).error());
    if (plan->copy.size_bytes > 0) state.use({source.buffer, false});
    detail::encode_copy(state, source.buffer->handle, plan->copy.offset_bytes, parts->slot.buffer(),
                        0, plan->copy.size_bytes);
    return detail::add_read(state, name(), *std::move(parts), layout);
}

/// Whole elements in a row, in an order of channels that the format has.
Result<bool> check_elements(const CopyPlan& plan, detail::ElementKind element,
                            const detail::TextureState& texture) {
    auto swap = detail::swaps_red_blue(plan.format, element.order, texture.named());
    if (!swap) return swap;
    const std::size_t larger = std::max<std::size_t>(plan.block_bytes, element.size_bytes);
    const std::size_t smaller = std::min<std::size_t>(plan.block_bytes, element.size_bytes);
    if (plan.row_bytes % element.size_bytes == 0 && larger % smaller == 0) return swap;
    return base::fail(
        Errc::invalid_argument, {},
        text("Elements of (", element.size_bytes, ") bytes do not fit the rows of (",
             plan.row_bytes, ") bytes of ", texture.named(), ", whose ", plan.format.name,
             " blocks have (", plan.block_bytes, ")."),
        text("Read elements of ", plan.block_bytes, " bytes or of a part of that, or bytes."));
}

Result<std::shared_ptr<ReadOperation>> record_read(CommandsState& state, const TextureAt& source,
                                                   const std::optional<Extent3D>& size,
                                                   detail::ElementKind element) {
    if (auto ok = detail::check_texture_side(*state.core, source.texture, TextureUsage::copy_src,
                                             "source");
        !ok) {
        return std::unexpected(std::move(ok).error());
    }
    const detail::TextureState& texture = *source.texture;
    auto plan = std::make_shared<const CopyPlan>(
        plan_read(texture.options, source.at, size, state.core->row_alignment_bytes));
    if (!*plan) return std::unexpected(detail::about(plan->error(), texture));
    auto name = [&] {
        return text("The read of ", plan->tight_bytes, " bytes of ", texture.named());
    };
    const Origin3D& from = plan->at.origin;
    state.core->habits().read({&texture,
                               {from.x, from.y, from.z, plan->at.mip, plan->size.width,
                                plan->size.height, plan->size.depth_or_array_layers}},
                              state.core->waits(), name);
    auto swap = check_elements(*plan, element, texture);
    if (!swap) return std::unexpected(std::move(swap).error());
    ReadOperation::Layout layout{.row_bytes = plan->row_bytes,
                                 .rows = plan->block_rows * plan->images,
                                 .pitch_bytes = plan->bytes_per_row,
                                 .swap_red_blue = *swap,
                                 .texels = plan};
    auto parts = detail::acquire_parts(state, plan->is_empty() ? 0 : plan->staging_bytes, layout);
    if (!parts) return std::unexpected(std::move(parts).error());
    detail::encode_texel_copy(state, source.texture, *plan, parts->slot.buffer());
    return detail::add_read(state, name(), *std::move(parts), layout);
}

} // namespace

detail::OperationPtr Commands::read_bytes(const BufferView& source, std::size_t element_size,
                                          Where where) {
    return detail::read_command(state_.get(), "read", where, [&](CommandsState& state) {
        return record_read(state, source, element_size);
    });
}

detail::OperationPtr Commands::read_texels(const TextureAt& source,
                                           const std::optional<Extent3D>& size,
                                           detail::ElementKind element, Where where) {
    return detail::read_command(state_.get(), "read", where, [&](CommandsState& state) {
        return record_read(state, source, size, element);
    });
}

} // namespace ferry
