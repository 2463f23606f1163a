// SPDX-License-Identifier: MIT
#include "compute_pass.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "api.hpp"

namespace ferry_fake {

ComputePassEncoder::ComputePassEncoder(CommandEncoder& owner)
    : Object(*owner.world, Kind::compute_pass_encoder), encoder(&owner) {}

void ComputePassEncoder::clear() {
    pipeline = {};
    groups.clear();
    encoder = {};
}

bool ComputePassEncoder::open_for(const char* what) {
    if (Check scripted = world->scripted_problem()) encoder->fail(*scripted);
    if (!ended && !encoder->finished) return true;
    encoder->device->raise(invalid(what, " on a compute pass that has ended."));
    return false;
}

namespace {

// The entries of one set group, with the dynamic offsets added.
Check resolve(const ComputePassEncoder::SetGroup& set, std::uint32_t index,
              std::vector<BoundEntry>& bound) {
    auto offset = set.dynamic_offsets.begin();
    for (BoundEntry entry : set.group->entries) {
        entry.group = index;
        if (entry.dynamic) {
            if (offset == set.dynamic_offsets.end())
                return invalid("Group (", index, ") lacks a dynamic offset.");
            entry.offset += *offset++;
            if (entry.offset % entry.offset_alignment != 0 || entry.offset > entry.buffer->size ||
                entry.size > entry.buffer->size - entry.offset)
                return invalid("Group (", index,
                               ") has a dynamic offset outside of its buffer or alignment.");
        }
        bound.push_back(std::move(entry));
    }
    if (offset != set.dynamic_offsets.end())
        return invalid("Group (", index, ") has too many dynamic offsets.");
    return std::nullopt;
}

bool overlap(const BoundEntry& a, const BoundEntry& b) {
    return a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

// One dispatch is one usage scope: a buffer is either read or written in it, and written through
// one binding.
Check check_scope(const std::vector<BoundEntry>& bound) {
    for (std::size_t i = 0; i < bound.size(); ++i)
        for (std::size_t j = i + 1; j < bound.size(); ++j) {
            const BoundEntry& a = bound[i];
            const BoundEntry& b = bound[j];
            if (!a.buffer || !(a.buffer == b.buffer)) continue;
            const bool mixed = a.writable != b.writable;
            if (mixed || (a.writable && overlap(a, b)))
                return invalid("The ", a.buffer->name(),
                               " is bound writable and once more in one dispatch.");
        }
    return std::nullopt;
}

Check prepare(ComputePassEncoder& pass, Dispatch& dispatch) {
    if (!pass.pipeline) return invalid("A dispatch needs a pipeline.");
    dispatch.pipeline = pass.pipeline;
    const auto& layouts = pass.pipeline->groups;
    for (std::uint32_t i = 0; i < layouts.size(); ++i) {
        if (!layouts[i] || layouts[i]->entries.empty()) continue;
        const auto set = pass.groups.find(i);
        if (set == pass.groups.end()) return invalid("A dispatch needs bind group (", i, ").");
        if (!layouts[i]->fits(*set->second.group->layout))
            return invalid("Bind group (", i, ") does not fit the pipeline's layout.");
        if (Check problem = resolve(set->second, i, dispatch.bound)) return problem;
    }
    std::uint32_t const max = pass.encoder->device->limits.maxComputeWorkgroupsPerDimension;
    for (std::uint32_t count : dispatch.workgroups)
        if (count > max)
            return invalid("Workgroup count (", count,
                           ") is above maxComputeWorkgroupsPerDimension (", max, ").");
    return check_scope(dispatch.bound);
}

FerryFakeBinding binding_of(const BoundEntry& entry) {
    FerryFakeBinding binding{};
    binding.group = entry.group;
    binding.binding = entry.binding;
    binding.writable = entry.writable;
    binding.size = entry.size;
    if (entry.buffer) {
        binding.data = entry.buffer->memory.data() + entry.offset;
        return binding;
    }
    const TextureView& view = *entry.view;
    const Texture& texture = *view.texture;
    const Plane plane =
        !texture.format.is_depth_stencil() ? Plane::color
        : view.aspect == WGPUTextureAspect_StencilOnly || texture.format.depth_bytes == 0
            ? Plane::stencil
            : Plane::depth;
    const WGPUExtent3D extent = texture.logical(view.base_mip);
    const bool is_3d = texture.dimension == WGPUTextureDimension_3D;
    binding.layers = is_3d ? extent.depthOrArrayLayers : view.layer_count;
    binding.data = texture.block(plane, view.base_mip, 0, 0, is_3d ? 0 : view.base_layer);
    binding.size = texture.layer_bytes(plane, view.base_mip) * binding.layers;
    binding.format = view.format;
    binding.width = extent.width;
    binding.height = extent.height;
    binding.bytes_per_row = static_cast<std::uint32_t>(texture.row_bytes(plane, view.base_mip));
    return binding;
}

} // namespace

void Dispatch::run(World& world) const {
    if (std::ranges::count(workgroups, 0U) > 0) return;
    auto shader = world.script.shaders.find(pipeline->entry_point);
    if (shader == world.script.shaders.end()) shader = world.script.shaders.find("");
    if (shader == world.script.shaders.end()) {
        world.misuse("Entry point (", pipeline->entry_point, ") has no host function");
        return;
    }
    std::vector<FerryFakeBinding> bindings;
    for (const BoundEntry& entry : bound) bindings.push_back(binding_of(entry));
    std::vector<FerryFakeConstant> constants;
    for (const auto& [key, value] : pipeline->constants) constants.push_back({key.c_str(), value});
    const FerryFakeDispatch dispatch{pipeline->entry_point.c_str(),
                                     pipeline->module->code.c_str(),
                                     bindings.data(),
                                     bindings.size(),
                                     {workgroups[0], workgroups[1], workgroups[2]},
                                     constants.data(),
                                     constants.size()};
    const HostShader host = shader->second;
    host.run(&dispatch, host.userdata);
}

namespace api {

WGPUComputePassEncoder CommandEncoderBeginComputePass(WGPUCommandEncoder handle,
                                                      const WGPUComputePassDescriptor* descriptor) {
    CommandEncoder& encoder = *trusted(handle);
    const auto pass = make<ComputePassEncoder>(encoder);
    if (descriptor) pass->label = string_of(descriptor->label);
    if (encoder.open_for("BeginComputePass"))
        encoder.in_pass = true;
    else
        pass->ended = true;
    return give<WGPUComputePassEncoder>(pass);
}

void ComputePassEncoderSetPipeline(WGPUComputePassEncoder handle, WGPUComputePipeline pipeline) {
    ComputePassEncoder& pass = *trusted(handle);
    if (!pass.open_for("SetPipeline")) return;
    ComputePipeline* const object = encoder_argument(*pass.encoder, pipeline, "compute pipeline");
    if (object) pass.pipeline = Ref<ComputePipeline>(object);
}

void ComputePassEncoderSetBindGroup(WGPUComputePassEncoder handle, uint32_t index,
                                    WGPUBindGroup group, size_t count, const uint32_t* offsets) {
    ComputePassEncoder& pass = *trusted(handle);
    if (!pass.open_for("SetBindGroup")) return;
    std::uint32_t const max = pass.encoder->device->limits.maxBindGroups;
    if (index >= max)
        return pass.encoder->fail(
            invalid("Group (", index, ") is not below maxBindGroups (", max, ")."));
    if (!group) {
        pass.groups.erase(index);
        return;
    }
    BindGroup* const object = encoder_argument(*pass.encoder, group, "bind group");
    if (!object) return;
    pass.groups[index] = {Ref<BindGroup>(object),
                          std::vector<std::uint32_t>(offsets, offsets + count)};
    pass.encoder->uses.add(object->uses);
}

void ComputePassEncoderDispatchWorkgroups(WGPUComputePassEncoder handle, uint32_t x, uint32_t y,
                                          uint32_t z) {
    ComputePassEncoder& pass = *trusted(handle);
    if (!pass.open_for("DispatchWorkgroups")) return;
    Dispatch dispatch;
    dispatch.workgroups[0] = x;
    dispatch.workgroups[1] = y;
    dispatch.workgroups[2] = z;
    if (Check problem = prepare(pass, dispatch)) return pass.encoder->fail(*problem);
    pass.encoder->commands.push_back(
        [dispatch = std::move(dispatch), world = pass.world] { dispatch.run(*world); });
}

void ComputePassEncoderDispatchWorkgroupsIndirect(WGPUComputePassEncoder handle,
                                                  WGPUBuffer indirect, uint64_t offset) {
    ComputePassEncoder& pass = *trusted(handle);
    if (!pass.open_for("DispatchWorkgroupsIndirect")) return;
    Buffer* const buffer = encoder_argument(*pass.encoder, indirect, "indirect buffer");
    if (!buffer) return;
    Dispatch dispatch;
    Check problem = buffer->check_usage(WGPUBufferUsage_Indirect, "Indirect");
    if (!problem && (offset % 4 != 0 || offset > buffer->size || buffer->size - offset < 12))
        problem = invalid("The indirect offset (", offset, ") does not leave 12 bytes in the ",
                          buffer->name(), ".");
    if (!problem) problem = prepare(pass, dispatch);
    if (problem) return pass.encoder->fail(*problem);
    pass.encoder->uses.add(*buffer);
    pass.encoder->commands.push_back(
        [dispatch = std::move(dispatch), world = pass.world, buffer, offset]() mutable {
            std::memcpy(dispatch.workgroups, buffer->memory.data() + offset,
                        sizeof dispatch.workgroups);
            dispatch.run(*world);
        });
}

void ComputePassEncoderEnd(WGPUComputePassEncoder handle) {
    ComputePassEncoder& pass = *trusted(handle);
    if (!pass.open_for("End")) return;
    if (pass.debug_groups != 0)
        pass.encoder->fail(invalid("A pass ends with an open debug group."));
    pass.ended = true;
    pass.encoder->in_pass = false;
}

void ComputePassEncoderInsertDebugMarker(WGPUComputePassEncoder handle, WGPUStringView) {
    trusted(handle)->open_for("InsertDebugMarker");
}

void ComputePassEncoderPushDebugGroup(WGPUComputePassEncoder handle, WGPUStringView) {
    ComputePassEncoder& pass = *trusted(handle);
    if (pass.open_for("PushDebugGroup")) ++pass.debug_groups;
}

void ComputePassEncoderPopDebugGroup(WGPUComputePassEncoder handle) {
    ComputePassEncoder& pass = *trusted(handle);
    if (pass.open_for("PopDebugGroup") && --pass.debug_groups < 0)
        pass.encoder->fail(invalid("PopDebugGroup without a group."));
}

void ComputePassEncoderSetImmediates(WGPUComputePassEncoder handle, uint32_t, const void*, size_t) {
    ComputePassEncoder& pass = *trusted(handle);
    if (pass.open_for("SetImmediates"))
        pass.encoder->fail(invalid("The fake has no immediates (maxImmediateSize 0)."));
}

} // namespace api
} // namespace ferry_fake
