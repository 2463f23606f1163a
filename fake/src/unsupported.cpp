// SPDX-License-Identifier: MIT
// What a data-movement engine leaves out: surfaces, queries, render bundles. A call is noted as
// misuse.
#include "api.hpp"
#include "handle.hpp"

namespace ferry_fake::api {

namespace {

template <class Handle>
void unsupported(Handle handle) {
    header_of(handle)->world->misuse(
        "ferry_fake has no surfaces, queries and render bundles: unsupported call");
}

} // namespace

// clang-format off
#define FERRY_FAKE_UNSUPPORTED(Result, Name, Handle, ...) \
    Result Name(Handle handle __VA_OPT__(, ) __VA_ARGS__) { \
        unsupported(handle); \
        return Result(); \
    }
FERRY_FAKE_UNSUPPORTED(WGPUSurface, InstanceCreateSurface, WGPUInstance, WGPUSurfaceDescriptor const*)
FERRY_FAKE_UNSUPPORTED(void, SurfaceConfigure, WGPUSurface, WGPUSurfaceConfiguration const*)
FERRY_FAKE_UNSUPPORTED(void, SurfaceUnconfigure, WGPUSurface)
FERRY_FAKE_UNSUPPORTED(void, SurfaceGetCurrentTexture, WGPUSurface, WGPUSurfaceTexture*)
FERRY_FAKE_UNSUPPORTED(WGPUQuerySet, DeviceCreateQuerySet, WGPUDevice, WGPUQuerySetDescriptor const*)
FERRY_FAKE_UNSUPPORTED(void, QuerySetDestroy, WGPUQuerySet)
FERRY_FAKE_UNSUPPORTED(uint32_t, QuerySetGetCount, WGPUQuerySet)
FERRY_FAKE_UNSUPPORTED(WGPUQueryType, QuerySetGetType, WGPUQuerySet)
FERRY_FAKE_UNSUPPORTED(void, CommandEncoderResolveQuerySet, WGPUCommandEncoder, WGPUQuerySet, uint32_t, uint32_t,
                       WGPUBuffer, uint64_t)
FERRY_FAKE_UNSUPPORTED(void, CommandEncoderWriteTimestamp, WGPUCommandEncoder, WGPUQuerySet, uint32_t)
FERRY_FAKE_UNSUPPORTED(WGPURenderBundleEncoder, DeviceCreateRenderBundleEncoder, WGPUDevice,
                       WGPURenderBundleEncoderDescriptor const*)
FERRY_FAKE_UNSUPPORTED(WGPURenderBundle, RenderBundleEncoderFinish, WGPURenderBundleEncoder,
                       WGPURenderBundleDescriptor const*)
#define FERRY_FAKE_BUNDLE(Name, ...) \
    FERRY_FAKE_UNSUPPORTED(void, RenderBundleEncoder##Name, WGPURenderBundleEncoder __VA_OPT__(, ) __VA_ARGS__)
FERRY_FAKE_BUNDLE(Draw, uint32_t, uint32_t, uint32_t, uint32_t)
FERRY_FAKE_BUNDLE(DrawIndexed, uint32_t, uint32_t, uint32_t, int32_t, uint32_t)
FERRY_FAKE_BUNDLE(DrawIndexedIndirect, WGPUBuffer, uint64_t)
FERRY_FAKE_BUNDLE(DrawIndirect, WGPUBuffer, uint64_t)
FERRY_FAKE_BUNDLE(InsertDebugMarker, WGPUStringView)
FERRY_FAKE_BUNDLE(PopDebugGroup)
FERRY_FAKE_BUNDLE(PushDebugGroup, WGPUStringView)
FERRY_FAKE_BUNDLE(SetBindGroup, uint32_t, WGPUBindGroup, size_t, uint32_t const*)
FERRY_FAKE_BUNDLE(SetImmediates, uint32_t, void const*, size_t)
FERRY_FAKE_BUNDLE(SetIndexBuffer, WGPUBuffer, WGPUIndexFormat, uint64_t, uint64_t)
FERRY_FAKE_BUNDLE(SetPipeline, WGPURenderPipeline)
FERRY_FAKE_BUNDLE(SetVertexBuffer, uint32_t, WGPUBuffer, uint64_t, uint64_t)
// clang-format on

WGPUStatus SurfaceGetCapabilities(WGPUSurface handle, WGPUAdapter, WGPUSurfaceCapabilities*) {
    unsupported(handle);
    return WGPUStatus_Error;
}

WGPUStatus SurfacePresent(WGPUSurface handle) {
    unsupported(handle);
    return WGPUStatus_Error;
}

void SurfaceCapabilitiesFreeMembers(WGPUSurfaceCapabilities) {}

} // namespace ferry_fake::api
