// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ferry/export.hpp"

namespace ferry {

/// The limits of a device that ferry checks. As a request, 0 means the standard's default.
struct Limits {
    std::uint64_t max_buffer_size_bytes = 0;
    std::uint64_t max_storage_buffer_binding_size_bytes = 0;
    std::uint64_t max_uniform_buffer_binding_size_bytes = 0;
    std::uint32_t min_storage_buffer_offset_alignment = 0;
    std::uint32_t min_uniform_buffer_offset_alignment = 0;
    std::uint32_t max_bind_groups = 0;
    std::uint32_t max_storage_buffers_per_shader_stage = 0;
    std::uint32_t max_compute_workgroup_storage_size_bytes = 0;
    std::uint32_t max_compute_invocations_per_workgroup = 0;
    std::uint32_t max_compute_workgroup_size_x = 0;
    std::uint32_t max_compute_workgroup_size_y = 0;
    std::uint32_t max_compute_workgroup_size_z = 0;
    std::uint32_t max_compute_workgroups_per_dimension = 0;
    std::uint32_t max_texture_dimension_1d = 0;
    std::uint32_t max_texture_dimension_2d = 0;
    std::uint32_t max_texture_dimension_3d = 0;
    std::uint32_t max_texture_array_layers = 0;
};

/// Optional abilities of a device. Values are webgpu.h's.
enum class Feature : std::uint32_t {
    core_features_and_limits = 0x01,
    depth_clip_control = 0x02,
    depth32float_stencil8 = 0x03,
    texture_compression_bc = 0x04,
    texture_compression_bc_sliced_3d = 0x05,
    texture_compression_etc2 = 0x06,
    texture_compression_astc = 0x07,
    texture_compression_astc_sliced_3d = 0x08,
    timestamp_query = 0x09,
    indirect_first_instance = 0x0A,
    shader_f16 = 0x0B,
    rg11b10ufloat_renderable = 0x0C,
    bgra8unorm_storage = 0x0D,
    float32_filterable = 0x0E,
    float32_blendable = 0x0F,
    clip_distances = 0x10,
    dual_source_blending = 0x11,
    subgroups = 0x12,
    texture_formats_tier1 = 0x13,
    texture_formats_tier2 = 0x14,
};

/// WebGPU's spelling: "shader-f16". Empty for a value that is not listed above.
[[nodiscard]] FERRY_API std::string_view name(Feature feature) noexcept;
/// The feature that WebGPU spells so, or empty.
[[nodiscard]] FERRY_API std::optional<Feature> feature_named(std::string_view name) noexcept;

} // namespace ferry
