// SPDX-License-Identifier: MIT
// Buffers: storage, the two state machines of rules 1.2, and mapping.
#pragma once

#include <optional>
#include <string>

#include "device.hpp"
#include "mapping.hpp"
#include "memory.hpp"

namespace ferry_fake {

struct Buffer final : Object {
    Buffer(Device& owner, const WGPUBufferDescriptor& descriptor);

    void released_by_program() override;
    void clear() override;
    Device* device_of() override { return device.get(); }

    // "buffer (label)" for messages.
    std::string name() const;
    // Usable on the queue: neither pending nor mapped nor destroyed.
    Check check_available() const;
    Check check_usage(WGPUBufferUsage needed, const char* called) const;

    void unmap();
    void destroy();
    void device_lost();
    // The pending map ends with this status; `what` is its message.
    void end_map(WGPUMapAsyncStatus status, const std::string& what);
    // The pending map's callback is about to run with success: makes the mapping. False without
    // host memory.
    bool open_mapping();

    Ref<Device> device;
    WGPUBufferUsage usage;
    std::uint64_t size;
    Memory memory;
    bool valid = true;
    bool destroyed = false;
    bool unavailable = false; // from a validated map until unmap: the device-side state
    std::uint64_t busy_until = 0;

    std::optional<Mapping> mapping;
    struct Request {
        std::uint64_t future = 0;
        WGPUMapMode mode = WGPUMapMode_None;
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
        bool survives_loss = false; // scripted: success after loss
    };
    std::optional<Request> pending;

    // How the pending map of each future ended, until its callback has run.
    struct Ending {
        WGPUMapAsyncStatus status = WGPUMapAsyncStatus_Success;
        std::string what;
    };
    std::shared_ptr<Ending> ending;
};

} // namespace ferry_fake
