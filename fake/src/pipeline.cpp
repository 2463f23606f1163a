// SPDX-License-Identifier: MIT
#include "pipeline.hpp"

#include <algorithm>

#include "api.hpp"

namespace ferry_fake {

namespace {

WGPUBindGroupLayoutEntry entry_for(const Resource& resource) {
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.binding = resource.binding;
    entry.visibility = WGPUShaderStage_Compute;
    switch (resource.kind) {
    case ResourceKind::uniform: entry.buffer.type = WGPUBufferBindingType_Uniform; break;
    case ResourceKind::storage_read:
        entry.buffer.type = WGPUBufferBindingType_ReadOnlyStorage;
        break;
    case ResourceKind::storage_write: entry.buffer.type = WGPUBufferBindingType_Storage; break;
    case ResourceKind::sampler: entry.sampler.type = WGPUSamplerBindingType_Filtering; break;
    case ResourceKind::texture: entry.texture.sampleType = WGPUTextureSampleType_Float; break;
    case ResourceKind::storage_texture:
        entry.storageTexture.access = WGPUStorageTextureAccess_WriteOnly;
        break;
    }
    return entry;
}

// A layout made for this pipeline alone.
std::vector<Ref<BindGroupLayout>> derive(Device& device, const ComputePipeline& pipeline,
                                         const std::vector<Resource>& resources) {
    std::vector<Ref<BindGroupLayout>> groups;
    for (const Resource& resource : resources) {
        while (groups.size() <= resource.group) {
            groups.push_back(make<BindGroupLayout>(device));
            groups.back()->automatic_for = &pipeline;
        }
        groups[resource.group]->entries.push_back(entry_for(resource));
    }
    for (const auto& group : groups)
        std::ranges::sort(group->entries, {}, &WGPUBindGroupLayoutEntry::binding);
    return groups;
}

bool serves(const WGPUBindGroupLayoutEntry& entry, const Resource& resource) {
    switch (resource.kind) {
    case ResourceKind::uniform: return entry.buffer.type == WGPUBufferBindingType_Uniform;
    case ResourceKind::storage_read:
        return entry.buffer.type == WGPUBufferBindingType_ReadOnlyStorage;
    case ResourceKind::storage_write: return entry.buffer.type == WGPUBufferBindingType_Storage;
    case ResourceKind::sampler: return entry.sampler.type != WGPUSamplerBindingType_BindingNotUsed;
    case ResourceKind::texture:
        return entry.texture.sampleType != WGPUTextureSampleType_BindingNotUsed;
    default: return entry.storageTexture.access != WGPUStorageTextureAccess_BindingNotUsed;
    }
}

Check check_layout(const PipelineLayout& layout, const std::vector<Resource>& resources) {
    for (const Resource& resource : resources) {
        const Ref<BindGroupLayout> group = resource.group < layout.groups.size()
                                               ? layout.groups[resource.group]
                                               : Ref<BindGroupLayout>();
        const WGPUBindGroupLayoutEntry* const entry =
            group ? group->find(resource.binding) : nullptr;
        if (!entry || !serves(*entry, resource))
            return invalid("Shader variable (", resource.name, ") at group (", resource.group,
                           ") binding (", resource.binding,
                           ") is not in the pipeline layout, or is of another type there.");
    }
    return std::nullopt;
}

Check check_workgroup(const Device& device, const WgslFunction& function) {
    std::uint64_t all = 1;
    for (std::uint64_t size : function.workgroup_size) all *= size > 0 ? size : 1;
    if (all <= device.limits.maxComputeInvocationsPerWorkgroup) return std::nullopt;
    return invalid("Workgroup size (", all, ") of (", function.name,
                   ") is above maxComputeInvocationsPerWorkgroup (",
                   device.limits.maxComputeInvocationsPerWorkgroup, ").");
}

Check build(Device& device, const WGPUComputePipelineDescriptor& descriptor,
            ComputePipeline& pipeline) {
    Check problem;
    ShaderModule* const module =
        device_argument(device, descriptor.compute.module, "shader module", problem);
    if (!module) return problem;
    pipeline.module = Ref<ShaderModule>(module);
    std::string const name = string_of(descriptor.compute.entryPoint);
    const WgslFunction* const function = module->wgsl.entry_point("compute", name);
    if (!function)
        return invalid("The shader module has no single compute entry point (", name, ").");
    pipeline.entry_point = function->name;
    for (std::size_t i = 0; i < descriptor.compute.constantCount; ++i)
        pipeline.constants.emplace_back(string_of(descriptor.compute.constants[i].key),
                                        descriptor.compute.constants[i].value);
    if ((problem = check_workgroup(device, *function))) return problem;
    const std::vector<Resource> resources = module->wgsl.used_by(*function);
    for (const Resource& resource : resources)
        if (resource.group >= device.limits.maxBindGroups)
            return invalid("Group (", resource.group, ") is not below maxBindGroups.");
    if (!descriptor.layout) {
        pipeline.groups = derive(device, pipeline, resources);
        return std::nullopt;
    }
    PipelineLayout* const layout =
        device_argument(device, descriptor.layout, "pipeline layout", problem);
    if (!layout) return problem;
    pipeline.groups = layout->groups;
    return check_layout(*layout, resources);
}

struct BuiltPipeline {
    Ref<ComputePipeline> pipeline;
    Check problem;
};

BuiltPipeline build_pipeline(Device& device, const WGPUComputePipelineDescriptor& descriptor) {
    BuiltPipeline built{make<ComputePipeline>(device), device.world->scripted_problem()};
    built.pipeline->label = string_of(descriptor.label);
    if (!built.problem) built.problem = build(device, descriptor, *built.pipeline);
    built.pipeline->valid = !built.problem;
    return built;
}

} // namespace

void ComputePipeline::clear() {
    module = {};
    groups.clear();
    Plain::clear();
}

namespace api {

WGPUComputePipeline DeviceCreateComputePipeline(WGPUDevice handle,
                                                const WGPUComputePipelineDescriptor* descriptor) {
    Device& device = *trusted(handle);
    const BuiltPipeline built = build_pipeline(device, *descriptor);
    device.accept(built.problem);
    return give<WGPUComputePipeline>(built.pipeline);
}

WGPUFuture DeviceCreateComputePipelineAsync(WGPUDevice handle,
                                            const WGPUComputePipelineDescriptor* descriptor,
                                            WGPUCreateComputePipelineAsyncCallbackInfo info) {
    Device& device = *trusted(handle);
    if (!usable(*device.world, info.mode, info.callback != nullptr)) return {0};
    // The asynchronous form raises no device error: the callback carries it.
    const BuiltPipeline built = build_pipeline(device, *descriptor);
    auto event = std::make_unique<Event>();
    event->mode = info.mode;
    event->tell = [info, built](bool cancelled) {
        auto const fail = [&](WGPUCreatePipelineAsyncStatus status, std::string const& message) {
            info.callback(status, nullptr, view_of(message), info.userdata1, info.userdata2);
        };
        if (cancelled)
            return fail(WGPUCreatePipelineAsyncStatus_CallbackCancelled,
                        "The instance was released.");
        if (built.problem)
            return fail(WGPUCreatePipelineAsyncStatus_ValidationError, built.problem->what);
        info.callback(WGPUCreatePipelineAsyncStatus_Success,
                      give<WGPUComputePipeline>(built.pipeline), view_of(""), info.userdata1,
                      info.userdata2);
    };
    return device.instance->add(std::move(event));
}

WGPUBindGroupLayout ComputePipelineGetBindGroupLayout(WGPUComputePipeline handle, uint32_t index) {
    ComputePipeline& pipeline = *trusted(handle);
    Device& device = *pipeline.device;
    const bool has = index < pipeline.groups.size() && pipeline.groups[index];
    if (has && pipeline.valid) return give<WGPUBindGroupLayout>(pipeline.groups[index]);
    const auto empty = make<BindGroupLayout>(device);
    empty->automatic_for = &pipeline;
    Check problem;
    if (!pipeline.valid)
        problem = invalid("The compute pipeline is invalid.");
    else if (index >= device.limits.maxBindGroups)
        problem = invalid("Group (", index, ") is not below maxBindGroups.");
    empty->valid = device.accept(problem);
    return give<WGPUBindGroupLayout>(empty);
}

} // namespace api
} // namespace ferry_fake
