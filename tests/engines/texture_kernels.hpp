// SPDX-License-Identifier: MIT
// Kernels for the tests of texture bindings; fake_kernels.cpp has their twins.
#pragma once

#include <string>
#include <string_view>

namespace ferry::test::wgsl {

/// texels[i] = the first channel at `at` of the texture `image`, one texel for each group.
[[nodiscard]] inline std::string load(std::string_view type, std::string_view scalar = "u32",
                                      std::string_view at = "id.xy, 0") {
    return "@group(0) @binding(0) var image: " + std::string(type) +
           ";\n@group(0) @binding(1) var<storage, read_write> texels: array<" +
           std::string(scalar) +
           ">;\n@compute @workgroup_size(1)\n"
           "fn main(@builtin(global_invocation_id) id: vec3u,\n"
           "        @builtin(num_workgroups) size: vec3u) {\n"
           "    let loaded = textureLoad(image, " +
           std::string(at) + ");\n    texels[(id.z * size.y + id.y) * size.x + id.x] = " +
           (type.starts_with("texture_depth") ? "loaded" : "loaded.x") + ";\n}\n";
}

/// Stores 1 + x + 16 y + 256 z in the texel at `at` of the texture `image`, one for each group.
[[nodiscard]] inline std::string store(std::string_view shape, std::string_view at = "id.xy") {
    return "@group(0) @binding(0) var image: texture_storage_" + std::string(shape) +
           "<r32uint, write>;\n@compute @workgroup_size(1)\n"
           "fn main(@builtin(global_invocation_id) id: vec3u) {\n"
           "    textureStore(image, " +
           std::string(at) + ", vec4u(1u + id.x + 16u * id.y + 256u * id.z));\n}\n";
}

/// The texel at (x, y) is (x, y, 0, 255), one for each group.
inline constexpr std::string_view store_colors = R"(
@group(0) @binding(0) var image: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    textureStore(image, id.xy, vec4f(f32(id.x) / 255.0, f32(id.y) / 255.0, 0.0, 1.0));
})";

/// Doubles each texel in place.
inline constexpr std::string_view double_texels = R"(
@group(0) @binding(0) var image: texture_storage_2d<r32uint, read_write>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    textureStore(image, id.xy, textureLoad(image, id.xy) * 2u);
})";

/// target_(x, y) = source(2 x, 2 y)
inline constexpr std::string_view halve = R"(
@group(0) @binding(0) var source: texture_2d<u32>;
@group(0) @binding(1) var target_: texture_storage_2d<r32uint, write>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    textureStore(target_, id.xy, textureLoad(source, id.xy * 2u, 0));
})";

/// texels[0] = the width of the texture `image`
[[nodiscard]] inline std::string width(std::string_view type) {
    return "@group(0) @binding(0) var image: " + std::string(type) +
           ";\n@group(0) @binding(1) var<storage, read_write> texels: array<u32>;\n"
           "@compute @workgroup_size(1)\n"
           "fn main() { texels[0] = textureDimensions(image)" +
           (type.starts_with("texture_1d") ? "" : ".x") + "; }\n";
}

} // namespace ferry::test::wgsl
