// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>

#include "ferry/readback_ring.hpp"

namespace ferry::detail {

/// How long something took, over many times, in a fixed amount of memory.
class LatencyMeter {
public:
    void add(std::uint64_t frames, std::chrono::nanoseconds time) noexcept;
    [[nodiscard]] RingStats::Latency read() const noexcept;

private:
    static constexpr std::size_t steps_per_octave = 10; // each step is 7.2 % wide
    static constexpr std::size_t buckets = 64 * steps_per_octave;
    [[nodiscard]] static std::size_t bucket_of(std::uint64_t nanoseconds) noexcept;

    RingStats::Latency seen_{};
    double sum_frames_ = 0;
    double sum_nanoseconds_ = 0;
    std::uint64_t count_ = 0;
    std::array<std::uint32_t, buckets> histogram_{};
};

/// What `diagnose` rests on: how long slots were held, and whether the latency grows.
class RingWindow {
public:
    /// A result has arrived, or a slot is free again, when so many reads, its own and skipped ones
    /// too, were asked for.
    void answered(std::uint64_t reads) noexcept { longest_way_ = std::max(longest_way_, reads); }
    void held(std::uint64_t reads) noexcept { longest_hold_ = std::max(longest_hold_, reads); }
    /// So many slots were in the consumer's hands, or waited for him, when a read was asked for.
    void kept(std::uint64_t slots) noexcept { most_kept_ = std::max(most_kept_, slots); }
    /// A read found no free slot.
    void turn_away() noexcept { ++turned_away_; }
    /// A result has arrived after so many frames.
    void arrived(std::uint64_t frames) noexcept;

    /// How many slots take every read. A newer result frees the slot of an older one that was not
    /// taken, but with `RingOrder::all`.
    [[nodiscard]] std::uint64_t slots_needed(RingOrder order) const noexcept {
        return order == RingOrder::all ? longest_hold_ : longest_way_ + most_kept_;
    }
    [[nodiscard]] std::uint64_t longest_way() const noexcept { return longest_way_; }
    [[nodiscard]] std::uint64_t turned_away() const noexcept { return turned_away_; }
    [[nodiscard]] std::uint64_t arrivals() const noexcept { return static_cast<std::uint64_t>(n_); }
    [[nodiscard]] std::uint64_t first_frames() const noexcept { return first_; }
    [[nodiscard]] std::uint64_t last_frames() const noexcept { return last_; }
    /// Whether the latency rises over the window, along the least-squares line.
    [[nodiscard]] bool latency_grows() const noexcept;

private:
    std::uint64_t longest_way_ = 0, longest_hold_ = 0, most_kept_ = 0, turned_away_ = 0;
    std::uint64_t first_ = 0, last_ = 0;
    double n_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0, yy_ = 0;
};

} // namespace ferry::detail
