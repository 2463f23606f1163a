// SPDX-License-Identifier: MIT
// An ordinary webgpu.h program, linked against ferry_fake, whose third map fails.
#include <cstdio>
#include <ferry_fake/ferry_fake.h>

namespace {

void on_adapter(WGPURequestAdapterStatus, WGPUAdapter adapter, WGPUStringView, void* out, void*) {
    *static_cast<WGPUAdapter*>(out) = adapter;
}
void on_device(WGPURequestDeviceStatus, WGPUDevice device, WGPUStringView, void* out, void*) {
    *static_cast<WGPUDevice*>(out) = device;
}
void on_map(WGPUMapAsyncStatus status, WGPUStringView, void* out, void*) {
    *static_cast<WGPUMapAsyncStatus*>(out) = status;
}
void on_error(const WGPUDevice*, WGPUErrorType, WGPUStringView message, void*, void*) {
    std::printf("device error: %.*s\n", static_cast<int>(message.length), message.data);
}

} // namespace
int main() {
    FerryFake* fake = ferry_fake_new();
    const FerryFakeFault third_map{"wgpuBufferMapAsync", 3, 1, FERRY_FAKE_FAIL, 0};
    ferry_fake_script(fake, &third_map);
    ferry_fake_next_instance(fake);

    WGPUInstance instance = wgpuCreateInstance(nullptr);
    WGPUAdapter adapter = nullptr;
    wgpuInstanceRequestAdapter(
        instance, nullptr,
        {nullptr, WGPUCallbackMode_AllowProcessEvents, on_adapter, &adapter, nullptr});
    wgpuInstanceProcessEvents(instance);
    WGPUDevice device = nullptr;
    WGPUDeviceDescriptor wanted = WGPU_DEVICE_DESCRIPTOR_INIT;
    wanted.uncapturedErrorCallbackInfo.callback = on_error;
    wgpuAdapterRequestDevice(
        adapter, &wanted,
        {nullptr, WGPUCallbackMode_AllowProcessEvents, on_device, &device, nullptr});
    wgpuInstanceProcessEvents(instance);
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.size = 16;
    descriptor.usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst;
    WGPUBuffer buffer = wgpuDeviceCreateBuffer(device, &descriptor);
    for (int i = 1; i <= 4; ++i) {
        WGPUMapAsyncStatus status{};
        wgpuBufferMapAsync(
            buffer, WGPUMapMode_Read, 0, 16,
            {nullptr, WGPUCallbackMode_AllowProcessEvents, on_map, &status, nullptr});
        wgpuInstanceProcessEvents(instance);
        std::printf("map %d: %s\n", i, status == WGPUMapAsyncStatus_Success ? "success" : "error");
        wgpuBufferUnmap(buffer);
    }
    wgpuBufferRelease(buffer), wgpuDeviceRelease(device), wgpuAdapterRelease(adapter),
        wgpuInstanceRelease(instance);
    const bool clean = ferry_fake_check_clean(fake, nullptr, 0) == 0;
    ferry_fake_free(fake);
    return clean ? 0 : 1;
}
