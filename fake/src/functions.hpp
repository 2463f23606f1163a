// SPDX-License-Identifier: MIT
// One number for every function of webgpu.h, for counters and scripts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ferry_fake {

enum class Function : std::uint16_t {
#define FERRY_FAKE_FUNCTION(name) name,
#define FERRY_FAKE_REFERENCE_FUNCTION(name) name,
#include "functions.inc"
#undef FERRY_FAKE_FUNCTION
#undef FERRY_FAKE_REFERENCE_FUNCTION
};

inline constexpr std::array function_names = {
#define FERRY_FAKE_FUNCTION(name) std::string_view("wgpu" #name),
#define FERRY_FAKE_REFERENCE_FUNCTION(name) std::string_view("wgpu" #name),
#include "functions.inc"
#undef FERRY_FAKE_FUNCTION
#undef FERRY_FAKE_REFERENCE_FUNCTION
};

inline constexpr std::size_t function_count = function_names.size();

constexpr std::size_t index_of(Function function) { return static_cast<std::size_t>(function); }

// AddRef, Release and SetLabel cannot fail, so scripts that make a call fail do not touch them.
constexpr bool is_reference_function(Function function) {
    switch (function) {
#define FERRY_FAKE_FUNCTION(name)
#define FERRY_FAKE_REFERENCE_FUNCTION(name) case Function::name:
#include "functions.inc"
#undef FERRY_FAKE_FUNCTION
#undef FERRY_FAKE_REFERENCE_FUNCTION
        return true;
    default: return false;
    }
}

inline std::optional<Function> function_named(std::string_view name) {
    for (std::size_t i = 0; i < function_count; ++i)
        if (function_names[i] == name) return static_cast<Function>(i);
    return std::nullopt;
}

} // namespace ferry_fake
