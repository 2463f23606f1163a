// SPDX-License-Identifier: MIT
#include "commands/staged_copy.hpp"

#include <algorithm>

#include "base/align.hpp"
#include "base/error.hpp"
#include "commands/copy_rules.hpp"
#include "commands/record_command.hpp"
#include "commands/staged_texels.hpp"
#include "commands/texel_copy.hpp"
#include "core/read.hpp"
#include "resource/texels.hpp"
#include "resource/write_rules.hpp"

namespace ferry {

using base::text;
using detail::CommandsState;
using detail::StagingHandle;

namespace detail {

std::shared_ptr<UploadSlots> device_slots(const CommandsState& state) {
    return {state.core, &state.core->uploads()};
}

Result<StagingHandle> acquire_memory(const CommandsState& state, std::uint64_t size_bytes) {
    auto slots = device_slots(state);
    auto slot = slots->acquire(size_bytes);
    if (!slot) return std::unexpected(std::move(slot).error());
    return StagingHandle(std::move(slots), *slot);
}

Result<WGPUBuffer> stage(CommandsState& state, StagingHandle& memory) {
    auto buffer = memory.pool()->stage(memory.slot(), state.owner == Owner::user);
    if (!buffer) return buffer;
    state.reads.push_back({memory.pool(), memory.slot()});
    memory.let_go();
    return buffer;
}

} // namespace detail

namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{4} << 20;

Result<> check_staged(const CommandsState& state, const detail::UploadSlots* slots) {
    if (slots == nullptr) return std::unexpected(detail::empty_handle("staging", {}));
    if (&slots->core() == state.core.get()) return {};
    return base::fail(Errc::invalid_argument, "K-03",
                      text("The memory of the ", slots->name(), " belongs to another device."),
                      "Acquire it from a pool of the device that records.");
}

Result<> record_staged(CommandsState& state, StagingHandle memory, const BufferView& target) {
    if (auto ok = check_staged(state, memory.pool().get()); !ok) return ok;
    if (auto ok = detail::check_buffer(*state.core, target, "target"); !ok) return ok;
    auto copy = detail::plan_staged_copy(memory.size_bytes(), target);
    if (!copy) return std::unexpected(std::move(copy).error());
    if (copy->size_bytes == 0) return {};
    auto from = detail::stage(state, memory);
    if (!from) return std::unexpected(std::move(from).error());
    state.use({target.buffer, true});
    state.core->gpu().CommandEncoderCopyBufferToBuffer(
        state.encoder.get(), *from, 0, target.buffer->handle, copy->offset_bytes, copy->size_bytes);
    return {};
}

Result<> record_bands(CommandsState& state, detail::StagedTexels& texels) {
    for (detail::StagedBand& band : texels.bands) {
        auto from = detail::stage(state, band.memory);
        if (!from) return std::unexpected(std::move(from).error());
        detail::encode_texel_copy(state, texels.texture, band.plan, *from);
    }
    return {};
}

Result<> record_write(CommandsState& state, const Buffer& target, std::span<const std::byte> data,
                      std::size_t element_size, const WriteOptions& options) {
    auto bytes = detail::check_write(*state.core, target.state(), data, element_size, options);
    if (!bytes) return std::unexpected(std::move(bytes).error());
    std::uint64_t offset = options.offset_bytes;
    while (!bytes->empty()) {
        const auto part = bytes->first(std::min<std::size_t>(bytes->size(), piece_bytes));
        auto memory = detail::acquire_memory(state, part.size());
        if (!memory) return std::unexpected(std::move(memory).error());
        auto to = detail::memory_of(*memory);
        if (!to) return std::unexpected(std::move(to).error());
        state.core->crew().copy(*to, part.data(), part.size());
        auto done = record_staged(state, *std::move(memory), {target, {offset, part.size()}});
        if (!done) return done;
        offset += part.size();
        *bytes = bytes->subspan(part.size());
    }
    return {};
}

Result<> record_write(CommandsState& state, const TextureAt& target,
                      std::span<const std::byte> data, detail::ElementKind element,
                      const ImageLayout& layout, const std::optional<Extent3D>& size) {
    auto source =
        detail::check_texels(*state.core, target.texture, target.at, data, element, layout, size);
    if (!source) return std::unexpected(std::move(source).error());
    auto texels =
        detail::stage_texels(detail::device_slots(state), target.texture, target.at, size);
    if (!texels) return std::unexpected(std::move(texels).error());
    if (source->swap_red_blue) {
        const auto turned = detail::swapped(source->plan, source->bytes);
        detail::fill(**texels, turned.data(), source->plan);
    } else {
        detail::fill(**texels, source->bytes.data(), source->plan);
    }
    return record_bands(state, **texels);
}

} // namespace

void Commands::copy_staged(StagingHandle staged, const BufferView& target, Where where) {
    detail::record_command(state_.get(), "copy", where, [&](CommandsState& state) {
        return record_staged(state, std::move(staged), target);
    });
}

void Commands::copy(StagingTexels&& staged, Where where) {
    const auto texels = staged.release();
    detail::record_command(state_.get(), "copy", where, [&](CommandsState& state) -> Result<> {
        if (!texels) return std::unexpected(detail::empty_handle("staging", where));
        if (texels->texture->core != state.core) {
            return base::fail(
                Errc::invalid_argument, "T-01",
                text("The memory for ", texels->texture->named(), " belongs to another device."),
                "Acquire it from a pool of the device that records.");
        }
        return record_bands(state, *texels);
    });
}

void Commands::write_bytes(const Buffer& target, std::span<const std::byte> data,
                           std::size_t element_size, const WriteOptions& options, Where where) {
    detail::record_command(state_.get(), "write", where, [&](CommandsState& state) {
        return record_write(state, target, data, element_size, options);
    });
}

void Commands::write_texels(const TextureAt& target, std::span<const std::byte> data,
                            detail::ElementKind element, const ImageLayout& layout,
                            const std::optional<Extent3D>& size, Where where) {
    detail::record_command(state_.get(), "write", where, [&](CommandsState& state) {
        return record_write(state, target, data, element, layout, size);
    });
}

} // namespace ferry
