// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "commands/commands_state.hpp"
#include "ferry/upload_pool.hpp"

namespace ferry::detail {

/// The device's own upload slots, which keep the device.
[[nodiscard]] std::shared_ptr<UploadSlots> device_slots(const CommandsState& state);

/// Memory of these slots. Errors: as `UploadSlots::acquire`.
[[nodiscard]] Result<StagingHandle> acquire_memory(const CommandsState& state,
                                                   std::uint64_t size_bytes);

/// The engine's buffer of a slot that was filled. From here on the slot belongs to the commands.
[[nodiscard]] Result<WGPUBuffer> stage(CommandsState& state, StagingHandle& memory);

} // namespace ferry::detail
