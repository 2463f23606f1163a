// SPDX-License-Identifier: MIT
#include "texture.hpp"

#include <algorithm>
#include <bit>

#include "api.hpp"

namespace ferry_fake {

namespace {

constexpr Plane planes[] = {Plane::color, Plane::depth, Plane::stencil};
constexpr WGPUTextureUsage known_usages = 0x3f;

std::uint32_t round_up(std::uint32_t value, std::uint32_t step) {
    return (value + step - 1) / step * step;
}

Check check_format(const Device& device, const WGPUTextureDescriptor& d, const Format& format) {
    if (format.feature && !device.has(*format.feature))
        return invalid("Texture format (", static_cast<int>(d.format),
                       ") needs a feature the device lacks.");
    if (d.dimension == WGPUTextureDimension_1D &&
        (format.is_compressed() || format.is_depth_stencil()))
        return invalid("A 1D texture cannot be compressed or depth-stencil.");
    if (d.dimension != WGPUTextureDimension_3D) return std::nullopt;
    if (format.is_depth_stencil()) return invalid("A 3D texture cannot be depth-stencil.");
    if (format.is_compressed() && !(format.feature_3d && device.has(*format.feature_3d)))
        return invalid("A compressed 3D texture needs the sliced-3d feature of its format.");
    return std::nullopt;
}

Check check_size(const Device& device, const WGPUTextureDescriptor& d, const Format& format) {
    const WGPUExtent3D size = d.size;
    const WGPULimits& limits = device.limits;
    const bool is_3d = d.dimension == WGPUTextureDimension_3D;
    const bool is_1d = d.dimension == WGPUTextureDimension_1D;
    std::uint32_t const side = is_3d   ? limits.maxTextureDimension3D
                               : is_1d ? limits.maxTextureDimension1D
                                       : limits.maxTextureDimension2D;
    std::uint32_t const depth = is_3d ? side : is_1d ? 1 : limits.maxTextureArrayLayers;
    if (size.width == 0 || size.height == 0 || size.depthOrArrayLayers == 0)
        return invalid("Texture size (", size.width, "x", size.height, "x", size.depthOrArrayLayers,
                       ") is empty.");
    if (size.width > side || size.height > (is_1d ? 1 : side) || size.depthOrArrayLayers > depth)
        return invalid("Texture size (", size.width, "x", size.height, "x", size.depthOrArrayLayers,
                       ") is above the limits (", side, ", ", depth, " deep).");
    if (size.width % format.block_width != 0 || size.height % format.block_height != 0)
        return invalid("Texture size (", size.width, "x", size.height, ") is not whole blocks (",
                       format.block_width, "x", format.block_height, ").");
    std::uint32_t const longest =
        std::max({size.width, is_1d ? 1 : size.height, is_3d ? size.depthOrArrayLayers : 1});
    std::uint32_t const mips = is_1d ? 1 : static_cast<std::uint32_t>(std::bit_width(longest));
    if (d.mipLevelCount == 0 || d.mipLevelCount > mips)
        return invalid("Mip level count (", d.mipLevelCount, ") is not in 1 to ", mips, ".");
    return std::nullopt;
}

Check check_samples(const WGPUTextureDescriptor& d, const Format& format) {
    if (d.sampleCount == 1) return std::nullopt;
    if (d.sampleCount != 4)
        return invalid("Sample count (", d.sampleCount, ") is neither 1 nor 4.");
    const bool plain = d.dimension == WGPUTextureDimension_2D && d.mipLevelCount == 1 &&
                       d.size.depthOrArrayLayers == 1 && !format.is_compressed();
    if (!plain)
        return invalid(
            "A multisampled texture is 2D with one level and layer, and not compressed.");
    if ((d.usage & WGPUTextureUsage_StorageBinding) != 0 ||
        (d.usage & WGPUTextureUsage_RenderAttachment) == 0)
        return invalid(
            "A multisampled texture needs RenderAttachment and cannot have StorageBinding usage.");
    return std::nullopt;
}

Check check_usage(const WGPUTextureDescriptor& d, const Format& format) {
    if (d.usage == 0) return invalid("A texture's usage (0) has no bit.");
    if ((d.usage & ~known_usages) != 0)
        return invalid("Texture usage (", d.usage, ") has unknown bits.");
    if ((d.usage & WGPUTextureUsage_TransientAttachment) != 0 &&
        d.usage != (WGPUTextureUsage_TransientAttachment | WGPUTextureUsage_RenderAttachment))
        return invalid("TransientAttachment goes with RenderAttachment alone (rules T-10).");
    const bool attaches = (d.usage & WGPUTextureUsage_RenderAttachment) != 0;
    if (attaches && (format.is_compressed() || d.dimension == WGPUTextureDimension_1D))
        return invalid("A compressed or 1D texture cannot be a RenderAttachment.");
    if ((d.usage & WGPUTextureUsage_StorageBinding) != 0 &&
        (format.is_compressed() || format.is_depth_stencil()))
        return invalid("A compressed or depth-stencil texture cannot have StorageBinding usage.");
    for (std::size_t i = 0; i < d.viewFormatCount; ++i)
        if (without_srgb(d.viewFormats[i]) != without_srgb(d.format))
            return invalid("View format (", static_cast<int>(d.viewFormats[i]),
                           ") differs by more than -srgb.");
    return std::nullopt;
}

Check check_descriptor(const Device& device, const WGPUTextureDescriptor& d,
                       const std::optional<Format>& format) {
    if (!format)
        return invalid("Texture format (", static_cast<int>(d.format),
                       ") is not one of webgpu.h's.");
    if (d.dimension < WGPUTextureDimension_1D || d.dimension > WGPUTextureDimension_3D)
        return invalid("Texture dimension (", static_cast<int>(d.dimension),
                       ") is not one of webgpu.h's.");
    if (Check problem = check_format(device, d, *format)) return problem;
    if (Check problem = check_size(device, d, *format)) return problem;
    if (Check problem = check_usage(d, *format)) return problem;
    return check_samples(d, *format);
}

} // namespace

Texture::Texture(Device& owner, const WGPUTextureDescriptor& descriptor, const Format& format_of_it)
    : Object(*owner.world, Kind::texture), device(&owner), format(format_of_it),
      usage(descriptor.usage), dimension(descriptor.dimension), size(descriptor.size),
      mip_count(descriptor.mipLevelCount), sample_count(descriptor.sampleCount) {
    label = string_of(descriptor.label);
    view_formats.assign(descriptor.viewFormats,
                        descriptor.viewFormats + descriptor.viewFormatCount);
}

void Texture::clear() {
    memory_.free();
    device = {};
}

WGPUExtent3D Texture::logical(std::uint32_t mip) const {
    const bool is_3d = dimension == WGPUTextureDimension_3D;
    return {std::max(1U, size.width >> mip), std::max(1U, size.height >> mip),
            is_3d ? std::max(1U, size.depthOrArrayLayers >> mip) : size.depthOrArrayLayers};
}

WGPUExtent3D Texture::physical(std::uint32_t mip) const {
    const WGPUExtent3D extent = logical(mip);
    return {round_up(extent.width, format.block_width),
            round_up(extent.height, format.block_height), extent.depthOrArrayLayers};
}

std::uint64_t Texture::row_bytes(Plane plane, std::uint32_t mip) const {
    return std::uint64_t{physical(mip).width / format.block_width} * format.bytes(plane) *
           sample_count;
}

std::uint64_t Texture::layer_bytes(Plane plane, std::uint32_t mip) const {
    return row_bytes(plane, mip) * (physical(mip).height / format.block_height);
}

std::uint64_t Texture::plane_bytes(Plane plane, std::uint32_t mip) const {
    return layer_bytes(plane, mip) * physical(mip).depthOrArrayLayers;
}

bool Texture::allocate() {
    std::uint64_t total = 0;
    for (Plane plane : planes)
        for (std::uint32_t mip = 0; mip < mip_count; ++mip) {
            starts_[static_cast<std::size_t>(plane)].push_back(total);
            // Host functions may look at whole words.
            total += (plane_bytes(plane, mip) + 15) / 16 * 16;
        }
    return memory_.allocate(*device, total);
}

std::byte* Texture::block(Plane plane, std::uint32_t mip, std::uint64_t x, std::uint64_t y,
                          std::uint64_t z) const {
    std::uint64_t const start = starts_[static_cast<std::size_t>(plane)][mip];
    return memory_.data() + start + z * layer_bytes(plane, mip) + y * row_bytes(plane, mip) +
           x * format.bytes(plane) * sample_count;
}

void Texture::destroy() {
    if (destroyed) return;
    destroyed = true;
    // Work that was submitted before still runs: memory goes in queue order.
    if (device->lost)
        memory_.free();
    else
        device->queue.add(world->now, 0, [self = Ref<Texture>(this)] { self->memory_.free(); });
}

namespace {

WGPUTextureDescriptor with_defaults(WGPUTextureDescriptor descriptor) {
    if (descriptor.dimension == WGPUTextureDimension_Undefined)
        descriptor.dimension = WGPUTextureDimension_2D;
    return descriptor;
}

WGPUTextureViewDimension binding_view_of(const WGPUTextureDescriptor& d) {
    if (d.dimension == WGPUTextureDimension_1D) return WGPUTextureViewDimension_1D;
    if (d.dimension == WGPUTextureDimension_3D) return WGPUTextureViewDimension_3D;
    return d.size.depthOrArrayLayers > 1 ? WGPUTextureViewDimension_2DArray
                                         : WGPUTextureViewDimension_2D;
}

} // namespace

namespace api {

WGPUTexture DeviceCreateTexture(WGPUDevice handle, const WGPUTextureDescriptor* given) {
    Device& device = *trusted(handle);
    const WGPUTextureDescriptor descriptor = with_defaults(*given);
    const std::optional<Format> format = format_of(descriptor.format);
    const auto texture =
        make<Texture>(device, descriptor, format.value_or(Format{.id = descriptor.format}));
    texture->binding_view = binding_view_of(descriptor);
    Check problem = device.world->scripted_problem();
    if (!problem) problem = check_descriptor(device, descriptor, format);
    if (!problem && !device.lost && !texture->allocate())
        problem =
            Problem{WGPUErrorType_OutOfMemory, "The texture does not fit into memory.", false};
    texture->valid = device.accept(problem) && !device.lost;
    return give<WGPUTexture>(texture);
}

void TextureDestroy(WGPUTexture handle) { trusted(handle)->destroy(); }
uint32_t TextureGetWidth(WGPUTexture handle) { return trusted(handle)->size.width; }
uint32_t TextureGetHeight(WGPUTexture handle) { return trusted(handle)->size.height; }
uint32_t TextureGetDepthOrArrayLayers(WGPUTexture handle) {
    return trusted(handle)->size.depthOrArrayLayers;
}
uint32_t TextureGetMipLevelCount(WGPUTexture handle) { return trusted(handle)->mip_count; }
uint32_t TextureGetSampleCount(WGPUTexture handle) { return trusted(handle)->sample_count; }
WGPUTextureDimension TextureGetDimension(WGPUTexture handle) { return trusted(handle)->dimension; }
WGPUTextureFormat TextureGetFormat(WGPUTexture handle) { return trusted(handle)->format.id; }
WGPUTextureUsage TextureGetUsage(WGPUTexture handle) { return trusted(handle)->usage; }
WGPUTextureViewDimension TextureGetTextureBindingViewDimension(WGPUTexture handle) {
    return trusted(handle)->binding_view;
}

} // namespace api
} // namespace ferry_fake
