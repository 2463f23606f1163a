// SPDX-License-Identifier: MIT
// The map state machine of buffers (rules 1.2 to 1.6).
#include <cstring>

#include "api.hpp"
#include "buffer.hpp"

namespace ferry_fake {

void Buffer::end_map(WGPUMapAsyncStatus status, const std::string& what) {
    ending->status = status;
    ending->what = what;
    device->instance->make_due(pending->future);
    pending.reset();
    ending.reset();
    unavailable = false;
}

bool Buffer::open_mapping() {
    mapping = Mapping::create(pending->mode, pending->offset, pending->size);
    pending.reset();
    ending.reset();
    if (!mapping) {
        unavailable = false;
        return false;
    }
    if (memory) std::memcpy(mapping->data(), memory.data() + mapping->offset(), mapping->size());
    return true;
}

void Buffer::unmap() {
    if (pending)
        end_map(WGPUMapAsyncStatus_Aborted,
                "The buffer was unmapped or destroyed before the map was done.");
    if (!mapping) return;
    if (memory && !device->lost) {
        std::byte* const bytes = memory.data() + mapping->offset();
        // The buffer was kept from the queue since the map, so writing now is writing in queue
        // order (rules C-03).
        if (mapping->mode() == WGPUMapMode_Write)
            std::memcpy(bytes, mapping->data(), mapping->size());
        else if (std::memcmp(bytes, mapping->data(), mapping->size()) != 0)
            world->misuse("The program wrote through a read mapping of the ", name(),
                          " (rules C-01)");
    }
    mapping.reset();
    unavailable = false;
}

void Buffer::destroy() {
    unmap();
    if (destroyed) return;
    destroyed = true;
    // Work that was submitted before still runs (rules U-02): memory goes in queue order.
    if (device->lost)
        memory.free();
    else
        device->queue.add(world->now, 0, [self = Ref<Buffer>(this)] { self->memory.free(); });
}

void Buffer::device_lost() {
    if (!pending) return;
    if (pending->survives_loss) {
        device->instance->make_due(pending->future);
        return;
    }
    end_map(WGPUMapAsyncStatus_Aborted, "The device was lost before the map was done.");
}

namespace {

std::uint64_t whole_size(const Buffer& buffer, size_t offset, size_t size) {
    if (size != WGPU_WHOLE_MAP_SIZE) return size;
    return offset > buffer.size ? 0 : buffer.size - offset;
}

// rules M-03 to M-09, in that order.
Check check_map(const Buffer& buffer, WGPUMapMode mode, std::uint64_t offset, std::uint64_t size) {
    std::string const what = text("Mapping the ", buffer.name(), " ");
    if (!buffer.valid) return invalid(what, "needs a valid buffer (rules M-03).");
    if (buffer.destroyed)
        return invalid(what, "needs a buffer that is not destroyed (rules M-04).");
    if (offset % 8 != 0)
        return invalid(what, "has offset (", offset, "), no multiple of 8 (rules M-05).");
    if (size % 4 != 0)
        return invalid(what, "has size (", size, "), no multiple of 4 (rules M-06).");
    if (offset > buffer.size || size > buffer.size - offset)
        return invalid(what, "has offset (", offset, ") and size (", size,
                       ") outside of the buffer (", buffer.size, " bytes) (rules M-07).");
    if (mode != WGPUMapMode_Read && mode != WGPUMapMode_Write)
        return invalid(what, "has mode (", mode, "), neither Read nor Write (rules M-08).");
    const bool reads = mode == WGPUMapMode_Read;
    return buffer.check_usage(reads ? WGPUBufferUsage_MapRead : WGPUBufferUsage_MapWrite,
                              reads ? "MapRead (rules M-09)" : "MapWrite (rules M-09)");
}

using Ending = Buffer::Ending;

// The event of one map call. A map that is still pending when it is told succeeds, or ends as
// `ending` says.
WGPUFuture add_map_event(const Ref<Buffer>& buffer, const WGPUBufferMapCallbackInfo& info,
                         std::uint64_t due, const std::shared_ptr<Ending>& ending) {
    auto event = std::make_unique<Event>();
    event->kind = EventKind::map;
    event->mode = info.mode;
    event->device = buffer->device.get();
    event->due = due;
    event->tell = [buffer, info, ending](bool cancelled) {
        bool const mine = buffer->ending == ending;
        if (cancelled && mine)
            buffer->end_map(WGPUMapAsyncStatus_CallbackCancelled, "The instance was released.");
        else if (cancelled)
            *ending = {WGPUMapAsyncStatus_CallbackCancelled, "The instance was released."};
        else if (mine && ending->status != WGPUMapAsyncStatus_Success)
            buffer->end_map(ending->status, ending->what);
        else if (mine && !buffer->open_mapping())
            *ending = {WGPUMapAsyncStatus_Error, "The host has no memory."};
        info.callback(ending->status, view_of(ending->what), info.userdata1, info.userdata2);
    };
    return buffer->device->instance->add(std::move(event));
}

WGPUMapAsyncStatus scripted_status(const World& world) {
    const bool aborts = world.fault() && world.fault()->action == FERRY_FAKE_ABORT;
    return aborts ? WGPUMapAsyncStatus_Aborted : WGPUMapAsyncStatus_Success;
}

} // namespace

namespace api {

WGPUFuture BufferMapAsync(WGPUBuffer handle, WGPUMapMode mode, size_t offset, size_t size,
                          WGPUBufferMapCallbackInfo info) {
    const Ref<Buffer> buffer(trusted(handle));
    World& world = *buffer->world;
    Device& device = *buffer->device;
    if (!usable(world, info.mode, info.callback != nullptr)) return {0};
    const auto ending = std::make_shared<Ending>();
    if (buffer->pending || buffer->mapping) {
        // rules M-01: the old request is untouched.
        const Problem refusal =
            invalid("The ", buffer->name(), " is pending or mapped already (rules M-01).");
        *ending = {WGPUMapAsyncStatus_Error, refusal.what};
        device.raise(refusal);
        return add_map_event(buffer, info, world.now, ending);
    }
    std::uint64_t const bytes = whole_size(*buffer, offset, size);
    Check problem = world.scripted_problem();
    std::uint64_t due = later(std::max(world.now, buffer->busy_until), world.script.map_latency);
    if (device.lost)
        *ending = {WGPUMapAsyncStatus_Aborted, "The device is lost."};
    else {
        if (!problem) problem = check_map(*buffer, mode, offset, bytes);
        if (problem)
            *ending = {WGPUMapAsyncStatus_Error, problem->what};
        else
            *ending = {scripted_status(world), "The test's script aborts this map."};
        if (ending->status == WGPUMapAsyncStatus_Success) ending->what.clear();
        buffer->unavailable = !problem;
    }
    if (ending->status == WGPUMapAsyncStatus_Error || device.lost) due = world.now;
    const bool survives = world.fault() && world.fault()->action == FERRY_FAKE_SUCCESS_AFTER_LOSS;
    // Pending is visible at once, also when the validation is going to fail (rules 1.2).
    buffer->pending = Buffer::Request{0, mode, offset, bytes, survives};
    buffer->ending = ending;
    const WGPUFuture future = add_map_event(buffer, info, due, ending);
    if (buffer->pending && buffer->ending == ending) buffer->pending->future = future.id;
    device.accept(problem);
    return future;
}

const void* BufferGetConstMappedRange(WGPUBuffer handle, size_t offset, size_t size) {
    Buffer& buffer = *trusted(handle);
    if (!buffer.mapping || buffer.world->scripted_problem()) return nullptr;
    return buffer.mapping->range(offset, whole_size(buffer, offset, size), false);
}

void* BufferGetMappedRange(WGPUBuffer handle, size_t offset, size_t size) {
    Buffer& buffer = *trusted(handle);
    if (!buffer.mapping || buffer.world->scripted_problem()) return nullptr;
    // A read mapping has no mutable ranges (rules 1.4).
    if (buffer.mapping->mode() != WGPUMapMode_Write) return nullptr;
    return buffer.mapping->range(offset, whole_size(buffer, offset, size), true);
}

WGPUStatus BufferReadMappedRange(WGPUBuffer handle, size_t offset, void* data, size_t size) {
    Buffer& buffer = *trusted(handle);
    if (!buffer.mapping || buffer.world->scripted_problem()) return WGPUStatus_Error;
    const std::byte* const place = buffer.mapping->place(offset, size);
    if (!place) return WGPUStatus_Error;
    if (size > 0) std::memcpy(data, place, size);
    return WGPUStatus_Success;
}

WGPUStatus BufferWriteMappedRange(WGPUBuffer handle, size_t offset, const void* data, size_t size) {
    Buffer& buffer = *trusted(handle);
    if (!buffer.mapping || buffer.world->scripted_problem()) return WGPUStatus_Error;
    if (buffer.mapping->mode() != WGPUMapMode_Write) return WGPUStatus_Error;
    std::byte* const place = buffer.mapping->place(offset, size);
    if (!place) return WGPUStatus_Error;
    if (size > 0) std::memcpy(place, data, size);
    return WGPUStatus_Success;
}

} // namespace api
} // namespace ferry_fake
