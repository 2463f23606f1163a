// SPDX-License-Identifier: MIT
// Bind group layouts, pipeline layouts and samplers.
#include <algorithm>

#include "api.hpp"
#include "binding.hpp"

namespace ferry_fake {

namespace {

int kinds_in(const WGPUBindGroupLayoutEntry& entry) {
    return (entry.buffer.type != WGPUBufferBindingType_BindingNotUsed) +
           (entry.sampler.type != WGPUSamplerBindingType_BindingNotUsed) +
           (entry.texture.sampleType != WGPUTextureSampleType_BindingNotUsed) +
           (entry.storageTexture.access != WGPUStorageTextureAccess_BindingNotUsed);
}

void set_defaults(WGPUBindGroupLayoutEntry& entry) {
    if (entry.buffer.type == WGPUBufferBindingType_Undefined)
        entry.buffer.type = WGPUBufferBindingType_Uniform;
    entry.nextInChain = nullptr;
}

Check check_entries(const Device& device, const std::vector<WGPUBindGroupLayoutEntry>& entries) {
    std::uint32_t storage = 0;
    std::uint32_t uniform = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const WGPUBindGroupLayoutEntry& entry = entries[i];
        if (entry.binding >= device.limits.maxBindingsPerBindGroup)
            return invalid("Binding (", entry.binding, ") is not below maxBindingsPerBindGroup (",
                           device.limits.maxBindingsPerBindGroup, ").");
        if (i > 0 && entries[i - 1].binding == entry.binding)
            return invalid("Binding (", entry.binding, ") is twice.");
        if (kinds_in(entry) != 1)
            return invalid("Binding (", entry.binding, ") is not of exactly one kind.");
        if (entry.buffer.type == WGPUBufferBindingType_Storage &&
            (entry.visibility & WGPUShaderStage_Vertex) != 0)
            return invalid("Binding (", entry.binding,
                           ") is writable storage and visible to vertex shaders.");
        uniform += entry.buffer.type == WGPUBufferBindingType_Uniform;
        storage += entry.buffer.type >= WGPUBufferBindingType_Storage;
    }
    if (storage > device.limits.maxStorageBuffersPerShaderStage)
        return invalid("Storage buffers (", storage,
                       ") are above maxStorageBuffersPerShaderStage (",
                       device.limits.maxStorageBuffersPerShaderStage, ").");
    if (uniform > device.limits.maxUniformBuffersPerShaderStage)
        return invalid("Uniform buffers (", uniform,
                       ") are above maxUniformBuffersPerShaderStage (",
                       device.limits.maxUniformBuffersPerShaderStage, ").");
    return std::nullopt;
}

bool same(const WGPUBindGroupLayoutEntry& a, const WGPUBindGroupLayoutEntry& b) {
    return a.binding == b.binding && a.visibility == b.visibility &&
           a.buffer.type == b.buffer.type &&
           a.buffer.hasDynamicOffset == b.buffer.hasDynamicOffset &&
           a.buffer.minBindingSize == b.buffer.minBindingSize && a.sampler.type == b.sampler.type &&
           a.texture.sampleType == b.texture.sampleType &&
           a.texture.viewDimension == b.texture.viewDimension &&
           a.storageTexture.access == b.storageTexture.access &&
           a.storageTexture.format == b.storageTexture.format;
}

} // namespace

const WGPUBindGroupLayoutEntry* BindGroupLayout::find(std::uint32_t binding) const {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const auto& entry) { return entry.binding == binding; });
    return found == entries.end() ? nullptr : &*found;
}

bool BindGroupLayout::fits(const BindGroupLayout& other) const {
    if (this == &other) return true;
    return automatic_for == other.automatic_for &&
           std::equal(entries.begin(), entries.end(), other.entries.begin(), other.entries.end(),
                      same);
}

void PipelineLayout::clear() {
    groups.clear();
    Plain::clear();
}

namespace api {

WGPUBindGroupLayout DeviceCreateBindGroupLayout(WGPUDevice handle,
                                                const WGPUBindGroupLayoutDescriptor* descriptor) {
    Device& device = *trusted(handle);
    const auto layout = make<BindGroupLayout>(device);
    layout->label = string_of(descriptor->label);
    layout->entries.assign(descriptor->entries, descriptor->entries + descriptor->entryCount);
    std::ranges::sort(layout->entries, {}, &WGPUBindGroupLayoutEntry::binding);
    std::ranges::for_each(layout->entries, set_defaults);
    Check problem = device.world->scripted_problem();
    if (!problem) problem = check_entries(device, layout->entries);
    layout->valid = device.accept(problem);
    return give<WGPUBindGroupLayout>(layout);
}

WGPUPipelineLayout DeviceCreatePipelineLayout(WGPUDevice handle,
                                              const WGPUPipelineLayoutDescriptor* descriptor) {
    Device& device = *trusted(handle);
    const auto layout = make<PipelineLayout>(device);
    layout->label = string_of(descriptor->label);
    Check problem = device.world->scripted_problem();
    if (!problem && descriptor->bindGroupLayoutCount > device.limits.maxBindGroups)
        problem = invalid("Bind group layouts (", descriptor->bindGroupLayoutCount,
                          ") are above maxBindGroups (", device.limits.maxBindGroups, ").");
    for (std::size_t i = 0; i < descriptor->bindGroupLayoutCount; ++i) {
        const WGPUBindGroupLayout group = descriptor->bindGroupLayouts[i];
        layout->groups.emplace_back(
            group ? device_argument(device, group, "bind group layout", problem) : nullptr);
    }
    layout->valid = device.accept(problem);
    return give<WGPUPipelineLayout>(layout);
}

WGPUSampler DeviceCreateSampler(WGPUDevice handle, const WGPUSamplerDescriptor* descriptor) {
    Device& device = *trusted(handle);
    const auto sampler = make<Sampler>(device);
    if (descriptor) sampler->label = string_of(descriptor->label);
    sampler->valid = device.accept(device.world->scripted_problem());
    return give<WGPUSampler>(sampler);
}

} // namespace api
} // namespace ferry_fake
