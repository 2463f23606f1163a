// SPDX-License-Identifier: MIT
#include "render_pass.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <webgpu/webgpu.h>

#include "ferry/interop.hpp"

namespace app {

namespace {
constexpr std::string_view triangle = R"(
    @vertex fn corner(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
        return vec4f(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
    }
)";

WGPUStringView view(std::string_view text) { return {text.data(), text.size()}; }

/// What is needed of the engine that ferry has loaded.
struct Gpu {
    WGPUProcDeviceCreateShaderModule create_module;
    WGPUProcDeviceCreateBindGroupLayout create_group_layout;
    WGPUProcDeviceCreatePipelineLayout create_pipeline_layout;
    WGPUProcDeviceCreateRenderPipeline create_pipeline;
    WGPUProcDeviceCreateBindGroup create_group;
    WGPUProcTextureCreateView create_view;
    WGPUProcDevicePushErrorScope push_error_scope;
    WGPUProcDevicePopErrorScope pop_error_scope;
    WGPUProcInstanceProcessEvents process_events;
    WGPUProcCommandEncoderBeginRenderPass begin;
    WGPUProcRenderPassEncoderSetPipeline set_pipeline;
    WGPUProcRenderPassEncoderSetBindGroup set_group;
    WGPUProcRenderPassEncoderDraw draw;
    WGPUProcRenderPassEncoderEnd end;
    WGPUProcRenderPassEncoderRelease release_pass;
    WGPUProcShaderModuleRelease release_module;
    WGPUProcBindGroupLayoutRelease release_group_layout;
    WGPUProcPipelineLayoutRelease release_pipeline_layout;
    WGPUProcRenderPipelineRelease release_pipeline;
    WGPUProcBindGroupRelease release_group;
    WGPUProcTextureViewRelease release_view;
};

template <class Function>
bool load(const ferry::Engine& engine, Function& function, const char* name) {
    function = reinterpret_cast<Function>(ferry::interop::function(engine, name));
    return function != nullptr;
}

bool load(const ferry::Engine& engine, Gpu& gpu) {
    return load(engine, gpu.create_module, "wgpuDeviceCreateShaderModule") &&
           load(engine, gpu.create_group_layout, "wgpuDeviceCreateBindGroupLayout") &&
           load(engine, gpu.create_pipeline_layout, "wgpuDeviceCreatePipelineLayout") &&
           load(engine, gpu.create_pipeline, "wgpuDeviceCreateRenderPipeline") &&
           load(engine, gpu.create_group, "wgpuDeviceCreateBindGroup") &&
           load(engine, gpu.create_view, "wgpuTextureCreateView") &&
           load(engine, gpu.push_error_scope, "wgpuDevicePushErrorScope") &&
           load(engine, gpu.pop_error_scope, "wgpuDevicePopErrorScope") &&
           load(engine, gpu.process_events, "wgpuInstanceProcessEvents") &&
           load(engine, gpu.begin, "wgpuCommandEncoderBeginRenderPass") &&
           load(engine, gpu.set_pipeline, "wgpuRenderPassEncoderSetPipeline") &&
           load(engine, gpu.set_group, "wgpuRenderPassEncoderSetBindGroup") &&
           load(engine, gpu.draw, "wgpuRenderPassEncoderDraw") &&
           load(engine, gpu.end, "wgpuRenderPassEncoderEnd") &&
           load(engine, gpu.release_pass, "wgpuRenderPassEncoderRelease") &&
           load(engine, gpu.release_module, "wgpuShaderModuleRelease") &&
           load(engine, gpu.release_group_layout, "wgpuBindGroupLayoutRelease") &&
           load(engine, gpu.release_pipeline_layout, "wgpuPipelineLayoutRelease") &&
           load(engine, gpu.release_pipeline, "wgpuRenderPipelineRelease") &&
           load(engine, gpu.release_group, "wgpuBindGroupRelease") &&
           load(engine, gpu.release_view, "wgpuTextureViewRelease");
}

/// What an error scope has caught.
struct Verdict {
    bool there = false;
    bool wrong = false;
    std::string message{};
};

WGPUPopErrorScopeCallbackInfo info_for(Verdict& verdict) {
    WGPUPopErrorScopeCallbackInfo info = WGPU_POP_ERROR_SCOPE_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_AllowProcessEvents;
    info.userdata1 = &verdict;
    info.callback = [](WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message,
                       void* to, void*) {
        auto& known = *static_cast<Verdict*>(to);
        known.there = true;
        known.wrong = status != WGPUPopErrorScopeStatus_Success || type != WGPUErrorType_NoError;
        if (message.data != nullptr) known.message.assign(message.data, message.length);
    };
    return info;
}

Result<> pop_errors(const Gpu& gpu, const ferry::Device& device) {
    auto verdict = std::make_unique<Verdict>();
    const ferry::interop::RawDevice raw = ferry::interop::raw(device);
    gpu.pop_error_scope(raw.device, info_for(*verdict));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (!verdict->there && std::chrono::steady_clock::now() < end) {
        gpu.process_events(raw.instance);
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    if (!verdict->there) {
        (void)verdict.release(); // the engine may still write to it
        return fail(Errc::engine, "The engine does not answer whether a render pipeline is right.",
                    "Use another engine or driver.");
    }
    if (!verdict->wrong) return {};
    Error error{.code = Errc::engine,
                .what = "The engine refuses the fragment entry point.",
                .fix = "It takes @builtin(position) at most, and returns @location(0) vec4f."};
    error.trail = verdict->message;
    return std::unexpected(std::move(error));
}

/// A kernel of the same text: its errors carry the line.
Result<> check_compiles(ferry::Device& device, std::string_view wgsl) {
    const std::string with_kernel =
        std::string(wgsl) + "\n@compute @workgroup_size(1) fn ferry_record_compiles() {}\n";
    auto kernel = device.create_kernel(with_kernel,
                                       {.entry = "ferry_record_compiles", .label = "the shader"});
    if (!kernel) return std::unexpected(std::move(kernel).error());
    return {};
}
} // namespace

struct RenderPass::State {
    Gpu gpu{};
    WGPUTextureView target = nullptr;
    std::vector<WGPUBindGroupLayout> layouts{}; ///< one for each group up to the last that is used
    std::vector<WGPUBindGroup> groups{};
    WGPURenderPipeline pipeline = nullptr;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State();

