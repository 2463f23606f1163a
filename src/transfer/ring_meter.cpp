// SPDX-License-Identifier: MIT
#include "transfer/ring_meter.hpp"

#include <algorithm>
#include <cmath>

namespace ferry::detail {

std::size_t LatencyMeter::bucket_of(std::uint64_t nanoseconds) noexcept {
    const double octaves = std::log2(static_cast<double>(std::max<std::uint64_t>(nanoseconds, 1)));
    return std::min(buckets - 1, static_cast<std::size_t>(octaves * steps_per_octave));
}

void LatencyMeter::add(std::uint64_t frames, std::chrono::nanoseconds time) noexcept {
    ++count_;
    sum_frames_ += static_cast<double>(frames);
    sum_nanoseconds_ += static_cast<double>(time.count());
    seen_.last_frames = frames;
    seen_.max_frames = std::max(seen_.max_frames, frames);
    seen_.last = time;
    seen_.max = std::max(seen_.max, time);
    ++histogram_[bucket_of(static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 0)))];
}

RingStats::Latency LatencyMeter::read() const noexcept {
    RingStats::Latency out = seen_;
    if (count_ == 0) return out;
    const auto count = static_cast<double>(count_);
    out.mean_frames = sum_frames_ / count;
    out.mean = std::chrono::nanoseconds(static_cast<std::int64_t>(sum_nanoseconds_ / count));
    const std::uint64_t rank = count_ - count_ / 100; // of 100, the 99th from below
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < buckets; ++i) {
        below += histogram_[i];
        if (below < rank) continue;
        const double upper = std::exp2(static_cast<double>(i + 1) / steps_per_octave);
        out.p99 = std::min(seen_.max, std::chrono::nanoseconds(static_cast<std::int64_t>(upper)));
        break;
    }
    return out;
}

void RingWindow::arrived(std::uint64_t frames) noexcept {
    if (n_ == 0) first_ = frames;
    last_ = frames;
    const double x = n_;
    const auto y = static_cast<double>(frames);
    n_ += 1;
    x_ += x;
    y_ += y;
    xx_ += x * x;
    xy_ += x * y;
    yy_ += y * y;
}

bool RingWindow::latency_grows() const noexcept {
    constexpr double fewest = 8;
    constexpr double part_explained = 0.6; // of the variance, by the line; else it is only uneven
    if (n_ < fewest) return false;
    const double across = n_ * xx_ - x_ * x_, up = n_ * yy_ - y_ * y_;
    const double both = n_ * xy_ - x_ * y_;
    if (both <= 0 || both * both < part_explained * across * up) return false;
    const double rise = both / across * (n_ - 1);
    const double start = (y_ - both / across * x_) / n_;
    return rise >= 2 && rise >= start / 2;
}

} // namespace ferry::detail
