// SPDX-License-Identifier: MIT
#include "ferry/interop.hpp"

#include <algorithm>

#include "base/align.hpp"
#include "base/error.hpp"
#include "commands/commands_state.hpp"
#include "device/open.hpp"
#include "engine/adapters.hpp"
#include "resource/texture_state.hpp"

namespace ferry::interop {

using base::fail;
using base::text;
using detail::empty_handle;
using detail::Owner;

namespace {

std::unexpected<Error> null_handle(std::string_view which) {
    return fail(Errc::invalid_argument, {}, text("The raw ", which, " handle is null."),
                "Give a handle that your engine made.");
}

void describe(detail::Core& core, std::string_view label) {
    core.label = label.empty() ? std::string("adopted device") : std::string(label);
    core.adapter.name = "adopted";
    detail::read_abilities(core);
    core.adapter.limits = core.limits;
    WGPULimits most = WGPU_LIMITS_INIT;
    if (core.handles().adapter != nullptr &&
        core.gpu().AdapterGetLimits(core.handles().adapter, &most) == WGPUStatus_Success) {
        core.adapter.limits = detail::from_engine(most);
    }
}

} // namespace

Result<Device> adopt(const Engine& engine, const RawDevice& handles, std::string_view label) {
    if (!engine) return std::unexpected(empty_handle("engine", {}));
    if (handles.instance == nullptr) return null_handle("instance");
    if (handles.device == nullptr) return null_handle("device");
    if (handles.queue == nullptr) return null_handle("queue");
    const detail::EngineTable& gpu = *engine.table();
    gpu.InstanceAddRef(handles.instance);
    if (handles.adapter != nullptr) gpu.AdapterAddRef(handles.adapter);
    gpu.DeviceAddRef(handles.device);
    gpu.QueueAddRef(handles.queue);
    auto instance = std::make_shared<detail::Instance>(engine, handles.instance, Owner::user);
    auto core = std::make_shared<detail::Core>(
        std::move(instance), detail::Core::Handles{handles.adapter, handles.device, handles.queue},
        Owner::user, std::make_shared<detail::Inbox>());
    describe(*core, label);
    core->staging().set_budget(DeviceOptions{}.staging_budget_bytes);
    return Device(std::move(core));
}

void notify_lost(const Device& device, std::string_view reason) noexcept {
    if (device) device.core()->inbox().report_loss(reason);
}

RawDevice raw(const Device& device) noexcept {
    if (!device) return {};
    detail::Core& core = *device.core();
    core.expose();
    return {core.instance().handle(), core.handles().adapter, core.device(), core.queue()};
}

Result<Buffer> adopt(const Device& device, WGPUBufferImpl* buffer, std::string_view label) {
    if (!device) return std::unexpected(empty_handle("device", {}));
    if (buffer == nullptr) return null_handle("buffer");
    const detail::EngineTable& gpu = device.core()->gpu();
    if (auto known = device.core()->find(buffer))
        return Buffer(std::static_pointer_cast<detail::BufferState>(std::move(known)));
    gpu.BufferAddRef(buffer);
    auto state = std::make_shared<detail::BufferState>(device.core(), buffer);
    state->size_bytes = gpu.BufferGetSize(buffer);
    state->allocated_bytes = state->size_bytes;
    state->usage = BufferUsage{static_cast<std::uint64_t>(gpu.BufferGetUsage(buffer))};
    state->label = label.empty() ? std::string("adopted buffer") : std::string(label);
    device.core()->remember(buffer, state);
    return Buffer(std::move(state));
}

WGPUBufferImpl* raw(const Buffer& buffer) noexcept {
    if (!buffer) return nullptr;
    buffer.state()->core->remember(buffer.state()->handle, buffer.state());
    return buffer.state()->handle;
}

Result<Texture> adopt(const Device& device, WGPUTextureImpl* texture, std::string_view label) {
    if (!device) return std::unexpected(empty_handle("device", {}));
    if (texture == nullptr) return null_handle("texture");
    const detail::EngineTable& gpu = device.core()->gpu();
    if (auto known = device.core()->find(texture))
        return Texture(std::static_pointer_cast<detail::TextureState>(std::move(known)));
    gpu.TextureAddRef(texture);
    auto state = std::make_shared<detail::TextureState>(device.core(), texture);
    state->label = label.empty() ? std::string("adopted texture") : std::string(label);
    state->options = {
        .format = Format{static_cast<std::uint32_t>(gpu.TextureGetFormat(texture))},
        .size = {gpu.TextureGetWidth(texture), gpu.TextureGetHeight(texture),
                 gpu.TextureGetDepthOrArrayLayers(texture)},
        .usage = TextureUsage{static_cast<std::uint64_t>(gpu.TextureGetUsage(texture))},
        .dimension = TextureDimension{static_cast<std::uint32_t>(gpu.TextureGetDimension(texture))},
        .mip_levels = gpu.TextureGetMipLevelCount(texture),
        .sample_count = gpu.TextureGetSampleCount(texture),
        .label = state->label};
    device.core()->remember(texture, state);
    return Texture(std::move(state));
}

WGPUTextureImpl* raw(const Texture& texture) noexcept {
    if (!texture) return nullptr;
    texture.state()->core->remember(texture.state()->handle, texture.state());
    return texture.state()->handle;
}

Result<Commands> record_into(const Device& device, WGPUCommandEncoderImpl* encoder,
                             std::string_view label) {
    if (!device) return std::unexpected(empty_handle("device", {}));
    if (encoder == nullptr) return null_handle("encoder");
    device.core()->gpu().CommandEncoderAddRef(encoder);
    return Commands(detail::CommandsState::begin(device.core(), encoder, Owner::user,
                                                 label.empty() ? "adopted encoder" : label));
}

Result<Submission> submit(Device& device, std::span<WGPUCommandBufferImpl* const> command_buffers,
                          Commands&& commands) {
    if (!device) return std::unexpected(empty_handle("device", {}));
    if (!commands) return std::unexpected(empty_handle("commands", {}));
    if (command_buffers.empty() ||
        std::ranges::find(command_buffers, nullptr) != command_buffers.end()) {
        return null_handle("command buffer");
    }
    for (auto it = command_buffers.begin(); it != command_buffers.end(); ++it) {
        if (std::find(std::next(it), command_buffers.end(), *it) == command_buffers.end()) continue;
        return fail(Errc::invalid_argument, "S-04", "A command buffer is given twice.",
                    "Give each command buffer once; a submit uses it up.");
    }
    return detail::submit_users(device.core(), command_buffers, commands.release(), Owner::ferry);
}

Result<Submission> submitted(Device& device, Commands&& commands) {
    if (!device) return std::unexpected(empty_handle("device", {}));
    if (!commands) return std::unexpected(empty_handle("commands", {}));
    return detail::submit_users(device.core(), {}, commands.release(), Owner::user);
}

} // namespace ferry::interop
