// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace ferry::test::wgsl {

/// data[i] = data[i] * 2
inline constexpr std::string_view twice = R"(
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x < arrayLength(&data)) { data[id.x] = data[id.x] * 2.0; }
})";

/// seen = the number of workgroups, and how many threads ran
inline constexpr std::string_view count_groups = R"(
struct Seen { x: u32, y: u32, z: u32, threads: atomic<u32> }
@group(0) @binding(0) var<storage, read_write> seen: Seen;
@compute @workgroup_size(4, 2, 1)
fn main(@builtin(num_workgroups) groups: vec3u) {
    seen.x = groups.x;
    seen.y = groups.y;
    seen.z = groups.z;
    atomicAdd(&seen.threads, 1u);
})";

/// target_[i] = source[i] + 1
inline constexpr std::string_view two_buffers = R"(
@group(0) @binding(0) var<storage, read> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> target_: array<u32>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) { target_[id.x] = source[id.x] + 1u; }
)";

/// One thread that works for a time that grows with `rounds`, and then writes 7.
inline constexpr std::string_view slow = R"(
@group(0) @binding(0) var<storage, read_write> result: array<u32>;
@group(0) @binding(1) var<storage, read> rounds: array<u32>;
@compute @workgroup_size(1)
fn main() {
    var state = 2463534242u;
    for (var turn = 0u; turn < rounds[0]; turn++) {
        state ^= state << 13u;
        state ^= state >> 17u;
        state ^= state << 5u;
    }
    // Never zero, so the loop cannot be left out.
    result[0] = select(0u, 7u, state != 0u);
})";

} // namespace ferry::test::wgsl
