// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace ferry::base {

/// Waiting by asking: asks eagerly at first, then ever more rarely, until a time limit.
class Backoff {
public:
    explicit Backoff(std::chrono::nanoseconds limit) noexcept;

    /// Pauses a little; false when the limit has passed.
    [[nodiscard]] bool pause();

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_;
    Clock::time_point deadline_;
};

} // namespace ferry::base
