// SPDX-License-Identifier: MIT
// A device on a commanded world, and short names for what tests do with it.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <ferry_fake/fake.hpp>

namespace fake_tests {

using namespace std::chrono_literals;
using Bytes = std::vector<std::uint8_t>;

// One reference of a handle.
template <class Handle, auto Release>
class Owned {
public:
    Owned() = default;
    Owned(Handle handle) : handle_(handle) {}
    Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Owned& operator=(Owned other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Owned() { reset(); }
    operator Handle() const { return handle_; }
    Handle give() { return std::exchange(handle_, nullptr); }
    void reset() {
        if (handle_) Release(std::exchange(handle_, nullptr));
    }

private:
    Handle handle_ = nullptr;
};

using Instance = Owned<WGPUInstance, wgpuInstanceRelease>;
using Adapter = Owned<WGPUAdapter, wgpuAdapterRelease>;
using Device = Owned<WGPUDevice, wgpuDeviceRelease>;
using Queue = Owned<WGPUQueue, wgpuQueueRelease>;
using Buffer = Owned<WGPUBuffer, wgpuBufferRelease>;
using Texture = Owned<WGPUTexture, wgpuTextureRelease>;
using View = Owned<WGPUTextureView, wgpuTextureViewRelease>;
using Encoder = Owned<WGPUCommandEncoder, wgpuCommandEncoderRelease>;
using Commands = Owned<WGPUCommandBuffer, wgpuCommandBufferRelease>;
using ComputePass = Owned<WGPUComputePassEncoder, wgpuComputePassEncoderRelease>;
using RenderPass = Owned<WGPURenderPassEncoder, wgpuRenderPassEncoderRelease>;
using Module = Owned<WGPUShaderModule, wgpuShaderModuleRelease>;
using Pipeline = Owned<WGPUComputePipeline, wgpuComputePipelineRelease>;
using Layout = Owned<WGPUBindGroupLayout, wgpuBindGroupLayoutRelease>;
using Group = Owned<WGPUBindGroup, wgpuBindGroupRelease>;

// How an asynchronous call ended: 0 while it has not, and how often.
struct Outcome {
    int status = 0;
    int calls = 0;
    std::string message;
};

inline std::string string_of(WGPUStringView view) { return std::string(view.data, view.length); }

inline constexpr WGPUCallbackMode in_pumps = WGPUCallbackMode_AllowProcessEvents;

inline WGPUBufferMapCallbackInfo map_info(Outcome& outcome, WGPUCallbackMode mode = in_pumps) {
    return {nullptr, mode,
            [](WGPUMapAsyncStatus status, WGPUStringView message, void* out, void*) {
                auto& result = *static_cast<Outcome*>(out);
                result.status = status;
                result.message = string_of(message);
                ++result.calls;
            },
            &outcome, nullptr};
}

inline WGPUQueueWorkDoneCallbackInfo done_info(Outcome& outcome, WGPUCallbackMode mode = in_pumps) {
    return {nullptr, mode,
            [](WGPUQueueWorkDoneStatus status, WGPUStringView, void* out, void*) {
                static_cast<Outcome*>(out)->status = status;
                ++static_cast<Outcome*>(out)->calls;
            },
            &outcome, nullptr};
}

class FakeTest : public ::testing::Test {
protected:
    // Tests that script the world before it opens do so before calling this.
    void open(WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT) {
        fake.use_for_next_instance();
        const WGPUInstanceFeatureName timed = WGPUInstanceFeatureName_TimedWaitAny;
        WGPUInstanceDescriptor wanted = WGPU_INSTANCE_DESCRIPTOR_INIT;
        wanted.requiredFeatureCount = 1;
        wanted.requiredFeatures = &timed;
        instance = wgpuCreateInstance(&wanted);
        adapter = request_adapter();
        descriptor.uncapturedErrorCallbackInfo = {nullptr, uncaptured_error, this, nullptr};
        descriptor.deviceLostCallbackInfo = {nullptr, in_pumps, device_lost, this, nullptr};
        device = request_device(descriptor);
        if (device) queue = wgpuDeviceGetQueue(device);
    }

    void SetUp() override { open(); }

    void TearDown() override {
        close();
        EXPECT_EQ(fake.findings(), "");
    }

    void close() {
        found_device.reset(), found_adapter.reset();
        queue.reset(), device.reset(), adapter.reset(), instance.reset();
    }

    void pump() { wgpuInstanceProcessEvents(instance); }

    // The answers go to members, since a scripted engine may give them late or twice.
    WGPUAdapter request_adapter() {
        found_adapter = {};
        wgpuInstanceRequestAdapter(instance, nullptr,
                                   {nullptr, in_pumps,
                                    [](WGPURequestAdapterStatus, WGPUAdapter found, WGPUStringView,
                                       void* out, void*) { *static_cast<Adapter*>(out) = found; },
                                    &found_adapter, nullptr});
        pump();
        return found_adapter.give();
    }

    WGPUDevice request_device(const WGPUDeviceDescriptor& descriptor) {
        found_device = {};
        wgpuAdapterRequestDevice(adapter, &descriptor,
                                 {nullptr, in_pumps,
                                  [](WGPURequestDeviceStatus, WGPUDevice found, WGPUStringView,
                                     void* out, void*) { *static_cast<Device*>(out) = found; },
                                  &found_device, nullptr});
        pump();
        return found_device.give();
    }

