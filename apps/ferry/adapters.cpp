// SPDX-License-Identifier: MIT
#include "adapters.hpp"

#include <algorithm>
#include <cctype>

#include "text.hpp"

namespace app {

std::vector<std::string> engine_names(const Common& common) {
    if (!common.engine.empty()) return {common.engine};
    return {"wgpu", "dawn", "fake"};
}

bool wanted(const ferry::Adapter& adapter, std::string_view only) {
    if (only.empty() || std::to_string(adapter.index) == only) return true;
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) ==
               std::tolower(static_cast<unsigned char>(b));
    };
    return std::search(adapter.name.begin(), adapter.name.end(), only.begin(), only.end(), same) !=
           adapter.name.end();
}

std::string kind_text(ferry::AdapterKind kind) {
    switch (kind) {
    case ferry::AdapterKind::discrete: return "discrete";
    case ferry::AdapterKind::integrated: return "integrated";
    case ferry::AdapterKind::cpu: return "cpu";
    case ferry::AdapterKind::unknown: break;
    }
    return "unknown";
}

std::string limit_text(std::uint64_t bytes) {
    if (bytes >= std::uint64_t{1} << 60) return "unlimited";
    const std::uint64_t rounded =
        bytes + 4; // drivers say 2 GiB - 1 and 4 GiB - 4 where they mean the whole
    if (bytes > 1024 && rounded % 1024 <= 4 &&
        size_text(rounded / 1024 * 1024).find('.') == std::string::npos) {
        return size_text(rounded / 1024 * 1024);
    }
    return size_text(bytes);
}

namespace {
nlohmann::ordered_json to_json(const ferry::Limits& limits) {
    return {{"max_buffer_size_bytes", limits.max_buffer_size_bytes},
            {"max_storage_buffer_binding_size_bytes", limits.max_storage_buffer_binding_size_bytes},
            {"max_uniform_buffer_binding_size_bytes", limits.max_uniform_buffer_binding_size_bytes},
            {"min_storage_buffer_offset_alignment", limits.min_storage_buffer_offset_alignment},
            {"min_uniform_buffer_offset_alignment", limits.min_uniform_buffer_offset_alignment},
            {"max_storage_buffers_per_shader_stage", limits.max_storage_buffers_per_shader_stage},
            {"max_compute_workgroup_storage_size_bytes",
             limits.max_compute_workgroup_storage_size_bytes},
            {"max_compute_invocations_per_workgroup", limits.max_compute_invocations_per_workgroup},
            {"max_compute_workgroup_size",
             {limits.max_compute_workgroup_size_x, limits.max_compute_workgroup_size_y,
              limits.max_compute_workgroup_size_z}},
            {"max_compute_workgroups_per_dimension", limits.max_compute_workgroups_per_dimension},
            {"max_texture_dimension_1d", limits.max_texture_dimension_1d},
            {"max_texture_dimension_2d", limits.max_texture_dimension_2d},
            {"max_texture_dimension_3d", limits.max_texture_dimension_3d},
            {"max_texture_array_layers", limits.max_texture_array_layers}};
}
} // namespace

nlohmann::ordered_json to_json(const ferry::Adapter& adapter) {
    auto features = nlohmann::ordered_json::array();
    for (const auto each : adapter.features) {
        if (const auto name = ferry::name(each); !name.empty()) features.push_back(name);
    }
    nlohmann::ordered_json out{
        {"index", adapter.index},           {"name", adapter.name},
        {"vendor", adapter.vendor},         {"kind", kind_text(adapter.kind)},
        {"backend", adapter.backend},       {"driver", adapter.driver},
        {"usable", adapter.refusal.empty()}};
    if (!adapter.refusal.empty()) out["refusal"] = adapter.refusal;
    out["limits"] = to_json(adapter.limits);
    out["features"] = std::move(features);
    return out;
}

} // namespace app
