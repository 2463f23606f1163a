// SPDX-License-Identifier: MIT
// One outstanding callback: when it is due, and what it will say.
#pragma once

#include <cstdint>
#include <functional>

#include <webgpu/webgpu.h>

#include "object.hpp"
#include "script.hpp"

namespace ferry_fake {

enum class EventKind { map, work_done, device_lost, other };

struct Event {
    std::uint64_t id = 0;
    EventKind kind = EventKind::other;
    WGPUCallbackMode mode = WGPUCallbackMode_AllowProcessEvents;
    Device* device =
        nullptr;           // for the order of maps and work-done calls of one queue; never followed
    std::uint64_t due = 0; // virtual time
    bool silent = false;   // the script: never delivered, but for the instance's end
    bool has_callback = true; // a device-lost future may have none
    int times = 1;
    // Tells the program; `cancelled` at the end of the instance.
    std::function<void(bool cancelled)> tell;

    bool is_due(std::uint64_t now) const { return !silent && due != never && now >= due; }
};

} // namespace ferry_fake
