// SPDX-License-Identifier: MIT
#include "limits.hpp"

#include <algorithm>
#include <cstdint>

namespace ferry_fake {

namespace {

// Every limit once. A MAXIMUM is better when larger, an ALIGNMENT when smaller.
// clang-format off
#define FERRY_FAKE_LIMITS(MAXIMUM, ALIGNMENT) \
    MAXIMUM(maxTextureDimension1D, 8192) MAXIMUM(maxTextureDimension2D, 8192) MAXIMUM(maxTextureDimension3D, 2048) \
    MAXIMUM(maxTextureArrayLayers, 256) MAXIMUM(maxBindGroups, 4) MAXIMUM(maxBindGroupsPlusVertexBuffers, 24) \
    MAXIMUM(maxBindingsPerBindGroup, 1000) MAXIMUM(maxDynamicUniformBuffersPerPipelineLayout, 8) \
    MAXIMUM(maxDynamicStorageBuffersPerPipelineLayout, 4) MAXIMUM(maxSampledTexturesPerShaderStage, 16) \
    MAXIMUM(maxSamplersPerShaderStage, 16) MAXIMUM(maxStorageBuffersPerShaderStage, 8) \
    MAXIMUM(maxStorageTexturesPerShaderStage, 4) MAXIMUM(maxUniformBuffersPerShaderStage, 12) \
    MAXIMUM(maxUniformBufferBindingSize, 65536) MAXIMUM(maxStorageBufferBindingSize, 134217728) \
    ALIGNMENT(minUniformBufferOffsetAlignment, 256) ALIGNMENT(minStorageBufferOffsetAlignment, 256) \
    MAXIMUM(maxVertexBuffers, 8) MAXIMUM(maxBufferSize, 268435456) MAXIMUM(maxVertexAttributes, 16) \
    MAXIMUM(maxVertexBufferArrayStride, 2048) MAXIMUM(maxInterStageShaderVariables, 16) \
    MAXIMUM(maxColorAttachments, 8) MAXIMUM(maxColorAttachmentBytesPerSample, 32) \
    MAXIMUM(maxComputeWorkgroupStorageSize, 16384) MAXIMUM(maxComputeInvocationsPerWorkgroup, 256) \
    MAXIMUM(maxComputeWorkgroupSizeX, 256) MAXIMUM(maxComputeWorkgroupSizeY, 256) \
    MAXIMUM(maxComputeWorkgroupSizeZ, 64) MAXIMUM(maxComputeWorkgroupsPerDimension, 65535) \
    MAXIMUM(maxImmediateSize, 0)
// clang-format on

bool is_undefined(std::uint32_t value) { return value == WGPU_LIMIT_U32_UNDEFINED; }
bool is_undefined(std::uint64_t value) { return value == WGPU_LIMIT_U64_UNDEFINED; }

} // namespace

WGPULimits default_limits() {
    WGPULimits limits{};
#define FERRY_FAKE_SET(name, value) limits.name = value;
    FERRY_FAKE_LIMITS(FERRY_FAKE_SET, FERRY_FAKE_SET)
#undef FERRY_FAKE_SET
    return limits;
}

WGPULimits adapter_limits() {
    WGPULimits limits = default_limits();
    limits.maxBufferSize = std::uint64_t{4} << 30;
    limits.maxStorageBufferBindingSize = (std::uint64_t{2} << 30) - 4;
    limits.maxStorageBuffersPerShaderStage = 16;
    limits.maxComputeInvocationsPerWorkgroup = 1024;
    limits.maxComputeWorkgroupSizeX = 1024;
    limits.maxTextureDimension1D = 16384;
    limits.maxTextureDimension2D = 16384;
    limits.maxTextureArrayLayers = 2048;
    limits.minUniformBufferOffsetAlignment = 64;
    limits.minStorageBufferOffsetAlignment = 32;
    return limits;
}

WGPULimits overlay(WGPULimits base, const WGPULimits& wish) {
#define FERRY_FAKE_SET(name, value)                                                                \
    if (!is_undefined(wish.name)) base.name = wish.name;
    FERRY_FAKE_LIMITS(FERRY_FAKE_SET, FERRY_FAKE_SET)
#undef FERRY_FAKE_SET
    return base;
}

WGPULimits granted(const WGPULimits& adapter, const WGPULimits* wish) {
    WGPULimits limits = default_limits();
    // Asking for less than the default still gives the default.
#define FERRY_FAKE_RAISE(name, value)                                                              \
    if (wish && !is_undefined(wish->name)) limits.name = std::max(limits.name, wish->name);        \
    limits.name = std::min(limits.name, adapter.name);
#define FERRY_FAKE_LOWER(name, value)                                                              \
    if (wish && !is_undefined(wish->name)) limits.name = std::min(limits.name, wish->name);        \
    limits.name = std::max(limits.name, adapter.name);
    FERRY_FAKE_LIMITS(FERRY_FAKE_RAISE, FERRY_FAKE_LOWER)
#undef FERRY_FAKE_RAISE
#undef FERRY_FAKE_LOWER
    return limits;
}

Check check_limits(const WGPULimits& adapter, const WGPULimits& wish) {
#define FERRY_FAKE_CHECK_MAXIMUM(name, value)                                                      \
    if (!is_undefined(wish.name) && wish.name > adapter.name)                                      \
        return invalid("Required limit " #name " (", wish.name,                                    \
                       ") is above what the adapter has (", adapter.name, ").");
#define FERRY_FAKE_CHECK_ALIGNMENT(name, value)                                                    \
    if (!is_undefined(wish.name) &&                                                                \
        (wish.name < adapter.name || (wish.name & (wish.name - 1)) != 0))                          \
        return invalid("Required limit " #name " (", wish.name,                                    \
                       ") is not offered; the adapter has (", adapter.name, ").");
    FERRY_FAKE_LIMITS(FERRY_FAKE_CHECK_MAXIMUM, FERRY_FAKE_CHECK_ALIGNMENT)
#undef FERRY_FAKE_CHECK_MAXIMUM
#undef FERRY_FAKE_CHECK_ALIGNMENT
    return std::nullopt;
}

} // namespace ferry_fake
