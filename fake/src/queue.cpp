// SPDX-License-Identifier: MIT
// The queue: writes, submits and work-done calls, in call order (rules section 4).
#include <algorithm>
#include <cstring>
#include <memory>
#include <set>

#include "api.hpp"
#include "encoder.hpp"

namespace ferry_fake {

namespace {

Check check_write(const Queue& queue, const Buffer& buffer, std::uint64_t offset,
                  std::uint64_t size) {
    if (!(buffer.device == queue.device))
        return invalid("The buffer belongs to another device (rules W-06).");
    if (Check problem = buffer.check_available()) return problem;
    if (Check problem = buffer.check_usage(WGPUBufferUsage_CopyDst, "CopyDst (rules W-08)"))
        return problem;
    if (offset % 4 != 0)
        return invalid("The write's offset (", offset, ") is no multiple of 4 (rules W-09).");
    if (size % 4 != 0)
        return invalid("The write's size (", size, ") is no multiple of 4 (rules W-04).");
    if (offset > buffer.size || size > buffer.size - offset)
        return invalid("The write at offset (", offset, ") of size (", size, ") is outside of the ",
                       buffer.name(), " (", buffer.size, " bytes) (rules W-09).");
    return std::nullopt;
}

Check check_command_buffer(const Queue& queue, const CommandBuffer& commands) {
    if (!(commands.device == queue.device))
        return invalid("A command buffer belongs to another device.");
    if (commands.submitted) return invalid("A command buffer was submitted before (rules S-04).");
    if (!commands.valid) return invalid("A command buffer is invalid (rules S-08).");
    for (const Ref<Buffer>& buffer : commands.uses.buffers)
        if (Check problem = buffer->check_available()) return problem;
    for (const Ref<Texture>& texture : commands.uses.textures)
        if (texture->destroyed)
            return invalid("The texture (", texture->label, ") is destroyed (rules T-08).");
    return std::nullopt;
}

// rules S-02 to S-04; `all` gets the command buffers that could be looked at.
Check check_submit(Queue& queue, size_t count, const WGPUCommandBuffer* handles,
                   std::vector<Ref<CommandBuffer>>& all) {
    Check problem = queue.world->scripted_problem();
    std::set<CommandBuffer*> seen;
    for (size_t i = 0; i < count; ++i) {
        CommandBuffer* const commands = argument(*queue.world, handles[i]);
        if (!commands) {
            problem = invalid("Command buffer (", i, ") is no usable handle.");
            continue;
        }
        all.emplace_back(commands);
        if (!seen.insert(commands).second)
            problem = invalid("A command buffer is given twice (rules S-04).");
        if (!problem) problem = check_command_buffer(queue, *commands);
    }
    return problem;
}

void run(const std::vector<Ref<CommandBuffer>>& all) {
    for (const Ref<CommandBuffer>& commands : all) {
        for (const Command& command : commands->commands) command();
        commands->commands.clear();
        commands->uses = {};
    }
}

} // namespace

namespace api {

void QueueSubmit(WGPUQueue handle, size_t count, const WGPUCommandBuffer* commands) {
    Queue& queue = *trusted(handle);
    const Ref<Device> device = queue.device;
    World& world = *queue.world;
    std::vector<Ref<CommandBuffer>> all;
    const Check problem = check_submit(queue, count, commands, all);
    // rules S-03 and S-04: good or bad, they are used up.
    for (const Ref<CommandBuffer>& buffer : all) buffer->submitted = true;
    if (!device->accept(problem) || device->lost) return;
    std::vector<Ref<Buffer>> used;
    for (const Ref<CommandBuffer>& buffer : all)
        used.insert(used.end(), buffer->uses.buffers.begin(), buffer->uses.buffers.end());
    std::uint64_t const done = device->queue.add(world.now, world.script.submission_time,
                                                 [all = std::move(all)] { run(all); });
    for (const Ref<Buffer>& buffer : used) buffer->busy_until = done;
}

void QueueWriteBuffer(WGPUQueue handle, WGPUBuffer target, uint64_t offset, const void* data,
                      size_t size) {
    Queue& queue = *trusted(handle);
    const Ref<Device> device = queue.device;
    Buffer* const buffer = argument(*queue.world, target);
    Check problem = queue.world->scripted_problem();
    if (!problem && !buffer) problem = invalid("The buffer to write is no usable handle.");
    if (!problem) problem = check_write(queue, *buffer, offset, size);
    if (!problem && size > 0 && !data) problem = invalid("The data to write is null.");
    if (!device->accept(problem) || device->lost || size == 0) return;
    // rules W-05: the bytes are taken before the call returns.
    const auto bytes = std::make_shared<std::vector<std::byte>>(size);
    std::memcpy(bytes->data(), data, size);
    buffer->busy_until =
        device->queue.add(queue.world->now, 0, [buffer = Ref<Buffer>(buffer), offset, bytes] {
            std::memcpy(buffer->memory.data() + offset, bytes->data(), bytes->size());
        });
}

WGPUFuture QueueOnSubmittedWorkDone(WGPUQueue handle, WGPUQueueWorkDoneCallbackInfo info) {
    Queue& queue = *trusted(handle);
    Device& device = *queue.device;
    World& world = *queue.world;
    if (!usable(world, info.mode, info.callback != nullptr)) return {0};
    const bool fails =
        world.scripted_problem() || (world.fault() && world.fault()->action == FERRY_FAKE_ABORT);
    auto event = std::make_unique<Event>();
    event->kind = EventKind::work_done;
    event->mode = info.mode;
    event->device = &device;
    event->due = device.lost ? world.now : std::max(world.now, device.queue.busy_until());
    event->tell = [info, fails](bool cancelled) {
        auto const tell = [&](WGPUQueueWorkDoneStatus status, char const* message) {
            info.callback(status, view_of(message), info.userdata1, info.userdata2);
        };
        if (cancelled)
            tell(WGPUQueueWorkDoneStatus_CallbackCancelled, "The instance was released.");
        else if (fails)
            tell(WGPUQueueWorkDoneStatus_Error, "The test's script fails this call.");
        else
            tell(WGPUQueueWorkDoneStatus_Success, "");
    };
    return device.instance->add(std::move(event));
}

} // namespace api
} // namespace ferry_fake
