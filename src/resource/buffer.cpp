// SPDX-License-Identifier: MIT
#include "ferry/buffer.hpp"

#include "resource/buffer_state.hpp"

namespace ferry {

static_assert(static_cast<WGPUBufferUsage>(BufferUsage::map_read) == WGPUBufferUsage_MapRead);
static_assert(static_cast<WGPUBufferUsage>(BufferUsage::copy_dst) == WGPUBufferUsage_CopyDst);
static_assert(static_cast<WGPUBufferUsage>(BufferUsage::storage) == WGPUBufferUsage_Storage);
static_assert(static_cast<WGPUBufferUsage>(BufferUsage::query_resolve) ==
              WGPUBufferUsage_QueryResolve);
static_assert(static_cast<WGPUMapMode>(MapMode::write) == WGPUMapMode_Write);

std::string_view name(MapState state) noexcept {
    switch (state) {
    case MapState::unmapped: return "unmapped";
    case MapState::pending: return "pending";
    case MapState::mapped: return "mapped";
    case MapState::destroyed: return "destroyed";
    case MapState::lost: return "lost";
    }
    return "unknown";
}

Buffer::Buffer(std::shared_ptr<detail::BufferState> state) noexcept : state_(std::move(state)) {}

std::uint64_t Buffer::size_bytes() const noexcept { return state_ ? state_->size_bytes : 0; }
BufferUsage Buffer::usage() const noexcept { return state_ ? state_->usage : BufferUsage::none; }
std::string_view Buffer::label() const noexcept {
    return state_ ? state_->label : std::string_view();
}
MapState Buffer::map_state() const noexcept {
    return state_ ? state_->map_state() : MapState::destroyed;
}

Ticket<ReadMapping> Buffer::map_read(ByteRange range, std::source_location where) {
    return Ticket<ReadMapping>(detail::map_buffer(state_, MapMode::read, range, where));
}

Ticket<WriteMapping> Buffer::map_write(ByteRange range, std::source_location where) {
    return Ticket<WriteMapping>(detail::map_buffer(state_, MapMode::write, range, where));
}

Result<> Buffer::unmap() {
    if (!state_) return std::unexpected(detail::empty_handle("buffer", {}));
    return state_->unmap();
}

void Buffer::destroy() noexcept {
    if (state_) state_->destroy();
}

BufferView::BufferView(const Buffer& whole) noexcept : buffer(whole.state()) {}
BufferView::BufferView(const Buffer& whole, ByteRange part) noexcept
    : buffer(whole.state()), range(part) {}

} // namespace ferry