    // The error that `work` causes, by its own scopes; 0 (no enumerator) when the device is silent.
    WGPUErrorType error_of(const std::function<void()>& work) {
        const WGPUErrorFilter filters[] = {WGPUErrorFilter_Internal, WGPUErrorFilter_OutOfMemory,
                                           WGPUErrorFilter_Validation};
        for (WGPUErrorFilter filter : filters) wgpuDevicePushErrorScope(device, filter);
        work();
        WGPUErrorType found = WGPUErrorType_NoError;
        for ([[maybe_unused]] WGPUErrorFilter filter : filters)
            wgpuDevicePopErrorScope(device, {nullptr, in_pumps,
                                             [](WGPUPopErrorScopeStatus, WGPUErrorType type,
                                                WGPUStringView, void* out, void*) {
                                                 if (type != WGPUErrorType_NoError)
                                                     *static_cast<WGPUErrorType*>(out) = type;
                                             },
                                             &found, nullptr});
        pump();
        return found;
    }

    bool is_valid(const std::function<void()>& work) {
        return error_of(work) == WGPUErrorType_NoError;
    }

    WGPUBuffer make_buffer(std::uint64_t size, WGPUBufferUsage usage, bool mapped = false) {
        WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
        descriptor.size = size;
        descriptor.usage = usage;
        descriptor.mappedAtCreation = mapped;
        return wgpuDeviceCreateBuffer(device, &descriptor);
    }

    void submit(const Commands& commands) {
        const WGPUCommandBuffer handle = commands;
        wgpuQueueSubmit(queue, 1, &handle);
    }

    // Records with `record`, finishes and submits.
    void run(const std::function<void(WGPUCommandEncoder)>& record) {
        const Encoder encoder = wgpuDeviceCreateCommandEncoder(device, nullptr);
        record(encoder);
        submit(Commands(wgpuCommandEncoderFinish(encoder, nullptr)));
    }

    // The same without a submit: whether the commands are valid.
    bool finishes(const std::function<void(WGPUCommandEncoder)>& record) {
        const Encoder encoder = wgpuDeviceCreateCommandEncoder(device, nullptr);
        record(encoder);
        return is_valid([&] { Commands(wgpuCommandEncoderFinish(encoder, nullptr)); });
    }

    // Maps at once; the status.
    int map(WGPUBuffer buffer, WGPUMapMode mode, std::size_t offset, std::size_t size) {
        Outcome outcome;
        wgpuBufferMapAsync(buffer, mode, offset, size, map_info(outcome));
        pump();
        return outcome.status;
    }

    // The bytes of a mappable buffer, or of a CopySrc buffer through a staging buffer.
    Bytes read(WGPUBuffer buffer) {
        std::uint64_t const size = wgpuBufferGetSize(buffer) / 4 * 4;
        const Buffer staging = make_buffer(size, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
        run([&](WGPUCommandEncoder encoder) {
            wgpuCommandEncoderCopyBufferToBuffer(encoder, buffer, 0, staging, 0, size);
        });
        return read_mapped(staging);
    }

    Bytes read_mapped(WGPUBuffer buffer) {
        std::size_t const size = wgpuBufferGetSize(buffer);
        EXPECT_EQ(map(buffer, WGPUMapMode_Read, 0, size), WGPUMapAsyncStatus_Success);
        Bytes bytes(size);
        const void* const data = wgpuBufferGetConstMappedRange(buffer, 0, size);
        if (data && size > 0) std::memcpy(bytes.data(), data, size);
        wgpuBufferUnmap(buffer);
        return bytes;
    }

    void write(WGPUBuffer buffer, const Bytes& bytes, std::uint64_t offset = 0) {
        wgpuQueueWriteBuffer(queue, buffer, offset, bytes.data(), bytes.size());
    }

    static void uncaptured_error(const WGPUDevice*, WGPUErrorType, WGPUStringView message,
                                 void* self, void*) {
        static_cast<FakeTest*>(self)->uncaptured.push_back(string_of(message));
    }
    static void device_lost(const WGPUDevice* lost, WGPUDeviceLostReason reason, WGPUStringView,
                            void* self, void*) {
        static_cast<FakeTest*>(self)->lost.status = reason;
        static_cast<FakeTest*>(self)->lost_had_device = *lost != nullptr;
        ++static_cast<FakeTest*>(self)->lost.calls;
    }

    ferry_fake::Fake fake;
    Adapter found_adapter;
    Device found_device;
    Instance instance;
    Adapter adapter;
    Device device;
    Queue queue;
    std::vector<std::string> uncaptured;
    Outcome lost;
    bool lost_had_device = false;
};

inline constexpr WGPUBufferUsage read_usage = 0x1 | 0x8;  // MapRead, CopyDst
inline constexpr WGPUBufferUsage write_usage = 0x2 | 0x4; // MapWrite, CopySrc
inline constexpr WGPUBufferUsage copy_usage = 0x4 | 0x8;  // CopySrc, CopyDst

} // namespace fake_tests
