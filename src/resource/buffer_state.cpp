// SPDX-License-Identifier: MIT
#include "resource/buffer_state.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

BufferState::BufferState(std::shared_ptr<Core> device_core, WGPUBuffer buffer) noexcept
    : core(std::move(device_core)), handle(buffer) {}

BufferState::~BufferState() {
    end_mapping("the buffer was dropped");
    core->gpu().BufferRelease(handle);
}

MapState BufferState::map_state() const noexcept {
    if (destroyed) return MapState::destroyed;
    if (!core->usable()) return MapState::lost;
    if (life) return MapState::mapped;
    return pending_map.expired() ? MapState::unmapped : MapState::pending;
}

std::string BufferState::named() const { return text("buffer \"", label, '"'); }

void BufferState::note_queue_write(const Span64& range) {
    if (told_of_overlap || range.size_bytes == 0) return;
    if (std::exchange(queue_writes_after, core->last_submission()) != core->last_submission())
        queue_writes = {};
    const auto covered = std::ranges::find_if(queue_writes, [&range](const Span64& other) {
        return range.offset_bytes < other.end() && other.offset_bytes < range.end();
    });
    if (covered != queue_writes.end()) {
        told_of_overlap = true;
        core->habits().advise(text(
            "Device::write wrote ", range_text(range), " of ", named(), " after ",
            range_text(*covered),
            " with no submit in between (A30): all commands of the next submit see the last of "
            "them. Use Commands::write, which writes at its point of the commands, or submit."));
    }
    queue_writes[next_queue_write++ % queue_writes.size()] = range;
}

bool BufferState::begin_mapping() {
    memory = nullptr;
    if (engine_mapped) {
        const auto offset = static_cast<std::size_t>(mapped.offset_bytes);
        const auto size = static_cast<std::size_t>(mapped.size_bytes);
        const void* data = mode == MapMode::read
                               ? core->gpu().BufferGetConstMappedRange(handle, offset, size)
                               : core->gpu().BufferGetMappedRange(handle, offset, size);
        memory = static_cast<std::byte*>(const_cast<void*>(data));
        if (memory == nullptr) return false;
    }
    life = std::make_shared<MapLife>();
    life->label = label;
    life->device_lost = core->loss_flag();
    core->watch(std::weak_ptr(life));
    return true;
}

void BufferState::end_mapping(std::string_view reason) noexcept {
    if (auto pending = pending_map.lock()) pending->cancel_by(reason);
    pending_map.reset();
    if (life && life->alive) {
        life->alive = false;
        life->ended = reason;
    }
    life.reset();
    memory = nullptr;
    handed_out.clear();
    if (std::exchange(engine_mapped, false)) core->unmap(handle);
}

Result<> BufferState::unmap() {
    const bool written = life && mode == MapMode::write;
    const std::uint64_t mapped_bytes = mapped.size_bytes;
    Result<> sent;
    if (written) core->probe_loss();
    if (written) sent = core->check_usable({"send what was written to buffer", label});
    end_mapping("unmap was called");
    if (written) core->note_write(mapped_bytes);
    return sent;
}

void BufferState::destroy() noexcept {
    if (destroyed) return;
    end_mapping("the buffer was destroyed");
    destroyed = true;
    core->gpu().BufferDestroy(handle);
}

Result<> BufferState::check_available(const base::Clause& doing, std::string_view rule) const {
    const MapState state = map_state();
    if (state == MapState::unmapped) return {};
    if (state == MapState::lost) {
        const std::string clause = text(doing, " buffer");
        return core->check_usable({clause, label});
    }
    std::string what = text("Cannot ", doing, ' ', named(), ": it is ", name(state));
    if (state == MapState::destroyed) {
        return fail(Errc::wrong_state, rule, what + '.', "Make a new buffer; destroy() is final.");
    }
    what += text(" (", range_text(mapped), ", asked for ", place_text(mapped_where), ").");
    return fail(Errc::wrong_state, rule, std::move(what),
                state == MapState::pending
                    ? "Wait for the map and unmap, or cancel it, before the GPU uses the buffer."
                    : "Unmap it, or drop its Mapping, before the GPU uses the buffer.");
}

std::string range_text(const Span64& range) {
    if (range.size_bytes == 0) return text("0 bytes at ", range.offset_bytes);
    return text("bytes ", range.offset_bytes, " to ", range.end() - 1);
}

std::string place_text(const std::source_location& where) {
    if (where.line() == 0) return "at creation";
    std::string_view file = where.file_name();
    return text("at ", file.substr(file.rfind('/') + 1), ':', where.line());
}

Error empty_handle(std::string_view what, std::source_location where) {
    return {Errc::invalid_argument,
            {},
            text("The ", what, " handle is empty."),
            "Use a handle that holds something: not default-made, not moved from.",
            {},
            where};
}

} // namespace ferry::detail
