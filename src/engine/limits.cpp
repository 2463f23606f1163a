// SPDX-License-Identifier: MIT
#include "ferry/limits.hpp"

#include <array>
#include <string>

#include "base/text.hpp"
#include "engine/adapters.hpp"

namespace ferry {

namespace {

struct Named {
    Feature feature;
    std::string_view name;
};

constexpr std::array<Named, 20> features{{
    {Feature::core_features_and_limits, "core-features-and-limits"},
    {Feature::depth_clip_control, "depth-clip-control"},
    {Feature::depth32float_stencil8, "depth32float-stencil8"},
    {Feature::texture_compression_bc, "texture-compression-bc"},
    {Feature::texture_compression_bc_sliced_3d, "texture-compression-bc-sliced-3d"},
    {Feature::texture_compression_etc2, "texture-compression-etc2"},
    {Feature::texture_compression_astc, "texture-compression-astc"},
    {Feature::texture_compression_astc_sliced_3d, "texture-compression-astc-sliced-3d"},
    {Feature::timestamp_query, "timestamp-query"},
    {Feature::indirect_first_instance, "indirect-first-instance"},
    {Feature::shader_f16, "shader-f16"},
    {Feature::rg11b10ufloat_renderable, "rg11b10ufloat-renderable"},
    {Feature::bgra8unorm_storage, "bgra8unorm-storage"},
    {Feature::float32_filterable, "float32-filterable"},
    {Feature::float32_blendable, "float32-blendable"},
    {Feature::clip_distances, "clip-distances"},
    {Feature::dual_source_blending, "dual-source-blending"},
    {Feature::subgroups, "subgroups"},
    {Feature::texture_formats_tier1, "texture-formats-tier1"},
    {Feature::texture_formats_tier2, "texture-formats-tier2"},
}};

static_assert(static_cast<std::uint32_t>(Feature::shader_f16) == WGPUFeatureName_ShaderF16);
static_assert(static_cast<std::uint32_t>(Feature::texture_formats_tier2) ==
              WGPUFeatureName_TextureFormatsTier2);

} // namespace

std::string_view name(Feature feature) noexcept {
    for (const Named& entry : features) {
        if (entry.feature == feature) return entry.name;
    }
    return {};
}

std::optional<Feature> feature_named(std::string_view name) noexcept {
    for (const Named& entry : features) {
        if (entry.name == name) return entry.feature;
    }
    return std::nullopt;
}

namespace detail {

namespace {

/// Calls `pair(name, ours, theirs)` for each limit that both have.
template <class Ours, class Theirs, class Pair>
void for_each_limit(Ours& ours, Theirs& theirs, Pair pair) {
    pair("max_buffer_size_bytes", ours.max_buffer_size_bytes, theirs.maxBufferSize);
    pair("max_storage_buffer_binding_size_bytes", ours.max_storage_buffer_binding_size_bytes,
         theirs.maxStorageBufferBindingSize);
    pair("max_uniform_buffer_binding_size_bytes", ours.max_uniform_buffer_binding_size_bytes,
         theirs.maxUniformBufferBindingSize);
    pair("min_storage_buffer_offset_alignment", ours.min_storage_buffer_offset_alignment,
         theirs.minStorageBufferOffsetAlignment);
    pair("min_uniform_buffer_offset_alignment", ours.min_uniform_buffer_offset_alignment,
         theirs.minUniformBufferOffsetAlignment);
    pair("max_bind_groups", ours.max_bind_groups, theirs.maxBindGroups);
    pair("max_storage_buffers_per_shader_stage", ours.max_storage_buffers_per_shader_stage,
         theirs.maxStorageBuffersPerShaderStage);
    pair("max_compute_workgroup_storage_size_bytes", ours.max_compute_workgroup_storage_size_bytes,
         theirs.maxComputeWorkgroupStorageSize);
    pair("max_compute_invocations_per_workgroup", ours.max_compute_invocations_per_workgroup,
         theirs.maxComputeInvocationsPerWorkgroup);
    pair("max_compute_workgroup_size_x", ours.max_compute_workgroup_size_x,
         theirs.maxComputeWorkgroupSizeX);
    pair("max_compute_workgroup_size_y", ours.max_compute_workgroup_size_y,
         theirs.maxComputeWorkgroupSizeY);
    pair("max_compute_workgroup_size_z", ours.max_compute_workgroup_size_z,
         theirs.maxComputeWorkgroupSizeZ);
    pair("max_compute_workgroups_per_dimension", ours.max_compute_workgroups_per_dimension,
         theirs.maxComputeWorkgroupsPerDimension);
    pair("max_texture_dimension_1d", ours.max_texture_dimension_1d, theirs.maxTextureDimension1D);
    pair("max_texture_dimension_2d", ours.max_texture_dimension_2d, theirs.maxTextureDimension2D);
    pair("max_texture_dimension_3d", ours.max_texture_dimension_3d, theirs.maxTextureDimension3D);
    pair("max_texture_array_layers", ours.max_texture_array_layers, theirs.maxTextureArrayLayers);
}

} // namespace

Limits from_engine(const WGPULimits& limits) noexcept {
    Limits out;
    for_each_limit(out, limits, [](auto, auto& ours, const auto& theirs) { ours = theirs; });
    return out;
}

WGPULimits to_engine(const Limits& limits) noexcept {
    WGPULimits out = WGPU_LIMITS_INIT; // "undefined", which means the default
    for_each_limit(limits, out, [](auto, const auto& ours, auto& theirs) {
        if (ours != 0) theirs = ours;
    });
    return out;
}

std::string missing_limit(const Limits& wanted, const Limits& offered) {
    const WGPULimits most = to_engine(offered);
    std::string reason;
    for_each_limit(
        wanted, most, [&](std::string_view name, std::uint64_t want, std::uint64_t offer) {
            const bool less_is_better = name.starts_with("min_");
            const bool met = want == 0 || (less_is_better ? want >= offer : want <= offer);
            if (reason.empty() && !met)
                reason = base::text("offers ", name, " of (", offer, "), not (", want, ')');
        });
    return reason;
}

std::vector<Feature> known_features() {
    std::vector<Feature> out;
    for (const Named& entry : features) out.push_back(entry.feature);
    return out;
}

} // namespace detail
} // namespace ferry
