// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/error.hpp"
#include "shader/bind_rules.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

std::string placed(const ShaderBinding& binding) {
    return text("The binding \"", binding.name, "\" (line ", binding.line, ')');
}

/// Textures that are read and written take three formats; a feature adds more.
Result<> check_storage_texture(const Core& core, const ShaderBinding& binding) {
    const auto format = format_named(binding.texture.format);
    if (!format) {
        return fail(Errc::invalid_argument, {},
                    text(placed(binding), " has the texel format (", binding.texture.format,
                         "), which is none of WebGPU's."),
                    "Use a format for storage textures, such as rgba8unorm or r32float.");
    }
    const bool any_device_can =
        *format == Format::r32_float || *format == Format::r32_uint || *format == Format::r32_sint;
    if (binding.texture.access != TextureAccess::read_write || any_device_can) return {};
    if (std::ranges::count(core.features, Feature::texture_formats_tier2) > 0) return {};
    return fail(Errc::unsupported, {},
                text(placed(binding), " reads and writes texels of the format (",
                     binding.texture.format, "); the device does so for 3 formats only."),
                "Use r32float, r32uint or r32sint; or read one texture and write another.");
}

Result<> check_kind(const Core& core, const ShaderBinding& binding) {
    if (binding.kind == BindingKind::storage_texture) return check_storage_texture(core, binding);
    if (is_buffer(binding.kind) || is_texture(binding.kind)) return {};
    return fail(
        Errc::unsupported, {},
        text(placed(binding), " is a ", binding.type.name, "; kernels bind buffers and textures."),
        binding.kind == BindingKind::sampler
            ? "Read texels with textureLoad, which needs no sampler; or record your own "
              "pass on Commands::raw_encoder."
            : "Use a texture_2d, or record your own pass on Commands::raw_encoder.");
}

WGPUBufferBindingType type_of(BindingKind kind) {
    switch (kind) {
    case BindingKind::uniform_buffer: return WGPUBufferBindingType_Uniform;
    case BindingKind::read_only_storage_buffer: return WGPUBufferBindingType_ReadOnlyStorage;
    default: return WGPUBufferBindingType_Storage;
    }
}

/// Without samplers nothing filters, and then every format that gives f32 will do.
WGPUTextureSampleType type_of(const WgslTexture& texture) {
    if (texture.depth) return WGPUTextureSampleType_Depth;
    switch (texture.sample) {
    case ScalarKind::u32: return WGPUTextureSampleType_Uint;
    case ScalarKind::i32: return WGPUTextureSampleType_Sint;
    default: return WGPUTextureSampleType_UnfilterableFloat;
    }
}

WGPUStorageTextureAccess type_of(TextureAccess access) {
    switch (access) {
    case TextureAccess::read: return WGPUStorageTextureAccess_ReadOnly;
    case TextureAccess::read_write: return WGPUStorageTextureAccess_ReadWrite;
    default: return WGPUStorageTextureAccess_WriteOnly;
    }
}

} // namespace

Result<> check_bindings(const Core& core, const ShaderInfo& shader, const EntryPoint& entry) {
    const std::uint32_t groups = core.limits.max_bind_groups;
    for (std::size_t index : entry.bindings) {
        const ShaderBinding& binding = shader.bindings[index];
        if (binding.group >= groups) {
            return fail(Errc::limit_exceeded, {},
                        text(placed(binding), " is in group (", binding.group,
                             "), and the device has (", groups, ") groups."),
                        text("Use @group(0) to @group(", groups - 1, ")."));
        }
        if (auto ok = check_kind(core, binding); !ok) return ok;
    }
    return {};
}

WGPUTextureViewDimension view_dimension(TextureShape shape) {
    switch (shape) {
    case TextureShape::d1: return WGPUTextureViewDimension_1D;
    case TextureShape::d2: return WGPUTextureViewDimension_2D;
    case TextureShape::d2_array: return WGPUTextureViewDimension_2DArray;
    case TextureShape::cube: return WGPUTextureViewDimension_Cube;
    case TextureShape::cube_array: return WGPUTextureViewDimension_CubeArray;
    case TextureShape::d3: return WGPUTextureViewDimension_3D;
    }
    return WGPUTextureViewDimension_Undefined;
}

WGPUBindGroupLayoutEntry layout_entry(const ShaderBinding& binding) {
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.binding = binding.binding;
    entry.visibility = WGPUShaderStage_Compute;
    switch (binding.kind) {
    case BindingKind::texture:
        entry.texture.sampleType = type_of(binding.texture);
        entry.texture.viewDimension = view_dimension(binding.texture.shape);
        entry.texture.multisampled = binding.texture.multisampled ? WGPU_TRUE : WGPU_FALSE;
        break;
    case BindingKind::storage_texture:
        entry.storageTexture.access = type_of(binding.texture.access);
        entry.storageTexture.format = static_cast<WGPUTextureFormat>(
            format_named(binding.texture.format).value_or(Format::undefined));
        entry.storageTexture.viewDimension = view_dimension(binding.texture.shape);
        break;
    default:
        entry.buffer.type = type_of(binding.kind);
        entry.buffer.minBindingSize = binding.type.min_binding_bytes;
    }
    return entry;
}

} // namespace ferry::detail
