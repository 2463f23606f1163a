// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/align.hpp"
#include "transfer/ring.hpp"

namespace ferry::detail {

std::span<const std::byte> part_of(const RingBlock& block, std::size_t index) noexcept {
    if (index >= block.parts.size()) return {};
    const RingPart& part = block.parts[index];
    return std::span(block.bytes).subspan(part.offset_bytes, part.size_bytes);
}

RingMark mark_of(const RingBlock& block) noexcept { return block.mark; }

RingSlot* Ring::newest_ready() noexcept {
    RingSlot* newest = nullptr;
    for (RingSlot& slot : slots_) {
        if (slot.state != State::ready) continue;
        if (newest == nullptr || slot.mark.sequence > newest->mark.sequence) newest = &slot;
    }
    return newest;
}

/// With `RingOrder::all` the oldest, and only when nothing older is still on its way.
RingSlot* Ring::next_ready() noexcept {
    if (order_ == RingOrder::newest) return newest_ready();
    RingSlot* oldest = nullptr;
    for (RingSlot& slot : slots_) {
        const bool counts = slot.state == State::ready || slot.state == State::pending ||
                            slot.state == State::recorded;
        if (!counts) continue;
        if (oldest == nullptr || slot.mark.sequence < oldest->mark.sequence) oldest = &slot;
    }
    return oldest != nullptr && oldest->state == State::ready ? oldest : nullptr;
}

/// A block that nobody looks at; a new one only while the consumer keeps all the others.
std::shared_ptr<RingBlock> Ring::spare_block() {
    for (auto& block : blocks_) {
        if (block.use_count() == 1) return block;
    }
    auto block = std::make_shared<RingBlock>();
    block->bytes.reserve(static_cast<std::size_t>(capacity_bytes_));
    blocks_.push_back(block);
    return block;
}

std::shared_ptr<const RingBlock> Ring::copy_out(RingSlot& slot) {
    std::shared_ptr<RingBlock> block = spare_block();
    block->mark = slot.mark;
    block->parts.clear();
    std::size_t end = 0;
    for (const RingRead& read : slot.reads) {
        const auto size = static_cast<std::size_t>(read.row_bytes * read.rows);
        block->parts.push_back({end, size});
        end += static_cast<std::size_t>(*base::round_up(size, 16));
    }
    block->bytes.resize(end);
    for (std::size_t i = 0; i < slot.reads.size(); ++i) {
        const RingRead& read = slot.reads[i];
        copy_rows(*this,
                  {slot.data + read.at_bytes + read.skip_bytes,
                   static_cast<std::size_t>(read.row_bytes), static_cast<std::size_t>(read.rows),
                   static_cast<std::size_t>(read.pitch_bytes)},
                  block->bytes.data() + block->parts[i].offset_bytes);
        totals_.bytes_delivered += block->parts[i].size_bytes;
    }
    ++totals_.delivered;
    taken_sequence_ = std::max(taken_sequence_, slot.mark.sequence);
    latest_ = block; // newer than any before: `arrive` drops what is older
    unmap_and_free(slot);
    return block;
}

std::shared_ptr<const RingBlock> Ring::latest() {
    poll();
    if (RingSlot* slot = newest_ready()) {
        drop_older_than(slot->mark.sequence);
        (void)copy_out(*slot);
    }
    return latest_;
}

std::shared_ptr<const RingBlock> Ring::next() {
    poll();
    RingSlot* slot = next_ready();
    return slot != nullptr ? copy_out(*slot) : nullptr;
}

std::optional<std::uint32_t> Ring::lease_next() {
    poll();
    RingSlot* slot = next_ready();
    if (slot == nullptr) return std::nullopt;
    slot->state = State::leased;
    taken_sequence_ = std::max(taken_sequence_, slot->mark.sequence);
    ++totals_.delivered;
    for (const RingRead& read : slot->reads) totals_.bytes_delivered += read.row_bytes * read.rows;
    return static_cast<std::uint32_t>(slot - slots_.data());
}

void Ring::end_lease(std::uint32_t index) noexcept {
    RingSlot& slot = slots_[index];
    account_waits();
    unmap_and_free(slot);
    if (!done()) return;
    core()->gpu().BufferRelease(std::exchange(slot.buffer, nullptr));
    slot.state = State::gone;
}

} // namespace ferry::detail
