// SPDX-License-Identifier: MIT
// Textures and views. Each plane of each mip level is one run of blocks: layer by layer, row by
// row, tight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device.hpp"
#include "format.hpp"
#include "memory.hpp"

namespace ferry_fake {

struct Texture final : Object {
    Texture(Device& owner, const WGPUTextureDescriptor& descriptor, const Format& format_of_it);
    void clear() override;
    Device* device_of() override { return device.get(); }

    // Logical size of a mip level, and the physical one: whole blocks (rules 3.2). The third axis
    // is layers or slices.
    WGPUExtent3D logical(std::uint32_t mip) const;
    WGPUExtent3D physical(std::uint32_t mip) const;
    // Makes the storage; false without memory.
    bool allocate();
    // Where block (x, y) of a layer or slice begins; all in blocks.
    std::byte* block(Plane plane, std::uint32_t mip, std::uint64_t x, std::uint64_t y,
                     std::uint64_t z) const;
    std::uint64_t row_bytes(Plane plane, std::uint32_t mip) const;
    std::uint64_t layer_bytes(Plane plane, std::uint32_t mip) const;
    void destroy();

    Ref<Device> device;
    Format format;
    WGPUTextureUsage usage;
    WGPUTextureDimension dimension;
    WGPUTextureViewDimension binding_view = WGPUTextureViewDimension_Undefined;
    WGPUExtent3D size;
    std::uint32_t mip_count;
    std::uint32_t sample_count;
    std::vector<WGPUTextureFormat> view_formats;
    bool valid = true;
    bool destroyed = false;

private:
    std::uint64_t plane_bytes(Plane plane, std::uint32_t mip) const;

    Memory memory_;
    std::vector<std::uint64_t> starts_[3]; // by plane, then mip: byte position in the memory
};

struct TextureView final : Object {
    TextureView(Texture& of, const WGPUTextureViewDescriptor& resolved);
    void clear() override;
    Device* device_of() override { return texture ? texture->device.get() : nullptr; }

    Ref<Texture> texture;
    WGPUTextureFormat format;
    WGPUTextureViewDimension dimension;
    std::uint32_t base_mip, mip_count, base_layer, layer_count;
    WGPUTextureAspect aspect;
    WGPUTextureUsage usage;
    bool valid = true;
};

} // namespace ferry_fake
