// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/error.hpp"
#include "transfer/ring.hpp"

namespace ferry::detail {

using base::text;
using namespace std::chrono;

namespace {

// A map without an answer for so long is not slow any more.
constexpr std::uint64_t long_frames = 64;
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

/// A read that waits for something that does not come, whatever was recorded since the last look.
std::optional<RingDiagnosis> Ring::diagnose_stuck() const {
    if (const RingSlot* unsent = oldest(State::recorded); unsent && frames_since(*unsent) > 0) {
        return RingDiagnosis{
            RingHealth::not_submitted, 0,
            text(count(State::recorded), " reads are recorded and not submitted, the oldest ",
                 frames_since(*unsent),
                 " frames ago. Submit the commands, or drop them; with an encoder of yours call "
                 "interop::submitted.")};
    }
    const RingSlot* pending = oldest(State::pending);
    if (pending == nullptr) return std::nullopt;
    const nanoseconds age = steady_clock::now() - pending->sent_at;
    const std::uint64_t frames = frames_since(*pending);
    const bool old = age >= long_time;
    const bool behind = frames >= std::max(long_frames, 4 * latency_.read().max_frames);
    if (answers_ != pending->answers_before) {
        if (!old || !behind) return std::nullopt;
        return RingDiagnosis{
            RingHealth::events_not_running, 0,
            text("One map is pending for ", seconds_text(age), " and ", frames,
                 " frames, while later ones were answered. The engine has lost it: make another "
                 "ring, and see `ferry doctor`.")};
    }
    if (!old && !behind) return std::nullopt;
    const std::uint64_t looks =
        std::max(core()->pumps(), pending->pumps_before) - pending->pumps_before;
    const std::uint32_t maps = count(State::pending);
    return RingDiagnosis{
        RingHealth::events_not_running, 0,
        text(maps, maps == 1 ? " map is pending, " : " maps are pending, the oldest ", "for ",
             seconds_text(age), " and ", frames,
             " frames, and the engine has answered none in that time, over ", looks, " looks. ",
             looks == 0 ? "No events were processed: call record, latest or Device::poll in every "
                          "turn of the loop."
                        : "The GPU hangs or works on one long job, or the engine's events are not "
                          "delivered: see `ferry doctor`.")};
}

RingDiagnosis Ring::diagnose_window(const RingStats& now, const RingStats& before,
                                    const RingWindow& window) const {
    const std::uint64_t requested = now.requested - before.requested;
    const std::uint64_t full = window.turned_away();
    const std::uint64_t waits = now.waits_in_frame - before.waits_in_frame;
    const bool grown = before.slots > 0 && now.slots > before.slots;
    const std::string of =
        text(full, " of ", requested, " reads found no free slot of ", now.slots);
    if (waits > 0) {
        return {RingHealth::waits_in_frame, 0,
                text("The program blocked ", waits,
                     " times while reads were in flight. Take results with latest or next, which "
                     "never wait, and wait for nothing in the frame.")};
    }
    if (full > 0 && now.leases * 2 >= now.slots) {
        return {RingHealth::leases_held, 0,
                text(of, ", of which the consumer holds ", now.leases,
                     ". Drop each MappedReadback soon, or take copies with next.")};
    }
    const RingSlot* ready = oldest(State::ready);
    const RingSlot* pending = oldest(State::pending);
    const bool can_take = ready && (!pending || ready->mark.sequence < pending->mark.sequence);
    if (full + (now.dropped - before.dropped) > 0 && order_ == RingOrder::all && can_take &&
        count(State::ready) * 2 > now.slots) {
        return {RingHealth::results_not_taken, 0,
                text(count(State::ready), " of ", now.slots,
                     " slots hold results that were not taken. Take them with next, or use "
                     "RingOrder::newest.")};
    }
    if (window.latency_grows()) {
        return {RingHealth::queue_saturated, 0,
                text("The latency has grown from ", window.first_frames(), " to ",
                     window.last_frames(), " frames over ", window.arrivals(), " results (now ",
                     milliseconds_text(now.latency.last),
                     "): the GPU falls behind, and no number of slots helps. Look at what the GPU "
                     "does in a frame, or submit less.")};
    }
    if (full > 0 || grown) {
        const auto use = static_cast<std::uint32_t>(std::max<std::uint64_t>(
            window.slots_needed(order_), std::uint64_t{now.slots} + (full > 0 ? 1 : 0)));
        return {RingHealth::ring_too_small, use,
                text(of, "; bytes arrive only ", window.longest_way(),
                     " reads later, and are taken after that. Use ", use, " slots.")};
    }
    return {RingHealth::healthy, 0,
            text(requested, " reads, none without a slot; results come after ",
                 window.last_frames(), " frames (", milliseconds_text(now.latency.last), ").")};
}

RingDiagnosis Ring::diagnose() {
    const RingStats now = stats();
    const RingStats before = std::exchange(window_start_, now);
    const RingWindow window = std::exchange(window_, RingWindow());
    if (done()) return {RingHealth::closed, 0, text(name(), " is closed: ", error()->what)};
    if (auto stuck = diagnose_stuck()) return *std::move(stuck);
    if (now.requested == before.requested && now.in_flight == 0)
        return {RingHealth::idle, 0, "Nothing was recorded since the last look."};
    return diagnose_window(now, before, window);
}

} // namespace ferry::detail
