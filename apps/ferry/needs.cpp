// SPDX-License-Identifier: MIT
#include "needs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "storage_formats.hpp"
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

void ask_for_textures(Plan& plan) {
    for (const Slot& slot : plan.slots) {
        if (!slot.picture) continue;
        const auto& size = slot.picture->size;
        raise(plan.limits.max_texture_dimension_2d, std::max(size.width, size.height),
              default_texture_side);
        raise(plan.limits.max_texture_array_layers, size.depth_or_array_layers,
              default_texture_layers);
        if (slot.binding->kind != ferry::BindingKind::storage_texture) continue;
        if (const auto feature = storage_feature(*slot.binding)) plan.features.push_back(*feature);
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

namespace {
/// An array that is too large whole, and can be cut; null when there is none.
const Slot* too_large(const Plan& plan, const Error& error) {
    if (plan.cut || error.trail.find("buffer") == std::string::npos) return nullptr;
    for (const Slot& slot : plan.slots) {
        if (slot.layout.buffer_bytes <= default_storage_bytes) continue;
        if (check_streams(plan, *slot.binding)) return &slot;
    }
    return nullptr;
}
} // namespace

Error device_refused(const Plan& plan, Error error) {
    if (const Slot* slot = too_large(plan, error))
        error.fix =
            fmt::format("Run it chunk by chunk: --stream {}. ", slot->binding->name) + error.fix;
    for (const Slot& slot : plan.slots) {
        if (slot.binding->kind != ferry::BindingKind::storage_texture) continue;
        const auto feature = storage_feature(*slot.binding);
        if (!feature || error.trail.find(fmt::format("lacks the feature {}",
                                                     ferry::name(*feature))) == std::string::npos)
            continue;
        const auto& texture = slot.binding->texture;
        const bool both = texture.access == ferry::TextureAccess::read_write;
        error.what = fmt::format("Binding {} {} texels of the format ({}), which no adapter here "
                                 "does: that takes the feature {}.",
                                 binding_text(*slot.binding), both ? "reads and writes" : "stores",
                                 texture.format, ferry::name(*feature));
        error.fix = storage_substitute(*slot.binding);
        break;
    }
    return within(std::move(error), needs_text(plan)).error();
}

Result<> ask_for_needs(Plan& plan) {
    ask_for_sizes(plan);
    ask_for_textures(plan);
    ask_for_features(plan);
    if (plan.entry->stage != ferry::ShaderStage::compute) return {};
    return ask_for_workgroup(plan);
}

} // namespace app
