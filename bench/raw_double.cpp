// SPDX-License-Identifier: MIT
// The job of `ferry run examples/double.wgsl`, written on webgpu.h: reads a .npy file of float32,
// doubles it with the shader, writes a .npy file.
//   bench_raw_double ENGINE-LIBRARY SHADER IN.npy OUT.npy

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "raw.hpp"

namespace {

using bench::Raw;

std::string read_text(const char* path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Header and data of a version 1 file as NumPy writes it.
struct Array {
    std::string header;
    std::vector<char> data;
};

Array read_array(const char* path) {
    std::ifstream file(path, std::ios::binary);
    Array out;
    out.header.resize(10);
    file.read(out.header.data(), 10);
    const auto low = static_cast<unsigned char>(out.header[8]);
    const auto high = static_cast<unsigned char>(out.header[9]);
    const std::size_t rest = low + 256u * high;
    out.header.resize(10 + rest);
    file.read(out.header.data() + 10, static_cast<std::streamsize>(rest));
    const auto start = file.tellg();
    file.seekg(0, std::ios::end);
    out.data.resize(static_cast<std::size_t>(file.tellg() - start));
    file.seekg(start);
    file.read(out.data.data(), static_cast<std::streamsize>(out.data.size()));
    Raw::need(static_cast<bool>(file), "the input");
    return out;
}

WGPUBuffer create_filled(Raw& raw, const std::vector<char>& data) {
    WGPUProcDeviceCreateBuffer create = nullptr;
    WGPUProcBufferGetMappedRange range = nullptr;
    WGPUProcBufferUnmap unmap = nullptr;
    raw.get(create, "wgpuDeviceCreateBuffer");
    raw.get(range, "wgpuBufferGetMappedRange");
    raw.get(unmap, "wgpuBufferUnmap");
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.usage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc;
    descriptor.size = data.size();
    descriptor.mappedAtCreation = 1;
    WGPUBuffer buffer = create(raw.device, &descriptor);
    std::memcpy(range(buffer, 0, data.size()), data.data(), data.size());
    unmap(buffer);
    return buffer;
}

WGPUComputePipeline create_pipeline(Raw& raw, const std::string& wgsl) {
    WGPUProcDeviceCreateShaderModule create_module = nullptr;
    WGPUProcDeviceCreateComputePipeline create = nullptr;
    raw.get(create_module, "wgpuDeviceCreateShaderModule");
    raw.get(create, "wgpuDeviceCreateComputePipeline");
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = Raw::view(wgsl);
    WGPUShaderModuleDescriptor module = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    module.nextInChain = &source.chain;
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.compute.module = create_module(raw.device, &module);
    return create(raw.device, &descriptor);
}

void dispatch(Raw& raw, WGPUComputePipeline pipeline, WGPUBuffer buffer, std::size_t size_bytes) {
    WGPUProcComputePipelineGetBindGroupLayout layout = nullptr;
    WGPUProcDeviceCreateBindGroup create_group = nullptr;
    WGPUProcDeviceCreateCommandEncoder create_encoder = nullptr;
    WGPUProcCommandEncoderBeginComputePass begin = nullptr;
    WGPUProcComputePassEncoderSetPipeline set_pipeline = nullptr;
    WGPUProcComputePassEncoderSetBindGroup set_group = nullptr;
    WGPUProcComputePassEncoderDispatchWorkgroups run = nullptr;
    WGPUProcComputePassEncoderEnd end = nullptr;
    WGPUProcCommandEncoderFinish finish = nullptr;
    raw.get(layout, "wgpuComputePipelineGetBindGroupLayout");
    raw.get(create_group, "wgpuDeviceCreateBindGroup");
    raw.get(create_encoder, "wgpuDeviceCreateCommandEncoder");
    raw.get(begin, "wgpuCommandEncoderBeginComputePass");
    raw.get(set_pipeline, "wgpuComputePassEncoderSetPipeline");
    raw.get(set_group, "wgpuComputePassEncoderSetBindGroup");
    raw.get(run, "wgpuComputePassEncoderDispatchWorkgroups");
    raw.get(end, "wgpuComputePassEncoderEnd");
    raw.get(finish, "wgpuCommandEncoderFinish");
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.buffer = buffer;
    entry.size = size_bytes;
    WGPUBindGroupDescriptor group = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    group.layout = layout(pipeline, 0);
    group.entryCount = 1;
    group.entries = &entry;
    WGPUCommandEncoder encoder = create_encoder(raw.device, nullptr);
    WGPUComputePassEncoder pass = begin(encoder, nullptr);
    set_pipeline(pass, pipeline);
    set_group(pass, 0, create_group(raw.device, &group), 0, nullptr);
    run(pass, 4096, 1, 1);
    end(pass);
    WGPUCommandBuffer commands = finish(encoder, nullptr);
    raw.queue_submit(raw.queue, 1, &commands);
}

void read_back(Raw& raw, WGPUBuffer buffer, std::vector<char>& data) {
    WGPUProcCommandEncoderCopyBufferToBuffer copy = nullptr;
    raw.get(copy, "wgpuCommandEncoderCopyBufferToBuffer");
    bench::RawReader(raw, data.size())
        .read([&](WGPUCommandEncoder encoder,
                  WGPUBuffer staging) { copy(encoder, buffer, 0, staging, 0, data.size()); },
              [&](const std::byte* bytes) { std::memcpy(data.data(), bytes, data.size()); });
}

} // namespace

int main(int count, char** words) {
    if (count != 5) {
        std::fprintf(stderr, "usage: bench_raw_double ENGINE-LIBRARY SHADER IN.npy OUT.npy\n");
        return 2;
    }
    Raw raw(words[1]);
    Array array = read_array(words[3]);
    WGPUBuffer buffer = create_filled(raw, array.data);
    dispatch(raw, create_pipeline(raw, read_text(words[2])), buffer, array.data.size());
    read_back(raw, buffer, array.data);
    std::ofstream out(words[4], std::ios::binary);
    out.write(array.header.data(), static_cast<std::streamsize>(array.header.size()));
    out.write(array.data.data(), static_cast<std::streamsize>(array.data.size()));
    out.close();
    return out ? 0 : 1;
}
