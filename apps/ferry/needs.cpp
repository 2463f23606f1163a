// SPDX-License-Identifier: MIT
#include "needs.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "text.hpp"

namespace app {

namespace {
/// The standard's defaults (rules.md, section 6).
constexpr std::uint64_t default_buffer_bytes = std::uint64_t{256} << 20;
constexpr std::uint64_t default_storage_bytes = std::uint64_t{128} << 20;
constexpr std::uint64_t default_uniform_bytes = std::uint64_t{64} << 10;
constexpr std::uint32_t default_storage_buffers = 8;
constexpr std::uint64_t default_invocations = 256;
constexpr std::uint32_t default_size_xy = 256;
constexpr std::uint32_t default_size_z = 64;

constexpr std::uint32_t default_texture_side = 8'192;
constexpr std::uint32_t default_texture_layers = 256;

template <class Number>
void raise(Number& limit, std::uint64_t need, std::uint64_t by_default) {
    if (need > by_default) limit = std::max(limit, static_cast<Number>(need));
}

void ask_for_sizes(Plan& plan) {
    std::uint32_t storage_buffers = 0;
    for (const Slot& slot : plan.slots) {
        if (slot.picture) continue;
        const bool uniform = slot.binding->kind == ferry::BindingKind::uniform_buffer;
        const std::uint64_t bytes = (slot.layout.buffer_bytes + 3) / 4 * 4;
        raise(plan.limits.max_buffer_size_bytes, bytes, default_buffer_bytes);
        if (uniform) {
            raise(plan.limits.max_uniform_buffer_binding_size_bytes, bytes, default_uniform_bytes);
        } else {
            raise(plan.limits.max_storage_buffer_binding_size_bytes, bytes, default_storage_bytes);
            ++storage_buffers;
        }
    }
    raise(plan.limits.max_storage_buffers_per_shader_stage, storage_buffers,
          default_storage_buffers);
}

constexpr std::array<std::string_view, 16> storage_formats{
    "rgba8unorm",  "rgba8snorm", "rgba8uint",  "rgba8sint",  "rgba16uint", "rgba16sint",
    "rgba16float", "r32uint",    "r32sint",    "r32float",   "rg32uint",   "rg32sint",
    "rg32float",   "rgba32uint", "rgba32sint", "rgba32float"};

/// Storage textures beyond those that every device has.
void ask_for_storage(Plan& plan, const ferry::ShaderBinding& binding) {
    using ferry::Feature;
    if (binding.kind != ferry::BindingKind::storage_texture) return;
    const std::string& format = binding.texture.format;
    const bool known =
        std::find(storage_formats.begin(), storage_formats.end(), format) != storage_formats.end();
    if (!known) {
        plan.features.push_back(format == "bgra8unorm" ? Feature::bgra8unorm_storage
                                                       : Feature::texture_formats_tier1);
    }
    const bool one = format == "r32uint" || format == "r32sint" || format == "r32float";
    if (binding.texture.access == ferry::TextureAccess::read_write && !one)
        plan.features.push_back(Feature::texture_formats_tier2);
}

void ask_for_textures(Plan& plan) {
    for (const Slot& slot : plan.slots) {
        if (!slot.picture) continue;
        const auto& size = slot.picture->size;
        raise(plan.limits.max_texture_dimension_2d, std::max(size.width, size.height),
              default_texture_side);
        raise(plan.limits.max_texture_array_layers, size.depth_or_array_layers,
              default_texture_layers);
        ask_for_storage(plan, *slot.binding);
    }
}

Result<> ask_for_workgroup(Plan& plan) {
    auto size = ferry::workgroup_size(plan.info, *plan.entry, plan.constants);
    if (!size) return std::unexpected(std::move(size).error());
    const auto [x, y, z] = *size;
    std::uint64_t invocations = 0;
    if (__builtin_mul_overflow(std::uint64_t{x} * y, z, &invocations)) invocations = UINT32_MAX;
    raise(plan.limits.max_compute_invocations_per_workgroup,
          std::min<std::uint64_t>(invocations, UINT32_MAX), default_invocations);
    raise(plan.limits.max_compute_workgroup_size_x, x, default_size_xy);
    raise(plan.limits.max_compute_workgroup_size_y, y, default_size_xy);
    raise(plan.limits.max_compute_workgroup_size_z, z, default_size_z);
    return {};
}

void ask_for_features(Plan& plan) {
    for (const std::string& enable : plan.info.enables) {
        std::string name = enable == "f16" ? "shader-f16" : enable;
        std::replace(name.begin(), name.end(), '_', '-');
        if (const auto feature = ferry::feature_named(name)) plan.features.push_back(*feature);
    }
}
} // namespace

std::string needs_text(const Plan& plan) {
    const Slot* largest = nullptr;
    for (const Slot& slot : plan.slots) {
        if (largest == nullptr || slot.layout.buffer_bytes > largest->layout.buffer_bytes)
            largest = &slot;
    }
    if (largest == nullptr) return "while opening a device";
    return fmt::format("while opening a device; the largest {} is \"{}\", of {}",
                       largest->picture ? "texture" : "buffer", largest->binding->name,
                       size_text(largest->layout.buffer_bytes));
}

Result<> ask_for_needs(Plan& plan) {
    ask_for_sizes(plan);
    ask_for_textures(plan);
    ask_for_features(plan);
    if (plan.entry->stage != ferry::ShaderStage::compute) return {};
    return ask_for_workgroup(plan);
}

} // namespace app
