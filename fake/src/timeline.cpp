// SPDX-License-Identifier: MIT
#include "timeline.hpp"

#include <algorithm>
#include <utility>

#include "script.hpp"

namespace ferry_fake {

std::uint64_t Timeline::add(std::uint64_t now, std::uint64_t duration, std::function<void()> run) {
    busy_until_ = later(std::max(now, busy_until_), duration);
    std::uint64_t const done_at = busy_until_;
    operations_.push_back({done_at, std::move(run)});
    settle(now);
    return done_at;
}

void Timeline::settle(std::uint64_t now) {
    // A host shader may call back into the engine.
    if (running_) return;
    running_ = true;
    while (!operations_.empty() && operations_.front().done_at <= now &&
           operations_.front().done_at != never) {
        Operation operation = std::move(operations_.front());
        operations_.pop_front();
        operation.run();
    }
    running_ = false;
}

void Timeline::stop() {
    // The operations' holds may end objects that look at this timeline.
    const std::deque<Operation> dropped = std::exchange(operations_, {});
    busy_until_ = 0;
}

} // namespace ferry_fake
