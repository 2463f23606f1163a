// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "core/core.hpp"
#include "ferry/device.hpp"

namespace ferry::detail {

[[nodiscard]] Result<std::shared_ptr<Core>> open_device(const DeviceOptions& options);

/// Fills in what the engine says of the device: limits and features.
void read_abilities(Core& core);

/// Moves bytes through a buffer and through a texture with padded rows, there and back, and
/// compares. Errors: `engine` when a byte is wrong or nothing comes back.
[[nodiscard]] Result<> run_canary(Core& core);

} // namespace ferry::detail
