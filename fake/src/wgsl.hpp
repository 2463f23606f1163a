// SPDX-License-Identifier: MIT
// What the fake reads out of WGSL: resource variables and entry points. It does not compile
// shaders.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ferry_fake {

enum class ResourceKind : std::uint8_t {
    uniform,
    storage_read,
    storage_write,
    texture,
    storage_texture,
    sampler
};

struct Resource {
    std::uint32_t group = 0;
    std::uint32_t binding = 0;
    ResourceKind kind = ResourceKind::uniform;
    std::string name;
};

struct WgslFunction {
    std::string name;
    std::string stage;                         // "compute", "vertex", "fragment", or empty
    std::vector<std::uint64_t> workgroup_size; // the literal ones; 0 for anything else
    std::set<std::string> names;               // every identifier of its body
};

struct Wgsl {
    std::vector<Resource> resources;
    std::vector<WgslFunction> functions;
    std::string error; // empty when brackets close; nothing more is checked

    // The entry point of that name, or the only one of the stage for an empty name; null when there
    // is none.
    const WgslFunction* entry_point(std::string_view stage, std::string_view name) const;
    // Resources that the function reaches, also through the functions that it calls.
    std::vector<Resource> used_by(const WgslFunction& function) const;
};

Wgsl scan_wgsl(std::string_view code);

} // namespace ferry_fake
