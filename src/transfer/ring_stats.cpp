// SPDX-License-Identifier: MIT
#include <algorithm>

#include "transfer/ring.hpp"

namespace ferry::detail {

/// What arrives between two calls of the ring counts with the second: only that tells its frame.
void Ring::count_arrivals() noexcept {
    for (const Arrival& arrival : arrived_) {
        const std::uint64_t frames = frame_ - 1 - arrival.frame;
        latency_.add(frames, arrival.after);
        window_.arrived(frames);
    }
    arrived_.clear();
}

void Ring::account_waits() noexcept {
    const std::uint64_t waits = core()->waits();
    if (in_flight() > 0) totals_.waits_in_frame += waits - waits_seen_;
    waits_seen_ = waits;
}

std::uint32_t Ring::count(State state) const noexcept {
    return static_cast<std::uint32_t>(std::ranges::count(slots_, state, &RingSlot::state));
}

const RingSlot* Ring::oldest(State state) const noexcept {
    const RingSlot* found = nullptr;
    for (const RingSlot& slot : slots_) {
        if (slot.state != state) continue;
        if (found == nullptr || slot.mark.sequence < found->mark.sequence) found = &slot;
    }
    return found;
}

std::uint64_t Ring::frames_since(const RingSlot& slot) const noexcept {
    return frame_ - 1 - slot.mark.frame;
}

std::uint64_t Ring::in_flight() const noexcept {
    return std::uint64_t{count(State::recorded)} + count(State::pending) + count(State::ready);
}

RingStats Ring::stats() const {
    RingStats out = totals_;
    out.in_flight = in_flight();
    if (out.in_flight > 0) out.waits_in_frame += core()->waits() - waits_seen_;
    out.slots = static_cast<std::uint32_t>(slots_.size()) - count(State::gone);
    out.leases = count(State::leased);
    out.latency = latency_.read();
    return out;
}

} // namespace ferry::detail
