// SPDX-License-Identifier: MIT
// What every handle points at: a mark, a kind, an owner, and two counts of holds.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <webgpu/webgpu.h>

namespace ferry_fake {

class World;
struct Device;

enum class Kind : std::uint8_t {
    adapter,
    bind_group,
    bind_group_layout,
    buffer,
    command_buffer,
    command_encoder,
    compute_pass_encoder,
    compute_pipeline,
    device,
    external_texture,
    instance,
    pipeline_layout,
    query_set,
    queue,
    render_bundle,
    render_bundle_encoder,
    render_pass_encoder,
    render_pipeline,
    sampler,
    shader_module,
    surface,
    texture,
    texture_view,
};

// In webgpu.h's spelling, since that is what tests ask for.
inline constexpr std::array<std::string_view, 23> kind_names = {"Adapter",
                                                                "BindGroup",
                                                                "BindGroupLayout",
                                                                "Buffer",
                                                                "CommandBuffer",
                                                                "CommandEncoder",
                                                                "ComputePassEncoder",
                                                                "ComputePipeline",
                                                                "Device",
                                                                "ExternalTexture",
                                                                "Instance",
                                                                "PipelineLayout",
                                                                "QuerySet",
                                                                "Queue",
                                                                "RenderBundle",
                                                                "RenderBundleEncoder",
                                                                "RenderPassEncoder",
                                                                "RenderPipeline",
                                                                "Sampler",
                                                                "ShaderModule",
                                                                "Surface",
                                                                "Texture",
                                                                "TextureView"};

constexpr std::string_view name_of(Kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

// A handle points here. It has no virtual functions, so that the mark of a foreign handle can be
// looked at.
struct Header {
    static constexpr std::uint64_t alive = 0x6572'7279'2d66'616bU;
    static constexpr std::uint64_t dead = 0x6465'6164'2d66'616bU;

    std::uint64_t mark = alive;
    World* world = nullptr;
    Kind kind;
};

struct Object : Header {
    Object(World& owner, Kind which);
    virtual ~Object();
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

    // Where the program's last reference goes away; engine-internal holds may keep the object.
    virtual void released_by_program() {}
    // Frees the payload when nobody holds the object; the shell stays for a while, to recognise
    // stale handles.
    virtual void clear() {}
    // The device that the object belongs to, or none for instances and adapters.
    virtual Device* device_of() { return nullptr; }

    void hold() { ++holds; }
    void drop();
    void hold_for_program();
    void drop_for_program();

    std::uint32_t holds = 0;         // all holds
    std::uint32_t program_holds = 0; // those the program owns
    std::string label;
};

// One engine-internal hold.
template <class T>
class Ref {
public:
    Ref() = default;
    explicit Ref(T* object) : object_(object) {
        if (object_) object_->hold();
    }
    Ref(const Ref& other) : Ref(other.object_) {}
    Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Ref& operator=(Ref other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Ref() {
        if (object_) object_->drop();
    }

    T* get() const { return object_; }
    T* operator->() const { return object_; }
    T& operator*() const { return *object_; }
    explicit operator bool() const { return object_ != nullptr; }
    friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }

private:
    T* object_ = nullptr;
};

template <class T, class... Arguments>
Ref<T> make(Arguments&&... arguments) {
    return Ref<T>(new T(std::forward<Arguments>(arguments)...));
}

} // namespace ferry_fake
