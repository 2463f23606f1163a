// SPDX-License-Identifier: MIT
#pragma once

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

/// What `diagnose` rests on: how long slots were held, and whether that grows.
class RingWindow {
public:
    /// A slot is free again after so many frames.
    void held(std::uint64_t frames) noexcept;
    /// A result has arrived after so many frames.
    void arrived(std::uint64_t frames) noexcept;
    void recorded(bool new_frame) noexcept;

    [[nodiscard]] std::uint64_t longest_hold() const noexcept { return longest_hold_; }
    [[nodiscard]] std::uint64_t arrivals() const noexcept { return static_cast<std::uint64_t>(n_); }
    [[nodiscard]] std::uint64_t first_frames() const noexcept { return first_; }
    [[nodiscard]] std::uint64_t last_frames() const noexcept { return last_; }
    /// By how many frames the latency has grown over the window, by the least-squares line.
    [[nodiscard]] double growth_frames() const noexcept;
    /// Most records of one frame.
    [[nodiscard]] std::uint32_t records_per_frame() const noexcept { return most_records_; }

private:
    std::uint64_t longest_hold_ = 0;
    std::uint64_t first_ = 0, last_ = 0;
    double n_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0;
    std::uint32_t records_ = 0, most_records_ = 0;
};

} // namespace ferry::detail
