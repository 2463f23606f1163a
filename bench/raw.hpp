// SPDX-License-Identifier: MIT
#pragma once

// webgpu.h as a careful program uses it directly: what ferry is measured against.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <dlfcn.h>
#include <webgpu/webgpu.h>

namespace bench {

/// An engine's functions, a device and its queue. A benchmark stops at the first surprise.
class Raw {
public:
    explicit Raw(const char* library_path) : library_(dlopen(library_path, RTLD_NOW | RTLD_LOCAL)) {
        need(library_ != nullptr, "the engine library");
        get(create_instance, "wgpuCreateInstance");
        get(process_events, "wgpuInstanceProcessEvents");
        get(queue_submit, "wgpuQueueSubmit");
        instance = create_instance(nullptr);
        open();
    }

    template <class Function>
    void get(Function& out, const char* name) const {
        out = reinterpret_cast<Function>(dlsym(library_, name));
        need(out != nullptr, name);
    }

    static void need(bool there, const char* what) {
        if (there) return;
        std::fprintf(stderr, "bench: %s is missing\n", what);
        std::exit(1);
    }

    [[nodiscard]] static WGPUStringView view(std::string_view text) {
        return {text.data(), text.size()};
    }

    WGPUProcCreateInstance create_instance = nullptr;
    WGPUProcInstanceProcessEvents process_events = nullptr;
    WGPUProcQueueSubmit queue_submit = nullptr;
    WGPUInstance instance = nullptr;
    WGPUAdapter adapter = nullptr;
    WGPUDevice device = nullptr;
    WGPUQueue queue = nullptr;

private:
    void open() {
        WGPUProcInstanceRequestAdapter request_adapter = nullptr;
        get(request_adapter, "wgpuInstanceRequestAdapter");
        WGPURequestAdapterCallbackInfo adapter_info{};
        adapter_info.mode = WGPUCallbackMode_AllowProcessEvents;
        adapter_info.userdata1 = &adapter;
        adapter_info.callback = [](WGPURequestAdapterStatus, WGPUAdapter got, WGPUStringView,
                                   void* out, void*) { *static_cast<WGPUAdapter*>(out) = got; };
        request_adapter(instance, nullptr, adapter_info);
        for (int turn = 0; turn < 1'000'000 && adapter == nullptr; ++turn) process_events(instance);
        need(adapter != nullptr, "an adapter");

        WGPUProcAdapterGetLimits get_limits = nullptr;
        get(get_limits, "wgpuAdapterGetLimits");
        WGPULimits limits = WGPU_LIMITS_INIT;
        get_limits(adapter, &limits);
        WGPUProcAdapterRequestDevice request_device = nullptr;
        get(request_device, "wgpuAdapterRequestDevice");
        WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
        descriptor.requiredLimits = &limits;
        WGPURequestDeviceCallbackInfo device_info{};
        device_info.mode = WGPUCallbackMode_AllowProcessEvents;
        device_info.userdata1 = &device;
        device_info.callback = [](WGPURequestDeviceStatus, WGPUDevice got, WGPUStringView,
                                  void* out, void*) { *static_cast<WGPUDevice*>(out) = got; };
        request_device(adapter, &descriptor, device_info);
        for (int turn = 0; turn < 1'000'000 && device == nullptr; ++turn) process_events(instance);
        need(device != nullptr, "a device");
        WGPUProcDeviceGetQueue get_queue = nullptr;
        get(get_queue, "wgpuDeviceGetQueue");
        queue = get_queue(device);
    }

    void* library_;
};

/// A read-back with its staging buffer kept: record, submit, map, look, unmap.
class RawReader {
public:
    RawReader(Raw& raw, std::size_t size_bytes) : raw_(raw), size_bytes_(size_bytes) {
        WGPUProcDeviceCreateBuffer create_buffer = nullptr;
        raw.get(create_buffer, "wgpuDeviceCreateBuffer");
        raw.get(create_encoder_, "wgpuDeviceCreateCommandEncoder");
        raw.get(finish_, "wgpuCommandEncoderFinish");
        raw.get(release_encoder_, "wgpuCommandEncoderRelease");
        raw.get(release_commands_, "wgpuCommandBufferRelease");
        raw.get(map_, "wgpuBufferMapAsync");
        raw.get(range_, "wgpuBufferGetConstMappedRange");
        raw.get(unmap_, "wgpuBufferUnmap");
        WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
        descriptor.usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst;
        descriptor.size = size_bytes;
        staging_ = create_buffer(raw.device, &descriptor);
        Raw::need(staging_ != nullptr, "a staging buffer");
    }

    /// `record(encoder, staging)` copies into the staging buffer; `use(bytes)` sees it mapped.
    template <class Record, class Use>
    void read(Record record, Use use) {
        WGPUCommandEncoder encoder = create_encoder_(raw_.device, nullptr);
        record(encoder, staging_);
        WGPUCommandBuffer commands = finish_(encoder, nullptr);
        release_encoder_(encoder);
        raw_.queue_submit(raw_.queue, 1, &commands);
        release_commands_(commands);
        bool mapped = false;
        WGPUBufferMapCallbackInfo info{};
        info.mode = WGPUCallbackMode_AllowProcessEvents;
        info.userdata1 = &mapped;
        info.callback = [](WGPUMapAsyncStatus, WGPUStringView, void* out, void*) {
            *static_cast<bool*>(out) = true;
        };
        map_(staging_, WGPUMapMode_Read, 0, size_bytes_, info);
        while (!mapped) raw_.process_events(raw_.instance);
        use(static_cast<const std::byte*>(range_(staging_, 0, size_bytes_)));
        unmap_(staging_);
    }

private:
    Raw& raw_;
    std::size_t size_bytes_;
    WGPUBuffer staging_ = nullptr;
    WGPUProcDeviceCreateCommandEncoder create_encoder_ = nullptr;
    WGPUProcCommandEncoderFinish finish_ = nullptr;
    WGPUProcCommandEncoderRelease release_encoder_ = nullptr;
    WGPUProcCommandBufferRelease release_commands_ = nullptr;
    WGPUProcBufferMapAsync map_ = nullptr;
    WGPUProcBufferGetConstMappedRange range_ = nullptr;
    WGPUProcBufferUnmap unmap_ = nullptr;
};

} // namespace bench
