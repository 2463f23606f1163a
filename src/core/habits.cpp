// SPDX-License-Identifier: MIT
#include "core/habits.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace ferry::detail {

namespace {
constexpr std::uint32_t often = 60; // a second of frames
}

/// Once for each place.
bool Habits::waited_often(const Place& place, std::uint64_t waits) noexcept {
    auto known = std::ranges::find(known_, place, &Known::place);
    if (known == known_.end()) {
        known = known_.begin() + static_cast<std::ptrdiff_t>(oldest_);
        oldest_ = (oldest_ + 1) % known_.size();
        *known = {place, waits, 0};
        return false;
    }
    const bool waited = waits > std::exchange(known->waits, waits);
    if (known->times == often) return false;
    known->times = waited ? known->times + 1 : 0;
    return known->times == often;
}

void Habits::advise_ring(const std::string& name) {
    advice_.push_back(base::text(
        name, " was repeated ", often,
        " times, and each time the program waited for it while the GPU had nothing to do. Use a "
        "ReadbackRing, which never waits: ring.record(commands, source) in the frame, and "
        "ring.latest<T>() after the submit."));
}

} // namespace ferry::detail
