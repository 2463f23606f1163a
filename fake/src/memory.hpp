// SPDX-License-Identifier: MIT
// Zeroed device memory, counted against the script's cap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "device.hpp"
#include "mapping.hpp"

namespace ferry_fake {

class Memory {
public:
    // False when the cap is reached or the host has no memory.
    bool allocate(Device& device, std::uint64_t size) {
        if (size > max_host_block || !device.take_memory(size)) return false;
        // Fresh pages of calloc are not touched until they are used, so a large buffer costs
        // nothing.
        bytes_.reset(
            static_cast<std::byte*>(std::calloc(size > 0 ? static_cast<std::size_t>(size) : 1, 1)));
        if (!bytes_) {
            device.give_memory(size);
            return false;
        }
        device_ = &device;
        size_ = size;
        return true;
    }

    void free() {
        if (bytes_) device_->give_memory(size_);
        bytes_.reset();
        size_ = 0;
    }

    std::byte* data() const { return bytes_.get(); }
    std::uint64_t size() const { return size_; }
    explicit operator bool() const { return bytes_ != nullptr; }

private:
    struct Free {
        void operator()(std::byte* block) const { std::free(block); }
    };
    std::unique_ptr<std::byte, Free> bytes_;
    std::uint64_t size_ = 0;
    Device* device_ = nullptr; // the object that owns this memory holds it
};

} // namespace ferry_fake