    void make(WGPUDevice device, const PassOptions& options);

private:
    void make_group(WGPUDevice device, std::span<const PassUniform> uniforms, std::uint32_t group);
    WGPUShaderModule compile(WGPUDevice device, std::string_view wgsl) const;
    void make_pipeline(WGPUDevice device, const PassOptions& options);
};

RenderPass::State::~State() {
    if (pipeline != nullptr) gpu.release_pipeline(pipeline);
    for (WGPUBindGroup each : groups) {
        if (each != nullptr) gpu.release_group(each);
    }
    for (WGPUBindGroupLayout each : layouts) {
        if (each != nullptr) gpu.release_group_layout(each);
    }
    if (target != nullptr) gpu.release_view(target);
}

void RenderPass::State::make(WGPUDevice device, const PassOptions& options) {
    std::uint32_t count = 0;
    for (const PassUniform& each : options.uniforms) count = std::max(count, each.group + 1);
    for (std::uint32_t group = 0; group < count; ++group)
        make_group(device, options.uniforms, group);
    make_pipeline(device, options);
}

void RenderPass::State::make_group(WGPUDevice device, std::span<const PassUniform> uniforms,
                                   std::uint32_t group) {
    std::vector<WGPUBindGroupLayoutEntry> places;
    std::vector<WGPUBindGroupEntry> entries;
    for (const PassUniform& each : uniforms) {
        if (each.group != group) continue;
        WGPUBindGroupLayoutEntry& place =
            places.emplace_back(WGPUBindGroupLayoutEntry WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT);
        place.binding = each.binding;
        place.visibility = WGPUShaderStage_Fragment;
        place.buffer.type = WGPUBufferBindingType_Uniform;
        WGPUBindGroupEntry& entry =
            entries.emplace_back(WGPUBindGroupEntry WGPU_BIND_GROUP_ENTRY_INIT);
        entry.binding = each.binding;
        entry.buffer = ferry::interop::raw(*each.buffer);
        entry.size = each.buffer->size_bytes();
    }
    WGPUBindGroupLayoutDescriptor layout = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    layout.entryCount = places.size();
    layout.entries = places.data();
    layouts.push_back(gpu.create_group_layout(device, &layout));
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = layouts.back();
    descriptor.entryCount = entries.size();
    descriptor.entries = entries.data();
    groups.push_back(gpu.create_group(device, &descriptor));
}

WGPUShaderModule RenderPass::State::compile(WGPUDevice device, std::string_view wgsl) const {
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = view(wgsl);
    WGPUShaderModuleDescriptor descriptor{&source.chain, {}};
    return gpu.create_module(device, &descriptor);
}

void RenderPass::State::make_pipeline(WGPUDevice device, const PassOptions& options) {
    WGPUPipelineLayoutDescriptor layout = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
    layout.bindGroupLayoutCount = layouts.size();
    layout.bindGroupLayouts = layouts.data();
    WGPUColorTargetState color = WGPU_COLOR_TARGET_STATE_INIT;
    color.format = WGPUTextureFormat_RGBA8Unorm;
    WGPUFragmentState fragment = WGPU_FRAGMENT_STATE_INIT;
    fragment.module = compile(device, options.wgsl);
    fragment.entryPoint = view(options.entry);
    fragment.targetCount = 1;
    fragment.targets = &color;
    WGPURenderPipelineDescriptor descriptor = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    descriptor.layout = gpu.create_pipeline_layout(device, &layout);
    descriptor.vertex.module = compile(device, triangle);
    descriptor.fragment = &fragment;
    descriptor.primitive.topology = WGPUPrimitiveTopology_TriangleList;
    pipeline = gpu.create_pipeline(device, &descriptor);
    gpu.release_pipeline_layout(descriptor.layout);
    gpu.release_module(descriptor.vertex.module);
    gpu.release_module(fragment.module);
}

Result<RenderPass> RenderPass::create(ferry::Device& device, const ferry::Texture& target,
                                      const PassOptions& options) {
    if (auto ok = check_compiles(device, options.wgsl); !ok)
        return std::unexpected(std::move(ok).error());
    auto state = std::make_shared<State>();
    if (!load(device.engine(), state->gpu)) {
        return fail(Errc::unsupported, "The engine's library has no render passes.",
                    "Use another engine: --engine wgpu or --engine dawn.");
    }
    WGPUDevice raw = ferry::interop::raw(device).device;
    state->gpu.push_error_scope(raw, WGPUErrorFilter_Validation);
    state->target = state->gpu.create_view(ferry::interop::raw(target), nullptr);
    state->make(raw, options);
    if (auto ok = pop_errors(state->gpu, device); !ok)
        return std::unexpected(std::move(ok).error());
    return RenderPass(std::move(state));
}

void RenderPass::record(ferry::Commands& commands) const {
    WGPUCommandEncoder encoder = commands.raw_encoder();
    if (encoder == nullptr) return; // submit says why
    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    color.view = state_->target;
    color.loadOp = WGPULoadOp_Clear;
    color.storeOp = WGPUStoreOp_Store;
    WGPURenderPassDescriptor descriptor = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    descriptor.colorAttachmentCount = 1;
    descriptor.colorAttachments = &color;
    const Gpu& gpu = state_->gpu;
    WGPURenderPassEncoder pass = gpu.begin(encoder, &descriptor);
    gpu.set_pipeline(pass, state_->pipeline);
    for (std::uint32_t group = 0; group < state_->groups.size(); ++group)
        gpu.set_group(pass, group, state_->groups[group], 0, nullptr);
    gpu.draw(pass, 3, 1, 0, 0);
    gpu.end(pass);
    gpu.release_pass(pass);
}

} // namespace app
