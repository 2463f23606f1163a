// SPDX-License-Identifier: MIT
// The device: errors, loss, memory, and the queue timeline.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "adapter.hpp"
#include "handle.hpp"
#include "instance.hpp"
#include "problem.hpp"
#include "scopes.hpp"
#include "timeline.hpp"

namespace ferry_fake {

struct Device final : Object {
    Device(Adapter& adapter, const WGPUDeviceDescriptor* descriptor);

    void released_by_program() override;
    void clear() override;
    Device* device_of() override { return this; }

    bool has(WGPUFeatureName feature) const;
    // Reports to the innermost fitting scope, else to the uncaptured callback; a lost device is
    // silent.
    void raise(const Problem& problem);
    // Raises when there is a problem; true when the call is fine.
    bool accept(const Check& problem);
    void lose(WGPUDeviceLostReason reason, const std::string& message);
    // Loss on the program's own wish also ends all mappings (rules G-10).
    void destroy();

    // Takes device memory; false when the script's cap is reached.
    bool take_memory(std::uint64_t bytes);
    void give_memory(std::uint64_t bytes) { world->ledger.remove_bytes(bytes); }

    Ref<Instance> instance;
    std::vector<WGPUFeatureName> features;
    WGPULimits limits;
    WGPUUncapturedErrorCallbackInfo uncaptured{};
    std::uint64_t lost_future = 0;
    WGPUDeviceLostReason lost_reason = WGPUDeviceLostReason_Unknown;
    std::string lost_message;
    bool lost = false;
    Scopes scopes;
    Timeline queue;
    Queue* queue_object = nullptr; // what GetQueue answers, while anybody holds it
    std::string queue_label;
    std::set<Buffer*> buffers;
};

struct Queue final : Object {
    explicit Queue(Device& owner);
    void clear() override;
    Device* device_of() override { return device.get(); }

    Ref<Device> device;
};

// Tells the lost callback of a device that could not be made.
void report_failed_creation(Instance& instance, const WGPUDeviceDescriptor* descriptor,
                            const Problem& problem);

} // namespace ferry_fake
