// SPDX-License-Identifier: MIT
// Host functions as shaders, bindings, and dispatches.
#include "fake_fixture.hpp"

namespace fake_tests {
namespace {

constexpr const char* twice = R"(
    struct Scale { factor: u32 }
    /* a comment /* in a comment */ with @group(9) */
    @group(0) @binding(0) var<storage, read_write> data: array<u32>;
    @group(0) @binding(1) var<uniform> scale: Scale;
    @group(1) @binding(0) var<storage, read> unused: array<u32>;
    override bias: u32 = 0;
    fn helper(i: u32) { data[i] = data[i] * scale.factor; }
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { helper(id.x); }
)";

class Compute : public FakeTest {
protected:
    Module module(const char* code) {
        WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
        source.code = {code, WGPU_STRLEN};
        WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
        descriptor.nextInChain = &source.chain;
        return wgpuDeviceCreateShaderModule(device, &descriptor);
    }
    Pipeline pipeline(WGPUShaderModule shader, const char* entry_point = nullptr,
                      WGPUPipelineLayout layout = nullptr) {
        WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
        descriptor.compute.module = shader;
        if (entry_point) descriptor.compute.entryPoint = {entry_point, WGPU_STRLEN};
        descriptor.layout = layout;
        return wgpuDeviceCreateComputePipeline(device, &descriptor);
    }
    Group group(WGPUBindGroupLayout layout, const std::vector<WGPUBindGroupEntry>& entries) {
        WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
        descriptor.layout = layout;
        descriptor.entryCount = entries.size();
        descriptor.entries = entries.data();
        return wgpuDeviceCreateBindGroup(device, &descriptor);
    }
    static WGPUBindGroupEntry entry(std::uint32_t binding, WGPUBuffer buffer,
                                    std::uint64_t offset = 0,
                                    std::uint64_t size = WGPU_WHOLE_SIZE) {
        WGPUBindGroupEntry result = WGPU_BIND_GROUP_ENTRY_INIT;
        result.binding = binding;
        result.buffer = buffer;
        result.offset = offset;
        result.size = size;
        return result;
    }
    static void dispatch(WGPUCommandEncoder encoder, WGPUComputePipeline with, WGPUBindGroup bound,
                         std::uint32_t x = 1) {
        const ComputePass pass = wgpuCommandEncoderBeginComputePass(encoder, nullptr);
        wgpuComputePassEncoderSetPipeline(pass, with);
        if (bound) wgpuComputePassEncoderSetBindGroup(pass, 0, bound, 0, nullptr);
        wgpuComputePassEncoderDispatchWorkgroups(pass, x, 1, 1);
        wgpuComputePassEncoderEnd(pass);
    }
    static constexpr WGPUBufferUsage storage = WGPUBufferUsage_Storage | copy_usage;
    static constexpr WGPUBufferUsage uniform = WGPUBufferUsage_Uniform | copy_usage;
};

TEST_F(Compute, AHostFunctionSeesItsBindingsAndWorkgroups) {
    fake.set_shader("main", [](const FerryFakeDispatch& run) {
        ASSERT_EQ(run.binding_count, 2U) << "what the entry point does not reach is not bound";
        EXPECT_EQ(run.workgroups[0], 3U);
        EXPECT_TRUE(run.bindings[0].writable);
        EXPECT_FALSE(run.bindings[1].writable);
        auto* const data = static_cast<std::uint32_t*>(run.bindings[0].data);
        auto const factor = *static_cast<std::uint32_t const*>(run.bindings[1].data);
        for (std::uint64_t i = 0; i < run.bindings[0].size / 4; ++i) data[i] *= factor;
    });
    const Buffer data = make_buffer(8, storage);
    const Buffer scale = make_buffer(4, uniform);
    write(data, {1, 0, 0, 0, 7, 0, 0, 0});
    write(scale, {3, 0, 0, 0});
    const Module shader = module(twice);
    const Pipeline kernel = pipeline(shader);
    const Layout layout = wgpuComputePipelineGetBindGroupLayout(kernel, 0);
    const Group bound = group(layout, {entry(0, data), entry(1, scale)});
    run([&](WGPUCommandEncoder encoder) { dispatch(encoder, kernel, bound, 3); });
    EXPECT_EQ(read(data), Bytes({3, 0, 0, 0, 21, 0, 0, 0}));
    EXPECT_TRUE(uncaptured.empty());
}

TEST_F(Compute, AHostFunctionRunsWhenItsSubmissionIsDone) {
    int runs = 0;
    fake.set_shader("", [&](const FerryFakeDispatch&) { ++runs; });
    fake.set_submission_time(5us);
    const Buffer data = make_buffer(8, storage);
    const Buffer scale = make_buffer(4, uniform);
    const Module shader = module(twice);
    const Pipeline kernel = pipeline(shader);
    const Layout layout = wgpuComputePipelineGetBindGroupLayout(kernel, 0);
    const Group bound = group(layout, {entry(0, data), entry(1, scale)});
    run([&](WGPUCommandEncoder encoder) { dispatch(encoder, kernel, bound); });
    EXPECT_EQ(runs, 0);
    fake.advance(5us);
    EXPECT_EQ(runs, 1);
}

TEST_F(Compute, ADispatchWithoutAHostFunctionIsMisuse) {
    const Module shader = module("@compute @workgroup_size(1) fn lonely() {}");
    const Pipeline kernel = pipeline(shader);
    run([&](WGPUCommandEncoder encoder) { dispatch(encoder, kernel, nullptr); });
    ASSERT_EQ(fake.misuses().size(), 1U);
    EXPECT_NE(fake.misuses()[0].find("lonely"), std::string::npos);
    fake.forget_misuses();
}

TEST_F(Compute, PipelinesNeedTheirEntryPointAndBracketsThatClose) {
    const Module shader = module(twice);
    EXPECT_TRUE(is_valid([&] { pipeline(shader, "main"); }));
    EXPECT_FALSE(is_valid([&] { pipeline(shader, "helper"); })) << "no entry point";
    EXPECT_FALSE(is_valid([&] { pipeline(shader, "other"); }));
    Module broken;
    EXPECT_FALSE(is_valid([&] { broken = module("@compute fn main() {"); }));
    EXPECT_FALSE(is_valid([&] { pipeline(broken); }));
    const Module big = module("@compute @workgroup_size(16, 17) fn main() {}");
    EXPECT_FALSE(is_valid([&] { pipeline(big); })) << "272 invocations";
}

TEST_F(Compute, AnExplicitLayoutMustServeTheShader) {
    WGPUBindGroupLayoutEntry entries[2] = {WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT,
                                           WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT};
    entries[0].visibility = entries[1].visibility = WGPUShaderStage_Compute;
    entries[0].buffer.type = WGPUBufferBindingType_Storage;
    entries[1].binding = 1;
    const auto serves = [&](WGPUBufferBindingType second) {
        entries[1].buffer.type = second;
        WGPUBindGroupLayoutDescriptor descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
        descriptor.entryCount = 2;
        descriptor.entries = entries;
        Layout const layout = wgpuDeviceCreateBindGroupLayout(device, &descriptor);
        WGPUBindGroupLayout const handle = layout;
        WGPUPipelineLayoutDescriptor all = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
        all.bindGroupLayoutCount = 1;
        all.bindGroupLayouts = &handle;
        Owned<WGPUPipelineLayout, wgpuPipelineLayoutRelease> const pipelines =
            wgpuDeviceCreatePipelineLayout(device, &all);
        Module const shader = module(twice);
        return is_valid([&] { pipeline(shader, "main", pipelines); });
    };
    EXPECT_TRUE(serves(WGPUBufferBindingType_Uniform));
    EXPECT_FALSE(serves(WGPUBufferBindingType_ReadOnlyStorage));
}

TEST_F(Compute, BindGroupsCheckUsageRangeAndAlignment) {
    const Module shader = module(twice);
    const Pipeline kernel = pipeline(shader);
    const Layout layout = wgpuComputePipelineGetBindGroupLayout(kernel, 0);
    const Buffer data = make_buffer(1024, storage);
    const Buffer scale = make_buffer(1024, uniform);
    const auto binds = [&](WGPUBindGroupEntry a, WGPUBindGroupEntry b) {
        return is_valid([&] { group(layout, {a, b}); });
    };
    EXPECT_TRUE(binds(entry(0, data, 256, 4), entry(1, scale)));
    EXPECT_FALSE(binds(entry(0, data, 128, 4), entry(1, scale))) << "offset alignment 256";
    EXPECT_FALSE(binds(entry(0, data, 1024), entry(1, scale))) << "nothing left";
    EXPECT_FALSE(binds(entry(0, data, 0, 1028), entry(1, scale)));
    EXPECT_FALSE(binds(entry(0, data, 0, 6), entry(1, scale)))
        << "storage sizes are multiples of 4";
    EXPECT_FALSE(binds(entry(0, scale), entry(1, scale))) << "lacks Storage";
    EXPECT_FALSE(binds(entry(0, data), entry(2, scale)));
    EXPECT_FALSE(is_valid([&] { group(layout, {entry(0, data)}); }));
}

TEST_F(Compute, ADispatchNeedsItsPipelineGroupsAndCounts) {
    fake.set_shader("main", [](const FerryFakeDispatch&) {});
    const Module shader = module(twice);
    const Pipeline kernel = pipeline(shader);
    const Layout layout = wgpuComputePipelineGetBindGroupLayout(kernel, 0);
    const Buffer data = make_buffer(1024, storage);
    const Buffer scale = make_buffer(1024, uniform);
    const Group bound = group(layout, {entry(0, data), entry(1, scale)});
    const Pipeline other = pipeline(shader);
    EXPECT_TRUE(
        finishes([&](WGPUCommandEncoder encoder) { dispatch(encoder, kernel, bound, 65535); }));
    EXPECT_FALSE(
        finishes([&](WGPUCommandEncoder encoder) { dispatch(encoder, kernel, bound, 65536); }));
    EXPECT_FALSE(finishes([&](WGPUCommandEncoder encoder) { dispatch(encoder, kernel, nullptr); }));
    EXPECT_FALSE(finishes([&](WGPUCommandEncoder encoder) { dispatch(encoder, other, bound); }))
        << "an automatic layout belongs to one pipeline";
    EXPECT_FALSE(finishes([&](WGPUCommandEncoder encoder) {
        ComputePass const pass = wgpuCommandEncoderBeginComputePass(encoder, nullptr);
        wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
        wgpuComputePassEncoderEnd(pass);
    }));
}

TEST_F(Compute, ABufferIsNotWrittenAndReadInOneDispatch) {
    constexpr const char* code = R"(
        @group(0) @binding(0) var<storage, read_write> a: array<u32>;
        @group(0) @binding(1) var<storage, read> b: array<u32>;
        @compute @workgroup_size(1) fn main() { a[0] = b[0]; })";
    const Module shader = module(code);
    const Pipeline kernel = pipeline(shader);
    const Layout layout = wgpuComputePipelineGetBindGroupLayout(kernel, 0);
    const Buffer data = make_buffer(1024, storage);
    const Buffer other = make_buffer(1024, storage);
    const Group same = group(layout, {entry(0, data, 0, 256), entry(1, data, 512, 256)});
    const Group apart = group(layout, {entry(0, data), entry(1, other)});
    EXPECT_FALSE(finishes([&](WGPUCommandEncoder encoder) { dispatch(encoder, kernel, same); }));
    EXPECT_TRUE(finishes([&](WGPUCommandEncoder encoder) { dispatch(encoder, kernel, apart); }));
}

