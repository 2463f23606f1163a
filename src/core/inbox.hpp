// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/table.hpp"
#include "ferry/error.hpp"

namespace ferry::detail {

/// What an engine reports on its own about a device: loss, and errors outside of any scope. Engines
/// may call on any thread, so this is the one place with a lock.
class Inbox {
public:
    void report_loss(std::string_view reason);
    void report_error(WGPUErrorType type, std::string_view message);

    [[nodiscard]] std::optional<std::string> loss() const;
    [[nodiscard]] std::vector<Error> take_errors();

    /// Sets both callbacks of `descriptor`. The inbox outlives the device.
    void listen(WGPUDeviceDescriptor& descriptor) noexcept;

private:
    mutable std::mutex mutex_;
    std::optional<std::string> loss_;
    std::vector<Error> errors_;
    std::size_t dropped_ = 0;
};

} // namespace ferry::detail
