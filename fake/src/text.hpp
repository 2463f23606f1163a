// SPDX-License-Identifier: MIT
// Texts: webgpu.h's string views, and one builder for messages.
#pragma once

#include <cstring>
#include <sstream>
#include <string>

#include <webgpu/webgpu.h>

namespace ferry_fake {

template <class... Parts>
std::string text(const Parts&... parts) {
    std::ostringstream out;
    (out << ... << parts);
    return out.str();
}

inline std::string string_of(WGPUStringView view) {
    if (!view.data) return {};
    return view.length == WGPU_STRLEN ? std::string(view.data)
                                      : std::string(view.data, view.length);
}

// The view does not own: the string must outlive it.
inline WGPUStringView view_of(const std::string& string) { return {string.data(), string.size()}; }

inline WGPUStringView view_of(const char* literal) { return {literal, std::strlen(literal)}; }

} // namespace ferry_fake
