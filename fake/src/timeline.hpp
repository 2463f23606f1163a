// SPDX-License-Identifier: MIT
// The queue timeline of a device: operations in call order, each done at a moment of the virtual
// clock.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>

namespace ferry_fake {

class Timeline {
public:
    // Adds an operation that runs for `duration` after everything before it; answers when it will
    // be done.
    std::uint64_t add(std::uint64_t now, std::uint64_t duration, std::function<void()> run);
    // Runs the operations that are done by now, in order.
    void settle(std::uint64_t now);
    // Drops what has not run: the device is lost.
    void stop();

    // When everything that has been added is done.
    std::uint64_t busy_until() const { return busy_until_; }
    std::uint64_t pending() const { return operations_.size(); }

private:
    struct Operation {
        std::uint64_t done_at;
        std::function<void()> run;
    };
    std::deque<Operation> operations_;
    std::uint64_t busy_until_ = 0;
    bool running_ = false;
};

} // namespace ferry_fake
