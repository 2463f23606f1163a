// SPDX-License-Identifier: MIT
#include "device/write.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.hpp"
#include "resource/create.hpp"
#include "resource/write_rules.hpp"
#include "transfer/send_slot.hpp"
#include "transfer/upload_paths.hpp"

namespace ferry::detail {

namespace {

/// Whole words first; the last 1 to 3 bytes go through a word of their own, so that no byte behind
/// the data is read.
Result<> queue_write(Core& core, const BufferState& target, std::uint64_t offset,
                     std::span<const std::byte> bytes) {
    const std::uint64_t errors = core.inbox().error_count();
    const std::size_t whole = bytes.size() - bytes.size() % 4;
    if (whole > 0)
        core.gpu().QueueWriteBuffer(core.queue(), target.handle, offset, bytes.data(), whole);
    if (whole < bytes.size()) {
        std::array<std::byte, 4> word{};
        std::memcpy(word.data(), bytes.data() + whole, bytes.size() - whole);
        core.gpu().QueueWriteBuffer(core.queue(), target.handle, offset + whole, word.data(),
                                    word.size());
    }
    core.note_write(bytes.size());
    if (auto ok = core.reported_since(errors, {"writing to buffer", target.label}); !ok) return ok;
    return core.flush_much();
}

Result<> send_part(Core& core, std::uint32_t slot, const BufferState& target, std::uint64_t offset,
                   std::span<const std::byte> part) {
    UploadSlots& slots = core.uploads();
    std::byte* memory = slots.slot(slot).memory;
    if (memory == nullptr) return std::unexpected(slots.memory_gone());
    core.crew().copy(memory, part.data(), part.size());
    return send_slot(slots, slot, target, offset);
}

/// Copies from the device's own upload slots, each sent by itself, so that a slot comes back while
/// the next is filled. Waits a little for a slot once; what finds none goes through the queue.
Result<> pool_write(Core& core, const BufferState& target, std::uint64_t offset,
                    std::span<const std::byte> bytes, std::uint64_t piece) {
    UploadSlots& slots = core.uploads();
    bool waited = false;
    while (!bytes.empty()) {
        const auto part = bytes.first(std::min<std::size_t>(bytes.size(), piece));
        const auto slot = waited ? slots.acquire(part.size(), PoolPolicy::refuse)
                                 : acquire_soon(slots, part.size());
        if (!slot && !core.usable()) return std::unexpected(slot.error());
        // Waiting and sending let callbacks of the program's run.
        auto done = target.check_available({"write to"}, "W-07");
        if (slot && done) done = send_part(core, *slot, target, offset, part);
        if (slot) slots.drop(*slot); // unless it was sent
        if (!slot && done) done = queue_write(core, target, offset, part);
        if (!done) return done;
        waited = waited || !slot;
        offset += part.size();
        bytes = bytes.subspan(part.size());
    }
    return {};
}

Result<> send(Core& core, BufferState& target, std::uint64_t offset,
              std::span<const std::byte> bytes, const Route& route) {
    if (route.path == UploadPath::pool)
        return pool_write(core, target, offset, bytes, route.piece_bytes);
    while (!bytes.empty()) {
        const auto part = bytes.first(std::min<std::size_t>(bytes.size(), route.piece_bytes));
        if (auto ok = queue_write(core, target, offset, part); !ok) return ok;
        offset += part.size();
        bytes = bytes.subspan(part.size());
    }
    return {};
}

} // namespace

Result<> write(Core& core, const std::shared_ptr<BufferState>& target,
               std::span<const std::byte> data, std::size_t element_size,
               const WriteOptions& options) {
    if (!target) return std::unexpected(empty_handle("buffer", {}));
    core.pump();
    core.probe_loss();
    if (auto ok = core.check_usable({"write to buffer", target->label}); !ok) return ok;
    auto bytes = check_write(core, target, data, element_size, options);
    if (!bytes) return std::unexpected(std::move(bytes).error());
    if (auto ok = target->check_available({"write to"}, "W-07"); !ok) return ok;
    if (bytes->empty()) return {};
    auto route = write_route(core, bytes->size(), options.path);
    if (!route) return std::unexpected(std::move(route).error());
    target->note_queue_write({options.offset_bytes, bytes->size()});
    return send(core, *target, options.offset_bytes, *bytes, *route);
}

Result<std::shared_ptr<BufferState>> create_with_bytes(const std::shared_ptr<Core>& core,
                                                       std::span<const std::byte> data,
                                                       const BufferOptions& options) {
    if (!core) return std::unexpected(empty_handle("device", {}));
    auto sized = with_size_of(data.size(), options);
    if (!sized) return std::unexpected(std::move(sized).error());
    auto route = create_route(*core, data.size(), *sized);
    if (!route) return std::unexpected(std::move(route).error());
    if (route->path == UploadPath::mapped_at_creation) return create_filled(core, data, *sized);
    auto state = create_buffer(core, *sized);
    if (!state || data.empty()) return state;
    // A new buffer has zeros behind the data, so its last word may be padded with zeros.
    if (auto sent = send(*core, **state, 0, data, *route); !sent)
        return std::unexpected(std::move(sent).error());
    return state;
}

} // namespace ferry::detail
