// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/error.hpp"
#include "transfer/ring.hpp"

namespace ferry::detail {

using base::text;
using namespace std::chrono;

namespace {

constexpr std::uint64_t long_frames = 8;
constexpr milliseconds long_time{1000};

std::string milliseconds_text(nanoseconds time) {
    const auto tenths = duration_cast<microseconds>(time).count() / 100;
    return text(tenths / 10, '.', tenths % 10, " ms");
}

std::string seconds_text(nanoseconds time) {
    const auto tenths = duration_cast<milliseconds>(time).count() / 100;
    return text(tenths / 10, '.', tenths % 10, " s");
}

} // namespace

RingDiagnosis Ring::diagnose() {
    const RingStats now = stats();
    const RingStats before = std::exchange(window_start_, now);
    const RingWindow window = std::exchange(window_, RingWindow());
    const std::uint64_t requested = now.requested - before.requested;
    const std::uint64_t skipped = (now.skipped - before.skipped) + (now.refused - before.refused);
    const std::uint64_t waits = now.waits_in_frame - before.waits_in_frame;
    const bool grown = before.slots > 0 && now.slots > before.slots;
    const std::string of =
        text(skipped, " of ", requested, " reads found no free slot of ", now.slots);

    if (done()) return {RingHealth::closed, 0, text(name(), " is closed: ", error()->what)};

    const RingSlot* oldest = nullptr; // of those that wait for the engine
    const RingSlot* unsent = nullptr;
    for (const RingSlot& slot : slots_) {
        auto older = [&](const RingSlot* other) {
            return other == nullptr || slot.mark.sequence < other->mark.sequence;
        };
        if (slot.state == State::pending && older(oldest)) oldest = &slot;
        if (slot.state == State::recorded && older(unsent)) unsent = &slot;
    }
    auto frames_ago = [this](const RingSlot& slot) { return frame_ - 1 - slot.mark.frame; };

    if (unsent != nullptr && frames_ago(*unsent) > 0) {
        return {RingHealth::not_submitted, 0,
                text(count(State::recorded), " reads are recorded and not submitted, the oldest ",
                     frames_ago(*unsent),
                     " frames ago. Submit the commands, or drop them; "
                     "with an encoder of yours call interop::submitted.")};
    }
    if (oldest != nullptr) {
        const nanoseconds age = steady_clock::now() - oldest->sent_at;
        const bool answered = core()->instance().signals().delivered() != oldest->answers_before;
        if (!answered && (age >= long_time || frames_ago(*oldest) >= long_frames)) {
            const std::uint64_t looks = core()->pumps() - oldest->pumps_before;
            return {RingHealth::events_not_running, 0,
                    text(count(State::pending), " maps are pending, the oldest for ",
                         seconds_text(age), " and ", frames_ago(*oldest),
                         " frames, and the engine has answered nothing in that time, over ", looks,
                         looks == 0 ? " looks. Nobody processes events: call record, latest or "
                                      "Device::poll in every turn of the loop."
                                    : " looks. The GPU hangs or works on one long job, or the "
                                      "engine's events are not delivered: see `ferry doctor`.")};
        }
    }
    if (requested == 0 && now.in_flight == 0)
        return {RingHealth::idle, 0, "Nothing was recorded since the last look."};
    if (waits > 0) {
        return {RingHealth::waits_in_frame, 0,
                text("The program blocked ", waits,
                     " times while reads were in flight. Take results "
                     "with latest or next, which never wait, and wait for nothing in the frame.")};
    }
    if (skipped > 0 && now.leases > 0) {
        return {RingHealth::leases_held, 0,
                text(of, ", of which the consumer holds ", now.leases,
                     ". Drop each MappedReadback soon, or take copies with next.")};
    }
    if (skipped + (now.dropped - before.dropped) > 0 && order_ == RingOrder::all &&
        count(State::ready) * 2 > now.slots) {
        return {RingHealth::results_not_taken, 0,
                text(count(State::ready), " of ", now.slots,
                     " slots hold results that were not taken. Take them with next, or use "
                     "RingOrder::newest.")};
    }
    const double growth = window.growth_frames();
    const auto first = static_cast<double>(window.first_frames());
    if (growth >= 2 && growth >= std::max(first, 1.0) / 2) {
        return {RingHealth::queue_saturated, 0,
                text("The latency has grown from ", window.first_frames(), " to ",
                     window.last_frames(), " frames over ", window.arrivals(), " results (now ",
                     milliseconds_text(now.latency.last),
                     "): the GPU falls behind, and no number of slots helps. Look at what the GPU "
                     "does in a frame, or submit less.")};
    }
    if (skipped > 0 || grown) {
        const std::uint64_t needed = window.longest_hold() * window.records_per_frame();
        const auto use = static_cast<std::uint32_t>(
            std::max<std::uint64_t>(needed, std::uint64_t{now.slots} + (skipped > 0 ? 1 : 0)));
        return {RingHealth::ring_too_small, use,
                text(of, "; a slot comes back after up to ", window.longest_hold(),
                     " frames, with ", window.records_per_frame(), " reads in each. Use ", use,
                     " slots.")};
    }
    return {RingHealth::healthy, 0,
            text(requested, " reads, none without a slot; results come after ",
                 window.last_frames(), " frames (", milliseconds_text(now.latency.last), ").")};
}

} // namespace ferry::detail
