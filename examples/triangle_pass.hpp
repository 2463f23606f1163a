// SPDX-License-Identifier: MIT
#pragma once

// The part of draw_triangle.cpp that is plain webgpu.h: a pipeline, and a pass that draws.

#include <ferry/interop.hpp>

#include <array>

#include <webgpu/webgpu.h>

inline const char* const wgsl = R"(
    struct Corner { @builtin(position) at: vec4f, @location(0) color: vec3f }
    @vertex fn corner(@location(0) at: vec2f, @location(1) color: vec3f) -> Corner {
        return Corner(vec4f(at, 0, 1), color);
    }
    @fragment fn paint(in: Corner) -> @location(0) vec4f { return vec4f(in.color, 1); }
)";

inline WGPUStringView view(const char* text) { return {text, WGPU_STRLEN}; }

/// A function of the engine that ferry has loaded; a program that links it would just call it.
#define ENGINE(device, call)                                                                       \
    reinterpret_cast<WGPUProc##call>(ferry::interop::function((device).engine(), "wgpu" #call))

inline WGPURenderPipeline make_pipeline(const ferry::Device& device) {
    WGPUDevice raw = ferry::interop::raw(device).device;
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = view(wgsl);
    WGPUShaderModuleDescriptor text{&source.chain, {}};
    WGPUShaderModule module = ENGINE(device, DeviceCreateShaderModule)(raw, &text);

    std::array<WGPUVertexAttribute, 2> attributes{WGPU_VERTEX_ATTRIBUTE_INIT,
                                                  WGPU_VERTEX_ATTRIBUTE_INIT};
    attributes[0].format = WGPUVertexFormat_Float32x2;
    attributes[1] = {nullptr, WGPUVertexFormat_Float32x3, 8, 1};
    WGPUVertexBufferLayout vertices = WGPU_VERTEX_BUFFER_LAYOUT_INIT;
    vertices.arrayStride = 20;
    vertices.stepMode = WGPUVertexStepMode_Vertex;
    vertices.attributeCount = attributes.size();
    vertices.attributes = attributes.data();
    WGPUColorTargetState target = WGPU_COLOR_TARGET_STATE_INIT;
    target.format = WGPUTextureFormat_RGBA8Unorm;
    WGPUFragmentState fragment = WGPU_FRAGMENT_STATE_INIT;
    fragment.module = module;
    fragment.targetCount = 1;
    fragment.targets = &target;
    WGPURenderPipelineDescriptor descriptor = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    descriptor.vertex.module = module;
    descriptor.vertex.bufferCount = 1;
    descriptor.vertex.buffers = &vertices;
    descriptor.fragment = &fragment;
    descriptor.primitive.topology = WGPUPrimitiveTopology_TriangleList;
    WGPURenderPipeline made = ENGINE(device, DeviceCreateRenderPipeline)(raw, &descriptor);
    ENGINE(device, ShaderModuleRelease)(module);
    return made;
}

inline void draw(const ferry::Device& device, WGPUCommandEncoder encoder,
                 WGPURenderPipeline pipeline, WGPUBuffer vertices, WGPUTexture target) {
    WGPUTextureView image = ENGINE(device, TextureCreateView)(target, nullptr);
    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    color.view = image;
    color.loadOp = WGPULoadOp_Clear;
    color.storeOp = WGPUStoreOp_Store;
    WGPURenderPassDescriptor descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    descriptor.colorAttachmentCount = 1;
    descriptor.colorAttachments = &color;
    WGPURenderPassEncoder pass =
        ENGINE(device, CommandEncoderBeginRenderPass)(encoder, &descriptor);
    ENGINE(device, RenderPassEncoderSetPipeline)(pass, pipeline);
    ENGINE(device, RenderPassEncoderSetVertexBuffer)(pass, 0, vertices, 0, WGPU_WHOLE_SIZE);
    ENGINE(device, RenderPassEncoderDraw)(pass, 3, 1, 0, 0);
    ENGINE(device, RenderPassEncoderEnd)(pass);
    ENGINE(device, RenderPassEncoderRelease)(pass);
    ENGINE(device, TextureViewRelease)(image);
}
