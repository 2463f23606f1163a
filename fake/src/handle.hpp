// SPDX-License-Identifier: MIT
// Between webgpu.h handles and objects. A handle that is null, stale, foreign or of another kind is
// never followed.
#pragma once

#include <string_view>

#include "object.hpp"
#include "world.hpp"

namespace ferry_fake {

// clang-format off
#define FERRY_FAKE_KINDS(X) \
    X(Adapter, adapter) X(BindGroup, bind_group) X(BindGroupLayout, bind_group_layout) X(Buffer, buffer) \
    X(CommandBuffer, command_buffer) X(CommandEncoder, command_encoder) \
    X(ComputePassEncoder, compute_pass_encoder) X(ComputePipeline, compute_pipeline) X(Device, device) \
    X(ExternalTexture, external_texture) X(Instance, instance) X(PipelineLayout, pipeline_layout) \
    X(QuerySet, query_set) X(Queue, queue) X(RenderBundle, render_bundle) \
    X(RenderBundleEncoder, render_bundle_encoder) X(RenderPassEncoder, render_pass_encoder) \
    X(RenderPipeline, render_pipeline) X(Sampler, sampler) X(ShaderModule, shader_module) X(Surface, surface) \
    X(Texture, texture) X(TextureView, texture_view)
// clang-format on

// Which object stands behind which handle type.
template <class Handle>
struct HandleTraits;

#define FERRY_FAKE_KIND(Name, name)                                                                \
    struct Name;                                                                                   \
    template <>                                                                                    \
    struct HandleTraits<WGPU##Name> {                                                              \
        using Type = Name;                                                                         \
        static constexpr Kind kind = Kind::name;                                                   \
    };
FERRY_FAKE_KINDS(FERRY_FAKE_KIND)
#undef FERRY_FAKE_KIND

template <class Handle>
concept IsHandle = requires {
    HandleTraits<Handle>::kind;
};

template <IsHandle Handle>
Header* header_of(Handle handle) {
    return reinterpret_cast<Header*>(handle);
}

// Why a handle cannot be followed at all; empty when it can. Looks only at what never changes while
// the object lives.
std::string_view mark_fault(const Header* header, Kind kind);
// Why a handle cannot be used; empty when it can. The world's lock is held, or the mark is at
// fault.
std::string_view handle_fault(const Header* header, Kind kind);
// Reports it where it belongs: to the world of the handle, or of the running call, or to the
// process.
void report_handle(const Header* header, Kind kind, World* caller);

// The object behind a handle whose state has been looked at already.
template <IsHandle Handle>
typename HandleTraits<Handle>::Type* trusted(Handle handle) {
    return static_cast<typename HandleTraits<Handle>::Type*>(
        static_cast<Object*>(header_of(handle)));
}

// The object behind an argument, or null after a report. A handle of another world is reported too:
// it is foreign.
template <IsHandle Handle>
typename HandleTraits<Handle>::Type* argument(World& caller, Handle handle) {
    Header* header = header_of(handle);
    constexpr Kind kind = HandleTraits<Handle>::kind;
    if (!handle_fault(header, kind).empty() || header->world != &caller) {
        report_handle(header, kind, &caller);
        return nullptr;
    }
    return trusted(handle);
}

// Hands one program-owned reference out.
template <IsHandle Handle, class T>
Handle give(const Ref<T>& object) {
    object->hold_for_program();
    return reinterpret_cast<Handle>(static_cast<Header*>(object.get()));
}

template <IsHandle Handle, class T>
Handle borrow(T* object) {
    return reinterpret_cast<Handle>(static_cast<Header*>(object));
}

} // namespace ferry_fake
