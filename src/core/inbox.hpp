// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "engine/table.hpp"
#include "ferry/error.hpp"

namespace ferry::detail {

/// What an engine reports on its own about a device: loss, and errors outside of any scope. Engines
/// may call on any thread, so this is the one place with a lock.
class Inbox {
public:
    void report_loss(std::string_view reason) noexcept;
    void report_error(WGPUErrorType type, std::string_view message) noexcept;

    [[nodiscard]] bool lost() const noexcept { return lost_.load(std::memory_order_acquire); }
    [[nodiscard]] const std::atomic<bool>& lost_flag() const noexcept { return lost_; }
    [[nodiscard]] std::string loss_reason() const;
    [[nodiscard]] std::vector<Error> take_errors();
    /// How many errors came so far; to see whether a call caused one.
    [[nodiscard]] std::uint64_t error_count() const noexcept {
        return error_count_.load(std::memory_order_acquire);
    }
    /// Takes the newest error out of the list.
    [[nodiscard]] Error take_newest();

    /// Sets both callbacks of `descriptor`. The inbox outlives the device.
    void listen(WGPUDeviceDescriptor& descriptor) noexcept;

private:
    mutable std::mutex mutex_;
    std::atomic<bool> lost_ = false;
    std::atomic<std::uint64_t> error_count_ = 0;
    std::string reason_;
    std::vector<Error> errors_;
    std::size_t dropped_ = 0;
};

} // namespace ferry::detail
