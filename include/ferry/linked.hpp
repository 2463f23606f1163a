// SPDX-License-Identifier: MIT
#pragma once

// For programs that link a WebGPU engine. The only public header that includes webgpu.h.

#include <cstring>

#include <webgpu/webgpu.h>

#include "ferry/engine.hpp"

static_assert(sizeof(void*) != 8 || sizeof(WGPUBufferDescriptor) == 48, "webgpu.h of another ABI");
static_assert(sizeof(void*) != 8 || sizeof(WGPUBufferMapCallbackInfo) == 40,
              "webgpu.h of another ABI");
static_assert(sizeof(void*) != 8 || sizeof(WGPUDeviceDescriptor) == 144, "webgpu.h of another ABI");
static_assert(sizeof(void*) != 8 || sizeof(WGPULimits) == 152, "webgpu.h of another ABI");
static_assert(sizeof(void*) != 8 || sizeof(WGPUTexelCopyTextureInfo) == 32,
              "webgpu.h of another ABI");
static_assert(WGPUTextureFormat_RGBA8Unorm == 0x16, "webgpu.h of another ABI");
static_assert(WGPUMapAsyncStatus_Aborted == 4, "webgpu.h of another ABI");

// Extra functions, one for each engine that has them, which tell the engines apart. Declared under
// names of ours, since an engine's own header may declare them as well; weak, so that an engine
// without them links.
extern "C" {
[[gnu::weak]] void ferry_linked_wgpu_native_version() __asm__("wgpuGetVersion");
[[gnu::weak]] void ferry_linked_wgpu_native_adapters() __asm__("wgpuInstanceEnumerateAdapters");
[[gnu::weak]] void ferry_linked_dawn_tick() __asm__("wgpuDeviceTick");
[[gnu::weak]] void ferry_linked_fake_version() __asm__("ferry_fake_version");
}

namespace ferry {

namespace detail {
inline void* linked_extra_function(const char* name) {
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    if (is("wgpuGetVersion")) return reinterpret_cast<void*>(&ferry_linked_wgpu_native_version);
    if (is("wgpuInstanceEnumerateAdapters")) {
        return reinterpret_cast<void*>(&ferry_linked_wgpu_native_adapters);
    }
    if (is("wgpuDeviceTick")) return reinterpret_cast<void*>(&ferry_linked_dawn_tick);
    if (is("ferry_fake_version")) return reinterpret_cast<void*>(&ferry_linked_fake_version);
    return nullptr;
}

inline void* linked_function(void*, const char* name) {
#define FERRY_ENGINE_FUNCTION(function)                                                            \
    if (std::strcmp(name, "wgpu" #function) == 0) {                                                \
        return reinterpret_cast<void*>(&::wgpu##function);                                         \
    }
#include "ferry/engine_functions.inc"
    return linked_extra_function(name);
}
} // namespace detail

/// The engine that this program links, looked up where this is compiled: a library cannot see
/// statically linked functions by itself. Errors: `unsupported` for an engine of another ABI.
[[nodiscard]] inline Result<Engine> linked_engine() {
    return Engine::from(&detail::linked_function, nullptr, "linked");
}

} // namespace ferry
