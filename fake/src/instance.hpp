// SPDX-License-Identifier: MIT
// The instance: futures, and the two ways to pump them.
#pragma once

#include <list>
#include <memory>
#include <vector>

#include "event.hpp"
#include "handle.hpp"

namespace ferry_fake {

struct Instance final : Object {
    explicit Instance(World& owner);

    void released_by_program() override;
    void clear() override;

    // Registers a callback; the running call's fault makes it late, doubled or silent. Answers its
    // future.
    WGPUFuture add(std::unique_ptr<Event> event);
    // Null once it has been delivered.
    Event* find(std::uint64_t id);
    void make_due(std::uint64_t id);
    // Delivers one event, if it is still there.
    void deliver(std::uint64_t id, bool cancelled = false);

    // Ids that may be delivered now, in the order the script wants. `allowed` filters by event.
    std::vector<std::uint64_t> due(const std::function<bool(const Event&)>& allowed);
    void step();

    std::list<std::unique_ptr<Event>> events;
    std::uint64_t next_id = 1;
    bool timed_waits = false;
    bool many_devices = false;
    bool ended = false; // the program has released it
};

// More futures than this in one timed wait are refused.
inline constexpr std::size_t timed_wait_any_max_count = 64;

// Delivers what the script allows to come at the end of any call.
void deliver_at_end_of_call(World& world);

// A callback info that can be used: the mode is known and the callback is there. Else misuse is
// noted.
bool usable(World& world, WGPUCallbackMode mode, bool has_callback);

} // namespace ferry_fake
