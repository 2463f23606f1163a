// SPDX-License-Identifier: MIT
#include <algorithm>

#include "api.hpp"
#include "binding.hpp"

namespace ferry_fake {

namespace {

using LayoutEntry = WGPUBindGroupLayoutEntry;

Check check_buffer_range(const Device& device, const LayoutEntry& layout, const Buffer& buffer,
                         const BoundEntry& bound) {
    const bool uniform = layout.buffer.type == WGPUBufferBindingType_Uniform;
    std::uint64_t const max = uniform ? device.limits.maxUniformBufferBindingSize
                                      : device.limits.maxStorageBufferBindingSize;
    if (bound.offset % bound.offset_alignment != 0)
        return invalid("Binding (", bound.binding, ") has offset (", bound.offset,
                       "), no multiple of ", bound.offset_alignment, ".");
    if (bound.offset > buffer.size || bound.size > buffer.size - bound.offset || bound.size == 0)
        return invalid("Binding (", bound.binding, ") at offset (", bound.offset, ") of size (",
                       bound.size, ") is empty or outside of the ", buffer.name(), " (",
                       buffer.size, " bytes).");
    if (bound.size > max)
        return invalid("Binding (", bound.binding, ") of size (", bound.size, ") is above ", max,
                       ".");
    if (!uniform && bound.size % 4 != 0)
        return invalid("Storage binding (", bound.binding, ") has size (", bound.size,
                       "), no multiple of 4.");
    if (bound.size < layout.buffer.minBindingSize)
        return invalid("Binding (", bound.binding, ") of size (", bound.size,
                       ") is below minBindingSize (", layout.buffer.minBindingSize, ").");
    return std::nullopt;
}

Check bind_buffer(Device& device, const LayoutEntry& layout, const WGPUBindGroupEntry& entry,
                  BindGroup& group) {
    Check problem;
    if (!entry.buffer) return invalid("Binding (", entry.binding, ") needs a buffer.");
    Buffer* const buffer = device_argument(device, entry.buffer, "bound buffer", problem);
    if (!buffer) return problem;
    const bool uniform = layout.buffer.type == WGPUBufferBindingType_Uniform;
    BoundEntry bound{
        .binding = entry.binding, .buffer = Ref<Buffer>(buffer), .offset = entry.offset};
    std::uint64_t const rest = entry.offset > buffer->size ? 0 : buffer->size - entry.offset;
    bound.size = entry.size == WGPU_WHOLE_SIZE ? rest : entry.size;
    bound.writable = layout.buffer.type == WGPUBufferBindingType_Storage;
    bound.dynamic = layout.buffer.hasDynamicOffset != 0;
    bound.offset_alignment = uniform ? device.limits.minUniformBufferOffsetAlignment
                                     : device.limits.minStorageBufferOffsetAlignment;
    problem = buffer->check_usage(uniform ? WGPUBufferUsage_Uniform : WGPUBufferUsage_Storage,
                                  uniform ? "Uniform" : "Storage");
    if (!problem) problem = check_buffer_range(device, layout, *buffer, bound);
    if (problem) return problem;
    group.uses.add(*buffer);
    group.entries.push_back(std::move(bound));
    return std::nullopt;
}

Check bind_texture(Device& device, const LayoutEntry& layout, const WGPUBindGroupEntry& entry,
                   BindGroup& group) {
    Check problem;
    if (!entry.textureView) return invalid("Binding (", entry.binding, ") needs a texture view.");
    TextureView* const view =
        device_argument(device, entry.textureView, "bound texture view", problem);
    if (!view) return problem;
    const bool storage = layout.storageTexture.access != WGPUStorageTextureAccess_BindingNotUsed;
    const WGPUTextureUsage needed =
        storage ? WGPUTextureUsage_StorageBinding : WGPUTextureUsage_TextureBinding;
    if ((view->usage & needed) == 0)
        return invalid("Binding (", entry.binding, ") is a texture view of usage (", view->usage,
                       ") and lacks (", needed, ").");
    if (storage && view->mip_count != 1) return invalid("A storage texture view has one level.");
    group.uses.add(*view->texture);
    group.entries.push_back(
        {.binding = entry.binding,
         .view = Ref<TextureView>(view),
         .writable = storage && layout.storageTexture.access != WGPUStorageTextureAccess_ReadOnly});
    return std::nullopt;
}

Check bind(Device& device, const BindGroupLayout& layout, const WGPUBindGroupEntry& entry,
           BindGroup& group) {
    const LayoutEntry* const wanted = layout.find(entry.binding);
    if (!wanted) return invalid("Binding (", entry.binding, ") is not in the layout.");
    if (wanted->buffer.type != WGPUBufferBindingType_BindingNotUsed)
        return bind_buffer(device, *wanted, entry, group);
    if (wanted->sampler.type == WGPUSamplerBindingType_BindingNotUsed)
        return bind_texture(device, *wanted, entry, group);
    Check problem;
    if (!entry.sampler) return invalid("Binding (", entry.binding, ") needs a sampler.");
    device_argument(device, entry.sampler, "bound sampler", problem);
    return problem;
}

Check fill(Device& device, const WGPUBindGroupDescriptor& descriptor, BindGroup& group) {
    Check problem;
    BindGroupLayout* const layout =
        device_argument(device, descriptor.layout, "bind group's layout", problem);
    if (!layout) return problem;
    group.layout = Ref<BindGroupLayout>(layout);
    if (descriptor.entryCount != layout->entries.size())
        return invalid("Bind group entries (", descriptor.entryCount,
                       ") are not as many as the layout's (", layout->entries.size(), ").");
    std::set<std::uint32_t> seen;
    for (std::size_t i = 0; i < descriptor.entryCount; ++i) {
        if (!seen.insert(descriptor.entries[i].binding).second)
            return invalid("Binding (", descriptor.entries[i].binding, ") is given twice.");
        if ((problem = bind(device, *layout, descriptor.entries[i], group))) return problem;
    }
    std::ranges::sort(group.entries, {}, &BoundEntry::binding);
    return std::nullopt;
}

} // namespace

void BindGroup::clear() {
    layout = {};
    entries.clear();
    uses = {};
    Plain::clear();
}

namespace api {

WGPUBindGroup DeviceCreateBindGroup(WGPUDevice handle, const WGPUBindGroupDescriptor* descriptor) {
    Device& device = *trusted(handle);
    const auto group = make<BindGroup>(device);
    group->label = string_of(descriptor->label);
    Check problem = device.world->scripted_problem();
    if (!problem) problem = fill(device, *descriptor, *group);
    group->valid = device.accept(problem);
    return give<WGPUBindGroup>(group);
}

} // namespace api
} // namespace ferry_fake