TEST_F(Compute, BoundBuffersMustBeAvailableAtSubmit) {
    fake.set_shader("main", [](const FerryFakeDispatch&) {});
    const Module shader = module(twice);
    const Pipeline kernel = pipeline(shader);
    const Layout layout = wgpuComputePipelineGetBindGroupLayout(kernel, 0);
    const Buffer data = make_buffer(1024, storage);
    const Buffer scale = make_buffer(1024, uniform);
    const Group bound = group(layout, {entry(0, data), entry(1, scale)});
    wgpuBufferDestroy(scale);
    EXPECT_FALSE(is_valid(
        [&] { run([&](WGPUCommandEncoder encoder) { dispatch(encoder, kernel, bound); }); }));
}

TEST_F(Compute, AnIndirectDispatchReadsItsCountsFromTheBuffer) {
    std::uint32_t seen = 0;
    fake.set_shader("main", [&](const FerryFakeDispatch& run) {
        seen = run.workgroups[0] * run.workgroups[1];
    });
    const Module shader = module("@compute @workgroup_size(1) fn main() {}");
    const Pipeline kernel = pipeline(shader);
    const Buffer counts = make_buffer(16, WGPUBufferUsage_Indirect | copy_usage);
    write(counts, {9, 9, 9, 9, 5, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0});
    run([&](WGPUCommandEncoder encoder) {
        ComputePass const pass = wgpuCommandEncoderBeginComputePass(encoder, nullptr);
        wgpuComputePassEncoderSetPipeline(pass, kernel);
        wgpuComputePassEncoderDispatchWorkgroupsIndirect(pass, counts, 4);
        wgpuComputePassEncoderEnd(pass);
    });
    EXPECT_EQ(seen, 10U);
}

} // namespace
} // namespace fake_tests
