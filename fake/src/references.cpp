// SPDX-License-Identifier: MIT
// AddRef, Release and SetLabel, the same for every kind of object.
#include "api.hpp"
#include "handle.hpp"
#include "text.hpp"

namespace ferry_fake::api {

namespace {

Object* object_of(Header* header) { return static_cast<Object*>(header); }

} // namespace

// clang-format off
#define FERRY_FAKE_COUNTS(Name) \
    void Name##AddRef(WGPU##Name handle) { object_of(header_of(handle))->hold_for_program(); } \
    void Name##Release(WGPU##Name handle) { object_of(header_of(handle))->drop_for_program(); }
#define FERRY_FAKE_REFERENCES(Name) \
    FERRY_FAKE_COUNTS(Name) \
    void Name##SetLabel(WGPU##Name handle, WGPUStringView label) { \
        object_of(header_of(handle))->label = string_of(label); \
    }

// webgpu.h has no label for instances and adapters.
FERRY_FAKE_COUNTS(Instance)
FERRY_FAKE_COUNTS(Adapter)
FERRY_FAKE_REFERENCES(BindGroup)
FERRY_FAKE_REFERENCES(BindGroupLayout)
FERRY_FAKE_REFERENCES(Buffer)
FERRY_FAKE_REFERENCES(CommandBuffer)
FERRY_FAKE_REFERENCES(CommandEncoder)
FERRY_FAKE_REFERENCES(ComputePassEncoder)
FERRY_FAKE_REFERENCES(ComputePipeline)
FERRY_FAKE_REFERENCES(Device)
FERRY_FAKE_REFERENCES(ExternalTexture)
FERRY_FAKE_REFERENCES(PipelineLayout)
FERRY_FAKE_REFERENCES(QuerySet)
FERRY_FAKE_REFERENCES(Queue)
FERRY_FAKE_REFERENCES(RenderBundle)
FERRY_FAKE_REFERENCES(RenderBundleEncoder)
FERRY_FAKE_REFERENCES(RenderPassEncoder)
FERRY_FAKE_REFERENCES(RenderPipeline)
FERRY_FAKE_REFERENCES(Sampler)
FERRY_FAKE_REFERENCES(ShaderModule)
FERRY_FAKE_REFERENCES(Surface)
FERRY_FAKE_REFERENCES(Texture)
FERRY_FAKE_REFERENCES(TextureView)
// clang-format on

} // namespace ferry_fake::api
