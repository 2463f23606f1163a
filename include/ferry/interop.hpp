// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ferry/buffer.hpp"
#include "ferry/commands.hpp"
#include "ferry/device.hpp"
#include "ferry/texture.hpp"

// webgpu.h's handle types, declared as it declares them.
struct WGPUInstanceImpl;
struct WGPUAdapterImpl;
struct WGPUDeviceImpl;
struct WGPUQueueImpl;
struct WGPUBufferImpl;
struct WGPUTextureImpl;
struct WGPUCommandEncoderImpl;
struct WGPUCommandBufferImpl;

/// Raw handles: bring what you have already, and take out what ferry made.
namespace ferry::interop {

/// Handles of a device that your program made. The adapter may be null.
struct RawDevice {
    WGPUInstanceImpl* instance = nullptr;
    WGPUAdapterImpl* adapter = nullptr;
    WGPUDeviceImpl* device = nullptr;
    WGPUQueueImpl* queue = nullptr;
};

/// A ferry device over handles of yours. Adds a reference to each and runs no canary. Your
/// callbacks stay as they are: call `notify_lost` from yours, or ferry finds out by asking before
/// each submit and each delivery. Errors: `invalid_argument` for a null instance, device or queue.
[[nodiscard]] FERRY_API Result<Device> adopt(const Engine& engine, const RawDevice& handles,
                                             std::string_view label = {});

/// The address of any `webgpu.h` function of an engine that ferry loaded, for passes of your own:
/// `function(engine, "wgpuCommandEncoderBeginRenderPass")`. Null where the engine has none, and for
/// an engine that the program links, whose functions it calls by name.
[[nodiscard]] FERRY_API void* function(const Engine& engine, const char* name) noexcept;

/// Tells ferry that a device is lost. May be called on any thread, also from the engine's own
/// callback.
FERRY_API void notify_lost(const Device& device, std::string_view reason) noexcept;

/// The engine's handles, borrowed: valid while `device` lives. A reference that you add is to be
/// released before the last object of the device is dropped.
[[nodiscard]] FERRY_API RawDevice raw(const Device& device) noexcept;

/// A ferry buffer over a buffer of yours, unmapped, of the same device; adds a reference. Size and
/// usage are the engine's. A buffer that ferry knows already comes back as another handle to the
/// same one. Map and write it through ferry only, from here on. Errors:
/// `invalid_argument` for a null handle.
[[nodiscard]] FERRY_API Result<Buffer> adopt(const Device& device, WGPUBufferImpl* buffer,
                                             std::string_view label = {});

/// The engine's buffer, borrowed. Destroy it through ferry only.
[[nodiscard]] FERRY_API WGPUBufferImpl* raw(const Buffer& buffer) noexcept;

/// A ferry texture over a texture of yours, of the same device; adds a reference. Its options are
/// asked of the engine. Errors: `invalid_argument` for a null handle.
[[nodiscard]] FERRY_API Result<Texture> adopt(const Device& device, WGPUTextureImpl* texture,
                                              std::string_view label = {});

/// The engine's texture, borrowed. Destroy it through ferry only.
[[nodiscard]] FERRY_API WGPUTextureImpl* raw(const Texture& texture) noexcept;

/// Records into an encoder of yours, which you finish and send with `submit` or announce with
/// `submitted`.
[[nodiscard]] FERRY_API Result<Commands> record_into(const Device& device,
                                                     WGPUCommandEncoderImpl* encoder,
                                                     std::string_view label = {});

/// Sends your command buffers, the one of `commands`' encoder among them; instead of
/// wgpuQueueSubmit. They must come from encoders that finished without an error.
[[nodiscard]] FERRY_API Result<Submission> submit(
    Device& device, std::span<WGPUCommandBufferImpl* const> command_buffers, Commands&& commands);

/// Says that you have sent the command buffer of `commands`' encoder already. A stamp that travels
/// with each read tells whether that is so: when it did not arrive the ticket ends as
/// `not_submitted`, never with old bytes.
[[nodiscard]] FERRY_API Result<Submission> submitted(Device& device, Commands&& commands);

} // namespace ferry::interop
