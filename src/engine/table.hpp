// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#ifndef WGPU_SKIP_DECLARATIONS
#error "ferry calls engines through EngineTable: compile with WGPU_SKIP_DECLARATIONS"
#endif
#include <webgpu/webgpu.h>

#include "engine/quirks.hpp"

namespace ferry::detail {

/// The functions of one engine and what it must be asked differently. Immutable once filled.
struct EngineTable {
#define FERRY_ENGINE_FUNCTION(function) WGPUProc##function function = nullptr;
#include "ferry/engine_functions.inc"

    /// wgpu-native's own list of adapters; null elsewhere.
    using EnumerateAdapters = std::size_t (*)(WGPUInstance, const void* options, WGPUAdapter* out);
    EnumerateAdapters enumerate_adapters = nullptr;

    void* library = nullptr; ///< where ferry loaded it; null where the program links it
    EngineKind kind = EngineKind::unknown;
    Quirks quirks{};
    std::string name{};
    std::string version{};
    std::string origin{};
};

[[nodiscard]] inline std::string_view view(WGPUStringView text) noexcept {
    if (text.data == nullptr) return {};
    if (text.length == WGPU_STRLEN) return text.data;
    return {text.data, text.length};
}

[[nodiscard]] inline WGPUStringView view(std::string_view text) noexcept {
    return {text.data(), text.size()};
}

} // namespace ferry::detail
