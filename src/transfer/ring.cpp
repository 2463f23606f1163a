// SPDX-License-Identifier: MIT
#include "transfer/ring.hpp"

#include <algorithm>
#include <cstring>

#include "base/align.hpp"
#include "base/error.hpp"
#include "core/make_buffer.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

Ring::Ring(std::shared_ptr<Core> device_core, const RingOptions& options)
    : Operation(std::move(device_core), text("The ring \"", options.label, '"')),
      label_(options.label), size_bytes_(options.size_bytes),
      capacity_bytes_(*base::round_up(options.size_bytes, ring_part_alignment) +
                      ring_part_alignment + ring_stamp_bytes),
      max_slots_(std::max(options.slots, options.max_slots)), policy_(options.when_full),
      order_(options.order), waits_seen_(core()->waits()) {}

Ring::~Ring() {
    for (RingSlot& slot : slots_) {
        if (slot.signal != nullptr) core()->instance().signals().give_back(slot.signal);
        if (slot.buffer != nullptr) core()->gpu().BufferRelease(slot.buffer);
    }
}

Result<> Ring::make_slots(std::uint32_t count) {
    slots_.reserve(std::max<std::size_t>(count, policy_ == RingPolicy::grow ? max_slots_ : 0));
    arrived_.reserve(slots_.capacity());
    while (slots_.size() < count) {
        slots_.emplace_back();
        if (auto ok = make_buffer_of(slots_.back(), slots_.size() - 1); !ok) return ok;
    }
    window_start_ = stats();
    return {};
}

Result<> Ring::make_buffer_of(RingSlot& slot, std::size_t index) {
    const std::string name = text(label_, " staging ", index);
    auto made = make_buffer(*core(), {.usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst,
                                      .size_bytes = capacity_bytes_,
                                      .label = name});
    if (!made) return std::unexpected(std::move(made).error());
    slot.buffer = *made;
    slot.last_stamp = 0;
    slot.state = State::free;
    return {};
}

/// A new buffer for a slot that has none; without one the read is skipped and the frame goes on.
bool Ring::repair(RingSlot& slot) {
    auto made = make_buffer_of(slot, static_cast<std::size_t>(&slot - slots_.data()));
    if (!made) last_error_ = std::move(made).error();
    return made.has_value();
}

/// A slot that may be recorded into, or nothing when all are busy.
std::optional<std::uint32_t> Ring::acquire() {
    window_.kept(count(State::ready) + count(State::leased));
    for (RingSlot& slot : slots_) {
        if (slot.state == State::free) return static_cast<std::uint32_t>(&slot - slots_.data());
    }
    for (RingSlot& slot : slots_) {
        if (slot.state == State::broken && repair(slot))
            return static_cast<std::uint32_t>(&slot - slots_.data());
    }
    return make_room();
}

std::optional<std::uint32_t> Ring::make_room() {
    if (policy_ == RingPolicy::grow && slots_.size() < max_slots_) {
        if (repair(slots_.emplace_back())) return static_cast<std::uint32_t>(slots_.size()) - 1;
        slots_.pop_back();
    }
    if (policy_ != RingPolicy::drop_oldest) return std::nullopt;
    const RingSlot* dropped = oldest(State::ready);
    // One that came after the last record is left for the consumer to look at once.
    if (dropped == nullptr || dropped->arrived_turn == turn_) return std::nullopt;
    const auto index = static_cast<std::uint32_t>(dropped - slots_.data());
    ++totals_.dropped;
    unmap_and_free(slots_[index]);
    return index;
}

void Ring::sent(std::uint32_t index) {
    RingSlot& slot = slots_[index];
    if (slot.state != State::recorded) return; // closed meanwhile
    Instance& instance = core()->instance();
    slot.state = State::pending;
    slot.sent_at = std::chrono::steady_clock::now();
    slot.answers_before = answers_;
    slot.pumps_before = core()->pumps() + 1; // the submit itself looks
    slot.signal = instance.signals().take();
    instance.asked(slot.signal,
                   core()->gpu().BufferMapAsync(slot.buffer, WGPUMapMode_Read, 0,
                                                static_cast<std::size_t>(slot.mapped_bytes),
                                                Signals::map_info(slot.signal)));
}

void Ring::never_sent(std::uint32_t index, const Error& reason) noexcept {
    RingSlot& slot = slots_[index];
    if (slot.state != State::recorded) return;
    account_waits();
    if (reason.code == Errc::cancelled) {
        ++totals_.cancelled;
    } else {
        ++totals_.failed;
        last_error_ = reason;
    }
    // An encoder of the user's may still be sent.
    slot.stamp != 0 ? break_slot(slot) : free(slot);
}

void Ring::settle() {
    account_waits();
    for (RingSlot& slot : slots_) {
        if (slot.state == State::pending && slot.signal->fired) settle(slot);
    }
}

