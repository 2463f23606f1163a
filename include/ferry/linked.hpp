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

namespace ferry {

namespace detail {
inline void* linked_function(void*, const char* name) {
#define FERRY_ENGINE_FUNCTION(function)                                                            \
    if (std::strcmp(name, "wgpu" #function) == 0) {                                                \
        return reinterpret_cast<void*>(&::wgpu##function);                                         \
    }
#include "ferry/engine_functions.inc"
    return nullptr;
}
} // namespace detail

/// The engine that this program links, looked up where this is compiled (a library cannot see
/// statically linked functions by itself). Which engine it is stays "unknown" unless it is told
/// apart by an exported extra function.
[[nodiscard]] inline Result<Engine> linked_engine() {
    return Engine::from(&detail::linked_function, nullptr, "linked");
}

} // namespace ferry
