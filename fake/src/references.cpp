// SPDX-License-Identifier: MIT
// AddRef, Release and SetLabel, the same for every kind of object.
#include "api.hpp"
#include "handle.hpp"
#include "text.hpp"

namespace ferry_fake::api {

namespace {

Object* object_of(Header* header) { return static_cast<Object*>(header); }

}  // namespace

// webgpu.h has no label for instances and adapters.
#define FERRY_FAKE_COUNTS(Name)                                                              \
    void Name##AddRef(WGPU##Name handle) { object_of(header_of(handle))->hold_for_program(); } \
    void Name##Release(WGPU##Name handle) { object_of(header_of(handle))->drop_for_program(); }
#define FERRY_FAKE_REFERENCES(Name, name)                          \
    FERRY_FAKE_COUNTS(Name)                                        \
    void Name##SetLabel(WGPU##Name handle, WGPUStringView label) { \
        object_of(header_of(handle))->label = string_of(label);    \
    }

#define FERRY_FAKE_LABELLED(X) \
    X(BindGroup, bind_group) X(BindGroupLayout, bind_group_layout) X(Buffer, buffer) \
    X(CommandBuffer, command_buffer) X(CommandEncoder, command_encoder) \
    X(ComputePassEncoder, compute_pass_encoder) X(ComputePipeline, compute_pipeline) X(Device, device) \
    X(ExternalTexture, external_texture) X(PipelineLayout, pipeline_layout) \
    X(QuerySet, query_set) X(Queue, queue) X(RenderBundle, render_bundle) \
    X(RenderBundleEncoder, render_bundle_encoder) X(RenderPassEncoder, render_pass_encoder) \
    X(RenderPipeline, render_pipeline) X(Sampler, sampler) X(ShaderModule, shader_module) X(Surface, surface) \
    X(Texture, texture) X(TextureView, texture_view)

FERRY_FAKE_COUNTS(Instance)
FERRY_FAKE_COUNTS(Adapter)
FERRY_FAKE_LABELLED(FERRY_FAKE_REFERENCES)

}  // namespace ferry_fake::api