void Ring::settle(RingSlot& slot) {
    ++answers_;
    window_.answered(turn_ - slot.turn);
    const bool mapped = slot.signal->status == WGPUMapAsyncStatus_Success;
    auto error = map_error(*core(), *slot.signal, name());
    core()->instance().signals().give_back(std::exchange(slot.signal, nullptr));
    if (error) {
        if (mapped) core()->unmap(slot.buffer);
        return fail_slot(slot, *std::move(error));
    }
    slot.data = static_cast<const std::byte*>(core()->gpu().BufferGetConstMappedRange(
        slot.buffer, 0, static_cast<std::size_t>(slot.mapped_bytes)));
    if (slot.state != State::pending) return; // a callback of the program's has closed the ring
    if (slot.data == nullptr) {
        core()->unmap(slot.buffer);
        return fail_slot(slot, Error{Errc::engine,
                                     {},
                                     text(name(), " is mapped, but the engine gives no memory."),
                                     {},
                                     {},
                                     {}});
    }
    if (slot.stamp != 0) {
        std::memcpy(&slot.last_stamp, slot.data + capacity_bytes_ - ring_stamp_bytes,
                    sizeof(slot.last_stamp));
        if (slot.last_stamp != slot.stamp) {
            core()->unmap(slot.buffer);
            fail_slot(slot, Error{Errc::not_submitted,
                                  "Q-09",
                                  text(name(), " has no bytes: the encoder that it recorded into "
                                               "was not submitted."),
                                  "Submit the encoder's command buffer before calling "
                                  "interop::submitted.",
                                  {},
                                  {}});
            return break_slot(slot);
        }
    }
    arrive(slot);
}

/// The read is over without a result; the slot is good again.
void Ring::fail_slot(RingSlot& slot, Error error) noexcept {
    ++totals_.failed;
    last_error_ = std::move(error);
    free(slot);
}

void Ring::arrive(RingSlot& slot) {
    arrived_.push_back({slot.mark.frame, std::chrono::steady_clock::now() - slot.sent_at});
    slot.state = State::ready;
    slot.arrived_turn = turn_;
    const bool newest = newest_ready() == &slot && slot.mark.sequence > taken_sequence_;
    if (newest) ++version_;
    if (slot.mark.sequence < taken_sequence_ || (order_ == RingOrder::newest && !newest)) {
        ++totals_.dropped; // a newer one came first
        return unmap_and_free(slot);
    }
    if (order_ == RingOrder::newest) drop_older_than(slot.mark.sequence);
}

void Ring::drop_older_than(std::uint64_t sequence) noexcept {
    for (RingSlot& slot : slots_) {
        if (slot.state != State::ready || slot.mark.sequence >= sequence) continue;
        ++totals_.dropped;
        unmap_and_free(slot);
    }
}

void Ring::free(RingSlot& slot) noexcept {
    window_.held(turn_ - slot.turn);
    slot.state = State::free;
    slot.data = nullptr;
    slot.reads.clear();
}

void Ring::unmap_and_free(RingSlot& slot) noexcept {
    core()->unmap(slot.buffer);
    free(slot);
}

/// Somebody else's commands may still write to the buffer: it is not used again.
void Ring::break_slot(RingSlot& slot) noexcept {
    free(slot);
    slot.state = State::broken;
    core()->gpu().BufferRelease(std::exchange(slot.buffer, nullptr));
}

void Ring::close(std::string_view why) noexcept {
    if (done()) return;
    account_waits();
    Operation::fail(Error{Errc::cancelled,
                          {},
                          text(name(), " was ", why, '.'),
                          "Make another ring to go on reading.",
                          {},
                          {}});
}

/// The ring or its device has ended. Slots in the consumer's hands stay until they are given back.
void Ring::let_go() noexcept {
    const bool lost = error() && error()->code == Errc::device_lost;
    if (lost) last_error_ = error();
    for (RingSlot& slot : slots_) {
        if (slot.state == State::leased) continue;
        const bool was_in_flight = slot.state == State::recorded || slot.state == State::pending ||
                                   slot.state == State::ready;
        if (was_in_flight) ++(lost ? totals_.failed : totals_.cancelled);
        if (slot.state == State::pending || slot.state == State::ready) core()->unmap(slot.buffer);
        if (slot.signal != nullptr)
            core()->instance().signals().give_back(std::exchange(slot.signal, nullptr));
        if (slot.buffer != nullptr)
            core()->gpu().BufferRelease(std::exchange(slot.buffer, nullptr));
        slot.data = nullptr;
        slot.reads.clear();
        slot.state = State::gone;
    }
}

std::string Ring::named() const { return text("ring \"", label_, '"'); }

void Ring::poll() {
    account_waits();
    if (!done()) core()->pump();
    core()->probe_loss();
    core()->notice_loss();
    count_arrivals();
}

} // namespace ferry::detail
