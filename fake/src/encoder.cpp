// SPDX-License-Identifier: MIT
#include "encoder.hpp"

#include <utility>

#include "api.hpp"

namespace ferry_fake {

void Uses::add(const Uses& other) {
    buffers.insert(buffers.end(), other.buffers.begin(), other.buffers.end());
    textures.insert(textures.end(), other.textures.begin(), other.textures.end());
}

CommandBuffer::CommandBuffer(Device& owner)
    : Object(*owner.world, Kind::command_buffer), device(&owner) {}

void CommandBuffer::clear() {
    commands.clear();
    uses = {};
    device = {};
}

CommandEncoder::CommandEncoder(Device& owner)
    : Object(*owner.world, Kind::command_encoder), device(&owner) {}

void CommandEncoder::clear() {
    commands.clear();
    uses = {};
    device = {};
}

bool CommandEncoder::open_for(const char* what) {
    const Ref<Device> keep = device;
    if (Check scripted = world->scripted_problem()) fail(*scripted);
    if (finished) {
        device->raise(invalid(what, " on a command encoder that is finished (rules K-08)."));
        return false;
    }
    if (in_pass) {
        fail(invalid(what, " on a command encoder while a pass is open."));
        return false;
    }
    return true;
}

void CommandEncoder::fail(const Problem& found) {
    if (!problem) problem = found;
}

namespace api {

WGPUCommandEncoder DeviceCreateCommandEncoder(WGPUDevice handle,
                                              const WGPUCommandEncoderDescriptor* descriptor) {
    Device& device = *trusted(handle);
    const auto encoder = make<CommandEncoder>(device);
    if (descriptor) encoder->label = string_of(descriptor->label);
    if (Check scripted = device.world->scripted_problem()) {
        device.raise(*scripted);
        encoder->fail(*scripted);
    }
    return give<WGPUCommandEncoder>(encoder);
}

WGPUCommandBuffer CommandEncoderFinish(WGPUCommandEncoder handle,
                                       const WGPUCommandBufferDescriptor* descriptor) {
    const Ref<CommandEncoder> encoder(trusted(handle));
    Device& device = *encoder->device;
    const auto commands = make<CommandBuffer>(device);
    if (descriptor) commands->label = string_of(descriptor->label);
    Check problem = device.world->scripted_problem();
    if (encoder->finished)
        problem = invalid("Finish on a command encoder that is finished.");
    else if (!problem && encoder->problem)
        problem = encoder->problem;
    else if (!problem && encoder->in_pass)
        problem = invalid("Finish on a command encoder with an open pass.");
    else if (!problem && encoder->debug_groups != 0)
        problem = invalid("Finish with an open debug group.");
    encoder->finished = true;
    commands->commands = std::exchange(encoder->commands, {});
    commands->uses = std::exchange(encoder->uses, {});
    commands->valid = device.accept(problem);
    return give<WGPUCommandBuffer>(commands);
}

void CommandEncoderInsertDebugMarker(WGPUCommandEncoder handle, WGPUStringView) {
    trusted(handle)->open_for("InsertDebugMarker");
}

void CommandEncoderPushDebugGroup(WGPUCommandEncoder handle, WGPUStringView) {
    CommandEncoder& encoder = *trusted(handle);
    if (encoder.open_for("PushDebugGroup")) ++encoder.debug_groups;
}

void CommandEncoderPopDebugGroup(WGPUCommandEncoder handle) {
    CommandEncoder& encoder = *trusted(handle);
    if (!encoder.open_for("PopDebugGroup")) return;
    if (encoder.debug_groups == 0)
        encoder.fail(invalid("PopDebugGroup without a group."));
    else
        --encoder.debug_groups;
}

} // namespace api
} // namespace ferry_fake
