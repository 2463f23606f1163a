// SPDX-License-Identifier: MIT
#include "base/backoff.hpp"

#include <algorithm>
#include <thread>

namespace ferry::base {

using namespace std::chrono_literals;

Backoff::Backoff(std::chrono::nanoseconds limit) noexcept : start_(Clock::now()) {
    const auto most = Clock::time_point::max() - start_;
    deadline_ = start_ + std::min<Clock::duration>(std::max(limit, 0ns), most);
}

bool Backoff::pause() {
    const auto now = Clock::now();
    if (now >= deadline_) return false;
    const auto waited = now - start_;
    if (waited < 20us) return true; // small transfers end here; giving up the core would cost more
    if (waited < 200us) {
        std::this_thread::yield();
    } else {
        const auto nap = std::min<Clock::duration>(waited / 16, 1ms);
        std::this_thread::sleep_for(std::min<Clock::duration>(nap, deadline_ - now));
    }
    return true;
}

} // namespace ferry::base
