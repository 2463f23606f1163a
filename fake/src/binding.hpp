// SPDX-License-Identifier: MIT
// Bind group layouts, bind groups, pipeline layouts and samplers.
#pragma once

#include <cstdint>
#include <vector>

#include "buffer.hpp"
#include "encoder.hpp"
#include "texture.hpp"

namespace ferry_fake {

// Objects that are nothing but a device, a label, and whether they are valid.
template <Kind K>
struct Plain : Object {
    explicit Plain(Device& owner) : Object(*owner.world, K), device(&owner) {}
    void clear() override { device = {}; }
    Device* device_of() override { return device.get(); }

    Ref<Device> device;
    bool valid = true;
};

struct Sampler final : Plain<Kind::sampler> {
    using Plain::Plain;
};

struct BindGroupLayout final : Plain<Kind::bind_group_layout> {
    using Plain::Plain;
    const WGPUBindGroupLayoutEntry* find(std::uint32_t binding) const;
    // Layouts fit when their entries are the same, and both or none come from the same automatic
    // layout.
    bool fits(const BindGroupLayout& other) const;

    std::vector<WGPUBindGroupLayoutEntry> entries; // by binding
    const void* automatic_for = nullptr;           // the pipeline that made it; never followed
};

struct BoundEntry {
    std::uint32_t group = 0;
    std::uint32_t binding = 0;
    Ref<Buffer> buffer{};
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    Ref<TextureView> view{};
    bool writable = false;
    bool dynamic = false;
    std::uint32_t offset_alignment = 1;
};

struct BindGroup final : Plain<Kind::bind_group> {
    using Plain::Plain;
    void clear() override;

    Ref<BindGroupLayout> layout;
    std::vector<BoundEntry> entries; // by binding, samplers left out
    Uses uses;
};

struct PipelineLayout final : Plain<Kind::pipeline_layout> {
    using Plain::Plain;
    void clear() override;

    std::vector<Ref<BindGroupLayout>> groups; // empty for a hole
};

// An argument of a creation call: alive, valid, same device; else `problem` says why and the answer
// is null.
template <class Handle>
auto* device_argument(Device& device, Handle handle, const char* role, Check& problem) {
    auto* object = argument(*device.world, handle);
    Check found;
    if (!object)
        found = invalid("The ", role, " is no usable handle.");
    else if (object->device_of() != &device)
        found = invalid("The ", role, " belongs to another device.");
    else if (!object->valid)
        found = invalid("The ", role, " (", object->label, ") is invalid.");
    if (!found) return object;
    if (!problem) problem = found;
    return decltype(object)(nullptr);
}

} // namespace ferry_fake
