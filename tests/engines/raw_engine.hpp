// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <string>

#include <dlfcn.h>
#include <webgpu/webgpu.h>

#include "engine_fixture.hpp"
#include "ferry/interop.hpp"

namespace ferry::test {

/// The functions of an engine that ferry has loaded, for what a user of raw webgpu.h does.
class RawEngine {
public:
    explicit RawEngine(const Engine& engine)
        : library_(dlopen(std::string(engine.origin()).c_str(), RTLD_NOW | RTLD_NOLOAD)) {}

    [[nodiscard]] explicit operator bool() const { return library_ != nullptr; }

    /// `raw.get<WGPUProcDeviceDestroy>("wgpuDeviceDestroy")(device)`
    template <class Function>
    [[nodiscard]] Function get(const char* name) const {
        auto found = find<Function>(name);
        if (found == nullptr) throw std::runtime_error(std::string("the engine has no ") + name);
        return found;
    }
    template <class Function>
    [[nodiscard]] Function find(const char* name) const {
        return library_ == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library_, name));
    }

private:
    void* library_;
};

[[nodiscard]] inline const RawEngine& raw_engine() {
    static const RawEngine raw(engine());
    return raw;
}

#define FERRY_NEEDS_RAW_ENGINE()                                                                   \
    if (!::ferry::test::raw_engine())                                                              \
    GTEST_SKIP() << "this engine's library is not loaded by "                                      \
                    "path"

[[nodiscard]] inline WGPUStringView view_of(const char* text) { return {text, std::strlen(text)}; }

/// Takes the device from under ferry, as a driver crash does.
inline void lose(const Device& device) {
    using ForceLoss = void (*)(WGPUDevice, WGPUDeviceLostReason, WGPUStringView);
    WGPUDevice raw = interop::raw(device).device;
    if (auto force = raw_engine().find<ForceLoss>("wgpuDeviceForceLoss")) {
        force(raw, WGPUDeviceLostReason_Unknown, view_of("lost by the test"));
    } else {
        raw_engine().get<WGPUProcDeviceDestroy>("wgpuDeviceDestroy")(raw);
    }
}

/// An instance and a device that a program made for itself.
class RawDevice {
public:
    RawDevice() {
        losses_ = errors_ = 0;
        const RawEngine& raw = raw_engine();
        handles_.instance = raw.get<WGPUProcCreateInstance>("wgpuCreateInstance")(nullptr);
        request_adapter(raw);
        request_device(raw);
        handles_.queue = raw.get<WGPUProcDeviceGetQueue>("wgpuDeviceGetQueue")(handles_.device);
    }
    RawDevice(const RawDevice&) = delete;
    RawDevice& operator=(const RawDevice&) = delete;
    ~RawDevice() {
        const RawEngine& raw = raw_engine();
        raw.get<WGPUProcQueueRelease>("wgpuQueueRelease")(handles_.queue);
        raw.get<WGPUProcDeviceRelease>("wgpuDeviceRelease")(handles_.device);
        raw.get<WGPUProcAdapterRelease>("wgpuAdapterRelease")(handles_.adapter);
        raw.get<WGPUProcInstanceRelease>("wgpuInstanceRelease")(handles_.instance);
    }

    [[nodiscard]] const interop::RawDevice& handles() const { return handles_; }
    [[nodiscard]] int losses() const { return losses_; }
    [[nodiscard]] int errors() const { return errors_; }

private:
    template <class Ready>
    void pump(const RawEngine& raw, Ready ready) const {
        auto process = raw.get<WGPUProcInstanceProcessEvents>("wgpuInstanceProcessEvents");
        for (int turn = 0; turn < 100'000 && !ready(); ++turn) process(handles_.instance);
        if (!ready()) throw std::runtime_error("the engine answers no request");
    }

    void request_adapter(const RawEngine& raw) {
        WGPURequestAdapterCallbackInfo info{};
        info.mode = WGPUCallbackMode_AllowProcessEvents;
        info.callback = [](WGPURequestAdapterStatus, WGPUAdapter adapter, WGPUStringView,
                           void* self,
                           void*) { static_cast<RawDevice*>(self)->handles_.adapter = adapter; };
        info.userdata1 = this;
        raw.get<WGPUProcInstanceRequestAdapter>("wgpuInstanceRequestAdapter")(handles_.instance,
                                                                              nullptr, info);
        pump(raw, [&] { return handles_.adapter != nullptr; });
    }

    void request_device(const RawEngine& raw) {
        WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
        descriptor.deviceLostCallbackInfo.mode = WGPUCallbackMode_AllowProcessEvents;
        descriptor.deviceLostCallbackInfo.callback = [](const WGPUDevice*, WGPUDeviceLostReason,
                                                        WGPUStringView, void* losses, void*) {
            ++*static_cast<std::atomic<int>*>(losses);
        };
        descriptor.deviceLostCallbackInfo.userdata1 = &losses_;
        descriptor.uncapturedErrorCallbackInfo.callback = [](const WGPUDevice*, WGPUErrorType,
                                                             WGPUStringView, void* errors, void*) {
            ++*static_cast<std::atomic<int>*>(errors);
        };
        descriptor.uncapturedErrorCallbackInfo.userdata1 = &errors_;
        WGPURequestDeviceCallbackInfo info{};
        info.mode = WGPUCallbackMode_AllowProcessEvents;
        info.callback = [](WGPURequestDeviceStatus, WGPUDevice device, WGPUStringView, void* self,
                           void*) { static_cast<RawDevice*>(self)->handles_.device = device; };
        info.userdata1 = this;
        raw.get<WGPUProcAdapterRequestDevice>("wgpuAdapterRequestDevice")(handles_.adapter,
                                                                          &descriptor, info);
        pump(raw, [&] { return handles_.device != nullptr; });
    }

    interop::RawDevice handles_{};
    // They outlive the device: an engine may call back inside the release of the instance.
    inline static std::atomic<int> losses_ = 0;
    inline static std::atomic<int> errors_ = 0;
};

} // namespace ferry::test
