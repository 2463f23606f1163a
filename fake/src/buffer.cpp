// SPDX-License-Identifier: MIT
#include "buffer.hpp"

#include <cstring>

#include "api.hpp"

namespace ferry_fake {

namespace {

constexpr WGPUBufferUsage known_usages = 0x3ff;

Check check_descriptor(const Device& device, const WGPUBufferDescriptor& descriptor) {
    const WGPUBufferUsage usage = descriptor.usage;
    const WGPUBufferUsage read = WGPUBufferUsage_MapRead;
    const WGPUBufferUsage write = WGPUBufferUsage_MapWrite;
    if (usage == 0) return invalid("A buffer's usage (0) has no bit (rules B-04).");
    if ((usage & ~known_usages) != 0)
        return invalid("Buffer usage (", usage, ") has unknown bits (rules B-04).");
    if ((usage & read) != 0 && (usage & ~(read | WGPUBufferUsage_CopyDst)) != 0)
        return invalid("Buffer usage (", usage,
                       ") combines MapRead with more than CopyDst (rules B-05).");
    if ((usage & write) != 0 && (usage & ~(write | WGPUBufferUsage_CopySrc)) != 0)
        return invalid("Buffer usage (", usage,
                       ") combines MapWrite with more than CopySrc (rules B-06).");
    if (descriptor.size > device.limits.maxBufferSize)
        return invalid("Buffer size (", descriptor.size, ") is above maxBufferSize (",
                       device.limits.maxBufferSize, ") (rules B-07).");
    if (descriptor.mappedAtCreation && descriptor.size % 4 != 0)
        return invalid("Buffer size (", descriptor.size,
                       ") is no multiple of 4 and mapped at creation (rules B-01).");
    return std::nullopt;
}

} // namespace

Buffer::Buffer(Device& owner, const WGPUBufferDescriptor& descriptor)
    : Object(*owner.world, Kind::buffer), device(&owner), usage(descriptor.usage),
      size(descriptor.size) {
    label = string_of(descriptor.label);
    owner.buffers.insert(this);
}

void Buffer::released_by_program() {
    // rules 1.3: the last release ends a pending map.
    if (pending) unmap();
}

void Buffer::clear() {
    mapping.reset();
    memory.free();
    device->buffers.erase(this);
    device = {};
}

std::string Buffer::name() const { return label.empty() ? "buffer" : text("buffer (", label, ")"); }

Check Buffer::check_available() const {
    if (!valid) return invalid("The ", name(), " is invalid.");
    if (destroyed) return invalid("The ", name(), " is destroyed (rules S-02).");
    if (unavailable)
        return invalid("The ", name(), " is ", pending ? "pending a map" : "mapped",
                       " (rules S-02).");
    return std::nullopt;
}

Check Buffer::check_usage(WGPUBufferUsage needed, const char* called) const {
    if ((usage & needed) != 0) return std::nullopt;
    return invalid("The ", name(), " has usage (", usage, ") and lacks ", called, ".");
}

namespace api {

WGPUBuffer DeviceCreateBuffer(WGPUDevice handle, const WGPUBufferDescriptor* descriptor) {
    Device& device = *trusted(handle);
    const auto buffer = make<Buffer>(device, *descriptor);
    if (descriptor->mappedAtCreation) {
        // rules B-12: null only when the mapping has no memory. A mapping larger than any host has
        // none.
        buffer->mapping = Mapping::create(WGPUMapMode_Write, 0, descriptor->size);
        if (!buffer->mapping) return nullptr;
        buffer->unavailable = true;
    }
    Check problem = device.world->scripted_problem();
    if (!problem) problem = check_descriptor(device, *descriptor);
    if (!problem && !device.lost && !buffer->memory.allocate(device, descriptor->size))
        problem = Problem{
            WGPUErrorType_OutOfMemory,
            text("Buffer size (", descriptor->size, ") does not fit into memory (rules B-08)."),
            false};
    buffer->valid = device.accept(problem) && !device.lost;
    return give<WGPUBuffer>(buffer);
}

uint64_t BufferGetSize(WGPUBuffer handle) { return trusted(handle)->size; }

WGPUBufferUsage BufferGetUsage(WGPUBuffer handle) { return trusted(handle)->usage; }

WGPUBufferMapState BufferGetMapState(WGPUBuffer handle) {
    const Buffer& buffer = *trusted(handle);
    if (buffer.mapping) return WGPUBufferMapState_Mapped;
    return buffer.pending ? WGPUBufferMapState_Pending : WGPUBufferMapState_Unmapped;
}

void BufferDestroy(WGPUBuffer handle) { trusted(handle)->destroy(); }

void BufferUnmap(WGPUBuffer handle) { trusted(handle)->unmap(); }

} // namespace api
} // namespace ferry_fake
